"""One socket that keeps a deadline: every wait is sliced, so that a cancel is seen and no peer can hold a call.

A socket's own timeout holds for one read; a peer that sends a byte a second outlives it for ever. Here the deadline is
a point in time, and whoever waits beyond it raises.
"""

import socket
import time
from contextlib import suppress

from device.android.errors import Landed, offline, out_of_time
from runtime.contract import Deadline

SLICE = 0.1
"""Longest wait in seconds before the cancel token is looked at."""
CHUNK = 1 << 16


class Wire:
    """A connection to the adb server, or through it to a service of the phone."""

    __slots__ = ("landed", "sock", "what")

    def __init__(self, sock: socket.socket, what: str) -> None:
        self.sock = sock
        self.what = what
        """Named in failures."""
        self.landed: Landed = "no"
        """What a failure from now on may have left behind."""

    @classmethod
    def dial(cls, address: tuple[str, int], what: str, deadline: Deadline) -> "Wire":
        """Connect; `OSError` where nobody listens."""
        try:
            sock = socket.create_connection(address, timeout=max(0.001, min(deadline.remaining(), 5.0)))
        except TimeoutError:
            raise out_of_time(what, deadline) from None
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return cls(sock, what)

    def send(self, data: bytes, deadline: Deadline) -> None:
        """All of `data`, by the deadline."""
        view = memoryview(data)
        while view:
            self._arm(deadline)
            try:
                view = view[self.sock.send(view) :]
            except TimeoutError:
                continue
            except OSError as error:
                raise self.gone(error) from None

    def some(self, deadline: Deadline) -> bytes:
        """What came next; nothing at the end."""
        while True:
            self._arm(deadline)
            try:
                return self.sock.recv(CHUNK)
            except TimeoutError:
                continue
            except OSError as error:
                raise self.gone(error) from None

    def exactly(self, size: int, deadline: Deadline) -> bytes:
        """`size` bytes; the end before that is a drop."""
        held = bytearray()
        while len(held) < size:
            self._arm(deadline)
            try:
                got = self.sock.recv(size - len(held))
            except TimeoutError:
                continue
            except OSError as error:
                raise self.gone(error) from None
            if not got:
                raise self.gone()
            held += got
        return bytes(held)

    def ended(self) -> bool:
        """Whether the peer has closed, as far as is known without waiting."""
        self.sock.setblocking(False)
        try:
            return self.sock.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def gone(self, error: OSError | None = None) -> Exception:
        """The failure for a connection that ended too early."""
        reason = f": {error.strerror}" if error is not None and error.strerror else ""
        return offline(f"the connection to {self.what} broke{reason}", self.landed)

    def close(self) -> None:
        """Close; a second time does nothing."""
        with suppress(OSError):
            self.sock.close()

    def _arm(self, deadline: Deadline) -> None:
        left = deadline.remaining()
        if left <= 0 or deadline.cancel.cancelled:
            raise out_of_time(self.what, deadline, self.landed)
        self.sock.settimeout(min(left, SLICE))


def pause(seconds: float, what: str, deadline: Deadline) -> None:
    """Wait in slices; raises when the deadline comes first."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if deadline.expired or deadline.cancel.cancelled:
            raise out_of_time(what, deadline)
        time.sleep(min(left, SLICE, max(0.001, deadline.remaining())))
