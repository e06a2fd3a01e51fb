"""Writes episodes: the opening, each segment, each step and the end are a transaction each.

What returned outlives its process: a run that is killed leaves all steps that it had finished, its episode has no end,
and readers say so. The end waits for the disk, so that a finished episode outlives a power cut too; steps don't, since
a busy disk would cost each of them more than all else that the harness does.
"""

import json
import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from runtime.contract import (
    Database,
    Episode,
    Erased,
    Erasure,
    Json,
    OpenDatabase,
    Segment,
    Step,
    Stop,
    TaskView,
    canonical_json,
)
from runtime.trace.erase import MARK, erase, is_erased, wordless_end, wordless_segment, wordless_step
from runtime.trace.schema import SCHEMA


class TraceStore:
    """The contract's `TraceSink` over one SQLite file."""

    def __init__(self, path: Path, open_database: OpenDatabase) -> None:
        """Open or make the file; `UserError` when it can't be."""
        self.path = path
        self._database = open_database(path, SCHEMA)

    @contextmanager
    def episode(self, view: TaskView, header: Json) -> Iterator["StoredEpisode"]:
        """Open an episode; whatever ends the block, what was written stays."""
        writer = StoredEpisode(self._database, new_id())
        writer.open(view, header)
        yield writer

    def blob(self, digest: str, media_type: str, data: bytes) -> None:
        """Keep the bytes of an image once."""
        with self._database.writing() as db:
            db.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)", (digest, media_type, data))

    def erase(self, erasure: Erasure, texts: Sequence[str] = ()) -> Erased:
        """Take the words out of every episode that an erasure reaches (`runtime/trace/erase.py`)."""
        return erase(self._database, erasure, texts)

    def close(self) -> None:
        """Close the file."""
        self._database.close()


class StoredEpisode:
    """One episode being written."""

    def __init__(self, database: Database, episode_id: str) -> None:
        self._database = database
        self._id = episode_id
        self._segment = -1
        self._tools: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Run id."""
        return self._id

    def open(self, view: TaskView, header: Json) -> None:
        """Write the row that readers see while the episode runs."""
        started = str(header.get("started_at", ""))
        values = (self.id, started, view.request, view.model_dump_json(), canonical_json(header))
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO episodes (id, started_at, request, view, header, pid) VALUES (?, ?, ?, ?, ?, ?)",
                (*values, os.getpid()),
            )

    def segment(self, segment: Segment) -> None:
        """Begin a segment."""
        self._segment += 1
        self._tools += segment.exposed
        with self._database.writing() as db:
            kept = wordless_segment(segment) if is_erased(db, self.id) else segment.model_copy(update={"steps": ()})
            record = kept.model_dump_json()
            db.execute("INSERT INTO segments VALUES (?, ?, ?)", (self.id, self._segment, record))

    def step(self, step: Step) -> None:
        """Append a step."""
        with self._database.writing() as db:
            kept = wordless_step(step, self._tools) if is_erased(db, self.id) else step
            row = (self.id, step.index, max(self._segment, 0), kept.model_dump_json())
            db.execute("INSERT INTO steps VALUES (?, ?, ?, ?)", row)
            db.execute("UPDATE episodes SET steps = ? WHERE id = ?", (step.index + 1, self.id))

    def close(self, stop: Stop, detail: str, episode: Episode) -> None:
        """Write the end."""
        closing = episode.model_dump_json(exclude={"segments", "view", "id"})
        confirmed = None if episode.confirmation is None else int(episode.confirmation.confirmed)
        with self._database.writing(to_disk=True) as db:
            if is_erased(db, self.id):
                closing, detail = canonical_json(wordless_end(json.loads(closing))), MARK if detail else ""
            db.execute(
                "UPDATE episodes SET stop = ?, detail = ?, confirmed = ?, closing = ? WHERE id = ?",
                (str(stop), detail, confirmed, closing, self.id),
            )


def new_id() -> str:
    """A run id that sorts by time: `20260302-090000-1f3a9c`."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"
