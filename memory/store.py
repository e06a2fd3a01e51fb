"""The store: records with their vectors and words, one transaction a write.

1. Nothing is overwritten. `replace` closes a record's valid time and adds its successor; searches see what holds now.
2. `remove` takes a record with all that it superseded, its vectors, its words and the answers kept under idempotency
   keys. On disk the full-text index is merged and the WAL emptied, so that no byte of the text stays in the files.
3. `reset`, `snapshot`, `restore` and `diff` are those of a phone, with the one table `memories`. A store in a file is
   somebody's memory: it can be diffed, never reset.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from memory.journal import Entry, net
from memory.records import Category, MemoryRecord, Trust, kind_for, planted
from memory.schema import MIGRATIONS
from memory.sqlite import connect, migrate, writing
from runtime.contract import ErrorCode, Json, StateDiff, ToolFailure, UserError, WorldSpec

Vector = npt.NDArray[np.float32]
COLUMNS = tuple(MemoryRecord.model_fields)
_SELECT = f"SELECT seq, {', '.join(COLUMNS)} FROM records"


class Embedded(NamedTuple):
    """A vector with the embedder that made it."""

    identity: str
    """The embedder's."""
    vector: Vector
    """(dimension,)."""


class Mark(NamedTuple):
    """A remembered place in the history."""

    journal: int
    """Entries."""
    seq: int
    """Last number given out."""
    applied: int
    """Last row of `applied`."""


class Applied(NamedTuple):
    """A call that was applied under an idempotency key."""

    call: str
    """Digest of name and arguments."""
    memory_id: str
    """The record it wrote."""
    data: Json
    """What it answered."""


