"""One MCP server, reached by plain calls: the event loop of the SDK is hidden in a thread of its own.

Every call waits at most until its deadline and looks at its cancel token meanwhile. A server that does not answer in
time is let go of, with its process; the next call starts it anew, `RESTARTS` times. What goes wrong is a `ToolFailure`:
`timeout`, `offline` (it is not there, or it died), `unsupported` (its answer is too large or malformed), `cancelled`.
"""

import concurrent.futures
import logging
import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

import anyio
import anyio.abc
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError, types
from mcp.client.stdio import get_default_environment
from pydantic import ValidationError

from runtime.contract import Deadline, ErrorCode, Json, ToolFailure, UserError
from runtime.mcp.pipes import GRACE, Spoken, piped
from runtime.mcp.records import Limits, Pinned, Server, pin
from runtime.mcp.web import header_values, over_http

logging.getLogger("mcp").setLevel(logging.CRITICAL)  # what goes wrong is in the failure; else tracebacks on terminals

T = TypeVar("T")
RESTARTS = 3
UNKNOWN = "; whether it did something is unknown"
"""Said of a call that was given up."""
GLANCE = 0.02
"""Seconds between two looks at the cancel token."""
PAGES, TOOLS = 50, 500
"""Of one listing."""
KEY = "pocketplanner/idempotency-key"
"""Name in a call's `_meta` under which its idempotency key goes to the server."""
ENVELOPE = 65_536
"""Bytes of a message that are not the result."""


