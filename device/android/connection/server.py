"""The adb server, spoken to by its own protocol (`packages/modules/adb/SERVICES.TXT`).

1. A request is four hex digits of length and the text; the answer `OKAY`, or `FAIL` with a reason.
2. `host:tport:serial:S` turns a connection into one to the phone S; the service that follows is opened there.
3. For each phone one connection is dialled ahead, so that a call costs one round trip less. Nothing was asked of the
   phone on it yet: one that broke meanwhile is replaced without a trace.
4. A server that runs is used as it is, whatever its version; only where none runs is one started. Nothing here ever
   kills one: it belongs to everybody on this machine.

Why not adbutils for this: it sleeps 10 ms at each close, asks for the server's version before each call, and its
timeout holds for one read. It stays in charge of install, sync and pairing.
"""

import os
import shutil
import subprocess
from contextlib import suppress
from threading import Lock

from device.android.connection.wire import Wire, pause
from device.android.errors import BridgeFailure, check_time, offline
from runtime.contract import Deadline, SetupError, UserError

DEFAULT_PORT = 5037
START_SECONDS = 20.0
OFFLINE_SECONDS = 2.0
"""How long a phone on the network may stay offline before it is dialled again; adb itself needs a third of a second."""
_STEP = 0.2
_GONE = ("not found", "device offline", "no devices", "closed", "device still connecting")


class Server:
    """The adb server of this machine, or of `ANDROID_ADB_SERVER_ADDRESS` and `ANDROID_ADB_SERVER_PORT`."""

    def __init__(self, host: str | None = None, port: int | None = None) -> None:
        self.host = host or os.environ.get("ANDROID_ADB_SERVER_ADDRESS") or "127.0.0.1"
        self.port = port or _port()
        self._ahead: dict[str, Wire] = {}
        self._lock = Lock()

    def ask(self, request: str, deadline: Deadline) -> str:
        """The text that answers a `host:` request; `BridgeFailure` with the server's reason where it refuses."""
        wire = self._dial(deadline)
        try:
            self._request(wire, request, deadline)
            size = _size(wire.exactly(4, deadline), request)
            return wire.exactly(size, deadline).decode("utf-8", errors="replace")
        finally:
            wire.close()

    def tell(self, request: str, deadline: Deadline) -> None:
        """A `host:` request that answers only `OKAY`, twice where it acts on the phone (`forward`)."""
        wire = self._dial(deadline)
        try:
            self._request(wire, request, deadline)
            if second := wire.some(deadline):
                _refused(second[:4], wire, deadline, request, second[4:])
        finally:
            wire.close()

    def open(self, serial: str, service: str, deadline: Deadline) -> Wire:
        """A connection to a service of a phone; from the moment it is asked for, its effect is unknown."""
        check_time(f"`{_short(service)}`", deadline)
        wire, line = self._to_phone(serial, deadline)
        wire.what = f"`{serial}`"
        wire.landed = "unknown"
        try:
            self._request(wire, service, deadline)
        except BridgeFailure as failure:
            wire.close()
            if failure.landed == "no" and not self._still_there(serial, line, deadline):
                failure.landed = "unknown"
            raise
        except BaseException:
            wire.close()
            raise
        self._dial_ahead(serial)
        return wire

    def close(self) -> None:
        """Drop what was dialled ahead."""
        with self._lock:
            waiting, self._ahead = list(self._ahead.values()), {}
        for wire in waiting:
            wire.close()

    def _still_there(self, serial: str, line: int, deadline: Deadline) -> bool:
        """Whether the line that a service was asked for on is the one in use: then the phone itself refused it. A line
        that broke answers `FAIL` just the same, and the phone may have begun."""
        try:
            pause(_STEP, f"`{serial}`", deadline)
            listed = self.ask("host:devices-l", deadline).splitlines()
        except BridgeFailure:
            return False
        rest = next((text[len(serial) :].split() for text in listed if text.startswith(f"{serial} ")), [])
        return rest[:1] == ["device"] and f"transport_id:{line}" in rest

    def _to_phone(self, serial: str, deadline: Deadline) -> tuple[Wire, int]:
        """A connection to the phone, and the number of the line that it uses."""
        with self._lock:
            wire = self._ahead.pop(serial, None)
        if wire is not None:
            try:
                if not wire.ended():
                    self._answered(wire, f"host:tport:serial:{serial}", deadline)
                    line = int.from_bytes(wire.exactly(8, deadline), "little")
                    if not wire.ended():
                        return wire, line
            except BridgeFailure:
                check_time(f"`{serial}`", deadline)
            wire.close()
        wire = self._dial(deadline)
        try:
            self._request(wire, f"host:tport:serial:{serial}", deadline)
            line = int.from_bytes(wire.exactly(8, deadline), "little")
        except BaseException:
            wire.close()
            raise
        return wire, line

    def _dial_ahead(self, serial: str) -> None:
        """Dial and ask for the phone, without waiting for the answer."""
        soon = Deadline(0.05)
        try:
            wire = Wire.dial((self.host, self.port), "the adb server", soon)
            wire.send(_framed(f"host:tport:serial:{serial}"), soon)
        except (OSError, BridgeFailure):
            return
        with self._lock:
            old = self._ahead.pop(serial, None)
            self._ahead[serial] = wire
        if old is not None:
            old.close()

    def _request(self, wire: Wire, request: str, deadline: Deadline) -> None:
        wire.send(_framed(request), deadline)
        self._answered(wire, request, deadline)

    def _answered(self, wire: Wire, request: str, deadline: Deadline) -> None:
        _refused(wire.exactly(4, deadline), wire, deadline, request)

    def _dial(self, deadline: Deadline) -> Wire:
        check_time("the adb server", deadline)
        try:
            return Wire.dial((self.host, self.port), "the adb server", deadline)
        except ConnectionRefusedError:  # nobody is there; any other trouble may be one that runs
            self._start(deadline)
        except OSError as error:
            raise offline(f"no adb server answers at {self.host}:{self.port}: {error.strerror or error}") from None
        try:
            return Wire.dial((self.host, self.port), "the adb server", deadline)
        except OSError as error:
            raise offline(f"no adb server answers at {self.host}:{self.port}: {error.strerror or error}") from None

    def _start(self, deadline: Deadline) -> None:
        """Start a server where none runs; it stays when we go, as adb's own does."""
        if self.host not in ("127.0.0.1", "localhost", "::1"):
            raise offline(f"no adb server answers at {self.host}:{self.port}; start one there with `adb start-server`")
        command = [adb_path(), "-P", str(self.port), "start-server"]
        seconds = min(START_SECONDS, deadline.remaining())
        try:
            subprocess.run(command, capture_output=True, timeout=seconds, check=True)
        except subprocess.TimeoutExpired:
            raise offline(f"`adb start-server` took longer than {seconds:.0f} s; try it by hand") from None
        except (OSError, subprocess.CalledProcessError) as error:
            raise offline(f"`adb start-server` failed: {error}. Try it by hand") from None


