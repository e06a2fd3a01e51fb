"""A server over its standard input and output, whose messages can't be larger than a limit.

The SDK's own stdio transport reads a line of any length into memory; here the connection ends where one gets too long,
and `Spoken.problem` says so. The program runs in a session of its own and is ended with everything that it started:
its input is closed, then SIGTERM, then SIGKILL, a second each. What it says on standard error is kept, the end of it.
"""

import os
import signal
from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio.abc import ObjectReceiveStream, Process
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp import types
from mcp.shared.message import SessionMessage

GRACE = 1.0
"""Seconds that a program has to end, before each harder way."""
GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError)
SAID = 600
"""Characters of standard error that are kept."""


@dataclass
class Spoken:
    """What is known of a program beside its messages."""

    problem: str = ""
    """Why the connection was ended from here."""
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=8))
    """The last that it said on standard error."""

    @property
    def words(self) -> str:
        """Those lines, short."""
        return " ".join(" ".join(self.lines).split())[-SAID:]


@asynccontextmanager
async def piped(
    command: Sequence[str], environment: Mapping[str, str], limit: int, spoken: Spoken
) -> AsyncGenerator[tuple[Any, Any], None]:
    """A transport for the SDK's client; `OSError` where the program can't be started."""
    process = await anyio.open_process(list(command), env=dict(environment), start_new_session=True)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    from_client, to_server = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_read, process, to_client, limit, spoken)
            tasks.start_soon(_write, process, to_server, to_client)
            tasks.start_soon(_listen, process, spoken)
            try:
                yield from_server, from_client
            finally:
                with anyio.CancelScope(shield=True):
                    await _end(process)
                tasks.cancel_scope.cancel()
    finally:
        for stream in (to_client, from_server, from_client, to_server):
            stream.close()


async def _read(process: Process, to_client: Any, limit: int, spoken: Spoken) -> None:
    """Lines of standard output as messages, until it ends or a line is longer than `limit` bytes."""
    assert process.stdout is not None
    lines = BufferedByteReceiveStream(process.stdout)
    async with to_client:
        with suppress(*GONE, anyio.IncompleteRead):
            while True:
                try:
                    line = await lines.receive_until(b"\n", limit)
                except anyio.DelimiterNotFound:
                    spoken.problem = f"it sent a message of more than {limit:,} bytes (`mcp.result_bytes`)"
                    return
                if line.strip():
                    await to_client.send(_parsed(line))


def _parsed(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


async def _write(process: Process, to_server: ObjectReceiveStream[SessionMessage], to_client: Any) -> None:
    assert process.stdin is not None
    try:
        async with to_server:
            async for one in to_server:
                text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(text.encode() + b"\n")
    except GONE:
        to_client.close()  # else a request would wait for an answer that can't come


async def _listen(process: Process, spoken: Spoken) -> None:
    assert process.stderr is not None
    with suppress(*GONE):
        while True:
            said = (await process.stderr.receive(4096)).decode(errors="replace")
            spoken.lines.extend(line[-SAID:] for line in said.splitlines() if line.strip())


async def _end(process: Process) -> None:
    """Close its input; then end it and all that it started, harder each time."""
    with suppress(*GONE):
        if process.stdin is not None:
            await process.stdin.aclose()
    for harder in (None, signal.SIGTERM, signal.SIGKILL):
        if harder is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, harder)
        with anyio.move_on_after(GRACE):
            while process.returncode is None:
                await anyio.sleep(0.01)
        if process.returncode is not None and harder is not None:
            break
        if process.returncode is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGTERM)  # what it left behind in its session
            break
    with suppress(*GONE, TimeoutError):
        with anyio.move_on_after(GRACE):
            await process.aclose()
