"""Where records stand: which belong to one turn, what was said around them, by whom, when. Arrays that follow a store.

1. A *turn* is what is ranked: the records made of one turn of a dialogue, or one record that came without. Records of
   a turn stand side by side in the store, so a turn is a stretch of rows.
2. Neighbours are the turns before and after in the same session of the same user. A long neighbour says many things,
   so each of them says less about this turn: it weighs `LONG_TURN / length`.
3. No text is kept here. Rows of removed records stay without one; a filter names what counts, never these arrays.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from memory.store import Filter, MemoryStore, Owner

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
        self._heard: dict[Owner, set[str]] = {}
        self._numbers: dict[str, int] = {}
        self._last: dict[tuple[str, str, str], int] = {}
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

    def heard(self, which: Filter) -> set[str]:
        """Speakers, in lower case, in the records of those whose records `which` lets through."""
        return {name for owner, names in self._heard.items() if which.owns(owner) for name in names}

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
            self._append(rows)
        self._seen = (version.generation, version.epoch)
        return void

    def around(self, values: Floats) -> Floats:
        """For each turn: its own value and those of its neighbours, faded and weighed, added up. `values`: (turns,)."""
        weighed = np.append(values * self.weight, 0.0)
        total = values.astype(np.float64)
        for neighbour, step in self.hops:
            total = total + step * weighed[neighbour]
        return total

    def _append(self, outlines: list[Any]) -> None:
        """Rows as `MemoryStore.outlines` gives them. A column at a time: a store is read whole by its first search."""
        columns = zip(*outlines, strict=True)
        seqs, workspaces, users, agents, shared, sessions, turns, speakers, days, words, asks, importance = columns
        for *owner, speaker in set(zip(workspaces, users, agents, shared, speakers, strict=True)):
            self._heard.setdefault(Owner(*owner), set()).add(speaker.lower())
        keys = list(zip(workspaces, users, sessions, turns, speakers, strict=True))
        same = [one == other and bool(one[2] and one[3]) for one, other in zip(keys[1:], keys, strict=False)]
        opens = ~np.array([False, *same])
        starts = np.flatnonzero(opens)
        self._place(seqs, opens, starts)
        spoken = np.add.reduceat(np.array(words, np.float64), starts)
        asked = np.array(asks, np.bool_)[np.append(starts[1:], len(seqs)) - 1] & (spoken <= SHORT_QUESTION)
        numbers = {day: _number(day) for day in set(days)}
        places = starts.tolist()
        for name, values in (
            ("words", spoken),
            ("asks", asked),
            ("speaker", [self._number_of(speakers[row]) for row in places]),
            ("day", [numbers[days[row]] for row in places]),
            ("importance", np.maximum.reduceat(np.array(importance, np.float64), starts)),
            ("said", [bool(sessions[row]) for row in places]),
        ):
            old = getattr(self, name)
            setattr(self, name, np.append(old, np.asarray(values, old.dtype)))
        self._follow_sessions([keys[row][:3] for row in places])
        self._link()

    def _place(self, seqs: tuple[int, ...], opens: npt.NDArray[np.bool_], starts: Ints) -> None:
        """The new rows; `opens`: (rows,) which begin a turn, `starts`: (turns,) their numbers."""
        first, turns = len(self.seqs), self.turns
        self.seqs = np.append(self.seqs, np.array(seqs, np.int64))
        self.turn_of = np.append(self.turn_of, turns - 1 + np.cumsum(opens))
        self.starts = np.append(self.starts, first + starts)
        grown = np.full(self.highest + 1, -1, np.int64)
        grown[: len(self.row_of)] = self.row_of
        grown[self.seqs[first:]] = np.arange(first, len(self.seqs))
        self.row_of = grown

    def _number_of(self, speaker: str) -> int:
        number = self._numbers.setdefault(speaker.lower(), len(self._numbers))
        if number == len(self.speakers):
            self.speakers.append(speaker.lower())
        return number

    def _follow_sessions(self, sessions: list[tuple[str, str, str]]) -> None:
        """Neighbours of the new turns, by the (workspace, user, session) of each."""
        first = len(self.before)
        nothing = np.full(len(sessions), -1, np.int64)
        self.before, self.after = np.append(self.before, nothing), np.append(self.after, nothing)
        earlier, later = [], []
        for turn, session in enumerate(sessions, first):
            if session[2]:
                if session in self._last:
                    earlier.append(self._last[session])
                    later.append(turn)
                self._last[session] = turn
        self.after[earlier], self.before[later] = later, earlier

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


def _number(day: str) -> int:
    digits = day.replace("-", "")
    return int(digits) if digits.isdigit() else 0
