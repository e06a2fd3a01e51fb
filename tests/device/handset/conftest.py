"""Software phones in a loop of their own, and the real adb server that connects to them; skipped without adb."""

import asyncio
import importlib.util
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.handset.handset import Handset
from device.handset.server import Server


class Loop:
    """An event loop in a thread; what touches a phone runs in it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def adb_binary() -> str | None:
    """The system's adb, else the one that adbutils ships."""
    found = shutil.which("adb")
    spec = importlib.util.find_spec("adbutils")
    if found is None and spec is not None and spec.origin is not None:
        shipped = Path(spec.origin).parent / "binaries" / "adb"
        found = str(shipped) if shipped.exists() else None
    return found


class Adb:
    """The real adb on a server port of its own, so that nobody else's server is touched."""

    def __init__(self, binary: str, home: Path) -> None:
        self.binary = binary
        self.port = free_port()
        self.environment = {**os.environ, "HOME": str(home), "ADB_MDNS_OPENSCREEN": "0"}
        self("start-server")

    def __call__(self, *args: str, serial: str = "", data: bytes | None = None, check: bool = True) -> str:
        command = [self.binary, "-P", str(self.port), *(["-s", serial] if serial else []), *args]
        done = subprocess.run(command, input=data, capture_output=True, timeout=120, env=self.environment, check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}: {done.stderr!r} {done.stdout!r}")
        return done.stdout.decode(errors="replace")


@pytest.fixture(scope="session")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.stop()


@pytest.fixture(scope="session")
def adb(tmp_path_factory) -> Iterator[Adb]:
    binary = adb_binary()
    if binary is None:
        pytest.skip("there is no adb here; install Debian's package `adb` or the extra `android`")
    adb = Adb(binary, tmp_path_factory.mktemp("adb_home"))
    yield adb
    adb("kill-server", check=False)


class Phone:
    """One served phone and how adb calls it."""

    def __init__(self, loop: Loop, adb: Adb, secure: bool = False) -> None:
        self.loop, self.adb = loop, adb
        self.handset = loop.run(self._made(secure))
        self.server = Server(self.handset)
        loop.run(self.server.start())
        self.serial = self.server.serial
        adb("connect", self.serial)

    async def _made(self, secure: bool) -> Handset:
        return Handset(secure=secure)

    def shell(self, *words: str, check: bool = True) -> str:
        return self.adb("shell", *words, serial=self.serial, check=check)

    def rows(self, table: str):
        kind = self.handset.sandbox.catalogue.kinds[table]
        return self.handset.sandbox.table(kind.cls).all()

    def close(self) -> None:
        self.adb("disconnect", self.serial, check=False)
        self.loop.run(self.server.stop())


@pytest.fixture
def phone(loop, adb) -> Iterator[Phone]:
    phone = Phone(loop, adb)
    yield phone
    phone.close()
