"""A server over streamable HTTP, whose answers can't be larger than a limit.

The SDK limits an event of a stream; a plain JSON answer is read whole, so its bytes are counted here. Redirects are
followed only within the server's own address (the SDK's rule); header values come from variables, never from a file.
"""

import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from runtime.contract import UserError
from runtime.mcp.pipes import Spoken


class _Counted(httpx2.AsyncByteStream):
    """A body that breaks off where it gets too large."""

    def __init__(self, stream: Any, limit: int, spoken: Spoken) -> None:
        self._stream, self._limit, self._spoken = stream, limit, spoken

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async for chunk in self._stream:
            count += len(chunk)
            if count > self._limit:
                self._spoken.problem = f"it sent a message of more than {self._limit:,} bytes (`mcp.result_bytes`)"
                raise httpx2.StreamError(self._spoken.problem)
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Limited(httpx2.AsyncHTTPTransport):
    """Counts the bytes of every answer that is no stream of events."""

    def __init__(self, limit: int, spoken: Spoken) -> None:
        super().__init__()
        self._limit, self._spoken = limit, spoken

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await super().handle_async_request(request)
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            answer.stream = _Counted(answer.stream, self._limit, self._spoken)
        return answer


@asynccontextmanager
async def over_http(
    url: str, headers: Mapping[str, str], limit: int, spoken: Spoken
) -> AsyncGenerator[tuple[Any, Any], None]:
    """A transport for the SDK's client."""
    transport = _Limited(limit, spoken)
    client = httpx2.AsyncClient(transport=transport, headers=dict(headers), timeout=httpx2.Timeout(30.0))
    async with client, streamable_http_client(url, http_client=client, max_sse_event_size=limit) as streams:
        yield streams


def header_values(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers with what their variables hold; a variable that is not set is a `UserError`."""
    found: dict[str, str] = {}
    for name, variable in headers.items():
        if not os.environ.get(variable):
            raise UserError(f"the variable `{variable}` for the header `{name}` is not set. Set it, and try again.")
        found[name] = os.environ[variable]
    return found
