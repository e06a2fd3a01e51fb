"""The project's one connection factory: whoever keeps something in SQLite opens it here.

An encrypted build of SQLite would be put in here alone. The runtime gets the factory through its wiring.

1. SQLite comes from the `pysqlite3` wheel (it has the WAL-reset fix), else from Python; `doctor` names its version.
2. A file is looked at before it is touched: one of another program, or of a newer version, is refused and stays as it
   is. Files belong to their user alone (0600). WAL, so that readers never wait; writers take their lock at BEGIN and
   wait for it, `TRIES` times `BUSY_MS`; a lock that another process holds for longer is a `LockedError`.
3. Two things are the owner's choice: whether commits wait for the disk, so that they outlive a power cut too
   (`synchronous`; measured, 0.3 ms on an idle disk and 3 to 8 ms on a busy one), and whether what was deleted is
   overwritten (`secure_delete`).
4. On a full disk a file can still be read: it is then opened without its write-ahead log's index.
5. Migrations are numbered by `user_version`, a transaction each, and pinned by tests. A step is SQL, or a function over
   a sqlite-utils `Database`.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from runtime.contract import InfrastructureError, Schema, UserError

Connection: TypeAlias = Any
"""A DB-API connection of whichever module was found."""

BUSY_MS = 5000
"""How long SQLite itself waits for a lock."""
TRIES = 6
"""How often a writer waits so long: under load others may be quicker again and again."""
DAMAGED = "The file is damaged, or no database: move it away and put back a copy, or import what you exported"
SAFE_VERSIONS = {(3, 44): 6, (3, 50): 7, (3, 51): 3}
"""Releases with the fix of the WAL-reset bug, as branch and patch; every branch after 3.51 has it."""


class LockedError(InfrastructureError):
    """Another process holds the lock."""


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


class OpenFile:
    """The contract's `Database` over one connection."""

    def __init__(self, connection: Connection, schema: Schema) -> None:
        self.connection, self.schema = connection, schema

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written."""
        return _read_only(self.connection)

    def execute(self, sql: str, values: Sequence[object] = ()) -> "Rows":
        """Run one statement; what SQLite refuses is an `InfrastructureError`."""
        try:
            return Rows(self.connection.execute(sql, values), self.schema)
        except module().Error as error:
            reads = sql.startswith(("SELECT", "PRAGMA"))
            raise _failed(error, self.schema, "read" if reads else "written") from error

    def executemany(self, sql: str, rows: Sequence[Sequence[object]]) -> Any:
        """Run one statement for each of `rows`."""
        try:
            return self.connection.executemany(sql, rows)
        except module().Error as error:
            raise _failed(error, self.schema) from error

    @contextmanager
    def writing(self, to_disk: bool = False) -> Iterator["OpenFile"]:
        """One transaction; a full disk or a lock that is held too long is an `InfrastructureError`."""
        if to_disk and not self.schema.durable:
            self.connection.execute("PRAGMA synchronous=FULL")
        try:
            with writing(self.connection, self.schema):
                yield self
        finally:
            if to_disk and not self.schema.durable:
                self.connection.execute("PRAGMA synchronous=NORMAL")

    def close(self) -> None:
        """Close the file."""
        self.connection.close()


class Rows:
    """What a statement gives, read as it is asked for. Damage may be met only then: an `InfrastructureError` too."""

    def __init__(self, cursor: Any, schema: Schema) -> None:
        self._cursor, self._schema = cursor, schema

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._cursor
        except module().Error as error:
            raise _failed(error, self._schema, "read") from error

    def fetchone(self) -> Any:
        """The next row; None when there is none."""
        try:
            return self._cursor.fetchone()
        except module().Error as error:
            raise _failed(error, self._schema, "read") from error

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        return list(self)

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return int(self._cursor.rowcount)

    @property
    def lastrowid(self) -> int:
        """Place of the row that was added."""
        return int(self._cursor.lastrowid)


def open_database(path: Path | None, schema: Schema, read_only: bool = False) -> OpenFile:
    """The file at `path` in the newest version of its schema; None: in memory.

    A place that can't be written, a database of another program or of a newer version is a `UserError`.
    """
    return OpenFile(connect(path, schema, read_only), schema)


def connect(path: Path | None, schema: Schema, read_only: bool = False) -> Connection:
    """An open connection in autocommit mode, its schema in order. Errors as `open_database`."""
    sqlite = module()
    try:
        if path is None:
            # one episode at a time uses it, but not always the thread that made it
            connection = sqlite.connect(":memory:", isolation_level=None, check_same_thread=False)
        else:
            connection = _opened(path, schema, read_only)
        _set(connection, schema, sqlite)
    except (OSError, sqlite.Error) as error:
        step = DAMAGED if _damaged(error) else "Wait for that process" if _locked(error) else _room(error)
        what = f"another process holds its lock ({error})" if _locked(error) else str(error)
        raise UserError(f"the {schema.noun} `{path}` can't be opened: {what}. {step}, or {schema.move}.") from None
    if path is None or not _read_only(connection):
        migrate(connection, schema)
    return connection


@contextmanager
def writing(connection: Connection, schema: Schema) -> Iterator[Connection]:
    """One transaction; a full disk or a lock that is held too long is an `InfrastructureError`."""
    sqlite = module()
    try:
        _patiently(connection, "BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite.Error):  # some failures have rolled back already, and the first one tells
                connection.execute("ROLLBACK")
            raise
    except sqlite.Error as error:
        raise _failed(error, schema) from error


def _patiently(connection: Connection, sql: str) -> None:
    """Run a statement that needs a lock, again while others are quicker."""
    for left in reversed(range(TRIES)):
        try:
            connection.execute(sql)
            return
        except module().Error as error:
            waits = connection.execute("PRAGMA busy_timeout").fetchone()[0]
            if not _locked(error) or not waits or not left:
                raise


def migrate(connection: Connection, schema: Schema) -> None:
    """Bring the schema to its newest version. A file of a newer program is a `UserError`."""
    version = _version(connection, schema)
    for number in range(version, len(schema.steps)):
        with writing(connection, schema):
            if _version(connection, schema) != number:
                continue  # another process was quicker
            step = schema.steps[number]
            if isinstance(step, str):
                for statement in step.split(";"):
                    connection.execute(statement)
            else:
                step(utils(connection))
            connection.execute(f"PRAGMA user_version={number + 1}")


def utils(connection: Connection) -> Any:
    """The connection as a sqlite-utils `Database`, which makes schemas and answers for the administrator.

    sqlite-utils loads pandas where that is installed: 0.4 s of CPU and 60 MB which nothing here needs. Its own plugins
    are not run: they could register anything on a user's memories.
    """
    return _sqlite_utils().Database(connection, execute_plugins=False)


def _sqlite_utils() -> Any:
    import sys

    known = sys.modules.get("sqlite_utils")
    if known is not None or "pandas" in sys.modules:
        return known or import_module("sqlite_utils")
    sys.modules["pandas"] = None  # type: ignore[assignment]
    try:
        return import_module("sqlite_utils")
    finally:
        del sys.modules["pandas"]


def _opened(path: Path, schema: Schema, read_only: bool) -> Connection:
    """A connection to a file that was looked at first; only for reading where the disk leaves no other way."""
    if path.exists() and not path.is_file():  # a device, a pipe: even its mode must stay
        raise UserError(f"`{path}` is no regular file and can't be the {schema.noun}. Name a file: {schema.move}.")
    if path.is_file() and path.stat().st_size:
        _recognise(path, schema)
    elif read_only:
        raise FileNotFoundError("there is no such file")
    if read_only:
        return _uri(path, "mode=ro")
    sqlite = module()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            path.chmod(0o600)
        connection = _uri(path, "mode=rw")
        _patiently(connection, "PRAGMA journal_mode=WAL")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return connection
    except (OSError, sqlite.Error):
        if not path.is_file() or not path.stat().st_size:
            raise
        return _readable(path)


def _recognise(path: Path, schema: Schema) -> None:
    """Read a file without a change to it; a database of another program or of a newer one is a `UserError`."""
    connection = _readable(path)
    try:
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        missing = [name for name in schema.tables if name not in tables]
        if mark or (missing and (tables or connection.execute("PRAGMA user_version").fetchone()[0])):
            why = f"it has no table `{missing[0]}`" if missing else f"its mark is {mark}"
            raise UserError(
                f"`{path}` is a database of another program ({why}) and is left as it is. "
                f"Name another file: {schema.move}."
            )
        _version(connection, schema)
    finally:
        connection.close()


def _readable(path: Path) -> Connection:
    """A connection that only reads, and makes no file beside `path` where nobody else has it open."""
    sqlite = module()
    log = path.with_name(path.name + "-wal")
    ways = ["mode=ro&immutable=1", "mode=ro"]
    if log.is_file():  # commits that wait in it must be seen
        ways = ways[1:] if log.stat().st_size else ways[::-1]
    for way in ways:
        connection = _uri(path, way)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return connection
        except sqlite.Error:
            connection.close()
            if way == ways[-1]:
                raise
    raise AssertionError("the last way returns or raises")


def _uri(path: Path, mode: str) -> Connection:
    connection = module().connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    if "mode=ro" in mode:
        connection.execute("PRAGMA query_only=ON")
    return connection


def _set(connection: Connection, schema: Schema, sqlite: Any) -> None:
    connection.execute(f"PRAGMA synchronous={'FULL' if schema.durable else 'NORMAL'}")
    connection.execute("PRAGMA foreign_keys=ON")
    if schema.forgets:
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("PRAGMA temp_store=MEMORY")
    connection.row_factory = sqlite.Row


def _read_only(connection: Connection) -> bool:
    return bool(connection.execute("PRAGMA query_only").fetchone()[0])


def _version(connection: Connection, schema: Schema) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    known = len(schema.steps)
    if version > known:
        raise UserError(f"the {schema.noun} has schema {version}; this program knows {known}. Update pocketplanner.")
    return version


def _failed(error: Exception, schema: Schema, verb: str = "written") -> InfrastructureError:
    if _locked(error):
        return LockedError(
            f"the {schema.noun} can't be {verb}: another process holds its lock ({error}). What was written before is "
            "safe; wait for that process, or end it, and try again."
        )
    step = f"{DAMAGED}." if _damaged(error) else "What was written before is safe; free the disk and try again."
    if "readonly" in str(error):
        step = (
            "What was written before is safe; free the disk, or make the file and its folder writable, and try again."
        )
    return InfrastructureError(f"the {schema.noun} can't be {verb}: {error}. {step}")


def _locked(error: Exception) -> bool:
    return "database is locked" in str(error)


def _room(error: Exception) -> str:
    return "Free the disk" if "full" in str(error) else "Make its folder writable"


def _damaged(error: Exception) -> bool:
    return any(sign in str(error) for sign in ("malformed", "not a database"))
