"""HTTP on a stream of the phone: requests in, answers out, kept alive; h11 reads and writes the protocol."""

from collections.abc import Awaitable, Callable

import h11

from device.handset.wire.streams import Stream

Answer = Callable[[str, str, bytes], Awaitable["tuple[int, str, bytes] | None"]]
"""Method, path and body to status, type and body; None breaks the line in the middle of the call."""


async def serve_http(stream: Stream, answer: Answer) -> None:
    """Answer requests until either side ends."""
    line = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
    while True:
        request = await _request(stream, line)
        if request is None:
            return
        method, target, body = request
        result = await answer(method, target, body)
        if result is None:
            return
        status, kind, data = result
        headers = [("Content-Type", kind), ("Content-Length", str(len(data)))]
        sent = line.send(h11.Response(status_code=status, headers=headers)) or b""
        sent += line.send(h11.Data(data=data)) or b""
        sent += line.send(h11.EndOfMessage()) or b""
        await stream.write(sent)
        if line.our_state is not h11.DONE or line.their_state is not h11.DONE:
            return
        line.start_next_cycle()


async def _request(stream: Stream, line: h11.Connection) -> tuple[str, str, bytes] | None:
    """The next request; None at the end, and for what is no HTTP."""
    head: h11.Request | None = None
    body = bytearray()
    while True:
        try:
            event = line.next_event()
        except h11.RemoteProtocolError:
            return None
        if event is h11.NEED_DATA:
            line.receive_data(await stream.read())
        elif isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
        elif isinstance(event, h11.EndOfMessage) and head is not None:
            return head.method.decode(), head.target.decode(errors="replace"), bytes(body)
        else:
            return None
