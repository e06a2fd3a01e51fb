"""The phone as an MCP server over standard input and output.

The protocol runs in a thread of its own; calls wait in a queue for the thread that has the phone, one at a time. A
client of the handshake protocol asks its user while the call waits; one of the later protocol gets the question as
`input_required` and calls again with the answer. What stands in `request_state` is a token of ours for exactly that
call, good for once.
"""

import asyncio
import concurrent.futures
import json
import queue
import secrets
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from runtime.contract import (
    CancelToken,
    Confirm,
    Deadline,
    Effect,
    ErrorCode,
    Failure,
    Json,
    Observation,
    PocketError,
    ToolSpec,
    digest_of,
)
from runtime.digests import code_version
from runtime.mcp.desk import Desk, NeedsAnswer, reported

AGREE = "agree"
FORM: Json = {
    "type": "object",
    "properties": {AGREE: {"type": "boolean", "title": "Agree", "description": "May the phone do this?"}},
    "required": [AGREE],
}
WAITING = 200
"""Questions of the later protocol that may be open at once."""
INSTRUCTIONS = (
    "Tools of a phone. Times, dates and names may be given as people say them. A write's result says what changed and "
    "what was read back. What pays, deletes, installs, grants or powers off is asked of the user first."
)
CONTEXT = ServerRequestContext[Any, Any]


@dataclass
class Job:
    """One call on its way to the phone."""

    name: str
    arguments: Json
    context: CONTEXT
    answer: bool | None
    cancel: CancelToken = field(default_factory=CancelToken)
    done: "concurrent.futures.Future[Observation]" = field(default_factory=concurrent.futures.Future)


class Service:
    """Serves one client until it closes its end."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._jobs: queue.Queue[Job | None] = queue.Queue()
        self._open: dict[str, str] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._problem: BaseException | None = None

    def serve(self) -> None:
        """Serve standard input and output; returns when the client has left."""
        thread = threading.Thread(target=self._speak, name="mcp", daemon=True)
        thread.start()
        first = self._jobs.get()
        if first is not None:
            with self.desk.session(_client(first.context)):
                job: Job | None = first
                while job is not None:
                    self._carry(job)
                    job = self._jobs.get()
        if self._problem is not None:
            raise self._problem

    def _carry(self, job: Job) -> None:
        """Run one call on the phone; what comes of it is handed to the client, unless that took the call back."""
        if not job.done.set_running_or_notify_cancel():
            return
        session, modern = job.context.session, job.context.protocol_version in MODERN_PROTOCOL_VERSIONS
        wanted = types.ClientCapabilities(elicitation=types.ElicitationCapability())
        asks = session.check_client_capability(wanted)
        at_once = (lambda question, until: self._ask(job, question, until)) if asks and not modern else None
        self.desk.approver.next_call(job.answer, asks and modern, at_once)
        try:
            job.done.set_result(self.desk.call(job.name, job.arguments, Deadline(None, job.cancel)))
        except (NeedsAnswer, PocketError) as error:
            job.done.set_exception(error)

    def _ask(self, job: Job, question: Confirm, until: Deadline) -> bool:
        """Ask the client's user over the open line; only a clear yes is one."""
        assert self._loop is not None
        asking = job.context.session.elicit_form(question.facts, FORM, job.context.request_id)
        future = asyncio.run_coroutine_threadsafe(asking, self._loop)
        while not until.expired and not until.cancel.cancelled:
            if concurrent.futures.wait([future], 0.05).done:
                return not future.cancelled() and future.exception() is None and _agreed(future.result())
        future.cancel()
        return False

    def _speak(self) -> None:
        try:
            anyio.run(self._spoken)
        except BaseException as error:  # handed to the thread that waits, which raises it
            self._problem = error
        finally:
            self._jobs.put(None)

    async def _spoken(self) -> None:
        self._loop = asyncio.get_running_loop()
        server: Server[Any] = Server(
            "pocketplanner",
            version=code_version(),
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    async def _list(self, context: CONTEXT, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[declared(spec) for spec in self.desk.tools])

    async def _call(
        self, context: CONTEXT, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        arguments = params.arguments or {}
        job = Job(params.name, arguments, context, self._answered(params))
        self._jobs.put(job)
        try:
            seen = await asyncio.wrap_future(job.done)
        except NeedsAnswer as needs:
            return self._asked(params, needs.question)
        except PocketError as error:
            failure = Failure(code=ErrorCode.OFFLINE, message=str(error))
            return answered(Observation(call_id="", failure=failure))
        except asyncio.CancelledError:
            job.cancel.cancel()
            raise
        return answered(seen)

    def _asked(self, params: types.CallToolRequestParams, question: Confirm) -> types.InputRequiredResult:
        """The question, with a token that is good for this call alone."""
        token = secrets.token_urlsafe(24)
        self._open[token] = _call_digest(params)
        if len(self._open) > WAITING:
            del self._open[next(iter(self._open))]
        form = types.ElicitRequestFormParams(message=question.facts, requested_schema=FORM)
        return types.InputRequiredResult(input_requests={AGREE: types.ElicitRequest(params=form)}, request_state=token)

    def _answered(self, params: types.CallToolRequestParams) -> bool | None:
        """What the client's user said to an open question about this very call; None: there is no answer."""
        asked = self._open.pop(params.request_state or "", None)
        if asked is None or asked != _call_digest(params):
            return None
        reply = (params.input_responses or {}).get(AGREE)
        return isinstance(reply, types.ElicitResult) and _agreed(reply)


def declared(spec: ToolSpec) -> types.Tool:
    """A tool as MCP describes it."""
    effects = spec.effects
    hints = types.ToolAnnotations(
        read_only_hint=effects <= {Effect.READ},
        destructive_hint=bool(effects - {Effect.READ, Effect.WRITE, Effect.SEND}),
        idempotent_hint=spec.hints.idempotent,
        open_world_hint=spec.hints.open_world or bool(effects & {Effect.SEND, Effect.PAY}),
    )
    return types.Tool(name=spec.name, description=spec.description, input_schema=spec.parameters, annotations=hints)


def answered(seen: Observation) -> types.CallToolResult:
    """An observation as MCP's result; the same JSON as text, for clients that read no structure."""
    told = reported(seen)
    text = json.dumps(told, ensure_ascii=False, default=str)
    content = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=content, structured_content=json.loads(text), is_error=not seen.ok)


def offered(specs: Iterable[ToolSpec], domains: frozenset[str], read_only: bool) -> list[ToolSpec]:
    """The tools of some domains (none named: all); `read_only`: those that only read."""
    return [
        spec
        for spec in specs
        if (not domains or spec.domain in domains) and (not read_only or spec.effects <= {Effect.READ})
    ]


def _agreed(reply: types.ElicitResult) -> bool:
    return reply.action == "accept" and (reply.content or {}).get(AGREE) is True


def _call_digest(params: types.CallToolRequestParams) -> str:
    return digest_of({"name": params.name, "arguments": params.arguments or {}})


def _client(context: CONTEXT) -> str:
    """Name and version of the client, as it says."""
    told = context.session.client_params
    return f"{told.client_info.name} {told.client_info.version}"[:80] if told is not None else ""
