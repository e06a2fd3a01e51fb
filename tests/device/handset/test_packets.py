"""Packets, streams and files: what comes in as rubbish ends a connection and nothing else; what goes in comes out."""

import asyncio
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.handset.handset import Handset
from device.handset.server import Server
from device.handset.wire.auth import PublicKey, read_key, signed_by
from device.handset.wire.packets import HEADER_BYTES, Packet, ProtocolError, decode_header, encode, read_packet
from device.handset.wire.streams import Stream

WORD = st.integers(0, 2**32 - 1)


def read(data: bytes) -> Packet:
    async def work() -> Packet:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        return await read_packet(reader)

    return asyncio.run(work())


def test_a_packet_on_the_line():
    # OKAY: "OKAY", 1, 2, no data, no checksum, the command with every bit turned
    wire = bytes.fromhex("4f4b4159 01000000 02000000 00000000 00000000 b0b4bea6".replace(" ", ""))
    assert encode(Packet(b"OKAY", 1, 2)) == wire
    assert read(wire) == Packet(b"OKAY", 1, 2, b"")


def test_checksum_for_an_old_host():
    assert encode(Packet(b"WRTE", 1, 2, b"\x01\x02\xff"), checksum=True)[16:20] == (258).to_bytes(4, "little")


@given(st.sampled_from([b"CNXN", b"OPEN", b"WRTE", b"CLSE"]), WORD, WORD, st.binary(max_size=300))
def test_what_is_encoded_is_read(command, arg0, arg1, data):
    assert read(encode(Packet(command, arg0, arg1, data))) == Packet(command, arg0, arg1, data)


@given(st.binary(min_size=HEADER_BYTES, max_size=HEADER_BYTES))
def test_rubbish_is_no_header(header):
    try:
        command, _, _, length = decode_header(header)
    except ProtocolError:
        return
    assert int.from_bytes(command, "little") ^ 0xFFFFFFFF == int.from_bytes(header[20:], "little")
    assert length <= 1024 * 1024


def test_a_stream_cuts_and_waits():
    async def work() -> list[Packet]:
        sent: list[Packet] = []
        stream = Stream(7, 9, 4, sent.append)
        writing = asyncio.ensure_future(stream.write(b"abcdef"))
        await asyncio.sleep(0)
        assert sent == [Packet(b"WRTE", 7, 9, b"abcd")]
        stream.acknowledged(9)
        await writing
        stream.delivered(b"in")
        assert await stream.read() == b"in"
        stream.ended()
        assert await stream.read() == b""
        return sent

    assert asyncio.run(work()) == [
        Packet(b"WRTE", 7, 9, b"abcd"),
        Packet(b"WRTE", 7, 9, b"ef"),
        Packet(b"OKAY", 7, 9),
    ]


@pytest.mark.parametrize("text", [b"", b"AAAA me@pc", b"!!!", b"QAAAAA== me@pc"])
def test_what_is_no_key(text):
    assert read_key(text) is None


def test_a_signature_of_another_key_is_refused():
    key = PublicKey((1 << 2047) + 1, 65537, "me@pc")
    assert signed_by(key, bytes(20), bytes(256)) is False
    assert signed_by(key, bytes(20), b"short") is False


def test_rubbish_on_the_port_ends_that_connection_alone():
    async def work() -> bool:
        server = Server(Handset())
        await server.start()

        def send() -> bytes:
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
                line.sendall(b"GET / HTTP/1.1\r\nHost: phone\r\n\r\n")
                return line.recv(100)

        first = await asyncio.to_thread(send)
        second = await asyncio.to_thread(send)
        await server.stop()
        return first == second == b""

    assert asyncio.run(work())


@given(st.text(st.characters(blacklist_characters="/\0\n", blacklist_categories=("Cs",)), min_size=1, max_size=20))
def test_a_file_of_any_name_is_kept(name):
    phone = Handset()
    if name in (".", ".."):
        return
    phone.files.write(f"/sdcard/Documents/{name}", b"data")
    assert phone.files.read(f"/sdcard/Documents/{name}") == b"data"
    assert name in {entry.name for entry in phone.files.entries("/sdcard/Documents")}


def test_a_copy_has_the_same_bytes_and_a_large_file_its_length():
    files = Handset().files
    files.copy("/sdcard/Documents/Resume.pdf", "/sdcard/Download/cv.pdf")
    assert files.read("/sdcard/Download/cv.pdf") == files.read("/sdcard/Documents/Resume.pdf")
    assert len(files.read("/sdcard/Documents/Resume.pdf")) == 300_000
    assert sum(len(piece) for piece in files.chunks("/sdcard/Movies/Graduation.mp4", 65_536)) == 310_000_000
