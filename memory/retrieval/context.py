"""Where records stand: which belong to one turn, what was said around them, by whom, when. Arrays that follow a store.

1. A *turn* is what is ranked: the records made of one turn of a dialogue, or one record that came without. Records of
   a turn stand side by side in the store, so a turn is a stretch of rows.
2. Neighbours are the turns before and after in the same session of the same user. A long neighbour says many things,
   so each of them says less about this turn: it weighs `LONG_TURN / length`.
3. No text is kept here. Rows of removed records stay without one; a filter names what counts, never these arrays.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from memory.store import MemoryStore

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

REACH = 2
"""Turns to either side that belong to the context of one."""
FADE = 0.7
"""What one step further away weighs."""
SHORT_QUESTION = 40
"""Words up to which a turn that ends in a question mark states nothing itself."""
LONG_TURN = 60
"""Words from which a neighbour's weight shrinks."""


class Outline(NamedTuple):
    """What is known of a record without its text, as `MemoryStore.outlines` gives it."""

    seq: int
    workspace: str
    user: str
    session: str
    turn: str
    speaker: str
    day: str
    words: int
    asks: int
    importance: float


class Context:
    """The turns of one store."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self._seen: tuple[int, int] | None = None
        self._clear()

    def _clear(self) -> None:
        self.row_of = np.full(1, -1, np.int64)
        """Row of each place in the store; -1: none."""
        self.seqs = np.empty(0, np.int64)
        """Place of each row."""
        self.turn_of = np.empty(0, np.int64)
        """Turn of each row."""
        self.starts = np.empty(0, np.int64)
        """First row of each turn."""
        self.words = np.empty(0, np.float64)
        """Words of each turn."""
        self.asks = np.empty(0, np.bool_)
        """Whether a turn is a short question."""
        self.speaker = np.empty(0, np.int64)
        """Number of its speaker, an index of `speakers`."""
        self.day = np.empty(0, np.int64)
        """Its day as the number yyyymmdd; 0: unknown."""
        self.importance = np.empty(0, np.float64)
        """Of the weightiest record of a turn."""
        self.said = np.empty(0, np.bool_)
        """Whether it is part of a dialogue."""
        self.before = np.empty(0, np.int64)
        """The turn before it; -1: none."""
        self.after = np.empty(0, np.int64)
        """The turn after it; -1: none."""
        self.speakers: list[str] = []
        """In lower case."""
        self._numbers: dict[str, int] = {}
        self._last: dict[tuple[str, str, str], int] = {}
        self._key: tuple[str, ...] = ()
        self.hops: list[tuple[Ints, float]] = []
        """(neighbour of each turn, weight of the step), the number of turns standing for no neighbour."""
        self.weight = np.empty(0, np.float64)
        """What a turn weighs as a neighbour."""
        self.wide = np.empty(0, np.float64)
        """Words of each turn with its neighbours."""
        self.full = np.empty(0, np.float64)
        """What `around` gives where all values are 1."""

    @property
    def turns(self) -> int:
        """How many."""
        return len(self.starts)

    @property
    def highest(self) -> int:
        """The last place that is known."""
        return int(self.seqs[-1]) if len(self.seqs) else 0

    def follow(self) -> bool:
        """Read what was added; True when what was known is void (a store that was set back)."""
        if self._seen is not None and self.store.generation() == self._seen[0]:
            return False
        version = self.store.version()
        void = self._seen is not None and self._seen[1] != version.epoch
        if void:
            self._clear()
        rows = self.store.outlines(self.highest)
        if rows:
            self._append([Outline(*row) for row in rows])
        self._seen = (version.generation, version.epoch)
        return void

    def around(self, values: Floats) -> Floats:
        """For each turn: its own value and those of its neighbours, faded and weighed, added up. `values`: (turns,)."""
        weighed = np.append(values * self.weight, 0.0)
        total = values.astype(np.float64)
        for neighbour, step in self.hops:
            total = total + step * weighed[neighbour]
        return total

    def _append(self, outlines: list[Outline]) -> None:
        first, turns = len(self.seqs), _Turns(self)
        for row, one in enumerate(outlines, first):
            turns.add(row, one)
        self.seqs = np.append(self.seqs, [one.seq for one in outlines]).astype(np.int64)
        self.turn_of = np.append(self.turn_of, turns.turn_of).astype(np.int64)
        grown = np.full(self.highest + 1, -1, np.int64)
        grown[: len(self.row_of)] = self.row_of
        grown[self.seqs[first:]] = np.arange(first, len(self.seqs))
        self.row_of = grown
        turns.settle()
        self._link()

    def _link(self) -> None:
        """The hops and weights that `around` goes by."""
        self.weight = np.minimum(1.0, LONG_TURN / np.maximum(self.words, 1.0))
        self.hops = []
        for nearest in (self.before, self.after):
            padded = np.append(np.where(nearest < 0, self.turns, nearest), self.turns)
            reached = padded
            for step in range(1, REACH + 1):
                self.hops.append((reached[:-1], FADE**step))
                reached = padded[reached]
        self.wide, self.full = self.around(self.words), self.around(np.ones(self.turns))


class _Turns:
    """Rows that were read, on their way to the arrays of a `Context`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.turn_of: list[int] = []
        self._new: list[list[Any]] = []
        self._links: list[tuple[int, int]] = []

    def add(self, row: int, one: Outline) -> None:
        """The next row: of the turn before it, or of a new one."""
        context = self.context
        key = (one.workspace, one.user, one.session, one.turn, one.speaker) if one.session and one.turn else ()
        if key and key == context._key and self._new:
            turn = self._new[-1]
            turn[1] += one.words
            turn[2] = _asks(one, turn[1])
            turn[5] = max(turn[5], one.importance)
        else:
            self._open(row, one)
        context._key = key
        self.turn_of.append(context.turns + len(self._new) - 1)

    def _open(self, row: int, one: Outline) -> None:
        context, number = self.context, self.context.turns + len(self._new)
        name = one.speaker.lower()
        if name not in context._numbers:
            context._numbers[name] = len(context.speakers)
            context.speakers.append(name)
        asks, speaker = _asks(one, one.words), context._numbers[name]
        self._new.append([row, one.words, asks, speaker, _number(one.day), one.importance, bool(one.session)])
        if one.session:
            session = (one.workspace, one.user, one.session)
            if session in context._last:
                self._links.append((context._last[session], number))
            context._last[session] = number

    def settle(self) -> None:
        """Append to the arrays."""
        context = self.context
        names = ("starts", "words", "asks", "speaker", "day", "importance", "said")
        for column, name in enumerate(names):
            old = getattr(context, name)
            setattr(context, name, np.append(old, [turn[column] for turn in self._new]).astype(old.dtype))
        nothing = np.full(len(self._new), -1, np.int64)
        context.before, context.after = np.append(context.before, nothing), np.append(context.after, nothing)
        for earlier, later in self._links:
            context.after[earlier], context.before[later] = later, earlier


def _asks(one: Outline, words: int) -> bool:
    return bool(one.asks) and words <= SHORT_QUESTION


def _number(day: str) -> int:
    digits = day.replace("-", "")
    return int(digits) if digits.isdigit() else 0
