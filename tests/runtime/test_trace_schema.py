"""The schema is pinned: whoever changes it adds a migration and this test's new digest, never edits a released step."""

import hashlib
from contextlib import closing

import pytest

from evalkit.results import ResultStore
from memory.sqlite import module, open_database
from runtime.contract import UserError
from runtime.trace import TraceReader, TraceStore
from runtime.trace.schema import MIGRATIONS

RELEASED = ("1aba5786fab80c6c", "77f50028ce34c77c", "c63f8b6f256a2952", "6f1e57517b215e17")


def test_released_migrations_are_as_they_were():
    digests = tuple(hashlib.sha256(" ".join(step.split()).encode()).hexdigest()[:16] for step in MIGRATIONS)
    assert digests == RELEASED


def test_the_schema_after_all_migrations(tmp_path):
    store = TraceStore(tmp_path / "t.db", open_database)
    columns = {
        table: [row["name"] for row in store._database.execute(f"PRAGMA table_info({table})")]
        for table in ("episodes", "segments", "steps", "blobs", "intents")
    }
    assert columns == {
        "episodes": [
            "number", "id", "started_at", "request",
            "view", "header", "pid", "stop", "detail", "confirmed", "steps", "closing", "erased", "born",
        ],
        "segments": ["episode", "number", "record"],
        "steps": ["episode", "number", "segment", "record"],
        "blobs": ["digest", "media_type", "bytes"],
        "intents": ["episode", "number", "record"],
    }  # fmt: skip
    assert store._database.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)


def test_opening_again_changes_nothing(tmp_path):
    TraceStore(tmp_path / "t.db", open_database).close()
    before = (tmp_path / "t.db").read_bytes()
    TraceStore(tmp_path / "t.db", open_database).close()
    assert (tmp_path / "t.db").read_bytes() == before


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
@pytest.mark.parametrize(
    "opened", [lambda path: TraceStore(path, open_database), lambda path: TraceReader(path, open_database), ResultStore]
)
def test_a_database_of_another_program_is_not_touched(tmp_path, mode, opened):
    before = others(tmp_path / "t.db", mode)
    with pytest.raises(UserError, match="is a database of another program"):
        opened(tmp_path / "t.db")
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before


def test_a_database_with_another_mark_is_not_touched(tmp_path):
    TraceStore(tmp_path / "t.db", open_database).close()
    with closing(module().connect(tmp_path / "t.db")) as other:
        other.execute("PRAGMA application_id=7")
    with pytest.raises(UserError, match="a database of another program"):
        TraceStore(tmp_path / "t.db", open_database)
