"""The room's one connection factory: every file of memories is opened here.

1. SQLite comes from the `pysqlite3` wheel, whose release has the WAL-reset fix, else from Python.
2. A file belongs to its user alone (0600). WAL, so that readers never wait; writers take their lock at BEGIN and wait
   `BUSY_MS` for it. What was deleted is overwritten (`secure_delete`).
3. Without a path the database is in memory: evaluation and training begin each episode with one.
4. Migrations are numbered by `user_version`, a transaction each.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from runtime.contract import InfrastructureError, UserError

Connection: TypeAlias = Any
"""A DB-API connection of whichever module was found."""

BUSY_MS = 5000
OWN = ("records", "state")
"""Tables that every version has."""


def module() -> Any:
    """`pysqlite3.dbapi2` where there is a wheel, else `sqlite3`."""
    try:
        return import_module("pysqlite3.dbapi2")
    except ImportError:
        return import_module("sqlite3")


def connect(path: Path | None) -> Connection:
    """An open connection in autocommit mode; None: in memory. A place that can't be written is a `UserError`."""
    sqlite = module()
    if path is not None:
        _refuse_other(path)
    try:
        connection = sqlite.connect(_address(path), uri=True, isolation_level=None)
        connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        if path is not None:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.row_factory = sqlite.Row
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (OSError, sqlite.Error) as error:
        raise UserError(
            f"the memory file `{path}` can't be opened: {error}. Make its folder writable, or set `memory.file`."
        ) from None
    return connection


def _refuse_other(path: Path) -> None:
    """A `UserError` for another program's database, before a mode is set or a byte written.

    It is read as it lies (`immutable`): an ordinary reader of a WAL file leaves files beside it. A file without tables
    is one that nobody has filled yet; one that can't be read is left to `connect`, which says why.
    """
    sqlite = module()
    if not path.is_file():
        return
    try:
        with closing(sqlite.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            (mark,) = connection.execute("PRAGMA application_id").fetchone()
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite.Error:
        return
    if mark or (tables and not tables.issuperset(OWN)):
        raise UserError(
            f"`{path}` is another program's database; nothing in it was changed. Name another `memory.file`."
        )


def _address(path: Path | None) -> str:
    if path is None:
        return "file::memory:"
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    return f"{path.absolute().as_uri()}?mode=rw"


@contextmanager
def writing(connection: Connection) -> Iterator[Connection]:
    """One transaction; a full disk or a lock that is held too long is an `InfrastructureError`."""
    sqlite = module()
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
    except sqlite.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise InfrastructureError(
            f"the memory file can't be written: {error}. What was written before is safe; free the disk and try again."
        ) from error


def migrate(connection: Connection, steps: Sequence[Sequence[str]]) -> None:
    """Bring the schema to version `len(steps)`. A file of a newer program is a `UserError`."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(steps):
        raise UserError(f"the memory file has schema {version}; this program knows {len(steps)}. Update pocketplanner.")
    for number in range(version, len(steps)):
        with writing(connection):
            (now,) = connection.execute("PRAGMA user_version").fetchone()
            if now != number:
                continue  # another process was quicker
            for statement in steps[number]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={number + 1}")
