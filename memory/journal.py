"""What this process changed in a store: positions to look back to, and the net difference since one of them.

It lives in memory alone, so that nothing which was forgotten stays in a file because of it.
"""

from typing import NamedTuple

from memory.records import MemoryRecord
from runtime.contract import RowChange, StateDiff

TABLE = "memories"
"""The table's name in a diff."""


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
        if first[key] != last[key]
    ]
    return StateDiff(changes=tuple(changes))


def _row(record: MemoryRecord | None) -> dict[str, object] | None:
    return None if record is None else record.model_dump(mode="json")
