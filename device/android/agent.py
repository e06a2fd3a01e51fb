"""uiautomator2's server on the phone: started by its library, spoken to over one connection that is kept.

1. The library pushes and starts the server (`u2.jar` on port 9008); it asks for a new connection at each call and waits
   up to 600 s, so calls go here over `tcp:9008` with HTTP keep-alive and our deadline.
2. Reads (`dumpWindowHierarchy`, `deviceInfo`, ...) are asked again on a new connection when an idle one turns out dead.
   What acts is sent once: after a drop nobody but the phone knows whether it happened.
3. Android gives its UiAutomation slot to one program. A server that somebody else runs is used and left running; one
   that we start is ended with us, by its number where it outlives its line. Where another tool holds the slot, it is
   named.
"""

import atexit
import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from device.android.connection.server import Server
from device.android.connection.wire import Wire
from device.android.errors import BridgeFailure, bad_argument, conflict, offline, out_of_time, whole
from device.android.restore.ledger import Lease, Ledger
from device.android.restore.undo import undo
from device.android.shell import Shell
from runtime.contract import Deadline, ErrorCode

PORT = 9008
MAIN = "com.wetest.uia2.Main"
"""The server's class, as it stands among the processes."""
MAX_ANSWER = 64 * 2**20
"""Longest answer in bytes; a screenshot of a tablet has a few million."""
END_SECONDS = 10.0
"""To see that our server is gone."""
READS = frozenset(
    ("dumpWindowHierarchy", "deviceInfo", "takeScreenshot", "getClipboard", "objInfo", "exist", "count", "getText")
)
"""Methods that may be asked twice."""
_HOLDERS = ("uiautomator", "appium", "maestro", "atx-agent", "scrcpy")


