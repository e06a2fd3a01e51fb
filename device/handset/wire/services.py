"""What OPEN may ask for, by the name before the colon.

After `packages/modules/adb/daemon/services.cpp` (Android 9 to 15).
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from device.handset.wire import framebuffer, reverse, shell_service, sync
from device.handset.wire.packets import Packet
from device.handset.wire.streams import Stream

if TYPE_CHECKING:
    from device.handset.wire.connection import Connection

Service = Callable[["Connection", Stream, str], Awaitable[None]]


async def serve(line: "Connection", stream: Stream, name: str) -> None:
    """Serve one stream to its end; a service that is not there is refused."""
    kind, _, rest = name.partition(":")
    kind, _, options = kind.partition(",")
    fault = line.phone.faults.of_service(kind)
    if fault is not None:
        if fault.kind == "drop":
            line.drop()
            return
        if fault.kind == "hang":
            stream.accept()
            await _until_closed(stream)
            return
        if fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
    service = _SERVICES.get(kind)
    if service is None or (fault is not None and fault.kind == "refuse"):
        refuse(line, stream)
        return
    await service(line, stream, f"{options}:{rest}" if kind == "shell" else rest)


def refuse(line: "Connection", stream: Stream) -> None:
    """Answer an OPEN with CLSE: no such service, or nobody listens."""
    stream.ended()
    line.send(Packet(b"CLSE", 0, stream.remote))


async def _until_closed(stream: Stream) -> None:
    while await stream.read():
        pass


async def _tcp(line: "Connection", stream: Stream, rest: str) -> None:
    """A port of the phone itself: its own servers first, then what `adb reverse` listens on."""
    await _connect(line, stream, f"tcp:{rest.partition(':')[0]}")


async def _abstract(line: "Connection", stream: Stream, rest: str) -> None:
    await _connect(line, stream, f"localabstract:{rest}")


async def _connect(line: "Connection", stream: Stream, address: str) -> None:
    handler = line.phone.listener(address)
    if handler is not None:
        stream.accept()
        await handler(stream)
        return
    destination = line.phone.reversed.get(address)
    if destination is None:
        refuse(line, stream)
        return
    stream.accept()
    await reverse.relay(line, stream, destination)


def _answers(text: str) -> Service:
    async def answer(line: "Connection", stream: Stream, rest: str) -> None:
        stream.accept()
        await stream.write(text.replace("%s", rest).encode())

    return answer


async def _reboot(line: "Connection", stream: Stream, rest: str) -> None:
    stream.accept()
    line.phone.reboot(rest)
    stream.close()
    await asyncio.sleep(0.05)
    line.drop()


_SERVICES: dict[str, Service] = {
    "shell": shell_service.shell,
    "exec": shell_service.run_raw,
    "sync": sync.sync,
    "tcp": _tcp,
    "localabstract": _abstract,
    "framebuffer": framebuffer.framebuffer,
    "reverse": reverse.reverse,
    "reboot": _reboot,
    # daemon/restart_service.cpp, a user build
    "root": _answers("adbd cannot run as root in production builds\n"),
    "unroot": _answers("adbd not running as root\n"),
    "remount": _answers("remount failed: adbd is not running as root\n"),
    "tcpip": _answers("restarting in TCP mode port: %s\n"),
    "usb": _answers("restarting in USB mode\n"),
}
