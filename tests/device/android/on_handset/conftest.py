"""The bridge on a software phone, through the real adb server; skipped where there is no adb."""

import asyncio
import os
import socket
import subprocess
import threading

import pytest

from device.android.connection.server import Server, adb_path
from device.android.phone import AndroidPhone
from runtime.contract import Approver, Deadline, SetupError, ToolCall, WorldSpec


class Loop:
    """An event loop in a thread: what touches a software phone runs in it."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(120)


class Yes(Approver):
    """Agrees, and remembers to what."""

    def __init__(self):
        self.asked = []
        self.answer = True

    def approve(self, question, deadline):
        self.asked.append(question)
        return self.answer


class Connected(AndroidPhone):
    """A bridge with a shorthand."""

    count = 0

    def call(self, tool, /, seconds=60.0, **arguments):
        self.count += 1
        return self.execute(ToolCall(id=f"c{self.count}", name=tool, arguments=arguments), Deadline(seconds))


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A software phone and the adb server that knows it: serial, handset, loop, server."""
    try:
        binary = adb_path()
    except SetupError as error:
        pytest.skip(str(error))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "HOME": str(tmp_path_factory.mktemp("adb")), "ADB_MDNS_OPENSCREEN": "0"}
    subprocess.run([binary, "-P", str(port), "start-server"], env=environment, capture_output=True, check=True)
    from device.handset.handset import Handset
    from device.handset.server import Server as Serving

    loop = Loop()

    async def made():
        return Serving(Handset())

    serving = loop.run(made())
    loop.run(serving.start())
    server = Server("127.0.0.1", port)
    assert "connected" in server.ask(f"host:connect:{serving.serial}", Deadline(30))
    yield serving, loop, server
    loop.run(serving.stop())
    server.close()
    subprocess.run([binary, "-P", str(port), "kill-server"], env=environment, capture_output=True, check=False)


@pytest.fixture
def approver():
    return Yes()


@pytest.fixture
def phone(served, approver, tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    serving, loop, server = served

    async def anew():
        serving.phone.reset(WorldSpec())

    loop.run(anew())
    made = Connected(serving.serial, approver, Server(server.host, server.port))
    yield made
    made.close()


@pytest.fixture
def rows(served):
    """Rows of the software phone's own tables."""
    handset = served[0].phone

    def of(table):
        return handset.sandbox.table(handset.sandbox.catalogue.kinds[table].cls).all()

    return of
