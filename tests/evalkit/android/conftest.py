"""A software phone in a thread of the test process, under an adb server of its own; skipped where there is no adb."""

import asyncio
import threading

import pytest

from device.android.connection.server import adb_path
from device.android.phone import AndroidPhone
from evalkit.android.phone import StagedPhone
from evalkit.android.rig import own_server, software
from runtime.contract import Deadline, SetupError
from runtime.guard import AllowAll


class Loop:
    """An event loop in a thread: what touches a software phone runs in it."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(120)


@pytest.fixture(scope="session")
def adb():
    """An adb server that only these tests use."""
    try:
        adb_path()
    except SetupError as error:
        pytest.skip(str(error))
    with own_server() as server:
        yield server


@pytest.fixture(scope="session")
def served(adb):
    """A software phone on the network, and the loop that it lives in."""
    from device.handset.client import Served
    from device.handset.handset import Handset
    from device.handset.server import Server

    loop = Loop()

    async def made():
        return Server(Handset())

    serving = loop.run(made())
    loop.run(serving.start())
    assert "connected" in adb.ask(f"host:connect:{serving.serial}", Deadline(30))
    yield Served(serving.serial, serving.control_port), serving.phone
    loop.run(serving.stop())


@pytest.fixture
def staged(served, adb, tmp_path, monkeypatch):
    """The software phone with its control port."""
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    with software(served[0], adb) as phone:
        yield phone


@pytest.fixture
def unreset(staged, adb):
    """The same phone as a real one is: nobody can reset it."""
    staged.control.reset()
    phone = StagedPhone(AndroidPhone(staged.phone.serial, AllowAll(), type(adb)(adb.host, adb.port)))
    yield phone
    phone.close()
