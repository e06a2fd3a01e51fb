"""Listens: a port for adb and a port for control, for each phone; all phones of one process share its loop."""

import asyncio
import contextlib
import socket

from device.handset.control import serve_control
from device.handset.handset import Handset
from device.handset.wire.connection import Connection

LOCAL = "127.0.0.1"


class Server:
    """One phone on the network."""

    def __init__(self, phone: Handset) -> None:
        self.phone = phone
        self.port = 0
        self.control_port = 0
        self._servers: list[asyncio.Server] = []

    @property
    def serial(self) -> str:
        """As adb calls it once it is connected."""
        return f"{LOCAL}:{self.port}"

    async def start(self, port: int = 0) -> None:
        """Listen at a port of this machine; 0: a free one. Raises `OSError` for one that is taken."""
        adb = await asyncio.start_server(self._adb, LOCAL, port, limit=1 << 21)
        control = await asyncio.start_server(self._control, LOCAL, 0, limit=1 << 24)
        self._servers = [adb, control]
        self.port, self.control_port = (server.sockets[0].getsockname()[1] for server in self._servers)

    async def stop(self) -> None:
        """Drop every line and listen no more."""
        for server in self._servers:
            server.close()
        self.phone.stop()
        await asyncio.sleep(0)

    async def _adb(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.phone.powered:
            writer.close()
            return
        _no_delay(writer)
        line = Connection(self.phone, reader, writer)
        self.phone.connections.add(line)
        try:
            with contextlib.suppress(asyncio.CancelledError):  # the phone ends with the line open
                await line.run()
        finally:
            self.phone.connections.discard(line)

    async def _control(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _no_delay(writer)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await serve_control(self.phone, reader, writer)
        writer.close()


def _no_delay(writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
