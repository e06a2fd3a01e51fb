"""Screenshots: text in front is cut off, black is called black, a broken one is no picture."""

import struct
import zlib

import pytest

from device.android.errors import BridgeFailure
from device.android.screen.picture import read_picture


def png(pixels, width, height, alpha=True):
    """A PNG of plain rows."""
    channels = 4 if alpha else 3
    row = width * channels
    raw = b"".join(b"\0" + pixels[start : start + row] for start in range(0, len(pixels), row))
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6 if alpha else 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(raw)),
        (b"IEND", b""),
    ]
    body = b"".join(
        len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big") for name, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + body


BLACK = png(b"\0\0\0\xff" * 6, 3, 2)
GREY = png(b"\0\0\0\xff" * 5 + b"\0\x01\0\xff", 3, 2)


@pytest.mark.parametrize("before", [b"", b"[Warning] Multiple displays were found, but no display id was specified!\n"])
def test_text_in_front_is_cut_off(before):
    picture = read_picture(before + GREY + b"\n")
    assert (picture.data, picture.width, picture.height, picture.landscape) == (GREY, 3, 2, True)


@pytest.mark.parametrize(
    ("data", "black"),
    [(BLACK, True), (GREY, False), (png(b"\0\0\0" * 2, 1, 2, False), True), (png(b"\0\0\1" * 2, 1, 2, False), False)],
)
def test_black_is_told_from_dark(data, black):
    assert read_picture(data).black is black


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the phone gave no picture; a secure window"),
        (b"Error: could not capture\n", "the phone gave no picture: Error: could not capture"),
        (GREY[:-8], "the picture broke off after"),
        (GREY[:8] + GREY[-8:], "the picture is damaged"),
        (GREY[:16] + b"\xff" * 8 + GREY[24:], "the picture claims 4294967295 x 4294967295 pixels"),
        (GREY.replace(GREY[16:24], struct.pack(">II", 3, 9)), "the picture is damaged"),
    ],
)
def test_no_picture_is_said(data, words):
    with pytest.raises(BridgeFailure) as raised:
        read_picture(data)
    assert raised.value.message.startswith(words)
