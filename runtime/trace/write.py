"""Writes episodes: the opening, each segment, each step and the end are a transaction each.

What returned outlives its process: a run that is killed leaves all steps that it had finished, its episode has no end,
and readers say so. The end waits for the disk, so that a finished episode outlives a power cut too; steps don't, since
a busy disk would cost each of them more than all else that the harness does.
"""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from runtime.contract import Episode, Json, Segment, Step, Stop, TaskView, canonical_json
from runtime.trace.schema import MIGRATIONS, TABLES
from runtime.trace.sqlite import Connection, connect, migrate, writing


class TraceStore:
    """The contract's `TraceSink` over one SQLite file."""

    def __init__(self, path: Path) -> None:
        """Open or make the file; `UserError` when it can't be."""
        self.path = path
        self._connection = connect(path, own=TABLES)
        migrate(self._connection, MIGRATIONS)

    @contextmanager
    def episode(self, view: TaskView, header: Json) -> Iterator["StoredEpisode"]:
        """Open an episode; whatever ends the block, what was written stays."""
        writer = StoredEpisode(self._connection, new_id())
        writer.open(view, header)
        yield writer

    def blob(self, digest: str, media_type: str, data: bytes) -> None:
        """Keep the bytes of an image once."""
        with writing(self._connection) as db:
            db.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)", (digest, media_type, data))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class StoredEpisode:
    """One episode being written."""

    def __init__(self, connection: Connection, episode_id: str) -> None:
        self._connection = connection
        self._id = episode_id
        self._segment = -1

    @property
    def id(self) -> str:
        """Run id."""
        return self._id

    def open(self, view: TaskView, header: Json) -> None:
        """Write the row that readers see while the episode runs."""
        started = str(header.get("started_at", ""))
        values = (self.id, started, view.request, view.model_dump_json(), canonical_json(header))
        with writing(self._connection) as db:
            db.execute(
                "INSERT INTO episodes (id, started_at, request, view, header, pid) VALUES (?, ?, ?, ?, ?, ?)",
                (*values, os.getpid()),
            )

    def segment(self, segment: Segment) -> None:
        """Begin a segment."""
        self._segment += 1
        record = segment.model_copy(update={"steps": ()}).model_dump_json()
        with writing(self._connection) as db:
            db.execute("INSERT INTO segments VALUES (?, ?, ?)", (self.id, self._segment, record))

    def step(self, step: Step) -> None:
        """Append a step."""
        with writing(self._connection) as db:
            row = (self.id, step.index, max(self._segment, 0), step.model_dump_json())
            db.execute("INSERT INTO steps VALUES (?, ?, ?, ?)", row)
            db.execute("UPDATE episodes SET steps = ? WHERE id = ?", (step.index + 1, self.id))

    def close(self, stop: Stop, detail: str, episode: Episode) -> None:
        """Write the end."""
        closing = episode.model_dump_json(exclude={"segments", "view", "id"})
        confirmed = None if episode.confirmation is None else int(episode.confirmation.confirmed)
        with writing(self._connection, to_disk=True) as db:
            db.execute(
                "UPDATE episodes SET stop = ?, detail = ?, confirmed = ?, closing = ? WHERE id = ?",
                (str(stop), detail, confirmed, closing, self.id),
            )


def new_id() -> str:
    """A run id that sorts by time: `20260302-090000-1f3a9c`."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"
