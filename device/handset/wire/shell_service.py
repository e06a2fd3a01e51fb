"""`shell:` and `exec:`: a script goes in, what its commands write comes out.

After `packages/modules/adb/daemon/shell_service.cpp` (Android 9 to 15). Version 1 and `exec:` are raw bytes, both
outputs as one; version 2 has packets of an id, a length and data, and tells the exit status.
"""

import asyncio
import contextlib
import struct
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from device.handset.shell.interpreter import interactive, run_script
from device.handset.shell.io import Io, Sender
from device.handset.wire.streams import ByteReader, Stream, StreamClosed

if TYPE_CHECKING:
    from device.handset.wire.connection import Connection

STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN, WINDOW = range(6)
_HEADER = struct.Struct("<BI")


async def shell(line: "Connection", stream: Stream, rest: str) -> None:
    """`shell[,v2,...]:SCRIPT`; without a script, a prompt."""
    text, _, script = rest.partition(":")
    options = text.split(",")
    stream.accept()
    io = Io(terminal="raw" not in options)
    if "v2" in options:
        await _framed(line, stream, script, io)
    else:
        await _raw(line, stream, script, io)


async def run_raw(line: "Connection", stream: Stream, rest: str) -> None:
    """`exec:SCRIPT`."""
    stream.accept()
    await _raw(line, stream, rest, Io())


async def _raw(line: "Connection", stream: Stream, script: str, io: Io) -> None:
    async def send(pieces: list[tuple[int, bytes]]) -> None:
        await stream.write(b"".join(data for _, data in pieces))

    await _run(line, script, io, send, _feed_raw(stream, io))


async def _framed(line: "Connection", stream: Stream, script: str, io: Io) -> None:
    async def send(pieces: list[tuple[int, bytes]]) -> None:
        await stream.write(b"".join(_HEADER.pack(fd, len(data)) + data for fd, data in pieces))

    status = await _run(line, script, io, send, _feed_framed(stream, io))
    await stream.write(_HEADER.pack(EXIT, 1) + bytes((status & 0xFF,)))


async def _run(line: "Connection", script: str, io: Io, send: Sender, feed: Coroutine[Any, Any, None]) -> int:
    """Run with standard input fed beside; what the host closes ends the script."""
    io.sender = send
    feeder = asyncio.ensure_future(feed)
    work = asyncio.ensure_future(
        run_script(line.phone, script, io) if script else interactive(line.phone, io, io.terminal)
    )
    io.hang_up = work.cancel
    try:
        return await work
    except asyncio.CancelledError:
        if feeder.done():
            raise StreamClosed from None
        raise
    finally:
        feeder.cancel()
        with contextlib.suppress(asyncio.CancelledError, StreamClosed):
            await feeder


async def _feed_raw(stream: Stream, io: Io) -> None:
    while data := await stream.read():
        io.feed(data)
    io.gone()


async def _feed_framed(stream: Stream, io: Io) -> None:
    reader = ByteReader(stream)
    with contextlib.suppress(StreamClosed):
        while True:
            kind, length = _HEADER.unpack(await reader.exactly(_HEADER.size))
            data = await reader.exactly(length)
            if kind == STDIN:
                io.feed(data)
            elif kind == CLOSE_STDIN:
                io.end()
    io.gone()
