"""Standard input and output of a script: what it writes is kept in order until it is flushed to the host."""

import asyncio
from collections.abc import Awaitable, Callable

OUT, ERR = 1, 2
Sender = Callable[[list[tuple[int, bytes]]], Awaitable[None]]


def to_bytes(data: str | bytes) -> bytes:
    """Text as the phone writes it; bytes that were no UTF-8 come back as they were."""
    return data.encode(errors="surrogateescape") if isinstance(data, str) else data


class Io:
    """One script's three streams."""

    def __init__(self, terminal: bool = False) -> None:
        self.terminal = terminal
        self.pieces: list[tuple[int, bytes]] = []
        self.sender: Sender | None = None
        self.hang_up: Callable[[], object] | None = None
        self._input = bytearray()
        self._ended = False
        self._arrived = asyncio.Event()

    @classmethod
    def holding(cls, data: bytes) -> "Io":
        """Streams whose input is all there already."""
        io = cls()
        io.feed(data)
        io.end()
        return io

    def write(self, fd: int, data: str | bytes) -> None:
        """Add to an output."""
        if data:
            self.pieces.append((fd, to_bytes(data)))

    async def flush(self) -> None:
        """Send what was written, where somebody listens."""
        if self.sender is not None and self.pieces:
            pieces, self.pieces = self.pieces, []
            await self.sender(pieces)

    def taken(self, fd: int) -> bytes:
        """What was written to one output; the other stays."""
        data = b"".join(piece for number, piece in self.pieces if number == fd)
        self.pieces = [piece for piece in self.pieces if piece[0] != fd]
        return data

    def feed(self, data: bytes) -> None:
        """Input arrives."""
        self._input += data
        self._arrived.set()

    def end(self) -> None:
        """No more input."""
        self._ended = True
        self._arrived.set()

    def gone(self) -> None:
        """The host is gone: whatever runs for it ends."""
        self.end()
        if self.hang_up is not None:
            self.hang_up()

    async def read(self, limit: int | None = None) -> bytes:
        """What has arrived, at least a byte; b"" at the end."""
        while not self._input and not self._ended:
            self._arrived.clear()
            await self._arrived.wait()
        count = len(self._input) if limit is None else limit
        data = bytes(self._input[:count])
        del self._input[:count]
        return data

    async def read_all(self) -> bytes:
        """Everything until the end."""
        parts = []
        while data := await self.read():
            parts.append(data)
        return b"".join(parts)

    async def read_exactly(self, count: int) -> bytes:
        """`count` bytes, or fewer at the end."""
        held = bytearray()
        while len(held) < count and (data := await self.read(count - len(held))):
            held += data
        return bytes(held)
