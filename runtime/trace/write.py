"""Writes episodes: the opening, each segment, each step and the end are a transaction each.

Everything goes through `masking.py` first: no secret is written. One that is learned in a later step (a password that
stood in the request, and is first called one by the call that uses it) is masked in what stands there already, in the
same transaction; what is deleted is overwritten, and the log is emptied.

What returned outlives its process: a run that is killed leaves all steps that it had finished, its episode has no end,
and readers say so. The end waits for the disk, so that a finished episode outlives a power cut too; steps don't, since
a busy disk would cost each of them more than all else that the harness does.
"""

import json
import os
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from runtime.contract import (
    Database,
    Decision,
    Episode,
    Erased,
    Erasure,
    Json,
    OpenDatabase,
    Segment,
    Step,
    Stop,
    TaskView,
    UserError,
    canonical_json,
)
from runtime.trace.earlier import GOES_ON, Earlier
from runtime.trace.erase import MARK, erase, is_erased, wordless_end, wordless_segment, wordless_step
from runtime.trace.masking import Masking
from runtime.trace.process import born
from runtime.trace.schema import SCHEMA
from runtime.trace.secrets import Secrets

LATELY = 50
"""Episodes of this process in which a secret that is learned late is looked for."""


class TraceStore:
    """The contract's `TraceSink` over one SQLite file."""

    def __init__(self, path: Path, open_database: OpenDatabase) -> None:
        """Open or make the file; `UserError` when it can't be."""
        self.path = path
        self._database = open_database(path, SCHEMA)
        self._secrets = Secrets()
        self._lately: deque[StoredEpisode] = deque(maxlen=LATELY)

    @contextmanager
    def episode(self, view: TaskView, header: Json) -> Iterator["StoredEpisode"]:
        """Open an episode; whatever ends the block, what was written stays."""
        writer = StoredEpisode(self._database, new_id(), Masking(self._secrets, header.get("secret_fields")))
        writer.others = self._lately
        self._lately.append(writer)
        writer.open(view, header)
        yield writer

    def going_on(self, earlier: Earlier) -> "Continued":
        """A sink whose one episode is that of a run that was broken off; a `UserError` where that still runs."""
        return Continued(self, self._database, earlier, self._secrets)

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


class Continued:
    """The contract's `TraceSink` with one episode: what is written goes on where its process ended."""

    def __init__(self, store: TraceStore, database: Database, earlier: Earlier, secrets: Secrets) -> None:
        self._store, self._database, self._earlier, self._secrets = store, database, earlier, secrets

    @contextmanager
    def episode(self, view: TaskView, header: Json) -> Iterator["StoredEpisode"]:
        """The episode of before, which belongs to this process from now on."""
        earlier = self._earlier
        with self._database.writing() as db:
            row = db.execute("SELECT pid, steps FROM episodes WHERE id = ?", (earlier.id,)).fetchone()
            if row is None or (row["pid"], row["steps"]) != (earlier.pid, len(earlier.steps)):
                raise UserError(f"the run `{earlier.id}` went on in another process. See `pocket trace list`.")
            db.execute(
                "UPDATE episodes SET pid = ?, born = ?, stop = NULL, detail = NULL, confirmed = NULL, closing = NULL"
                " WHERE id = ?",
                (os.getpid(), born(os.getpid()), earlier.id),
            )
        tools = [name for segment in earlier.segments for name in segment.exposed]
        masking = Masking(self._secrets, header.get("secret_fields"))
        yield StoredEpisode(self._database, earlier.id, masking, len(earlier.segments), tools)

    def erase(self, erasure: Erasure, texts: Sequence[str] = ()) -> Erased:
        """As the whole store does."""
        return self._store.erase(erasure, texts)


