"""What this process changed in a store: positions to look back to, and the net difference since one of them.

It lives in memory alone, so that nothing which was forgotten stays in a file because of it. A diff shows the columns
that the table `memories` always had; what grew later is the store's own.
"""

from typing import NamedTuple

from memory.records import MemoryRecord, row
from runtime.contract import Json, RowChange, StateDiff

TABLE = "memories"
"""The table's name in a diff."""
KEPT = 10_000
"""Entries that a store in a file looks back to; one in memory keeps all, since it may be set back."""


class Entry(NamedTuple):
    """One record, before and after a write."""

    seq: int
    """Its place in the store."""
    before: MemoryRecord | None
    """None: it was inserted."""
    after: MemoryRecord | None
    """None: it was deleted."""

    @property
    def id(self) -> str:
        """The record's id."""
        record = self.after if self.after is not None else self.before
        assert record is not None
        return record.id


class Journal:
    """The entries of one process, by position."""

    def __init__(self, bounded: bool) -> None:
        self._entries: list[Entry] = []
        self._bounded = bounded
        self._dropped = 0

    def position(self) -> int:
        """How many changes there were."""
        return self._dropped + len(self._entries)

    def add(self, entry: Entry) -> None:
        """One more."""
        self._entries.append(entry)
        if self._bounded and len(self._entries) >= 2 * KEPT:
            self._dropped += KEPT
            del self._entries[:KEPT]

    def behind(self, position: int) -> list[Entry]:
        """Entries since a position; a `LookupError` when they are no longer kept."""
        if position < self._dropped:
            raise LookupError(f"the last {KEPT:,} changes are kept, and this looks further back. Take a new snapshot.")
        return self._entries[position - self._dropped :]

    def since(self, position: int) -> StateDiff:
        """Net change since a position."""
        return net(self.behind(position))

    def cut(self, position: int) -> None:
        """Forget what came after a position."""
        del self._entries[max(position - self._dropped, 0) :]

    def clear(self) -> None:
        """Forget all."""
        self._entries.clear()
        self._dropped = 0


def net(entries: list[Entry]) -> StateDiff:
    """The first `before` and the last `after` of each record, ordered by id; what came back drops out."""
    first: dict[str, MemoryRecord | None] = {}
    last: dict[str, MemoryRecord | None] = {}
    for entry in entries:
        first.setdefault(entry.id, entry.before)
        last[entry.id] = entry.after
    changes = [
        RowChange(table=TABLE, key=key, before=_row(first[key]), after=_row(last[key]))
        for key in sorted(last)
        if _row(first[key]) != _row(last[key])
    ]
    return StateDiff(changes=tuple(changes))


def _row(record: MemoryRecord | None) -> Json | None:
    return None if record is None else row(record)