def adb_path() -> str:
    """The `adb` of the machine, else the one in the package `adbutils`."""
    found = shutil.which("adb")
    if found:
        return found
    try:
        from adbutils import adb_path as bundled

        return str(bundled())
    except (ImportError, OSError):
        raise SetupError("`adb` is missing. Install it: apt install adb, or pip install adbutils.") from None


def reconnect(server: Server, serial: str, deadline: Deadline) -> None:
    """Wait until a phone that dropped is back. One on the network is dialled again: at once where the server has
    forgotten it, after a moment where it stays offline. The server itself is left alone."""
    network, waited = ":" in serial, 0.0
    while True:
        try:
            state = server.ask(f"host-serial:{serial}:get-state", deadline)
        except BridgeFailure as failure:
            check_time(f"waiting for `{serial}`", deadline)
            state = "absent" if "not found" in failure.message else "offline"
        if state == "device":
            return
        if network and (state == "absent" or waited >= OFFLINE_SECONDS):
            with suppress(BridgeFailure):  # the server may forget it, or refuse, in this very moment; time decides
                if state != "absent":
                    server.ask(f"host:disconnect:{serial}", deadline)
                server.ask(f"host:connect:{serial}", deadline)
            waited = 0.0
        pause(_STEP, f"waiting for `{serial}`", deadline)
        waited += _STEP


def _port() -> int:
    value = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
    if not value:
        return DEFAULT_PORT
    if not (value.isdecimal() and len(value) < 6 and 0 < int(value) < 65536):
        raise UserError(f"`ANDROID_ADB_SERVER_PORT` is `{value[:40]}`; a port is 1 to 65535. Correct it, or unset it.")
    return int(value)


def _framed(request: str) -> bytes:
    data = request.encode()
    return b"%04x" % len(data) + data


def _size(digits: bytes, request: str) -> int:
    """The length of an answer; a failure for what no adb server says."""
    try:
        return int(digits, 16)
    except ValueError:
        raise offline(f"no adb server answered `{_short(request)}`; is another program on its port?") from None


def _short(service: str) -> str:
    return service if len(service) <= 80 else service[:79] + "…"


def _refused(status: bytes, wire: Wire, deadline: Deadline, request: str, rest: bytes = b"") -> None:
    """Nothing for `OKAY`; the reason of a `FAIL`, which says that nothing was done."""
    if status == b"OKAY":
        return
    wire.landed = "no"
    if status != b"FAIL":
        raise offline(f"the adb server answered {status!r} to `{_short(request)}`; is another program on its port?")
    size = _size(rest[:4] or wire.exactly(4, deadline), request)
    reason = (rest[4:] or wire.exactly(size, deadline)).decode("utf-8", errors="replace").strip()
    raise offline(f"adb refuses `{_short(request)}`: {reason}", reason=reason)
