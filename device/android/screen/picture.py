"""Screenshots: what stands in front of the PNG is cut off, and a black one is not taken for a picture.

A foldable's `screencap` warns on its standard output; a secure window comes out black or not at all.
"""

import struct
import zlib
from dataclasses import dataclass

from device.android.errors import conflict
from device.android.screen.dump import PNG

MOST_PIXELS = 16_384
"""Of a side; larger ones are damage or worse."""
_END = b"IEND\xaeB`\x82"


@dataclass(frozen=True, slots=True)
class Picture:
    """One screenshot."""

    data: bytes
    """The PNG, from its signature to its end."""
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    black: bool
    """Every pixel is black, or nearly none is not."""

    @property
    def landscape(self) -> bool:
        """Wider than high."""
        return self.width > self.height


def read_picture(data: bytes) -> Picture:
    """The picture in what `screencap` gave; `BridgeFailure` for none or a broken one."""
    start = data.find(PNG)
    if start < 0:
        said = " ".join(data[:200].decode("utf-8", errors="replace").split())
        raise conflict(f"the phone gave no picture{': ' + said if said else ''}; a secure window refuses it")
    end = data.rfind(_END)
    if end < start:
        raise conflict(f"the picture broke off after {len(data) - start:,} bytes; take it again")
    png = data[start : end + len(_END)]
    if png[12:16] != b"IHDR" or len(png) < 26:
        raise conflict("the picture is damaged; take it again")
    width, height, depth, colours = struct.unpack(">IIBB", png[16:26])
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise conflict(f"the picture claims {width} x {height} pixels; no screen has so many. Take it again")
    return Picture(png, width, height, _is_black(png, depth, colours))


def _is_black(png: bytes, depth: int, colours: int) -> bool:
    """Whether all samples are 0 but for alpha. Unfiltered and filtered rows of black are zeros alike."""
    if depth != 8 or colours not in (2, 6):
        return False
    packed, at = bytearray(), 8
    while at + 8 <= len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            packed += png[at + 8 : at + 8 + size]
        at += 12 + size
    channels = 4 if colours == 6 else 3
    width, height = struct.unpack(">II", png[16:24])
    row = 1 + width * channels
    try:
        raw = zlib.decompressobj().decompress(bytes(packed), row * height)
    except zlib.error:
        raise conflict("the picture is damaged; take it again") from None
    if len(raw) < row * height:
        raise conflict("the picture is damaged; take it again")
    lines = [raw[start + 1 : start + row] for start in range(0, len(raw), row)]
    return all(not any(line[channel::channels]) for line in lines for channel in range(3))