class Link:
    """A connection that is made at the first call."""

    def __init__(self, server: Server, limits: Limits | None = None) -> None:
        self.server, self.limits = server, limits or Limits()
        self._portal: BlockingPortal | None = None
        self._thread: Any = None
        self._client: Client | None = None
        self._task: concurrent.futures.Future[None] | None = None
        self._ended: concurrent.futures.Future[None] | None = None
        self._spoken = Spoken()
        self._starts = 0

    def tools(self, deadline: Deadline) -> list[Pinned]:
        """All tools that the server declares now."""

        async def listed(client: Client) -> list[Pinned]:
            found: list[Pinned] = []
            cursor: str | None = None
            for _ in range(PAGES):
                page = await client.list_tools(cursor=cursor)
                found += [_pinned(tool) for tool in page.tools]
                cursor = page.next_cursor
                if cursor is None:
                    return found
                if len(found) > TOOLS:
                    break
            raise self._failed(ErrorCode.UNSUPPORTED, f"it declares more than {TOOLS} tools")

        was_there = self._client is not None
        try:
            return self._ask(listed, deadline, "a list of its tools")
        except ToolFailure as failure:
            if failure.code is not ErrorCode.OFFLINE or not was_there:
                raise
            return self._ask(listed, deadline, "a list of its tools")  # it died since the last call: started anew

    def call(self, tool: str, arguments: Json, key: str, deadline: Deadline) -> types.CallToolResult:
        """Call a tool of the server by its own name. What the server says of itself is not used to check the result."""
        params = types.CallToolRequestParams(name=tool, arguments=arguments, _meta={KEY: key})

        async def called(client: Client) -> types.CallToolResult:
            return await client.session.send_request(types.CallToolRequest(params=params), types.CallToolResult)

        return self._ask(called, deadline, f"`{tool[:80]}`", UNKNOWN)

    def close(self) -> None:
        """Let go of the server; a program is ended with all that it started."""
        self._let_go()
        if self._portal is not None:
            self._portal.start_task_soon(self._portal.stop, True)  # whatever still hangs is cancelled
            self._thread.__exit__(None, None, None)
            self._portal = self._thread = None

    def _ask(self, what: Callable[[Client], Awaitable[T]], deadline: Deadline, named: str, besides: str = "") -> T:
        client = self._connected(deadline)
        assert self._portal is not None
        future: concurrent.futures.Future[T] = self._portal.start_task_soon(what, client)
        until = deadline.within(self.limits.seconds)
        try:
            return self._waited(future, until, f"{named} {self._in_time(deadline)}{besides}")
        except ToolFailure as failure:
            if failure.code is not ErrorCode.BAD_ARGUMENT and failure.code is not ErrorCode.INTERNAL:
                self._let_go()
            raise

    def _in_time(self, deadline: Deadline) -> str:
        """The limit of a call, with the setting that raises it."""
        own, left = self.limits.seconds, deadline.remaining()
        return f"in {own:.3g} s (`mcp.seconds`)" if own <= left else f"in {left:.3g} s, all that the run had left"

    def _connected(self, deadline: Deadline) -> Client:
        if self._client is not None and self._task is not None and not self._task.done():
            return self._client
        self._let_go()
        if self._starts > RESTARTS:
            why = f"it failed {self._starts} times and is not started again in this run"
            raise self._failed(ErrorCode.OFFLINE, why)
        self._starts += 1
        self._spoken = Spoken()
        if self._portal is None:
            self._thread = start_blocking_portal()
            self._portal = self._thread.__enter__()
        try:
            transport = self._transport()
        except UserError as error:
            raise self._failed(ErrorCode.OFFLINE, str(error).rstrip(".")) from None
        ready: concurrent.futures.Future[Client] = concurrent.futures.Future()
        self._ended = concurrent.futures.Future()
        self._task, _ = self._portal.start_task(self._hold, transport, ready, self._ended)
        until = deadline.within(self.limits.connect_seconds)
        try:
            self._client = self._waited(
                ready, until, f"a greeting in {self.limits.connect_seconds:.3g} s (`mcp.connect_seconds`)"
            )
        except ToolFailure:
            self._let_go()
            raise
        return self._client

    def _transport(self) -> AbstractAsyncContextManager[tuple[Any, Any]]:
        limit = self.limits.result_bytes + ENVELOPE
        if self.server.url:
            return over_http(self.server.url, header_values(self.server.headers), limit, self._spoken)
        own = {name: os.environ[name] for name in self.server.environment if name in os.environ}
        return piped(self.server.command, get_default_environment() | own, limit, self._spoken)

    async def _hold(
        self,
        transport: Any,
        ready: "concurrent.futures.Future[Client]",
        ended: "concurrent.futures.Future[None]",
        *,
        task_status: anyio.abc.TaskStatus[None],
    ) -> None:
        """Keep the connection open in one task, until it is cancelled."""
        task_status.started()
        try:
            async with Client(transport, cache=None) as client:
                ready.set_result(client)
                await anyio.sleep_forever()
        except Exception as error:
            if not ready.done():
                ready.set_exception(error)
        finally:
            ended.set_result(None)

    def _let_go(self) -> None:
        if self._task is not None and self._ended is not None:
            self._task.cancel()
            concurrent.futures.wait([self._ended], 5 * GRACE)
        self._task = self._ended = self._client = None

    def _waited(self, future: "concurrent.futures.Future[T]", until: Deadline, what: str) -> T:
        while True:
            if concurrent.futures.wait([future], max(0.0, min(GLANCE, until.remaining()))).done:
                try:
                    return future.result()
                except Exception as error:
                    raise self._translated(error) from None
            if until.cancel.cancelled:
                future.cancel()
                raise self._failed(ErrorCode.CANCELLED, "the run was cancelled while it worked")
            if until.expired:
                future.cancel()
                raise self._failed(ErrorCode.TIMEOUT, f"it did not give {what}")
            if self._task is not None and self._task.done() and not future.done():
                future.cancel()
                raise self._failed(ErrorCode.OFFLINE, "its connection ended")

    def _translated(self, error: Exception) -> ToolFailure:
        """What the SDK or the system raised, in the closed vocabulary."""
        error = _inner(error)
        if self._spoken.problem:
            return self._failed(ErrorCode.UNSUPPORTED, self._spoken.problem)
        if isinstance(error, MCPError) and error.code == types.INVALID_PARAMS:
            return self._failed(ErrorCode.BAD_ARGUMENT, f"it says: {_short(error)}")
        if isinstance(error, MCPError) and error.code == types.CONNECTION_CLOSED:
            return self._failed(ErrorCode.OFFLINE, "its connection ended")
        if isinstance(error, MCPError):
            return self._failed(ErrorCode.INTERNAL, f"it says: {_short(error)}")
        if isinstance(error, ValidationError):
            return self._failed(ErrorCode.UNSUPPORTED, f"its answer is none of the protocol: {_short(error)}")
        return self._failed(ErrorCode.OFFLINE, f"it can't be reached: {_short(error)}")

    def _failed(self, code: ErrorCode, why: str) -> ToolFailure:
        heard = self._spoken.words if code is ErrorCode.OFFLINE else ""
        words = f' It said: "{heard}".' if heard else ""
        details = {"server": self.server.name}
        return ToolFailure(code, f"the MCP server `{self.server.name}` failed: {why}.{words}", **details)


def _pinned(tool: types.Tool) -> Pinned:
    return pin(tool.name, tool.model_dump(by_alias=True, mode="json", exclude_none=True))


def _short(error: Exception) -> str:
    """One line of a stranger's words, or of the SDK's."""
    return " ".join((str(error) or type(error).__name__).split())[:300]


def _inner(error: Exception) -> Exception:
    """The first of what failed together."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
