"""What is known of an MCP server: how it is started or reached, and its tools as the user accepted them."""

import re
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field

from runtime.contract import Json, Record, UserError, digest_of

NAME = re.compile(r"[a-z][a-z0-9]{0,23}")
"""Of a server: no `_`, so that `mcp__NAME__tool` says where the name ends."""
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LOCAL = ("localhost", "127.0.0.1", "::1")
FIELDS = ("title", "description", "inputSchema", "outputSchema", "annotations")
"""What a digest covers beside the name."""


class Pinned(Record):
    """One tool as it was accepted."""

    name: str
    """The server's own name for it."""
    declared: Json
    """What the server said of it: the keys of `FIELDS` that it gave."""
    digest: str
    """Of name and declaration; a server that says anything else of this tool is not believed."""


class Server(Record):
    """One server."""

    name: str
    """The user's name for it."""
    command: tuple[str, ...] = ()
    """The program and its arguments (stdio); empty where there is a `url`."""
    url: str = ""
    """Where it listens (streamable HTTP)."""
    environment: tuple[str, ...] = ()
    """Names of the variables that the program gets beside the usual ones; their values are never kept."""
    headers: dict[str, str] = Field(default_factory=dict)
    """HTTP headers, each with the name of the variable that holds its value."""
    trust_hints: bool = False
    """Believe what the server says its tools do. Off: each may change, send or delete, and is asked about."""
    reads: tuple[str, ...] = ()
    """Tools of which the user says that they only read."""
    tools: tuple[Pinned, ...] = ()
    """Its tools, as accepted."""

    @property
    def kind(self) -> Literal["stdio", "http"]:
        """How it is reached."""
        return "http" if self.url else "stdio"

    def pinned(self, tool: str) -> Pinned | None:
        """The tool as accepted."""
        return next((one for one in self.tools if one.name == tool), None)


class Limits(Record):
    """What one server may take."""

    seconds: float = 30.0
    """The longest that a call may take, the server's start not counted."""
    connect_seconds: float = 10.0
    """The longest that starting or reaching it may take."""
    result_bytes: int = 1_000_000
    """The largest message that is read from it."""


def pin(name: str, declared: Json) -> Pinned:
    """A tool as the server declares it now."""
    kept = {key: declared[key] for key in FIELDS if declared.get(key) is not None}
    return Pinned(name=name, declared=kept, digest=digest_of({"name": name, **kept}))


def changed(accepted: Pinned, now: Pinned) -> list[str]:
    """The fields in which two declarations differ."""
    return [key for key in FIELDS if accepted.declared.get(key) != now.declared.get(key)]


def refuse_bad(server: Server) -> None:
    """A `UserError` where a server can't be what the user means."""
    if not NAME.fullmatch(server.name):
        raise UserError(
            f"`{server.name[:60]}` is no name for a server. Use up to 24 small letters and digits, a letter first."
        )
    if bool(server.command) == bool(server.url):
        raise UserError("a server is a program or an address. Give `--url URL`, or `-- COMMAND ARGUMENTS`.")
    for variable in (*server.environment, *server.headers.values()):
        if not VARIABLE.fullmatch(variable):
            raise UserError(f"`{variable[:60]}` is no name of a variable. Give its name; the value stays in it.")
    if server.url:
        _refuse_bad_url(server.url)


def _refuse_bad_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError as error:
        raise UserError(f"`{url[:120]}` is no address: {error}. Write `https://HOST/mcp`.") from None
    if parts.scheme not in ("http", "https") or not host:
        raise UserError(f"`{url[:120]}` is no address of a server. Write `https://HOST/mcp`.")
    if parts.username or parts.password:
        raise UserError("the address holds a password. Put it into a variable: `--header Authorization=VARIABLE`.")
    if parts.scheme == "http" and host not in LOCAL:
        raise UserError(f"`{url[:120]}` is not encrypted. Use https; plain http is for this machine alone.")
