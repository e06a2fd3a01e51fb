"""Reading a store: records by id, place, filter, words; what is missing a vector; what changed."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from memory.records import MemoryRecord
from memory.schema import SCHEMA
from memory.sqlite import BUSY_MS, OpenFile, open_database, utils
from memory.store.filter import COMING, Facets, Filter
from memory.store.rows import SELECT, record_of, says
from runtime.contract import ErrorCode, InfrastructureError, Json, ToolFailure

NOW = Filter()
"""What holds now, whoever's it is."""
PAGE = 500
"""Records read at once."""
CACHE_KB = 16_000
"""Pages of the file that a connection may keep in memory."""
UNDONE = 1 << 32
"""What a write that was taken back adds to the numbers of a version: what was read of it must be read anew."""
VECTORS = ".vectors"
"""What the file name of a vector cache adds to that of its store."""


class Applied(NamedTuple):
    """A call that was applied under an idempotency key."""

    call: str
    """Digest of name and arguments."""
    memory_id: str
    """The record it wrote."""
    data: Json
    """What it answered."""


class Roll(NamedTuple):
    """All records of a store by what a filter looks at."""

    seqs: npt.NDArray[np.int64]
    """(records,) places, in order."""
    codes: npt.NDArray[np.int64]
    """(records,) which of `facets` each has."""
    facets: list[Facets]
    """Those that occur."""
    ends: dict[int, str]
    """Ends of valid time by place, where one is known."""


class Version(NamedTuple):
    """A state of a store's records and vectors, as this process may have seen it."""

    generation: int
    """Grows with every change, of this process or another."""
    epoch: int
    """Grows when changes are not told one by one."""
    cache: int
    """The mark of the vector cache that was written last; 0: none was."""
    undone: int = 0
    """How much of the first two is this process's own: it took writes back, after it had perhaps read them."""


