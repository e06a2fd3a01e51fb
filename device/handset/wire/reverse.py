"""`adb reverse`: the phone listens and the host is called.

After `packages/modules/adb/daemon/services.cpp` (`reverse_service`) and `adb_listeners.cpp` (Android 9 to 15). What
connects to the port on the phone is whoever opens `tcp:PORT` there: another stream of the host, or the shell's `nc`.
"""

import asyncio
from typing import TYPE_CHECKING

from device.handset.wire.streams import Stream

if TYPE_CHECKING:
    from device.handset.wire.connection import Connection

_FIRST_FREE_PORT = 40000


async def reverse(line: "Connection", stream: Stream, rest: str) -> None:
    """One command. The daemon sends one OKAY less than the server on the host does: none for a list."""
    stream.accept()
    command, _, argument = rest.partition(":")
    known = line.phone.reversed
    if command == "list-forward":
        listing = "".join(f"host-{index} {near} {far}\n" for index, (near, far) in enumerate(known.items(), 1))
        await stream.write(_counted(listing))
    elif command == "killforward-all":
        known.clear()
        await stream.write(b"OKAY")
    elif command == "killforward":
        gone = known.pop(argument, None)
        await stream.write(b"OKAY" if gone else b"FAIL" + _counted(f"listener '{argument}' not found"))
    elif command == "forward":
        await stream.write(_forward(known, argument))
    else:
        await stream.write(b"FAIL" + _counted("not a reverse forwarding command"))


def _forward(known: dict[str, str], argument: str) -> bytes:
    """`[norebind:]tcp:7000;tcp:8000`; a port of 0 is chosen here and told."""
    rebind = not argument.startswith("norebind:")
    near, _, far = argument.removeprefix("norebind:").partition(";")
    chosen = b""
    if near == "tcp:0":
        port = next(n for n in range(_FIRST_FREE_PORT, 65536) if f"tcp:{n}" not in known)
        near, chosen = f"tcp:{port}", _counted(str(port))
    if near in known and not rebind:
        return b"FAIL" + _counted(f"cannot rebind existing socket {near}")
    known[near] = far
    return b"OKAY" + chosen


def _counted(text: str) -> bytes:
    data = text.encode()
    return f"{len(data):04x}".encode() + data


async def relay(line: "Connection", near: Stream, destination: str) -> None:
    """Join a stream with one to the host, until either ends."""
    far = line.open_to_host(destination)
    pumps = [asyncio.ensure_future(_pump(near, far)), asyncio.ensure_future(_pump(far, near))]
    try:
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        far.close()


async def _pump(source: Stream, sink: Stream) -> None:
    while data := await source.read():
        await sink.write(data)
