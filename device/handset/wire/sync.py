"""`sync:`, files in and out: STAT, LIST, SEND, RECV, and their second versions STA2, LST2, LIS2.

After `packages/modules/adb/daemon/file_sync_service.cpp` and `file_sync_protocol.h` (Android 11 to 15; the second
versions of SEND and RECV need the feature `sendrecv_v2`, which this phone does not offer).
"""

import struct
from typing import TYPE_CHECKING

from device.handset.state.files import Entry, FileError
from device.handset.wire.streams import ByteReader, Stream

if TYPE_CHECKING:
    from device.handset.wire.connection import Connection

CHUNK = 64 * 1024
_WORD = struct.Struct("<4sI")
_ENOENT = 2


async def sync(line: "Connection", stream: Stream, rest: str) -> None:
    """Requests one after the other, until QUIT or the host's end."""
    stream.accept()
    reader = ByteReader(stream)
    session = _Session(line, stream, reader)
    while True:
        request, length = _WORD.unpack(await reader.exactly(_WORD.size))
        if request == b"QUIT":
            return
        path = (await reader.exactly(length)).decode(errors="surrogateescape")
        if request in (b"STAT", b"STA2", b"LST2"):
            await stream.write(session.stat(request, path))
        elif request in (b"LIST", b"LIS2"):
            await stream.write(session.listing(request, path))
        elif request == b"RECV":
            await session.receive(path)
        elif request == b"SEND":
            await session.send(path)
        else:
            await stream.write(_failed(f"unknown command {request!r}"))
            return


def _failed(message: str) -> bytes:
    data = message.encode()
    return _WORD.pack(b"FAIL", len(data)) + data


def _stat2(tag: bytes, entry: Entry | None) -> bytes:
    """error, dev, ino, mode, nlink, uid, gid, size, atime, mtime, ctime."""
    if entry is None:
        return tag + struct.pack("<I2Q4I4q", _ENOENT, *[0] * 10)
    times = (entry.mtime,) * 3
    return tag + struct.pack("<I2Q4I4q", 0, 64769, entry.inode, entry.mode, 1, 2000, 2000, entry.size, *times)


class _Session:
    def __init__(self, line: "Connection", stream: Stream, reader: ByteReader) -> None:
        self.line, self.stream, self.reader = line, stream, reader
        self.files = line.phone.files

    def stat(self, request: bytes, path: str) -> bytes:
        entry = self.files.stat(path)
        if request != b"STAT":
            return _stat2(request, entry)
        mode, size, mtime = (entry.mode, entry.size, entry.mtime) if entry else (0, 0, 0)
        return b"STAT" + struct.pack("<3I", mode, size & 0xFFFFFFFF, mtime)

    def listing(self, request: bytes, path: str) -> bytes:
        pieces = []
        second = request == b"LIS2"
        for entry in self.files.entries(path):
            name = entry.name.encode()
            if second:
                head = b"DNT2" + _stat2(b"", entry)
            else:
                head = b"DENT" + struct.pack("<3I", entry.mode, entry.size & 0xFFFFFFFF, entry.mtime)
            pieces.append(head + struct.pack("<I", len(name)) + name)
        return b"".join(pieces) + b"DONE" + bytes(72 if second else 16)

    async def receive(self, path: str) -> None:
        try:
            for chunk in self.files.chunks(path, CHUNK):
                await self.stream.write(_WORD.pack(b"DATA", len(chunk)) + chunk)
        except FileError as error:
            await self.stream.write(_failed(str(error)))
            return
        await self.stream.write(_WORD.pack(b"DONE", 0))

    async def send(self, target: str) -> None:
        """`PATH,MODE`, pieces of data, DONE with the time of the last change."""
        path, _, mode = target.rpartition(",")
        held = bytearray()
        while True:
            tag, length = _WORD.unpack(await self.reader.exactly(_WORD.size))
            if tag != b"DATA":
                break
            held += await self.reader.exactly(length)
            if self.line.phone.faults.breaks_push(len(held)):
                self.line.drop()
                return
        try:
            self.files.write(path, bytes(held), int(mode or "33188") & 0o777, length)
        except FileError as error:
            await self.stream.write(_failed(str(error)))
            return
        await self.stream.write(_WORD.pack(b"OKAY", 0))
