"""Typed tables: the world's rows, shared and never written, under an overlay that holds what this phone changed.

Reading looks into the overlay first. Every write goes to the overlay and to the journal; so a reset forgets overlays,
a fork copies them, and neither cares how many rows exist.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar

from device.sandbox.errors import not_found
from device.sandbox.journal import Journal
from device.sandbox.row import SINGLETON, RowKind
from device.spoken import fold_text

R = TypeVar("R")
_UNTOUCHED: Any = object()


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """`fold_text`, remembered."""
    return fold_text(text)


def same(left: Any, right: Any) -> bool:
    """Equal values; texts are compared folded (case, accents, punctuation and articles don't matter)."""
    if left == right:
        return True
    if type(left) is str and type(right) is str:
        fold = folded(left)
        return bool(fold) and fold == folded(right)
    return False


class Table(Generic[R]):
    """The rows of one class."""

    __slots__ = ("_base", "_changed", "_journal", "kind")

    def __init__(self, kind: RowKind, base: Mapping[str, R], changed: dict[str, R | None], journal: Journal) -> None:
        self.kind = kind
        self._base = base
        self._changed = changed
        self._journal = journal

    def get(self, key: str) -> R | None:
        """The row with this key, or None."""
        found: R | None = self._changed.get(key, _UNTOUCHED)
        return self._base.get(key) if found is _UNTOUCHED else found

    def need(self, key: str, what: str = "") -> R:
        """The row with this key; 404 with `what` it is otherwise."""
        found = self.get(key)
        if found is None:
            raise not_found(f"no {what or 'row'} `{key}` in `{self.kind.table}`", table=self.kind.table, key=key)
        return found

    def all(self) -> list[R]:
        """Every row: the world's in its order, then new ones in the order of their creation."""
        changed, base = self._changed, self._base
        if not changed:
            return list(base.values())
        kept = [changed.get(key, found) for key, found in base.items()]
        kept += [found for key, found in changed.items() if key not in base]
        return [found for found in kept if found is not None]

    def find(self, where: Callable[[R], bool] | None = None, **columns: Any) -> list[R]:
        """Rows that satisfy `where` and whose columns are the `same` as the values given."""
        rows = self.all()
        if where is not None:
            rows = [found for found in rows if where(found)]
        for name, value in columns.items():
            rows = [found for found in rows if same(getattr(found, name), value)]
        return rows

    def insert(self, new: R) -> R:
        """Add a row; its key must be new."""
        key = self.kind.key_of(new)
        if self.get(key) is not None:
            raise ValueError(f"`{self.kind.table}` has a row `{key}` already")
        self._write(key, None, new)
        return new

    def update(self, row_or_key: R | str, **changes: Any) -> R:
        """Change columns of a row; the key stays."""
        key = row_or_key if isinstance(row_or_key, str) else self.kind.key_of(row_or_key)
        before = self.need(key)
        values = {name: getattr(before, name) for name in self.kind.columns}
        values.update(changes)
        after: R = self.kind.cls(**values)
        if not self.kind.singleton and self.kind.key_of(after) != key:
            raise ValueError(f"the key `{key}` of `{self.kind.table}` can't change; delete the row and insert another")
        self._write(key, before, after)
        return after

    def delete(self, row_or_key: R | str) -> None:
        """Remove a row."""
        if self.kind.singleton:
            raise ValueError(f"`{self.kind.table}` always has its one row `{SINGLETON}`")
        key = row_or_key if isinstance(row_or_key, str) else self.kind.key_of(row_or_key)
        self._write(key, self.need(key), None)

    def put(self, key: str, row: R | None) -> None:
        """Lay one written change over the state, None for a deleted row: a history that is played again."""
        self._write(key, self.get(key), row)

    def _write(self, key: str, before: R | None, after: R | None) -> None:
        self._journal.entries.append((self.kind, key, before, after, key not in self._changed))
        self._changed[key] = after
