"""Packets of the ADB transport: a header of six little-endian words, then data.

After `packages/modules/adb/adb.h` and `protocol.txt` (Android 9 to 15). From protocol version 0x01000001 on the
checksum is not looked at, so that it is sent as 0; an older host gets the sum of the bytes.
"""

import asyncio
import struct
from typing import NamedTuple

VERSION = 0x01000001
FIRST_WITHOUT_CHECKSUM = 0x01000001
MAX_DATA = 1024 * 1024
AUTH_TOKEN, AUTH_SIGNATURE, AUTH_PUBLIC_KEY = 1, 2, 3
_HEADER = struct.Struct("<4s5I")
HEADER_BYTES = _HEADER.size


class ProtocolError(Exception):
    """The peer sent what is no packet; the connection ends."""


class Packet(NamedTuple):
    """One packet."""

    command: bytes
    """CNXN, AUTH, OPEN, OKAY, WRTE or CLSE."""
    arg0: int
    """Sender's stream id, protocol version or kind of authentication."""
    arg1: int
    """Receiver's stream id, or the largest payload that the sender takes."""
    data: bytes = b""
    """Payload."""


def encode(packet: Packet, checksum: bool = False) -> bytes:
    """The packet as bytes."""
    magic = int.from_bytes(packet.command, "little") ^ 0xFFFFFFFF
    total = sum(packet.data) & 0xFFFFFFFF if checksum else 0
    return _HEADER.pack(packet.command, packet.arg0, packet.arg1, len(packet.data), total, magic) + packet.data


def decode_header(header: bytes) -> tuple[bytes, int, int, int]:
    """Command, both arguments and the payload's length; raises `ProtocolError`."""
    command, arg0, arg1, length, _, magic = _HEADER.unpack(header)
    if int.from_bytes(command, "little") ^ 0xFFFFFFFF != magic:
        raise ProtocolError(f"{command!r} comes with the magic {magic:#x}")
    if length > MAX_DATA:
        raise ProtocolError(f"a packet of {length} bytes; the limit is {MAX_DATA}")
    return command, arg0, arg1, length


async def read_packet(reader: asyncio.StreamReader) -> Packet:
    """The next packet; raises `asyncio.IncompleteReadError` at the end and `ProtocolError` for anything else."""
    command, arg0, arg1, length = decode_header(await reader.readexactly(HEADER_BYTES))
    return Packet(command, arg0, arg1, await reader.readexactly(length) if length else b"")