class Agent:
    """The server of one phone. Nothing is started before it is needed."""

    def __init__(self, server: Server, shell: Shell, ledger: Ledger | None = None) -> None:
        self.server = server
        self.shell = shell
        self._ledger = ledger
        self._lease: Lease | None = None
        self._wire: Wire | None = None
        self._owned: Any = None
        """The library's handle of a server that we started."""

    @property
    def started(self) -> bool:
        """Whether the running server is ours."""
        return self._owned is not None

    def call(self, method: str, params: Sequence[Any], deadline: Deadline) -> Any:
        """The result of one JSON-RPC method."""
        if not whole(*(text for text in params if isinstance(text, str))):
            raise bad_argument("a text holds half a character, which no phone can show; leave it out")
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}).encode()
        answer = self._ask("POST", "/jsonrpc/0", body, deadline, twice=method in READS)
        return _result(method, answer)

    def ready(self, deadline: Deadline) -> None:
        """Have a server answer; starts one where none does."""
        if not self._alive(deadline):
            self._start(deadline)

    def close(self) -> None:
        """End the server if we started it; drop the connection. Raises `BridgeFailure` where the phone is gone: the
        lease then stays noted."""
        self._drop()
        owned, self._owned = self._owned, None
        if owned is not None:
            with suppress(OSError):  # its line may be broken already
                owned.stop_uiautomator(wait=False)
            atexit.unregister(owned.stop_uiautomator)  # the library would keep it until the process ends
        if self._ledger is not None and self._lease is not None:
            lease, self._lease = self._lease, None
            undo(lease, self.shell, self.server, Deadline(END_SECONDS))
            self._ledger.forget(lease)

    def _alive(self, deadline: Deadline) -> bool:
        if self._wire is not None:
            return True
        try:
            return self._ask("GET", "/ping", b"", deadline, twice=True, start=False) == b"pong"
        except BridgeFailure as failure:
            if failure.code is ErrorCode.OFFLINE and "offline" not in failure.message:
                return False
            raise

    def _start(self, deadline: Deadline) -> None:
        """Through the library, in a thread, because it does not keep a deadline."""
        held: dict[str, Any] = {}
        if self._ledger is not None and self._lease is None:
            self._lease = self._ledger.borrow("helper", MAIN, "", "running")

        def work() -> None:
            try:
                held["server"] = _library_server(self.server, self.shell.serial)
            except Exception as error:  # the library's errors have no common base
                held["error"] = error

        thread = threading.Thread(target=work, daemon=True, name=f"start-{self.shell.serial}")
        thread.start()
        while thread.is_alive():
            if deadline.expired or deadline.cancel.cancelled:
                raise out_of_time("starting uiautomator2's server", deadline)
            thread.join(min(0.1, max(0.001, deadline.remaining())))
        if error := held.get("error"):
            raise self._unstarted(error, deadline)
        self._owned = held["server"]

    def _unstarted(self, error: Exception, deadline: Deadline) -> BridgeFailure:
        if "already registered" in str(error):
            holder = self._holder(deadline)
            return conflict(f"another tool holds the UiAutomation slot ({holder}); end it on the phone, then try again")
        return offline(f"uiautomator2's server did not start: {type(error).__name__}: {str(error)[:200]}")

    def _holder(self, deadline: Deadline) -> str:
        lines = self.shell.run("ps", "-A", "-o", "PID,NAME", deadline=deadline).text.splitlines()
        found = [line.strip() for line in lines if any(name in line for name in _HOLDERS)]
        return ", ".join(f"`{line}`" for line in found[:3]) or "its name is not among the processes"

    def _ask(self, verb: str, path: str, body: bytes, deadline: Deadline, twice: bool, start: bool = True) -> bytes:
        kept = self._wire is not None
        if start and not kept:
            self.ready(deadline)
        try:
            return self._exchange(verb, path, body, deadline)
        except BridgeFailure as failure:
            self._drop()
            if failure.code is not ErrorCode.OFFLINE or not (kept and (twice or failure.landed == "no")):
                raise
        if start:
            self.ready(deadline)
        return self._exchange(verb, path, body, deadline)

    def _exchange(self, verb: str, path: str, body: bytes, deadline: Deadline) -> bytes:
        wire = self._wire
        if wire is not None and wire.ended():
            self._drop()
            wire = None
        if wire is None:
            wire = self._wire = self.server.open(self.shell.serial, f"tcp:{PORT}", deadline)
            wire.landed = "no"
        head = (
            f"{verb} {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: pocket\r\nAccept-Encoding: \r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: keep-alive\r\n\r\n"
        )
        wire.landed = "unknown" if verb == "POST" else "no"
        wire.send(head.encode() + body, deadline)
        try:
            status, answer, keep = _response(wire, deadline)
        except BaseException:
            self._drop()
            raise
        wire.landed = "no"
        if not keep:
            self._drop()
        if status != 200:
            raise offline(f"uiautomator2's server answered HTTP {status}", "unknown" if verb == "POST" else "no")
        return answer

    def _drop(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            wire.close()


def _library_server(server: Server, serial: str) -> Any:
    import adbutils
    from uiautomator2.core import BasicUiautomatorServer

    client = adbutils.AdbClient(host=server.host, port=server.port)
    return BasicUiautomatorServer(client.device(serial))


def _response(wire: Wire, deadline: Deadline) -> tuple[int, bytes, bool]:
    """Status, body, and whether the connection stays."""
    held = bytearray()
    while (end := held.find(b"\r\n\r\n")) < 0:
        held += _more(wire, deadline)
    status_line, *lines = bytes(held[:end]).decode("latin-1").split("\r\n")
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    rest = held[end + 4 :]
    words = status_line.split()
    status = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0
    keep = fields.get("connection", "keep-alive").lower() != "close"
    if fields.get("transfer-encoding", "").lower() == "chunked":
        return status, _chunks(wire, rest, deadline), keep
    if "content-length" not in fields:
        while got := wire.some(deadline):
            rest += got
        return status, bytes(rest), False
    size = _size(fields["content-length"], 10, wire)
    if size > MAX_ANSWER:
        raise offline(f"uiautomator2's server announces {size:,} bytes; the limit is {MAX_ANSWER:,}")
    if len(rest) < size:
        rest += wire.exactly(size - len(rest), deadline)
    return status, bytes(rest[:size]), keep


def _chunks(wire: Wire, held: bytearray, deadline: Deadline) -> bytes:
    body = bytearray()
    while True:
        while (end := held.find(b"\r\n")) < 0:
            held += _more(wire, deadline)
        size = _size(bytes(held[:end]).partition(b";")[0].decode("latin-1") or "0", 16, wire)
        if size + len(body) > MAX_ANSWER:
            raise offline(f"uiautomator2's server gave more than {MAX_ANSWER:,} bytes", wire.landed)
        while len(held) < end + 2 + size + 2:
            held += _more(wire, deadline)
        body += held[end + 2 : end + 2 + size]
        del held[: end + 4 + size]
        if size == 0:
            return bytes(body)


def _size(text: str, base: int, wire: Wire) -> int:
    """A length as HTTP writes it; a failure for what another program says."""
    try:
        size = int(text, base)
    except ValueError:
        size = -1
    if size < 0:
        raise offline(f"what answers at port {PORT} of the phone is no uiautomator2", wire.landed)
    return size


def _more(wire: Wire, deadline: Deadline) -> bytes:
    got = wire.some(deadline)
    if not got:
        raise wire.gone()
    return got


def _result(method: str, answer: bytes) -> Any:
    try:
        data: Any = json.loads(answer)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise offline(f"uiautomator2's server answered `{method}` with no JSON object", "unknown") from None
    if "error" in data:
        error = data["error"] if isinstance(data["error"], dict) else {}
        message = " ".join(str(error.get("message", "")).split())[:300]
        if "not connected" in message or "DeadObject" in message or "DeadSystem" in message:
            raise offline(f"uiautomator2's server lost the phone's UiAutomation: {message}", "unknown")
        if "INJECT_EVENTS" in message:
            raise conflict(
                "the phone refuses injected input; in its developer options, allow `USB debugging (Security settings)`"
            )
        raise conflict(f"uiautomator2's `{method}` failed on the phone: {message}", "unknown")
    return data.get("result")
