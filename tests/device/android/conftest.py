"""An adb server at the wire: what it says and which mistakes it makes is set by the test."""

import socket
import threading
import time
from contextlib import suppress

import pytest

from device.android.connection import Server
from device.android.shell import Shell
from runtime.contract import Deadline


class FakeAdb:
    """Speaks the adb server's protocol for phones whose shell is a function from a command line to an answer."""

    def __init__(self):
        self.devices = {"A1": "device"}
        self.features = "shell_v2,cmd"
        self.connects = "connected to"
        self.commands = []
        self.services = []
        self.requests = []
        self.answer = lambda line: ("", "", 0)
        self.fault = {}
        self.streams = {}
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._open = []
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self):
        for one in (self._socket, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def drop(self):
        """Break every connection."""
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self):
        with suppress(OSError):
            while True:
                line, _ = self._socket.accept()
                self._open.append(line)
                threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line):
        with suppress(OSError, ValueError), line:
            serial = ""
            while request := self._request(line):
                if request.startswith("host:tport:serial:"):
                    serial = request.rpartition(":")[2]
                    if self.devices.get(serial) != "device":
                        self._fail(line, f"device '{serial}' not found")
                        return
                    line.sendall(b"OKAY" + (1).to_bytes(8, "little"))
                elif serial:
                    self._service(line, request)
                    return
                else:
                    self._host(line, request)
                    return

    def _request(self, line):
        size = b""
        while len(size) < 4:
            got = line.recv(4 - len(size))
            if not got:
                return ""
            size += got
        left, held = int(size, 16), b""
        while len(held) < left:
            held += line.recv(left - len(held))
        return held.decode()

    def _host(self, line, request):
        self.requests.append(request)
        answers = {
            "host:version": "0029",
            "host:devices-l": "".join(
                f"{serial:<22} {state} product:p model:Pocket_One device:p transport_id:1\n"
                for serial, state in self.devices.items()
            ),
        }
        if request in answers:
            self._say(line, answers[request])
        elif request.endswith(":features"):
            self._say(line, self.features)
        elif request.endswith(":get-state"):
            serial = request.split(":")[1]
            if serial in self.devices:
                self._say(line, self.devices[serial])
            else:
                self._fail(line, f"device '{serial}' not found")
        elif request.startswith("host:pair:"):
            self._say(line, "Failed: Wrong password or connection was dropped.")
        elif request.startswith("host:connect:"):
            self._say(line, f"{self.connects} {request.removeprefix('host:connect:')}")
        elif request.startswith("host:disconnect:"):
            self._say(line, f"disconnected {request.removeprefix('host:disconnect:')}")
        else:
            self._fail(line, "unknown host service")

    def _service(self, line, request):
        self.services.append(request)
        fault = self.fault.pop(request.partition(":")[0], self.fault.pop("any", None))
        if fault == "drop":
            line.shutdown(socket.SHUT_RDWR)
            return
        if fault == "refuse":
            self._fail(line, "closed")
            return
        if fault == "hang":
            time.sleep(30)
            return
        line.sendall(b"OKAY")
        kind, _, rest = request.partition(":")
        if kind in self.streams:
            self.streams[kind](line, rest)
            return
        self.commands.append(rest)
        if fault == "mid":
            line.sendall(b"\x01\x05\x00\x00\x00ab")
            return
        if fault == "trickle":
            for _ in range(300):
                line.sendall(b"\x01\x01\x00\x00\x00.")
                time.sleep(0.05)
        out, err, status = self.answer(rest)
        if kind == "exec":
            line.sendall(out if isinstance(out, bytes) else out.encode())
            return
        for number, data in ((1, out), (2, err), (3, bytes([status]))):
            raw = data if isinstance(data, bytes) else data.encode()
            if raw or number == 3:
                line.sendall(bytes([number]) + len(raw).to_bytes(4, "little") + raw)

    def _say(self, line, text):
        line.sendall(b"OKAY" + b"%04x" % len(text) + text.encode())

    def _fail(self, line, reason):
        line.sendall(b"FAIL" + b"%04x" % len(reason) + reason.encode())


@pytest.fixture
def adb():
    fake = FakeAdb()
    yield fake
    fake.stop()


@pytest.fixture
def server(adb):
    made = Server("127.0.0.1", adb.port)
    yield made
    made.close()


@pytest.fixture
def shell(server):
    return Shell(server, "A1")


@pytest.fixture
def soon():
    """A deadline that is never met by a healthy call."""
    return Deadline(20)
