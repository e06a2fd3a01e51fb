"""The one connection factory: whoever keeps something in SQLite opens it here.

1. SQLite comes from the `pysqlite3` wheel (it has the WAL-reset fix), else from Python; `doctor` names its version.
2. Files belong to their user alone (0600). WAL, so that readers never wait; writers take their lock at BEGIN and wait
   `BUSY_MS` for it. A commit outlives its process. Whether it waits for the disk, so that it outlives a power cut too,
   is the writer's choice: measured here, that wait is 0.3 ms on an idle disk and 3 to 8 ms on a busy one.
3. Migrations are numbered by `user_version`, applied in one transaction each, and pinned by a test. Plain SQL does that
   here: sqlite-utils alone takes about 0.3 s to import, which every `pocket run` would pay.
"""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from runtime.contract import InfrastructureError, UserError

Connection: TypeAlias = Any
"""A DB-API connection of whichever module was found."""

BUSY_MS = 5000
SAFE_VERSIONS = {(3, 44): 6, (3, 50): 7, (3, 51): 3}
"""Releases with the fix of the WAL-reset bug, as branch and patch; every branch after 3.51 has it."""


def module() -> Any:
    """`pysqlite3.dbapi2` where there is a wheel, else `sqlite3`."""
    try:
        return import_module("pysqlite3.dbapi2")
    except ImportError:
        return import_module("sqlite3")


def safe(version: str) -> bool:
    """Whether this release of SQLite has the fix of the WAL-reset bug."""
    major, minor, patch = (int(part) for part in version.split(".")[:3])
    return (major, minor) > max(SAFE_VERSIONS) or patch >= SAFE_VERSIONS.get((major, minor), patch + 1)


def connect(path: Path, read_only: bool = False, own: Collection[str] = ()) -> Connection:
    """An open connection in autocommit mode. A place that can't be written, or no database, is a `UserError`.

    `own`: tables that every version of this file has; a file with others is not touched.
    """
    sqlite = module()
    if own:
        refuse_other(path, own)
    try:
        if not read_only:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        mode = "ro" if read_only else "rw"
        connection = sqlite.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)
        connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        if not read_only:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.row_factory = sqlite.Row
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (OSError, sqlite.Error) as error:
        raise UserError(
            f"the data file `{path}` can't be opened: {error}. Make its folder writable, or set `POCKET_HOME`."
        ) from None
    return connection


def refuse_other(path: Path, own: Collection[str]) -> None:
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
    if mark or (tables and not tables.issuperset(own)):
        raise UserError(
            f"`{path}` is another program's database; nothing in it was changed. Move it out of the folder, or set "
            "`POCKET_HOME` to another one."
        )


@contextmanager
def writing(connection: Connection, to_disk: bool = False) -> Iterator[Connection]:
    """One transaction; a full disk or a lock that is held too long is an `InfrastructureError`.

    `to_disk`: this commit, and all before it, outlive a power cut when the block ends.
    """
    sqlite = module()
    try:
        connection.execute(f"PRAGMA synchronous={'FULL' if to_disk else 'NORMAL'}")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
    except sqlite.Error as error:
        raise InfrastructureError(f"the data file can't be written: {error}. Check the disk and run again.") from error


def migrate(connection: Connection, steps: Sequence[str]) -> None:
    """Bring the schema to version `len(steps)`. A file of a newer program is a `UserError`."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(steps):
        raise UserError(f"the data file has schema {version}; this program knows {len(steps)}. Update pocketplanner.")
    for number in range(version, len(steps)):
        with writing(connection):
            (now,) = connection.execute("PRAGMA user_version").fetchone()
            if now != number:
                continue
            for statement in steps[number].split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={number + 1}")
