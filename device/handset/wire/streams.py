"""One stream of a connection: what OPEN began and CLSE ends.

1. `write` cuts to the peer's payload limit and waits for the OKAY of the piece before it.
2. `read` acknowledges: a host may send its next piece only once a service has taken the last one.
3. Both ends see the other's close: `read` answers b"", `write` raises `StreamClosed`.
"""

import asyncio
from collections.abc import Callable

from device.handset.wire.packets import Packet


class StreamClosed(Exception):  # noqa: N818 - an event, like EOFError
    """The host has closed the stream."""


class Stream:
    """One side of a stream, the phone's."""

    def __init__(self, local: int, remote: int, limit: int, send: Callable[[Packet], None]) -> None:
        self.local = local
        self.remote = remote
        self.closed = False
        self._limit = limit
        self._send = send
        self._inbox: asyncio.Queue[bytes] = asyncio.Queue()
        self._ready = asyncio.Event()
        self._ready.set()

    def accept(self) -> None:
        """Tell the host that the service is open."""
        self._send(Packet(b"OKAY", self.local, self.remote))

    async def read(self) -> bytes:
        """The next piece; b"" after the host's close."""
        if self.closed and self._inbox.empty():
            return b""
        data = await self._inbox.get()
        if data and not self.closed:
            self._send(Packet(b"OKAY", self.local, self.remote))
        return data

    async def write(self, data: bytes) -> None:
        """Send all of `data`."""
        for start in range(0, len(data), self._limit):
            await self._ready.wait()
            if self.closed:
                raise StreamClosed
            self._ready.clear()
            self._send(Packet(b"WRTE", self.local, self.remote, data[start : start + self._limit]))

    def close(self) -> None:
        """End the stream from the phone's side; safe to repeat."""
        if not self.closed:
            self.closed = True
            self._send(Packet(b"CLSE", self.local, self.remote))
        self._wake()

    def delivered(self, data: bytes) -> None:
        """The connection hands over a WRTE."""
        self._inbox.put_nowait(data)

    def acknowledged(self, remote: int) -> None:
        """The connection hands over an OKAY; the first one of a stream that the phone opened names the host's id."""
        self.remote = self.remote or remote
        self._ready.set()

    def ended(self) -> None:
        """The host closed, or the connection broke."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._ready.set()
        self._inbox.put_nowait(b"")

    def wait_for_peer(self) -> None:
        """Hold writes back until the host's OKAY: for a stream that the phone opened."""
        self._ready.clear()


class ByteReader:
    """Reads counted bytes from a stream."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._held = bytearray()

    async def exactly(self, count: int) -> bytes:
        """`count` bytes; raises `StreamClosed` when the host ends before them."""
        while len(self._held) < count:
            piece = await self._stream.read()
            if not piece:
                raise StreamClosed
            self._held += piece
        taken = bytes(self._held[:count])
        del self._held[:count]
        return taken
