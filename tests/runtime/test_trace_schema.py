"""The schema is pinned: whoever changes it adds a migration and this test's new digest, never edits a released step."""

import hashlib
from contextlib import closing

import pytest

from evalkit.results import ResultStore
from runtime.contract import InfrastructureError, UserError
from runtime.trace import TraceReader, TraceStore
from runtime.trace.schema import MIGRATIONS
from runtime.trace.sqlite import connect, migrate, module, safe, writing

RELEASED = ("1aba5786fab80c6c",)


def test_released_migrations_are_as_they_were():
    digests = tuple(hashlib.sha256(" ".join(step.split()).encode()).hexdigest()[:16] for step in MIGRATIONS)
    assert digests == RELEASED


def test_the_schema_after_all_migrations(tmp_path):
    store = TraceStore(tmp_path / "t.db")
    columns = {
        table: [row["name"] for row in store._connection.execute(f"PRAGMA table_info({table})")]
        for table in ("episodes", "segments", "steps", "blobs")
    }
    assert columns == {
        "episodes": [
            "number", "id", "started_at", "request",
            "view", "header", "pid", "stop", "detail", "confirmed", "steps", "closing",
        ],
        "segments": ["episode", "number", "record"],
        "steps": ["episode", "number", "segment", "record"],
        "blobs": ["digest", "media_type", "bytes"],
    }  # fmt: skip
    assert store._connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)


def test_opening_again_changes_nothing(tmp_path):
    TraceStore(tmp_path / "t.db").close()
    before = (tmp_path / "t.db").read_bytes()
    TraceStore(tmp_path / "t.db").close()
    assert (tmp_path / "t.db").read_bytes() == before


def test_a_file_of_a_newer_program(tmp_path):
    connection = connect(tmp_path / "t.db")
    connection.execute("PRAGMA user_version=99")
    with pytest.raises(UserError, match=r"schema 99; this program knows 1\. Update pocketplanner"):
        migrate(connection, MIGRATIONS)


def others(path, mode):
    """A database that another program keeps; all its bytes by file."""
    with closing(module().connect(path)) as other:
        other.execute(f"PRAGMA journal_mode={mode}")
        other.execute("PRAGMA user_version=1")
        other.execute("CREATE TABLE episodes (name TEXT)")
        other.execute("INSERT INTO episodes VALUES ('a podcast')")
        other.commit()
    return {one.name: one.read_bytes() for one in path.parent.iterdir()}


@pytest.mark.parametrize("mode", ["delete", "wal"])
@pytest.mark.parametrize("opened", [TraceStore, TraceReader, ResultStore])
def test_a_database_of_another_program_is_not_touched(tmp_path, mode, opened):
    before = others(tmp_path / "t.db", mode)
    with pytest.raises(UserError, match="is another program's database; nothing in it was changed"):
        opened(tmp_path / "t.db")
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before


def test_a_database_with_another_mark_is_not_touched(tmp_path):
    TraceStore(tmp_path / "t.db").close()
    with closing(module().connect(tmp_path / "t.db")) as other:
        other.execute("PRAGMA application_id=7")
    with pytest.raises(UserError, match="another program's database"):
        TraceStore(tmp_path / "t.db")


def test_a_migration_that_fails_leaves_nothing(tmp_path):
    connection = connect(tmp_path / "t.db")
    with pytest.raises(InfrastructureError, match="can't be written"):
        migrate(connection, ("CREATE TABLE a (b); CREATE TABLE a (b)",))
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0


def test_how_a_connection_is_set(tmp_path):
    connection = connect(tmp_path / "t.db")
    values = [
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
    ]
    assert values == ["wal", 1, 5000, 1]


def test_a_reader_can_not_write(tmp_path):
    connect(tmp_path / "t.db").execute("CREATE TABLE a (b)")
    with pytest.raises(module().OperationalError, match="readonly"):
        connect(tmp_path / "t.db", read_only=True).execute("INSERT INTO a VALUES (1)")


def test_what_raises_inside_a_transaction_takes_it_back(tmp_path):
    connection = connect(tmp_path / "t.db")
    connection.execute("CREATE TABLE a (b)")
    with pytest.raises(KeyboardInterrupt), writing(connection) as db:
        db.execute("INSERT INTO a VALUES (1)")
        raise KeyboardInterrupt
    assert connection.execute("SELECT count(*) FROM a").fetchone()[0] == 0


@pytest.mark.parametrize(
    ("version", "is_safe"),
    [("3.40.1", False), ("3.44.5", False), ("3.44.6", True), ("3.50.6", False), ("3.50.7", True), ("3.51.2", False),
     ("3.51.3", True), ("3.52.0", True), ("3.53.4", True)],
)  # fmt: skip
def test_releases_with_the_fix_of_the_wal_reset_bug(version, is_safe):
    assert safe(version) is is_safe


@pytest.mark.parametrize(("to_disk", "synchronous"), [(False, 1), (True, 2)])
def test_a_commit_may_wait_for_the_disk(tmp_path, to_disk, synchronous):
    connection = connect(tmp_path / "t.db")
    with writing(connection, to_disk) as db:
        assert db.execute("PRAGMA synchronous").fetchone()[0] == synchronous
