"""Seeded ids and chances: the same world gives the same ids and the same answers, in any process.

1. `Ids` counts per prefix, on from the highest number that the world's rows carry: `alarm_004`.
2. `chance` is a random generator of its own for each question, seeded by the world and by the question; so answers do
   not depend on what was asked before.
"""

import hashlib
import random
import re
from collections.abc import Iterable, Mapping

from device.sandbox.tables import folded

_NUMBERED = re.compile(r"(.+)_(\d+)")


class Ids:
    """Ids of new rows; can go back to an earlier mark."""

    __slots__ = ("_counts", "_issued", "_start")

    def __init__(self, start: Mapping[str, int], issued: Iterable[str] = ()) -> None:
        self._start = start
        self._issued: list[str] = []
        self._counts: dict[str, int] = {}
        for prefix in issued:
            self.new(prefix)

    def new(self, prefix: str) -> str:
        """The next id, `prefix_001`."""
        number = self._counts.get(prefix)
        number = (self._start.get(prefix, 0) if number is None else number) + 1
        self._counts[prefix] = number
        self._issued.append(prefix)
        return f"{prefix}_{number:03d}"

    def mark(self) -> int:
        """How many ids were given out."""
        return len(self._issued)

    def since(self, mark: int) -> list[str]:
        """The prefixes of the ids given out after `mark`, in order."""
        return self._issued[mark:]

    def undo(self, mark: int) -> None:
        """Take back every id after `mark`."""
        while len(self._issued) > mark:
            self._counts[self._issued.pop()] -= 1

    def copy(self) -> "Ids":
        """An independent counter at the same place."""
        return Ids(self._start, self._issued)


def highest(keys: Iterable[str], start: Mapping[str, int]) -> dict[str, int]:
    """The highest number of each prefix among `keys` and in `start`."""
    counts = dict(start)
    for key in keys:
        found = _NUMBERED.fullmatch(key)
        if found:
            counts[found[1]] = max(counts.get(found[1], 0), int(found[2]))
    return counts


def chance(seed: int, *key: object) -> random.Random:
    """A generator for one question; texts in `key` count folded, so "Paris" and "paris" get one answer."""
    parts = [folded(part) or part if isinstance(part, str) else repr(part) for part in key]
    digest = hashlib.blake2b("\x1f".join([str(seed), *parts]).encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big"))
