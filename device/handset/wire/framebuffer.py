"""The raw picture of the screen.

After `packages/modules/adb/daemon/framebuffer_service.cpp` (version 2 of the header, with the colour space; Android 9
to 15): fifteen words, then rows of RGBA.
"""

import struct
from typing import TYPE_CHECKING

from device.handset.wire.streams import Stream

if TYPE_CHECKING:
    from device.handset.wire.connection import Connection

_VERSION, _SRGB = 2, 1


async def framebuffer(line: "Connection", stream: Stream, rest: str) -> None:
    """Header and pixels."""
    picture = line.phone.picture().convert("RGBA")
    width, height = picture.size
    size = width * height * 4
    # bits a pixel, colour space, size, width, height, then offset and length of red, blue, green, alpha
    header = struct.pack("<14I", _VERSION, 32, _SRGB, size, width, height, 0, 8, 16, 8, 8, 8, 24, 8)
    stream.accept()
    await stream.write(header)
    await stream.write(picture.tobytes())
