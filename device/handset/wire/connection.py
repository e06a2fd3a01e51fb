"""One TCP connection of an adb server to the phone.

1. Handshake: CNXN from the host; where the phone asks for keys, AUTH until a known one signs or a person allows a new
   one; then CNXN with the banner.
2. Every OPEN becomes a stream with a task of its own; packets are handed to streams in the order of their arrival.
3. When the connection ends, every stream ends, and with it whatever it held open on the phone.
"""

import asyncio
import contextlib
import logging
import os
from typing import TYPE_CHECKING

from device.handset.wire import packets
from device.handset.wire.auth import TOKEN_BYTES, PublicKey, read_key, signed_by
from device.handset.wire.packets import Packet, ProtocolError
from device.handset.wire.services import serve
from device.handset.wire.streams import Stream, StreamClosed

if TYPE_CHECKING:
    from device.handset.handset import Handset

_LOG = logging.getLogger(__name__)
_ENDS = (asyncio.IncompleteReadError, ConnectionError, ProtocolError, TimeoutError)


class Connection:
    """Packets in, packets out."""

    def __init__(self, phone: "Handset", reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.phone = phone
        self.online = False
        self._reader = reader
        self._writer = writer
        self._streams: dict[int, Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._last_id = 0
        self._limit = packets.MAX_DATA
        self._checksum = False
        self._token = b""
        self._waiting_key: PublicKey | None = None

    async def run(self) -> None:
        """Serve until the connection ends."""
        try:
            with contextlib.suppress(*_ENDS):
                while True:
                    packet = await packets.read_packet(self._reader)
                    if self.phone.faults.bytes_seen(packets.HEADER_BYTES + len(packet.data)):
                        self.drop()
                        return
                    self._handle(packet)
        finally:
            await self._end()

    def drop(self) -> None:
        """Cut the line, as a pulled cable does."""
        self.online = False
        if self._writer.transport is not None:
            self._writer.transport.abort()

    def send(self, packet: Packet) -> None:
        """Put a packet on the line; nothing happens on one that is gone."""
        if self._writer.is_closing():
            return
        data = packets.encode(packet, self._checksum)
        keep = self.phone.faults.bytes_left(len(data))
        if keep is not None:
            self._writer.write(data[:keep])
            self._writer.close()
            return
        self._writer.write(data)

    def open_to_host(self, destination: str) -> Stream:
        """Begin a stream to the host, as `adb reverse` needs it."""
        stream = self._new_stream(0)
        stream.wait_for_peer()
        self.send(Packet(b"OPEN", stream.local, 0, destination.encode() + b"\0"))
        return stream

    def allow_waiting_key(self) -> bool:
        """A person tapped Allow; False where no host waits."""
        if self._waiting_key is None:
            return False
        self.phone.keys.add(self._waiting_key)
        self._waiting_key = None
        self._connected()
        return True

    @property
    def waits_for_allow(self) -> str | None:
        """The name of the host whose key is not known yet."""
        return None if self._waiting_key is None else self._waiting_key.name

    def _handle(self, packet: Packet) -> None:
        if packet.command == b"CNXN":
            self._limit = min(packet.arg1, packets.MAX_DATA) or packets.MAX_DATA
            self._checksum = packet.arg0 < packets.FIRST_WITHOUT_CHECKSUM
            self._greet()
        elif packet.command == b"AUTH":
            self._authenticate(packet)
        elif self.online:
            self._route(packet)

    def _greet(self) -> None:
        if self.phone.faults.active("offline"):
            return
        if self.phone.faults.active("unauthorized") or self.phone.asks_for_keys:
            self._ask()
        else:
            self._connected()

    def _ask(self) -> None:
        self._token = os.urandom(TOKEN_BYTES)
        self.send(Packet(b"AUTH", packets.AUTH_TOKEN, 0, self._token))

    def _connected(self) -> None:
        self.online = True
        self.send(Packet(b"CNXN", packets.VERSION, packets.MAX_DATA, self.phone.profile.banner()))

    def _authenticate(self, packet: Packet) -> None:
        refused = self.phone.faults.active("unauthorized")
        if packet.arg0 == packets.AUTH_SIGNATURE:
            known = not refused and any(signed_by(key, self._token, packet.data) for key in self.phone.keys)
            self._connected() if known else self._ask()
        elif packet.arg0 == packets.AUTH_PUBLIC_KEY:
            key = read_key(packet.data)
            if key is not None and not refused and key in self.phone.keys:
                self._connected()
            elif key is not None:
                self._waiting_key = key
                self.phone.ui.ask_for_debugging(key.name)

    def _route(self, packet: Packet) -> None:
        if packet.command == b"OPEN":
            self._open(packet)
            return
        stream = self._streams.get(packet.arg1)
        if stream is None:
            if packet.command == b"WRTE":
                self.send(Packet(b"CLSE", 0, packet.arg0))
        elif packet.command == b"WRTE":
            stream.delivered(packet.data)
        elif packet.command == b"OKAY":
            stream.acknowledged(packet.arg0)
        elif packet.command == b"CLSE":
            stream.ended()
            self._streams.pop(packet.arg1, None)

    def _new_stream(self, remote: int) -> Stream:
        self._last_id += 1
        stream = Stream(self._last_id, remote, self._limit, self.send)
        self._streams[stream.local] = stream
        return stream

    def _open(self, packet: Packet) -> None:
        name = packet.data.rstrip(b"\0").decode(errors="surrogateescape")
        stream = self._new_stream(packet.arg0)
        task = asyncio.get_running_loop().create_task(self._serve(stream, name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, stream: Stream, name: str) -> None:
        try:
            with contextlib.suppress(StreamClosed, *_ENDS):
                await serve(self, stream, name)
        except Exception:
            _LOG.exception("the service `%s` failed", name)
        finally:
            stream.close()
            self._streams.pop(stream.local, None)

    async def _end(self) -> None:
        self.online = False
        for stream in list(self._streams.values()):
            stream.ended()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._writer.close()
        with contextlib.suppress(*_ENDS):
            await self._writer.wait_closed()