class Reading:
    """The half of a store that only reads."""

    def __init__(self, path: Path | None = None, clock: Callable[[], datetime] = datetime.now) -> None:
        """Open or make the file; None: in memory. Another program's or a newer version's is a `UserError`."""
        self.path = path
        self._clock = clock
        self._now = ""
        self._file: OpenFile = open_database(path, SCHEMA)
        self._connection = self._file.connection
        self._connection.execute(f"PRAGMA cache_size=-{CACHE_KB}")
        self._open = False
        self._undone = 0

    @property
    def database(self) -> Any:
        """The file as a sqlite-utils `Database`, for administration."""
        return utils(self._connection)

    @property
    def cache_path(self) -> Path | None:
        """Where vectors may be cached; None: nowhere."""
        return None if self.path is None else self.path.with_name(self.path.name + VECTORS)

    def now(self) -> str:
        """Transaction time: that of the world that was planted, else the clock's."""
        return self._now or self._clock().isoformat(timespec="seconds")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """All that the block reads is of one moment, whatever others write meanwhile."""
        if self._open or self._connection.in_transaction:
            yield
            return
        self._file.execute("BEGIN")
        try:
            yield
        finally:
            self._file.execute("COMMIT")

    @property
    def inside(self) -> bool:
        """Whether a block of `reading` or `writing` is open."""
        return bool(self._connection.in_transaction)

    @contextmanager
    def impatient(self) -> Iterator[None]:
        """In the block, a lock that another process holds is an error at once."""
        self._connection.execute("PRAGMA busy_timeout=0")
        try:
            yield
        finally:
            self._connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")

    # records

    def get(self, memory_id: str, which: Filter | None = None) -> MemoryRecord | None:
        """A record by its id, whatever its standing; with a filter, only if it counts."""
        condition, values = ("1", []) if which is None else which.where(self.now())
        found = self._file.execute(f"{SELECT} WHERE id = ? AND {condition}", (memory_id, *values)).fetchone()
        return None if found is None else record_of(found)

    def need(self, memory_id: str) -> MemoryRecord:
        """A record that counts now; 404 for an id that is not there, 409 for one that was superseded or archived."""
        record = self.get(memory_id)
        if record is None:
            raise ToolFailure(
                ErrorCode.NOT_FOUND, f"there is no memory `{memory_id[:80]}`; use an id that `search_user_memory` gave"
            )
        if record.standing in ("superseded", "archived"):
            heir = self.heir(memory_id)
            hint = f"; use `{heir.id}`, which replaced it" if heir else ""
            raise ToolFailure(ErrorCode.CONFLICT, f"memory `{memory_id}` no longer holds{hint}")
        if record.valid_to is not None and record.valid_to <= self.now() and (heir := self.heir(memory_id)):
            message = f"memory `{memory_id}` no longer holds; use `{heir.id}`, which replaced it"
            raise ToolFailure(ErrorCode.CONFLICT, message)
        return record

    def heir(self, memory_id: str) -> MemoryRecord | None:
        """The record of the same owner that replaced this one."""
        same = "EXISTS (SELECT 1 FROM records AS old WHERE old.id = records.supersedes AND old.user = records.user "
        query = f"{SELECT} WHERE supersedes = ? AND {same} AND old.workspace = records.workspace)"
        found = self._file.execute(query, (memory_id,)).fetchone()
        return None if found is None else record_of(found)

    def predecessor(self, record: MemoryRecord) -> MemoryRecord | None:
        """The record of the same owner that this one replaced."""
        old = self.get(record.supersedes) if record.supersedes else None
        return old if old is not None and (old.user, old.workspace) == (record.user, record.workspace) else None

    def standing(self, memory_id: str) -> str | None:
        """Whether a record counts; None where it isn't there."""
        found = self._file.execute("SELECT standing FROM records WHERE id = ?", (memory_id,)).fetchone()
        return None if found is None else str(found[0])

    def by_seq(self, seqs: Sequence[int], which: Filter | None = None) -> dict[int, MemoryRecord]:
        """Records by their places; with a filter, only those that count."""
        condition, values = ("1", []) if which is None else which.where(self.now())
        query = f"{SELECT} WHERE records.seq IN (SELECT value FROM json_each(?)) AND {condition}"
        return {row["seq"]: record_of(row) for row in self._file.execute(query, (json.dumps(list(seqs)), *values))}

    def contents(self, seqs: Sequence[int]) -> dict[int, str]:
        """Summaries by place, whoever's they are: of places that a filter let through."""
        query = "SELECT seq, content FROM records WHERE seq IN (SELECT value FROM json_each(?))"
        return {row[0]: row[1] for row in self._file.execute(query, (json.dumps(list(seqs)),))}

    def records(self, which: Filter = NOW, page: int = PAGE) -> Iterator[tuple[int, MemoryRecord]]:
        """(place, record) of all that count, oldest first; a page at a time, so that no reader holds up the log."""
        condition, values = which.where(self.now())
        query = f"{SELECT} WHERE records.seq > ? AND {condition} ORDER BY records.seq LIMIT {page}"
        last = which.since_seq
        while rows := self._file.execute(query, (last, *values)).fetchall():
            for row in rows:
                yield row["seq"], record_of(row)
            last = rows[-1]["seq"]

    def newest(self, limit: int, which: Filter = NOW) -> list[tuple[int, MemoryRecord]]:
        """(place, record) of the last `limit` that count, newest first."""
        condition, values = which.where(self.now())
        query = f"{SELECT} WHERE {condition} ORDER BY records.seq DESC LIMIT ?"
        return [(row["seq"], record_of(row)) for row in self._file.execute(query, (*values, limit))]

    def seqs(self, which: Filter = NOW) -> list[int]:
        """Places of all that count, in order."""
        condition, values = which.where(self.now())
        scan = "INDEXED BY records_facets" if which.session is None and which.subject is None else ""
        query = f"SELECT records.seq FROM records {scan} WHERE {condition} ORDER BY records.seq"
        return [row[0] for row in self._file.execute(query, values)]

    def coming(self) -> list[int]:
        """Places of those that begin to hold later."""
        return [row[0] for row in self._file.execute(COMING, (self.now(),))]

    def comes(self, record: MemoryRecord) -> bool:
        """Whether a record begins to hold later."""
        return record.valid_from > max(record.created_at, self.now()) and not record.session

    def derived(self, ids: Sequence[str]) -> list[MemoryRecord]:
        """Records that were made of any of these, directly."""
        query = f"{SELECT} WHERE derived_from != '' AND EXISTS (SELECT 1 FROM json_each(derived_from) WHERE value = ?)"
        found = {row["seq"]: row for one in ids for row in self._file.execute(query, (one,))}
        return [record_of(found[seq]) for seq in sorted(found)]

    def same_content(self, content: str, which: Filter = NOW) -> MemoryRecord | None:
        """The record that says this already, whatever its case, if one counts."""
        condition, values = which.where(self.now())
        query = f"{SELECT} WHERE records.says = ? AND {condition} ORDER BY records.seq LIMIT 1"
        found = self._file.execute(query, (says(content), *values)).fetchone()
        return None if found is None else record_of(found)

    def holding(self, text: str) -> list[MemoryRecord]:
        """Records, whatever their standing, whose summary or original has this text in it, letter by letter."""
        query = f"{SELECT} WHERE instr(content, ?) OR instr(original, ?) ORDER BY records.seq"
        return [record_of(row) for row in self._file.execute(query, (text, text))]

    def count(self, which: Filter = NOW) -> int:
        """How many records count."""
        condition, values = which.where(self.now())
        return int(self._file.execute(f"SELECT count(*) FROM records WHERE {condition}", values).fetchone()[0])

    # candidates

    def matching(self, expression: str, which: Filter = NOW, limit: int = PAGE) -> dict[int, float]:
        """BM25 of the records that count and match a full-text expression, higher is better, by place, best first."""
        condition, values = which.where(self.now())
        query = (
            "SELECT records.seq, -bm25(words) AS score FROM words "
            "CROSS JOIN records INDEXED BY records_facets ON records.seq = words.rowid "
            f"WHERE words MATCH ? AND {condition} ORDER BY score DESC LIMIT ?"
        )
        return {row[0]: float(row[1]) for row in self._file.execute(query, (expression, *values, limit))}

    def naming(self, expression: str, behind: int = 0) -> npt.NDArray[np.int64]:
        """Places, in order, whose words match a full-text expression, whoever's they are: for caches alone.

        They come as one text, since a row each costs Python more than the index.
        """
        query = "SELECT group_concat(rowid) FROM words WHERE words MATCH ? AND rowid > ?"
        text = self._file.execute(query, (expression, behind)).fetchone()[0] or ""
        return np.sort(np.fromstring(text, np.int64, sep=","))

    def outlines(self, behind: int = 0) -> list[Any]:
        """(place, workspace, user, agent, shared, session, turn, speaker, day, words, ends in a question, importance).

        In order: what ranking needs of every record beside its words; `day` is that of its valid time.
        """
        words = "length(content) - length(replace(content, ' ', '')) + 1"
        query = (
            "SELECT seq, workspace, user, agent, shared, session, turn, speaker, substr(valid_from, 1, 10), "
            f"{words}, substr(rtrim(content), -1) = '?', importance FROM records WHERE seq > ? ORDER BY seq"
        )
        return list(self._file.execute(query, (behind,)).fetchall())

    def vectors(self, identity: str, which: Filter = NOW) -> list[tuple[int, bytes]]:
        """(place, vector) of the records that count and have a vector of this embedder."""
        condition, values = which.where(self.now())
        query = (
            "SELECT records.seq, vector FROM records INDEXED BY records_facets JOIN vectors USING (seq) "
            f"WHERE identity = ? AND {condition} ORDER BY records.seq"
        )
        return [tuple(row) for row in self._file.execute(query, (identity, *values))]

    def vectors_at(self, identity: str, seqs: Sequence[int]) -> list[tuple[int, bytes]]:
        """(place, vector) of the records at these places that have a vector of this embedder."""
        query = "SELECT seq, vector FROM vectors WHERE identity = ? AND seq IN (SELECT value FROM json_each(?))"
        return [tuple(row) for row in self._file.execute(query, (identity, json.dumps(list(seqs))))]

    def vector_pages(self, identity: str, size: int) -> Iterator[list[tuple[int, bytes]]]:
        """(place, vector) of all records that have a vector of this embedder, in order, so many at a time."""
        query = "SELECT seq, vector FROM vectors WHERE identity = ? AND seq > ? ORDER BY seq LIMIT ?"
        last = 0
        while rows := self._file.execute(query, (identity, last, size)).fetchall():
            yield [tuple(row) for row in rows]
            last = rows[-1]["seq"]

    def without_vector(self, identity: str, limit: int, before: int | None = None) -> list[tuple[int, str]]:
        """(place, content) of records that count now or once did and lack a vector of this embedder, newest first.

        `before`: those of earlier places alone.
        """
        query = (
            "SELECT records.seq, content FROM records LEFT JOIN vectors ON vectors.seq = records.seq AND identity = ? "
            "WHERE vectors.seq IS NULL AND records.seq < ? ORDER BY records.seq DESC LIMIT ?"
        )
        last = 2**62 if before is None else before
        return [tuple(row) for row in self._file.execute(query, (identity, last, limit))]

    def lacking(self, identity: str) -> int:
        """How many records have no vector of this embedder."""
        query = (
            "SELECT count(*) FROM records INDEXED BY records_facets "
            "LEFT JOIN vectors ON vectors.seq = records.seq AND identity = ? WHERE vectors.seq IS NULL"
        )
        return int(self._file.execute(query, (identity,)).fetchone()[0])

    # changes

    def version(self) -> Version:
        """The state that a cache belongs to."""
        rows = dict(self._file.execute("SELECT name, value FROM state").fetchall())
        undone = self._undone
        return Version(rows["generation"] + undone, rows["epoch"] + undone, rows["cache"], undone)

    def generation(self) -> int:
        """Grows with every change of a record or vector, of this process or another."""
        stored = self._file.execute("SELECT value FROM state WHERE name = 'generation'").fetchone()[0]
        return int(stored) + self._undone

    def changed(self, generation: int) -> list[int]:
        """Places whose record or vector was changed or removed since, beside those that were added."""
        query = "SELECT seq FROM changes WHERE generation > ? ORDER BY seq"
        return [row[0] for row in self._file.execute(query, (generation - self._undone,))]

    def facets(self, seqs: Sequence[int] | None = None, since: int = 0) -> Iterator[tuple[int, Facets, str | None]]:
        """(place, facets, end of valid time) of the named records, or of all behind `since`."""
        names = ", ".join(f"records.{name}" for name in Facets._fields)
        query = f"SELECT records.seq, {names}, valid_to FROM records INDEXED BY records_facets WHERE "
        condition = "seq > ?" if seqs is None else "seq IN (SELECT value FROM json_each(?))"
        for row in self._file.execute(query + condition, (since if seqs is None else json.dumps(list(seqs)),)):
            yield row[0], Facets(*tuple(row)[1:-1]), row[-1]

    def roll(self) -> Roll:
        """All records, whatever their standing: what an index in memory is laid out by."""
        names = ", ".join(Facets._fields)
        query = f"SELECT seq, {names}, valid_to FROM records INDEXED BY records_facets ORDER BY seq"
        rows = self._file.execute(query).fetchall()
        numbers: dict[tuple[Any, ...], int] = {}
        codes = [numbers.setdefault(row[1:-1], len(numbers)) for row in rows]
        ends = {row[0]: row[-1] for row in rows if row[-1] is not None}
        places = np.array([row[0] for row in rows], np.int64)
        return Roll(places, np.array(codes, np.int64), [Facets(*one) for one in numbers], ends)

    def applied(self, key: str) -> Applied | None:
        """What was applied under an idempotency key."""
        row = self._file.execute("SELECT call, memory_id, data FROM applied WHERE key = ?", (key,)).fetchone()
        return None if row is None else Applied(row["call"], row["memory_id"], json.loads(row["data"]))

    # health

    def check(self) -> list[str]:
        """What is wrong with the file, a sentence each; empty when all is well.

        Nobody writes meanwhile. The words come first: with a write, SQLite reads anew what this connection remembers of
        their index, without which it takes another process's change for damage (3.53).
        """
        if self._file.read_only:
            return self._checked()
        found: list[str] = []
        try:
            with self._file.writing():
                try:
                    self._file.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
                except InfrastructureError as error:
                    found.append(f"the words: {error}")
                found += self._checked()
        except InfrastructureError:
            if not found:
                raise  # somebody else writes; else damage kept the end from being written
        return found

    def _checked(self) -> list[str]:
        """All that needs no write."""
        strange = (
            "SELECT 'a vector without a record at ' || seq FROM vectors WHERE seq NOT IN (SELECT seq FROM records) "
            "UNION ALL SELECT 'a vector of no whole numbers at ' || seq FROM vectors WHERE length(vector) % 4 "
            "UNION ALL SELECT id || ' replaces ' || supersedes || ', which counts' FROM records AS heir WHERE EXISTS "
            "(SELECT 1 FROM records WHERE id = heir.supersedes AND standing = 'active' "
            "AND (valid_to IS NULL OR valid_to > heir.valid_from))"
        )
        try:
            found = [f"the file: {row[0]}" for row in self._file.execute("PRAGMA integrity_check") if row[0] != "ok"]
            return found + [row[0] for row in self._file.execute(strange)]
        except InfrastructureError as error:
            return [f"the file: {error}"]

    def close(self) -> None:
        """Close the file."""
        self._file.close()
