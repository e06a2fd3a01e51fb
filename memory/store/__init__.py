"""The store: records with their vectors and words in SQLite, one transaction a write.

`filter` says which records count, `rows` is a record as a row, `reading` and `writing` are the two halves of a store,
and here it also resets, snapshots, restores and diffs as a phone does, with the one table `memories`. A store in a file
is somebody's memory: it can be diffed, never reset.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from memory.records import planted
from memory.store.filter import Facets, Filter, Owner
from memory.store.reading import NOW, Applied, Roll, Version
from memory.store.writing import Embedded, Vector, Writing
from runtime.contract import StateDiff, UserError, WorldSpec

__all__ = ["NOW", "Applied", "Embedded", "Facets", "Filter", "MemoryStore", "Owner", "Roll", "Vector", "Version"]


class Mark(NamedTuple):
    """A remembered place in the history."""

    journal: int
    """Entries."""
    seq: int
    """Last number given out."""
    applied: int
    """Last row of `applied`."""


class MemoryStore(Writing):
    """Records in SQLite; without a path in memory."""

    def __init__(self, path: Path | None = None, clock: Callable[[], datetime] = datetime.now) -> None:
        """Open or make the file; None: in memory. Another program's or a newer version's is a `UserError`."""
        super().__init__(path, clock)
        self._marks: dict[str, Mark] = {}
        self._handles = 0
        self._world: WorldSpec | None = None

    def reset(self, world: WorldSpec) -> None:
        """Hold exactly the memories of `world`, at its time. A store in a file refuses (`UserError`)."""
        if self.path is not None:
            raise UserError(f"`{self.path}` holds a user's memories and is never reset. Use `memory.file=:memory:`.")
        before = self._world
        self._marks.clear()
        if before is not None and not self.position() and _alike(before, world):
            return
        records = planted(world)
        with self._file.writing():
            for table in ("vectors", "applied", "records", "sqlite_sequence", "changes"):
                self._file.execute(f"DELETE FROM {table}")
            self._file.execute("INSERT INTO words (words) VALUES ('delete-all')")
            for record in records:
                self._insert(record, None)
            self._anew()
        self._journal.clear()
        self._world, self._now = world, world.clock

    def snapshot(self) -> str:
        """Remember the state."""
        self._handles += 1
        handle = f"memory_{self._handles}"
        applied = self._file.execute("SELECT ifnull(max(rowid), 0) FROM applied").fetchone()[0]
        self._marks[handle] = Mark(self.position(), self.last(), applied)
        return handle

    def diff(self, since: str) -> StateDiff:
        """Net change that this process made since a snapshot."""
        return self.since(self._mark(since).journal)

    def restore(self, handle: str) -> None:
        """Go back to a snapshot of a store in memory; later snapshots are forgotten."""
        mark = self._mark(handle)
        if self.path is not None:
            raise UserError(f"`{self.path}` holds a user's memories and is never set back. Use `memory.file=:memory:`.")
        with self._file.writing():
            for entry in reversed(self._journal.behind(mark.journal)):
                if entry.after is not None:
                    self._unlink(entry.seq, entry.after)
                if entry.before is not None:
                    self._link(entry.before, entry.seq)
            self._file.execute("UPDATE sqlite_sequence SET seq = ?", (mark.seq,))
            self._file.execute("DELETE FROM applied WHERE rowid > ?", (mark.applied,))
            self._anew()
        self._journal.cut(mark.journal)
        names = list(self._marks)
        for name in names[names.index(handle) + 1 :]:
            del self._marks[name]

    def _mark(self, handle: str) -> Mark:
        found = self._marks.get(handle)
        if found is None:
            raise LookupError(
                f"no snapshot `{handle}` of this store; it was made before a reset or after a restored one"
            )
        return found

    def _anew(self) -> None:
        """Records came back or went without a word in `changes`: caches begin anew."""
        self._changed()
        self._file.execute("UPDATE state SET value = value + 1 WHERE name = 'epoch'")


def _alike(one: WorldSpec, other: WorldSpec) -> bool:
    return one is other or (one.memories == other.memories and one.clock == other.clock)
