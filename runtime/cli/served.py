"""`pocket mcp serve`: the phone, the guard and the trace, opened around one MCP client."""

from collections.abc import Sequence
from contextlib import closing

from runtime.config import Settings, approvals_file
from runtime.contract import Domain, UserError
from runtime.guard import Policy, RuleBook
from runtime.mcp.desk import Asked, Desk, Inside


def serve_client(settings: Settings, domains: Sequence[str], read_only: bool, seconds: float) -> None:
    """Serve standard input and output until the client leaves."""
    from runtime.mcp.service import Service, offered
    from runtime.wiring import open_hooks, open_phone, open_traces, world_of

    wanted = frozenset(found for start in domains for found in _domains(start))
    policy, asked, own = Policy(RuleBook(approvals_file())), Asked(), settings.phone
    with (
        closing(open_traces()) as sink,
        closing(open_phone(own.backend, world_of(settings), own.serial, Inside(asked))) as phone,
    ):
        tools = offered(phone.tools(), wanted, read_only)
        if not tools:
            raise UserError("no tool is left to offer. Name other domains, or leave `--read-only` out.")
        desk = Desk(phone, asked=settings.guard.ask, policy=policy, sink=sink, tools=tools, approver=asked,
                    hooks=open_hooks(settings), seconds=seconds)  # fmt: skip
        Service(desk).serve()


def _domains(start: str) -> list[str]:
    found = [domain.value for domain in Domain if domain.value.lower().startswith(start.lower())]
    if not found:
        known = ", ".join(f"`{domain.value}`" for domain in Domain)
        raise UserError(f"there is no domain `{start[:60]}`. Use the start of one of {known}.")
    return found
