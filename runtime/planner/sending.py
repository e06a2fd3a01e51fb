"""One POST in a thread of its own, so that whoever waits for it can stop waiting at once and hang up.

`httpx` alone would hold the caller until the server answers: neither a cancel nor a deadline between two bytes could
end it. Hanging up shuts the connection, so that the server too learns that nobody listens any more.
"""

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any
from weakref import WeakKeyDictionary

import httpx

from runtime.contract import Deadline, Json

CONNECT_SECONDS = 10.0
LONGEST = 3600.0
"""Seconds that a call without a deadline may take."""
POLL = 0.05
"""Seconds between looks at cancel token and deadline."""
CANCELLED = "the run was cancelled"

_lines: "WeakKeyDictionary[httpx.Client, Any]" = WeakKeyDictionary()
"""The connection that each client opened last; a planner sends one request at a time, so it is the one in use."""


Told = Callable[[str], None]
"""Hears each line of an answer as it comes."""


def send(
    client: httpx.Client, url: str, body: Json, deadline: Deadline, told: Told | None = None
) -> httpx.Response | str:
    """The response, or in a few words why there is none. `told` hears its lines as they come."""
    left = min(deadline.remaining(), LONGEST)
    sending = _Sending(client, url, body, left, told)
    sending.start()
    while sending.is_alive():
        if deadline.cancel.cancelled or deadline.expired:
            sending.hang_up()
            return CANCELLED if deadline.cancel.cancelled else f"no answer within {left:.0f} s"
        sending.join(POLL)
    return sending.outcome()


class _Sending(Thread):
    """A daemon: a server that never answers keeps no process from ending."""

    def __init__(self, client: httpx.Client, url: str, body: Json, seconds: float, told: Told | None) -> None:
        super().__init__(name="endpoint", daemon=True)
        self._client, self._url, self._body, self._seconds, self._told = client, url, body, seconds, told
        self._answer: httpx.Response | Exception | None = None

    def run(self) -> None:
        """Send, and keep what comes of it for `outcome`."""
        limits = httpx.Timeout(self._seconds, connect=min(self._seconds, CONNECT_SECONDS))
        try:
            self._answer = self._sent(limits) if self._told is None else self._heard(limits, self._told)
        except Exception as error:  # raised again where the caller is: `outcome`
            self._answer = error

    def _sent(self, limits: httpx.Timeout) -> httpx.Response:
        return self._client.post(self._url, json=self._body, timeout=limits, extensions={"trace": self._note})

    def _heard(self, limits: httpx.Timeout, told: Told) -> httpx.Response:
        """The answer, its lines told one by one; as text it is what an answer in one piece would be."""
        lines: list[str] = []
        with self._client.stream(
            "POST", self._url, json=self._body, timeout=limits, extensions={"trace": self._note}
        ) as response:
            for line in response.iter_lines():
                lines.append(line)
                told(line)
        kept = {name: response.headers[name] for name in ("content-type", "retry-after") if name in response.headers}
        return httpx.Response(response.status_code, headers=kept, text="\n".join(lines))

    def outcome(self) -> httpx.Response | str:
        """The response or the reason why there is none; what is no matter of the line is raised."""
        if isinstance(self._answer, httpx.TimeoutException):
            return f"no answer within {self._seconds:.0f} s"
        if isinstance(self._answer, httpx.TransportError):
            return f"{type(self._answer).__name__}: {self._answer}"
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer if self._answer is not None else "no answer"

    def hang_up(self) -> None:
        """Shut the connection; the thread ends by itself."""
        line = _lines.get(self._client)
        found = line.get_extra_info("socket") if line is not None else None
        if found is not None:
            with suppress(OSError):  # it is gone already
                found.shutdown(socket.SHUT_RDWR)

    def _note(self, event: str, info: Json) -> None:
        """Called by httpx at each stage: remember a connection when it is there."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            _lines[self._client] = info["return_value"]
