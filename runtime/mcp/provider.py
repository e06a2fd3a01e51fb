"""The contract's `ToolProvider` over the accepted tools of all MCP servers.

    call -> started? (at the first call) -> does the server still declare the tool as accepted? -> call -> result

What is on offer comes from the book alone, so that no server runs for a request that does not call it, and a tool that
a server adds later is not there until the user accepts it. A changed declaration is a `conflict` that names server,
tool, fields and the command that accepts it. A key is never sent twice.
"""

from collections.abc import Iterable, Sequence

from runtime.contract import Deadline, ErrorCode, ExecutedCall, Observation, ToolCall, ToolFailure, ToolSpec
from runtime.mcp.link import Link
from runtime.mcp.records import Limits, Pinned, Server, changed
from runtime.mcp.results import observed
from runtime.mcp.schemas import specs_of

REMEMBERED = 64
"""Results that are kept by their key."""


class McpTools:
    """Tools of some servers."""

    def __init__(self, servers: Iterable[Server], limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._specs: list[ToolSpec] = []
        self._places: dict[str, tuple[str, Pinned]] = {}
        self._links: dict[str, Link] = {}
        self._done: dict[str, Observation] = {}
        for server in servers:
            self._links[server.name] = Link(server, self.limits)
            for name, (spec, tool) in specs_of(server)[0].items():
                self._specs.append(spec)
                self._places[name] = (server.name, tool)

    def tools(self) -> Sequence[ToolSpec]:
        """All accepted tools, by server."""
        return self._specs

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call on its server; whatever the server does, this answers by the deadline."""
        if idempotency_key and idempotency_key in self._done:
            return self._done[idempotency_key].model_copy(update={"call_id": call.id})
        server, tool = self._places[call.name]
        sent = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=idempotency_key, landed="unknown")
        try:
            self._refuse_changed(server, tool, deadline)
        except ToolFailure as failure:
            return Observation(call_id=call.id, failure=failure.failure())
        try:
            result = self._links[server].call(tool.name, call.arguments, idempotency_key, deadline)
            seen = observed(result, server, self.limits.result_bytes)
        except ToolFailure as failure:
            seen = Observation(call_id=call.id, call=sent, failure=failure.failure())
        else:
            landed = sent.model_copy(update={"landed": "yes"})
            seen = seen.model_copy(update={"call_id": call.id, "call": landed})
        if idempotency_key:
            self._done[idempotency_key] = seen
            if len(self._done) > REMEMBERED:
                del self._done[next(iter(self._done))]
        return seen

    def close(self) -> None:
        """Let go of all servers."""
        for link in self._links.values():
            link.close()

    def _refuse_changed(self, server: str, tool: Pinned, deadline: Deadline) -> None:
        """A server is asked before each call: what it declares of the tool must be what was accepted."""
        now = next((one for one in self._links[server].tools(deadline) if one.name == tool.name), None)
        if now is None:
            raise ToolFailure(
                ErrorCode.NOT_FOUND,
                f"the MCP server `{server}` no longer has the tool `{tool.name[:80]}`. Use another tool; "
                f"the user can look with `pocket mcp check {server}`.",
                server=server,
            )
        if now.digest != tool.digest:
            fields = ", ".join(f"`{one}`" for one in changed(tool, now))
            raise ToolFailure(
                ErrorCode.CONFLICT,
                f"the MCP server `{server}` changed its tool `{tool.name[:80]}` ({fields}) since the user accepted it; "
                f"it was not called. The user can look with `pocket mcp check {server}` and accept it with "
                f"`pocket mcp accept {server}`.",
                server=server,
                tool=tool.name,
                fields=changed(tool, now),
            )
