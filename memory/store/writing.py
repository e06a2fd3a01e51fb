"""Writing a store: one transaction for a record with its vector and its words.

1. Nothing is overwritten. What replaces a record closes it and is added; searches see what counts now.
2. `remove` takes a record with all that it superseded, its vectors, its words and the answers kept under idempotency
   keys. On disk the full-text index is merged, and `scrub` empties the log and drops the vector cache, so that no byte
   of the text stays in the files.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from memory.journal import Entry, Journal
from memory.records import Category, Intention, MemoryRecord, NewRecord, Standing, Trust, kind_for
from memory.store.reading import UNDONE, Applied, Reading
from memory.store.rows import INSERT, SELECT, record_of, says, values_of
from runtime.contract import Json, StateDiff

Vector = npt.NDArray[np.float32]
KEPT = {"kind", "category", "importance", "speaker", "workspace", "user", "agent", "shared", "subject", "valid_to"}
"""What a correction leaves as it was."""


class Embedded(NamedTuple):
    """A vector with the embedder that made it."""

    identity: str
    """The embedder's."""
    vector: Vector
    """(dimension,)."""


class Writing(Reading):
    """A store with its writes."""

    def __init__(self, path: Path | None = None, clock: Callable[[], datetime] = datetime.now) -> None:
        """As `Reading`."""
        super().__init__(path, clock)
        self._journal = Journal(bounded=path is not None)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction around the writes of the block; within another it is part of that one."""
        if self._open:
            yield
            return
        position, written = self._journal.position(), self._connection.total_changes
        self._open = True
        try:
            with self._file.writing():
                yield
        except BaseException:
            self._journal.cut(position)
            if self._connection.total_changes != written:
                self._undone += UNDONE
            raise
        finally:
            self._open = False

    # adding

    def insert(self, new: NewRecord, embedded: Embedded | None = None) -> MemoryRecord:
        """Add one record."""
        return self.insert_many([(new, embedded)])[0]

    def insert_many(self, news: Iterable[tuple[NewRecord, Embedded | None]]) -> list[MemoryRecord]:
        """Add records in one transaction, in their order."""
        made: list[MemoryRecord] = []
        with self.writing():
            now, last = self.now(), self.last()
            for new, embedded in news:
                record = self._named(new, last + 1, now)
                self._insert(record, embedded)
                last = self._given(record.id) if new.id else last + 1
                made.append(record)
            if made:
                self._changed()
        return made

    def add(
        self,
        content: str,
        category: Category,
        *,
        embedded: Embedded | None = None,
        trust: Trust = Trust.USER,
        **more: Any,
    ) -> MemoryRecord:
        """A new record of a category; `more` are further fields of `NewRecord`."""
        given: Json = {"kind": kind_for(category), **more}
        return self.insert(NewRecord(category=category, content=content, trust=trust, **given), embedded)

    # revising

    def supersede(self, old_id: str, new: NewRecord, embedded: Embedded | None = None) -> MemoryRecord:
        """The successor of a record; the old one stays, closed: it holds until the new one begins to."""
        with self.writing():
            old = self.need(old_id)
            heir = self._named(new.model_copy(update={"supersedes": old_id}), self.last() + 1, self.now())
            self._close(old, heir)
            self._insert(heir, embedded)
            self._changed()
        return heir

    def close_for(self, ids: Sequence[str], heir: MemoryRecord) -> None:
        """Close what a record replaces beside the one that it names. An id that is not there is passed over."""
        with self.writing():
            found = [record for record in filter(None, map(self.get, ids)) if record.standing == "active"]
            for record in found:
                self._close(record, heir)
            if found:
                self._changed()

    def replace(
        self, memory_id: str, content: str, *, embedded: Embedded | None = None, trust: Trust = Trust.USER
    ) -> MemoryRecord:
        """The successor of a record with another text. It keeps all but the trust; an intention waits anew."""
        with self.writing():
            old = self.need(memory_id)
            given = old.model_dump(include=KEPT)
            if old.intention is not None:
                given["intention"] = old.intention.model_copy(update={"status": "pending", "fired_at": None})
            if self.comes(old):
                given["valid_from"] = old.valid_from
            new = NewRecord(content=content, trust=trust, **given)
            return self.supersede(memory_id, new, embedded)

    def archive(self, ids: Sequence[str]) -> list[MemoryRecord]:
        """Take records out of use without forgetting them; those that changed."""
        return self.mark(ids, "archived")

    def mark(self, ids: Sequence[str], standing: Standing, ended: str | None = None) -> list[MemoryRecord]:
        """Give records another standing; those that changed. An id that is not there is passed over.

        `ended`: until when they held, where that was not known.
        """
        changed = []
        with self.writing():
            closed = self.now() if standing in ("archived", "superseded") else None
            for record in filter(None, map(self.get, ids)):
                if record.standing != standing:
                    held = ended and max(record.valid_from, min(record.valid_to or ended, ended))
                    ends = held or record.valid_to
                    changed.append(self._revise(record, standing=standing, closed_at=closed, valid_to=ends))
            if changed:
                self._changed()
        return changed

    def update_intention(self, memory_id: str, intention: Intention) -> MemoryRecord:
        """Say where a prospective record stands."""
        with self.writing():
            record = self._revise(self.need(memory_id), intention=intention)
            self._changed()
        return record

    # forgetting

    def remove(self, ids: str | Sequence[str], *, alone: bool = False) -> list[MemoryRecord]:
        """Forget records with all of the same owner's that they superseded; what was forgotten, newest first.

        One id must be that of a record which counts; of several, those that are not there are passed over. `alone`:
        what they superseded stays. Call `scrub` after the transaction.
        """
        gone: list[MemoryRecord] = []
        with self.writing():
            first = [self.need(ids)] if isinstance(ids, str) else list(filter(None, map(self.get, ids)))
            for start in first:
                record: MemoryRecord | None = self.get(start.id)
                while record is not None:
                    gone.append(record)
                    self._delete(record)
                    record = None if alone else self.predecessor(record)
            if gone and self.path is not None:
                self._file.execute("INSERT INTO words (words) VALUES ('optimize')")
            if gone:
                self._changed()
        return gone

    def scrub(self) -> bool:
        """Drop the vector cache and empty the log, whose old pages may still hold what was removed.

        False while another reader needs the log: try again later.
        """
        if self.path is None or self.cache_path is None:
            return True
        for path in self.path.parent.glob(f"{self.cache_path.name}*"):
            path.unlink(missing_ok=True)
        return bool(self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)

    # vectors and answers

    def put_vectors(self, identity: str, vectors: dict[int, Vector]) -> None:
        """Keep vectors of records by their places; one whose record is gone by now is dropped."""
        if not vectors:
            return
        query = "INSERT OR REPLACE INTO vectors SELECT seq, ?, ? FROM records WHERE seq = ?"
        with self.writing():
            for seq, vector in vectors.items():
                self._file.execute(query, (identity, vector.astype(np.float32).tobytes(), seq))
                self._touch(seq)
            self._changed()

    def keep_applied(self, key: str, done: Applied) -> None:
        """Remember a call under its key; part of the transaction that applied it."""
        values = (key, done.call, done.memory_id, json.dumps(done.data, ensure_ascii=False))
        self._file.execute("INSERT INTO applied VALUES (?, ?, ?, ?)", values)

    def keep_mark(self, mark: int) -> None:
        """Say which vector cache is the one; part of the transaction in which it is written."""
        self._file.execute("UPDATE state SET value = ? WHERE name = 'cache'", (mark,))

    # what this process changed

    def position(self) -> int:
        """How many changes this process has made."""
        return self._journal.position()

    def since(self, position: int) -> StateDiff:
        """Net change that this process made since a position."""
        return self._journal.since(position)

    # one record

    def last(self) -> int:
        """The last number that was given out."""
        return int(self._file.execute("SELECT ifnull(max(seq), 0) FROM sqlite_sequence").fetchone()[0])

    def _given(self, name: str) -> int:
        """The last number that was given out, with that of an id from elsewhere: none is ever given twice."""
        number = name.removeprefix("mem_")
        if number != name and number.isascii() and number.isdecimal() and len(number) < 16:
            self._file.execute("UPDATE sqlite_sequence SET seq = max(seq, ?)", (int(number),))
        return self.last()

    def _named(self, new: NewRecord, number: int, now: str) -> MemoryRecord:
        """The record with its id, `mem_` and its place, and the times that were left out."""
        name = new.id or f"mem_{number:04d}"
        while self._file.execute("SELECT 1 FROM records WHERE id = ?", (name,)).fetchone():
            name = f"mem_{number:04d}"
            number += 1  # an imported record may be called so
        created = new.created_at or now
        times = {"created_at": created, "valid_from": new.valid_from or created}
        return MemoryRecord.model_construct(**{**new.__dict__, "id": name, **times})

    def _insert(self, record: MemoryRecord, embedded: Embedded | None) -> None:
        seq = self._link(record)
        if embedded is not None:
            values = (seq, embedded.identity, embedded.vector.astype(np.float32).tobytes())
            self._file.execute("INSERT INTO vectors VALUES (?, ?, ?)", values)
        self._journal.add(Entry(seq, None, record))

    def _close(self, old: MemoryRecord, heir: MemoryRecord) -> None:
        """At once; where the heir begins to hold later, the old one counts until then."""
        ends = max(old.valid_from, min(old.valid_to or heir.valid_from, heir.valid_from))
        if self.comes(heir) and old.valid_from < heir.valid_from:
            self._revise(old, valid_to=ends)
        else:
            self._revise(old, valid_to=ends, closed_at=heir.created_at, standing="superseded")

    def _revise(self, record: MemoryRecord, **fields: Any) -> MemoryRecord:
        """The record with other values of fields that are in no index of words."""
        seq, after = self._seq(record), record.model_copy(update=fields)
        stored = dict(zip(MemoryRecord.model_fields, values_of(after), strict=True))
        named = ", ".join(f"{name} = ?" for name in fields)
        values = [stored[name] for name in fields]
        self._file.execute(f"UPDATE records SET {named} WHERE seq = ?", (*values, seq))
        self._touch(seq)
        self._journal.add(Entry(seq, record, after))
        return after

    def _delete(self, record: MemoryRecord) -> None:
        seq = self._seq(record)
        for row in self._file.execute(f"{SELECT} WHERE supersedes = ?", (record.id,)).fetchall():
            self._revise(record_of(row), supersedes=None)
        self._unlink(seq, record)
        self._touch(seq)
        self._file.execute("DELETE FROM applied WHERE memory_id = ?", (record.id,))
        self._journal.add(Entry(seq, record, None))

    def _seq(self, record: MemoryRecord) -> int:
        return int(self._file.execute("SELECT seq FROM records WHERE id = ?", (record.id,)).fetchone()[0])

    def _link(self, record: MemoryRecord, seq: int | None = None) -> int:
        done = self._file.execute(INSERT, (seq, says(record.content), *values_of(record)))
        place = int(done.lastrowid)
        row = (place, record.content, record.original)
        self._file.execute("INSERT INTO words (rowid, content, original) VALUES (?, ?, ?)", row)
        return place

    def _unlink(self, seq: int, record: MemoryRecord) -> None:
        gone = "INSERT INTO words (words, rowid, content, original) VALUES ('delete', ?, ?, ?)"
        self._file.execute(gone, (seq, record.content, record.original))
        self._file.execute("DELETE FROM records WHERE seq = ?", (seq,))

    def _touch(self, seq: int) -> None:
        """Tell caches that a record which they may know has changed."""
        query = "INSERT OR REPLACE INTO changes SELECT ?, value + 1 FROM state WHERE name = 'generation'"
        self._file.execute(query, (seq,))

    def _changed(self) -> None:
        self._file.execute("UPDATE state SET value = value + 1 WHERE name = 'generation'")