class MemoryStore:
    """Records in SQLite; without a path in memory."""

    def __init__(self, path: Path | None = None, clock: Callable[[], datetime] = datetime.now) -> None:
        self.path = path
        self._clock = clock
        self._now = ""
        self._connection = connect(path)
        migrate(self._connection, MIGRATIONS)
        self._journal: list[Entry] = []
        self._marks: dict[str, Mark] = {}
        self._handles = 0
        self._world: WorldSpec | None = None
        self._open = False

    def now(self) -> str:
        """Transaction time: that of the world that was planted, else the clock's."""
        return self._now or self._clock().isoformat(timespec="seconds")

    # reading

    def get(self, memory_id: str) -> MemoryRecord | None:
        """A record by its id, superseded or not."""
        found = self._connection.execute(f"{_SELECT} WHERE id = ?", (memory_id,)).fetchone()
        return None if found is None else _record(found)

    def need(self, memory_id: str) -> MemoryRecord:
        """A record that holds now; 404 for an id that is not there, 409 for one that was superseded."""
        record = self.get(memory_id)
        if record is None:
            raise ToolFailure(
                ErrorCode.NOT_FOUND, f"there is no memory `{memory_id[:80]}`; use an id that `search_user_memory` gave"
            )
        if record.valid_to is not None:
            heir = self._connection.execute("SELECT id FROM records WHERE supersedes = ?", (memory_id,)).fetchone()
            hint = f"; use `{heir['id']}`, which replaced it" if heir else ""
            raise ToolFailure(ErrorCode.CONFLICT, f"memory `{memory_id}` no longer holds{hint}")
        return record

    def by_seq(self, seqs: Sequence[int]) -> dict[int, MemoryRecord]:
        """Records by their places."""
        marks = ", ".join("?" * len(seqs))
        rows = self._connection.execute(f"{_SELECT} WHERE seq IN ({marks})", tuple(seqs))
        return {row["seq"]: _record(row) for row in rows}

    def same_content(self, content: str) -> MemoryRecord | None:
        """The record that says this already, whatever its case, if one holds now."""
        query = f"{_SELECT} WHERE valid_to IS NULL AND lower(content) = lower(?)"
        found = self._connection.execute(query, (content,)).fetchone()
        return None if found is None else _record(found)

    def count(self) -> int:
        """How many records hold now."""
        (number,) = self._connection.execute("SELECT count(*) FROM records WHERE valid_to IS NULL").fetchone()
        return int(number)

    def matching(self, expression: str, category: Category | None, limit: int) -> dict[int, float]:
        """BM25 of the records that hold now and match a full-text expression, higher is better, by place."""
        query = (
            "SELECT records.seq, -bm25(words) AS score FROM words JOIN records ON records.seq = words.rowid "
            "WHERE words MATCH ? AND valid_to IS NULL AND (? IS NULL OR category = ?) ORDER BY score DESC LIMIT ?"
        )
        rows = self._connection.execute(query, (expression, category, category, limit))
        return {row["seq"]: float(row["score"]) for row in rows}

    def vectors(self, identity: str) -> list[tuple[int, str, bytes]]:
        """(place, category, vector) of the records that hold now and have a vector of this embedder."""
        query = (
            "SELECT seq, category, vector FROM vectors JOIN records USING (seq) "
            "WHERE identity = ? AND valid_to IS NULL ORDER BY seq"
        )
        return [tuple(row) for row in self._connection.execute(query, (identity,))]

    def without_vector(self, identity: str, limit: int) -> list[tuple[int, str]]:
        """(place, content) of records that hold now and lack a vector of this embedder, newest first."""
        query = (
            "SELECT records.seq, content FROM records LEFT JOIN vectors ON vectors.seq = records.seq AND identity = ? "
            "WHERE vectors.seq IS NULL AND valid_to IS NULL ORDER BY records.seq DESC LIMIT ?"
        )
        return [tuple(row) for row in self._connection.execute(query, (identity, limit))]

    def generation(self) -> int:
        """Grows with every change of a record or vector, of this process or another."""
        (value,) = self._connection.execute("SELECT value FROM state WHERE name = 'generation'").fetchone()
        return int(value)

    # writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction around the writes of the block; within another it is part of that one."""
        if self._open:
            yield
            return
        position = len(self._journal)
        self._open = True
        try:
            with writing(self._connection):
                yield
        except BaseException:
            del self._journal[position:]
            raise
        finally:
            self._open = False

    def add(
        self,
        content: str,
        category: Category,
        *,
        embedded: Embedded | None = None,
        trust: Trust = Trust.USER,
        **more: Any,
    ) -> MemoryRecord:
        """A new record; `more` are further fields of `MemoryRecord`."""
        with self.writing():
            now = self.now()
            given: Json = {"kind": kind_for(category), "created_at": now, "valid_from": now, **more}
            record = MemoryRecord(id=self._new_id(), category=category, content=content, trust=trust, **given)
            self._insert(record, embedded)
        return record

    def replace(
        self, memory_id: str, content: str, *, embedded: Embedded | None = None, trust: Trust = Trust.USER
    ) -> MemoryRecord:
        """The successor of a record; the old one stays, closed. It keeps what it is about, not its trust."""
        with self.writing():
            old = self.need(memory_id)
            now = self.now()
            self._close(old, now)
            kept = old.model_dump(include={"kind", "category", "importance", "speaker"})
            record = MemoryRecord(
                id=self._new_id(),
                content=content,
                trust=trust,
                created_at=now,
                valid_from=now,
                supersedes=memory_id,
                **kept,
            )
            self._insert(record, embedded)
        return record

    def remove(self, memory_id: str) -> list[MemoryRecord]:
        """Forget a record and all that it superseded; what was forgotten, newest first."""
        gone: list[MemoryRecord] = []
        with self.writing():
            record: MemoryRecord | None = self.need(memory_id)
            while record is not None:
                gone.append(record)
                self._delete(record)
                record = self.get(record.supersedes) if record.supersedes else None
            self._connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        return gone

    def scrub(self) -> bool:
        """Empty the WAL, whose old pages may still hold what was removed; False while another reader needs it."""
        if self.path is None:
            return True
        return bool(self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)

    def put_vectors(self, identity: str, vectors: dict[int, Vector]) -> None:
        """Keep vectors of records by their places; one whose record is gone by now is dropped."""
        with self.writing():
            for seq, vector in vectors.items():
                self._connection.execute(
                    "INSERT OR REPLACE INTO vectors SELECT seq, ?, ? FROM records WHERE seq = ?",
                    (identity, vector.astype(np.float32).tobytes(), seq),
                )
            self._changed()

    def applied(self, key: str) -> Applied | None:
        """What was applied under an idempotency key."""
        row = self._connection.execute("SELECT call, memory_id, data FROM applied WHERE key = ?", (key,)).fetchone()
        return None if row is None else Applied(row["call"], row["memory_id"], json.loads(row["data"]))

    def keep_applied(self, key: str, done: Applied) -> None:
        """Remember a call under its key; part of the transaction that applied it."""
        values = (key, done.call, done.memory_id, json.dumps(done.data, ensure_ascii=False))
        self._connection.execute("INSERT INTO applied VALUES (?, ?, ?, ?)", values)

    # like a phone

    def reset(self, world: WorldSpec) -> None:
        """Hold exactly the memories of `world`, at its time. A store in a file refuses (`UserError`)."""
        if self.path is not None:
            raise UserError(f"`{self.path}` holds a user's memories and is never reset. Use `memory.file=:memory:`.")
        before = self._world
        self._marks.clear()
        if before is not None and not self._journal and _alike(before, world):
            return
        records = planted(world)
        with writing(self._connection) as connection:
            for table in ("vectors", "applied", "records", "sqlite_sequence"):
                connection.execute(f"DELETE FROM {table}")
            connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
            for record in records:
                self._insert(record, None)
            self._changed()
        self._journal.clear()
        self._world, self._now = world, world.clock

    def position(self) -> int:
        """How many changes this process has made."""
        return len(self._journal)

    def since(self, position: int) -> StateDiff:
        """Net change since a position."""
        return net(self._journal[position:])

    def snapshot(self) -> str:
        """Remember the state."""
        self._handles += 1
        handle = f"memory_{self._handles}"
        (seq,) = self._connection.execute("SELECT ifnull(max(seq), 0) FROM sqlite_sequence").fetchone()
        (applied,) = self._connection.execute("SELECT ifnull(max(rowid), 0) FROM applied").fetchone()
        self._marks[handle] = Mark(len(self._journal), seq, applied)
        return handle

    def diff(self, since: str) -> StateDiff:
        """Net change that this process made since a snapshot."""
        return self.since(self._mark(since).journal)

    def restore(self, handle: str) -> None:
        """Go back to a snapshot of a store in memory; later snapshots are forgotten."""
        mark = self._mark(handle)
        if self.path is not None:
            raise UserError(f"`{self.path}` holds a user's memories and is never set back. Use `memory.file=:memory:`.")
        with writing(self._connection) as connection:
            for entry in reversed(self._journal[mark.journal :]):
                if entry.after is not None:
                    self._unlink(entry.seq, entry.after)
                if entry.before is not None:
                    self._link(entry.before, entry.seq)
            connection.execute("UPDATE sqlite_sequence SET seq = ?", (mark.seq,))
            connection.execute("DELETE FROM applied WHERE rowid > ?", (mark.applied,))
            self._changed()
        del self._journal[mark.journal :]
        names = list(self._marks)
        for name in names[names.index(handle) + 1 :]:
            del self._marks[name]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _mark(self, handle: str) -> Mark:
        found = self._marks.get(handle)
        if found is None:
            raise LookupError(
                f"no snapshot `{handle}` of this store; it was made before a reset or after a restored one"
            )
        return found

    def _new_id(self) -> str:
        (last,) = self._connection.execute("SELECT ifnull(max(seq), 0) FROM sqlite_sequence").fetchone()
        number = int(last) + 1
        while self.get(f"mem_{number:04d}") is not None:  # an imported record may be called so
            number += 1
        return f"mem_{number:04d}"

    def _insert(self, record: MemoryRecord, embedded: Embedded | None) -> None:
        seq = self._link(record)
        if embedded is not None:
            values = (seq, embedded.identity, embedded.vector.astype(np.float32).tobytes())
            self._connection.execute("INSERT INTO vectors VALUES (?, ?, ?)", values)
        self._journal.append(Entry(seq, None, record))
        self._changed()

    def _close(self, record: MemoryRecord, now: str) -> None:
        seq = self._seq(record)
        self._connection.execute("UPDATE records SET valid_to = ? WHERE seq = ?", (now, seq))
        self._journal.append(Entry(seq, record, record.model_copy(update={"valid_to": now})))

    def _delete(self, record: MemoryRecord) -> None:
        seq = self._seq(record)
        self._unlink(seq, record)
        self._connection.execute("DELETE FROM applied WHERE memory_id = ?", (record.id,))
        self._journal.append(Entry(seq, record, None))
        self._changed()

    def _seq(self, record: MemoryRecord) -> int:
        (seq,) = self._connection.execute("SELECT seq FROM records WHERE id = ?", (record.id,)).fetchone()
        return int(seq)

    def _link(self, record: MemoryRecord, seq: int | None = None) -> int:
        values = record.model_dump(mode="json")
        names, marks = ", ".join(COLUMNS), ", ".join("?" * (len(COLUMNS) + 1))
        done = self._connection.execute(
            f"INSERT INTO records (seq, {names}) VALUES ({marks})", (seq, *(values[name] for name in COLUMNS))
        )
        place = int(done.lastrowid)
        self._connection.execute("INSERT INTO words (rowid, content) VALUES (?, ?)", (place, record.content))
        return place

    def _unlink(self, seq: int, record: MemoryRecord) -> None:
        gone = "INSERT INTO words (words, rowid, content) VALUES ('delete', ?, ?)"
        self._connection.execute(gone, (seq, record.content))
        self._connection.execute("DELETE FROM records WHERE seq = ?", (seq,))

    def _changed(self) -> None:
        self._connection.execute("UPDATE state SET value = value + 1 WHERE name = 'generation'")


def _record(row: Any) -> MemoryRecord:
    return MemoryRecord(**{name: row[name] for name in COLUMNS})


def _alike(one: WorldSpec, other: WorldSpec) -> bool:
    return one is other or (one.memories == other.memories and one.clock == other.clock)
