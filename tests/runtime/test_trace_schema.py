"""The schema is pinned: whoever changes it adds a migration and this test's new digest, never edits a released step."""

import hashlib

from memory.sqlite import open_database
from runtime.trace import TraceStore
from runtime.trace.schema import MIGRATIONS

RELEASED = ("1aba5786fab80c6c", "77f50028ce34c77c")


def test_released_migrations_are_as_they_were():
    digests = tuple(hashlib.sha256(" ".join(step.split()).encode()).hexdigest()[:16] for step in MIGRATIONS)
    assert digests == RELEASED


def test_the_schema_after_all_migrations(tmp_path):
    store = TraceStore(tmp_path / "t.db", open_database)
    columns = {
        table: [row["name"] for row in store._database.execute(f"PRAGMA table_info({table})")]
        for table in ("episodes", "segments", "steps", "blobs")
    }
    assert columns == {
        "episodes": [
            "number", "id", "started_at", "request",
            "view", "header", "pid", "stop", "detail", "confirmed", "steps", "closing", "erased",
        ],
        "segments": ["episode", "number", "record"],
        "steps": ["episode", "number", "segment", "record"],
        "blobs": ["digest", "media_type", "bytes"],
    }  # fmt: skip
    assert store._database.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)


def test_opening_again_changes_nothing(tmp_path):
    TraceStore(tmp_path / "t.db", open_database).close()
    before = (tmp_path / "t.db").read_bytes()
    TraceStore(tmp_path / "t.db", open_database).close()
    assert (tmp_path / "t.db").read_bytes() == before
