"""Which rows name a word: read from the full-text index once a word, and kept up by what was added since.

Only row numbers are kept, no text. Removed records stay in a list until it is dropped; a filter names what counts.
"""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from memory.retrieval.context import Context, Ints
from memory.store import MemoryStore

ROOM = 2_000_000
"""Row numbers that are kept over all words (16 MB)."""


@dataclass
class _List:
    """The rows of one expression."""

    rows: Ints
    """In order."""
    highest: int
    """The last place in the store that was looked at."""


class Postings:
    """Lists of rows by full-text expression; the least used go first."""

    def __init__(self, store: MemoryStore, context: Context) -> None:
        self.store, self.context = store, context
        self._lists: OrderedDict[str, _List] = OrderedDict()
        self._kept = 0

    def clear(self) -> None:
        """Forget all lists."""
        self._lists.clear()
        self._kept = 0

    def word(self, word: str) -> Ints:
        """Rows that name a word, in any of its forms."""
        return self.rows(f'"{word}"')

    def rows(self, expression: str) -> Ints:
        """Rows that match a full-text expression, in order."""
        found = self._lists.get(expression)
        highest = self.context.highest
        if found is None:
            found = self._lists[expression] = _List(np.empty(0, np.int64), 0)
        if found.highest < highest:
            places = self.store.naming(expression, found.highest)
            rows = self.context.row_of[places[places <= highest]]
            added = rows[rows >= 0]
            found.rows, found.highest = np.append(found.rows, added), highest
            self._kept += len(added)
        self._lists.move_to_end(expression)
        while self._kept > ROOM and len(self._lists) > 1:
            _, dropped = self._lists.popitem(last=False)
            self._kept -= len(dropped.rows)
        return found.rows