class StoredEpisode:
    """One episode being written."""

    def __init__(self, database: Database, episode_id: str, masking: Masking | None = None,
                 segments: int = 0, tools: Sequence[str] = ()) -> None:  # fmt: skip
        """`segments` and `tools`: how many were written before, and the tools that they showed."""
        self._database = database
        self._id = episode_id
        self._masking = masking or Masking(Secrets())
        self.others: Iterable[StoredEpisode] = (self,)
        """Episodes of this process, this one among them: a secret of one is a secret in all."""
        self._segment = segments - 1
        self._tools = tuple(tools)

    @property
    def id(self) -> str:
        """Run id."""
        return self._id

    def open(self, view: TaskView, header: Json) -> None:
        """Write the row that readers see while the episode runs."""
        started = str(header.get("started_at", ""))
        with self._masked() as db:
            view, header = self._masking.view(view), self._masking.header(header)
            values = (self.id, started, view.request, view.model_dump_json(), canonical_json(header))
            db.execute(
                "INSERT INTO episodes (id, started_at, request, view, header, pid, born) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*values, os.getpid(), born(os.getpid())),
            )

    def segment(self, segment: Segment) -> None:
        """Begin a segment."""
        self._segment += 1
        self._tools += segment.exposed
        with self._masked() as db:
            own = self._masking.segment(segment.model_copy(update={"steps": ()}))
            kept = wordless_segment(segment) if is_erased(db, self.id) else own
            record = kept.model_dump_json()
            db.execute("INSERT INTO segments VALUES (?, ?, ?)", (self.id, self._segment, record))

    def intend(self, index: int, decision: Decision) -> None:
        """Write down what is about to be done, in place of what was before."""
        with self._masked() as db:
            if not is_erased(db, self.id):
                row = (self.id, index, self._masking.decision(decision).model_dump_json())
                db.execute("INSERT OR REPLACE INTO intents VALUES (?, ?, ?)", row)

    def step(self, step: Step) -> None:
        """Append a step."""
        with self._masked() as db:
            own = self._masking.step(step)
            kept = wordless_step(step, self._tools) if is_erased(db, self.id) else own
            row = (self.id, step.index, max(self._segment, 0), kept.model_dump_json())
            db.execute("INSERT INTO steps VALUES (?, ?, ?, ?)", row)
            db.execute("UPDATE episodes SET steps = ? WHERE id = ?", (step.index + 1, self.id))

    def close(self, stop: Stop, detail: str, episode: Episode) -> None:
        """Write the end."""
        ended = self._masking.closing(episode.model_dump(mode="json", exclude={"segments", "view", "id"}))
        closing, detail = canonical_json(ended), ended["stop_detail"] if detail else ""
        confirmed = None if episode.confirmation is None else int(episode.confirmation.confirmed)
        with self._database.writing(to_disk=True) as db:
            if is_erased(db, self.id):
                closing, detail = canonical_json(wordless_end(json.loads(closing))), MARK if detail else ""
            db.execute(
                "UPDATE episodes SET stop = ?, detail = ?, confirmed = ?, closing = ? WHERE id = ?",
                (str(stop), detail, confirmed, closing, self.id),
            )
            if stop not in GOES_ON:
                db.execute("DELETE FROM intents WHERE episode = ?", (self.id,))

    @contextmanager
    def _masked(self) -> Iterator[Database]:
        """A transaction in which secrets may be learned: what was written before is masked in it too."""
        before, whole = self._masking.secrets.values, not self._masking.masked
        with self._database.writing() as db:
            yield db
            late = self._masking.secrets.values != before
            if late or (whole and self._masking.masked):
                for one in list(self.others) if late else [self]:
                    one.mask_again(db)
        if late:
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def mask_again(self, db: Database) -> None:
        """Mask what of this episode is written already."""
        if is_erased(db, self.id):
            return
        masking = self._masking
        row = db.execute("SELECT view, header, closing, detail FROM episodes WHERE id = ?", (self.id,)).fetchone()
        segments = db.execute("SELECT number, record FROM segments WHERE episode = ?", (self.id,)).fetchall()
        steps = db.execute("SELECT number, record FROM steps WHERE episode = ?", (self.id,)).fetchall()
        view, header = (
            masking.view(TaskView.model_validate_json(row["view"])),
            masking.header(json.loads(row["header"])),
        )
        intents = db.execute("SELECT number, record FROM intents WHERE episode = ?", (self.id,)).fetchall()
        kept = [(number, masking.segment(Segment.model_validate_json(record))) for number, record in segments]
        closing = masking.closing(json.loads(row["closing"])) if row["closing"] else None
        seen = [(number, Step.model_validate_json(record)) for number, record in steps]
        for _, step in seen:
            masking.step(step)  # what any of them makes known holds for all
        for number, segment in kept:
            values = (segment.model_dump_json(), self.id, number)
            db.execute("UPDATE segments SET record = ? WHERE episode = ? AND number = ?", values)
        for number, record in intents:
            values = (masking.decision(Decision.model_validate_json(record)).model_dump_json(), self.id, number)
            db.execute("UPDATE intents SET record = ? WHERE episode = ? AND number = ?", values)
        for number, step in seen:
            values = (masking.step(step).model_dump_json(), self.id, number)
            db.execute("UPDATE steps SET record = ? WHERE episode = ? AND number = ?", values)
        db.execute(
            "UPDATE episodes SET request = ?, view = ?, header = ?, closing = ?, detail = ? WHERE id = ?",
            (view.request, view.model_dump_json(), canonical_json(header), closing and canonical_json(closing),
             closing["stop_detail"] if closing else row["detail"], self.id),
        )  # fmt: skip


def new_id() -> str:
    """A run id that sorts by time: `20260302-090000-1f3a9c`."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"
