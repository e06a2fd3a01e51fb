"""The change journal: every write is one entry, and everything that looks back costs what changed.

1. An entry is (table, key, before, after, first); `first` says that the overlay of the table held nothing for the key.
2. Undoing to a position pops entries in reverse, so overlays get back their values and their order alike.
3. The net diff takes the first `before` and the last `after` of each row; a row that came back drops out.
"""

from typing import Any

from device.sandbox.built import built
from device.sandbox.row import RowKind
from runtime.contract import RowChange, StateDiff

Entry = tuple[RowKind, str, Any, Any, bool]
"""(kind of row, key, row before or None, row after or None, first touch of the key)."""
Overlays = dict[str, dict[str, Any]]
"""By table, then key: rows that differ from the world's; None marks a deleted row."""
NO_CHANGE = StateDiff()


class Journal:
    """Append-only between undos."""

    __slots__ = ("entries",)

    def __init__(self, entries: list[Entry] | None = None) -> None:
        self.entries: list[Entry] = entries if entries is not None else []

    def __len__(self) -> int:
        return len(self.entries)

    def undo(self, position: int, overlays: Overlays) -> None:
        """Take back every entry from `position` on."""
        entries = self.entries
        while len(entries) > position:
            kind, key, before, _, first = entries.pop()
            overlay = overlays[kind.table]
            if first:
                del overlay[key]
            else:
                overlay[key] = before

    def touched(self, since: int) -> tuple[tuple[RowKind, str], ...]:
        """Rows written from `since` on, each once, in the order of their first write."""
        return tuple(dict.fromkeys((entry[0], entry[1]) for entry in self.entries[since:]))

    def net(self, since: int) -> StateDiff:
        """Net changes from `since` on, ordered by table and key."""
        entries = self.entries
        count = len(entries) - since
        if count == 0:
            return NO_CHANGE
        if count == 1:
            kind, key, before, after, _ = entries[since]
            return NO_CHANGE if before == after else _diff((_change(kind, key, before, after),))
        ends: dict[tuple[str, str], tuple[RowKind, Any, Any]] = {}
        for kind, key, before, after, _ in entries[since:]:
            place = (kind.table, key)
            known = ends.get(place)
            ends[place] = (kind, before if known is None else known[1], after)
        changes = [
            _change(kind, key, before, after)
            for (_, key), (kind, before, after) in sorted(ends.items(), key=_place)
            if before != after
        ]
        return _diff(tuple(changes)) if changes else NO_CHANGE


def _place(item: tuple[tuple[str, str], Any]) -> tuple[str, str]:
    return item[0]


def _change(kind: RowKind, key: str, before: Any, after: Any) -> RowChange:
    return built(
        RowChange,
        table=kind.table,
        key=key,
        before=None if before is None else kind.to_json(before),
        after=None if after is None else kind.to_json(after),
    )


def _diff(changes: tuple[RowChange, ...]) -> StateDiff:
    return built(StateDiff, changes=changes)
