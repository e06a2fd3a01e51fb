"""What a room says about the tables it keeps, and the open file it gets back from the one connection factory."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

Step: TypeAlias = str | Callable[[Any], None]
"""One migration: SQL, its statements parted by `;`, or a function over a sqlite-utils `Database`."""


@dataclass(frozen=True)
class Schema:
    """The tables of one kind of file, by version."""

    noun: str
    """What the file is called in messages."""
    tables: tuple[str, ...]
    """Tables that every version has: a database without one of them belongs to another program."""
    steps: tuple[Step, ...]
    """Numbered migrations. One that was released never changes; a test pins them."""
    move: str = "set `POCKET_HOME`"
    """How its place is chosen, for messages."""
    durable: bool = False
    """Every commit waits for the disk, so that it outlives a power cut."""
    forgets: bool = False
    """What was deleted is overwritten."""


class Database(Protocol):
    """An open file; rows can be read by column name."""

    def execute(self, sql: str, values: Sequence[object] = ()) -> Any:
        """Run one statement; the cursor gives its rows."""
        ...

    def executemany(self, sql: str, rows: Sequence[Sequence[object]]) -> Any:
        """Run one statement for each of `rows`."""
        ...

    def writing(self, to_disk: bool = False) -> AbstractContextManager["Database"]:
        """One transaction; `to_disk`: it outlives a power cut. A full disk is an `InfrastructureError`."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


class OpenDatabase(Protocol):
    """The factory."""

    def __call__(self, path: Path | None, schema: Schema, read_only: bool = False) -> Database:
        """The file at `path` in the newest version of its schema; None: in memory.

        A place that can't be written, a database of another program or of a newer version is a `UserError`.
        """
        ...
