"""The book of MCP servers: one JSON file of the user, mode 0600, replaced as a whole under a lock.

A file that can't be read is an error that names file and field: a pin that was lost in silence would be worse than a
run that does not start.
"""

import json
from pathlib import Path

from pydantic import ValidationError

from runtime import private_file
from runtime.contract import Record, SetupError, UserError
from runtime.mcp.records import Server, refuse_bad

MOST = 50
"""Servers of one book."""


class _Book(Record):
    """The file."""

    version: int = 1
    """Of the form."""
    servers: tuple[Server, ...] = ()
    """By name."""


class ServerBook:
    """The servers of one file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def servers(self) -> tuple[Server, ...]:
        """All of them, by name."""
        return self._read().servers

    def named(self, name: str) -> Server:
        """One of them; a `UserError` where there is none."""
        found = next((one for one in self.servers() if one.name == name), None)
        if found is None:
            known = ", ".join(f"`{one.name}`" for one in self.servers()) or "none yet"
            raise UserError(f"there is no MCP server `{name[:60]}`; known: {known}. Add it: `pocket mcp add`.")
        return found

    def put(self, server: Server, new: bool = False) -> None:
        """Keep a server, in place of the one of its name; `new`: there must be none."""
        refuse_bad(server)
        with private_file.locked(self.path):
            others = [one for one in self.servers() if one.name != server.name]
            if new and len(others) < len(self.servers()):
                raise UserError(f"there is an MCP server `{server.name}` already. `pocket mcp remove` takes it out.")
            if len(others) >= MOST:
                raise UserError(f"there are {len(others)} MCP servers; the limit is {MOST}. Remove one.")
            self._write([*others, server])

    def remove(self, name: str) -> Server:
        """Take a server and its pins out."""
        with private_file.locked(self.path):
            gone = self.named(name)
            self._write([one for one in self.servers() if one.name != name])
        return gone

    def _read(self) -> _Book:
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return _Book()
        except (OSError, UnicodeDecodeError) as error:
            raise SetupError(f"`{self.path}` can't be read: {error}. Make it readable, or move it away.") from None
        try:
            return _Book.model_validate(json.loads(text))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise SetupError(
                f"`{self.path}`: field `{field}`: {first['msg'].lower()}. Correct it, or move the file away."
            ) from None
        except ValueError as error:
            raise SetupError(f"`{self.path}` is no JSON: {error}. Correct it, or move the file away.") from None

    def _write(self, servers: list[Server]) -> None:
        kept = _Book(servers=tuple(sorted(servers, key=lambda one: one.name)))
        private_file.replace(self.path, kept.model_dump_json(indent=1) + "\n")
