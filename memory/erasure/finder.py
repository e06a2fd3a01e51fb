"""Finds which of many byte sequences stand in some bytes.

A few are looked for one by one. Many are looked for together: each is known by eight of its bytes, those that the
fewest others share, and every place of the data is compared with all of these at once.
"""

import mmap
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from memory.erasure.needles import Needle

Data: TypeAlias = bytes | mmap.mmap
MANY = 48
"""From so many needles on they are looked for together."""
CHUNK = 2**20
_KEY = 8


class Finder:
    """Looks for the same needles again and again."""

    def __init__(self, needles: Sequence[Needle]) -> None:
        self.needles = tuple(dict.fromkeys(needles))
        together = [one for one in self.needles if len(one.data) >= _KEY] if len(self.needles) > MANY else []
        together_set = set(together)
        self._single = [one for one in self.needles if one not in together_set]
        self._places = _places(together)

    def found(self, data: Data, numbers: bool = False) -> set[Needle]:
        """Needles that stand in `data`; `numbers`: those of numbers in JSON alone, else the others alone."""
        hits = {one for one in self._single if one.numbers == numbers and _stands(data, one)}
        if self._places and len(data) >= _KEY:
            hits |= self._together(data, numbers)
        return hits

    def _together(self, data: Data, numbers: bool) -> set[Needle]:
        import numpy as np

        keys = np.array(sorted(self._places), np.uint64)
        hits: set[Needle] = set()
        for start in range(0, len(data), CHUNK):
            chunk = data[start : start + CHUNK + _KEY - 1]
            for shift in range(_KEY):
                count = (len(chunk) - shift) // _KEY
                if count <= 0:
                    continue
                here = np.frombuffer(chunk, "<u8", count, shift)
                near = np.minimum(np.searchsorted(keys, here), len(keys) - 1)
                for index in np.flatnonzero(keys[near] == here):
                    at = start + shift + _KEY * int(index)
                    for offset, needle in self._places[int(here[index])]:
                        if needle.numbers == numbers and needle not in hits and _stands_at(data, needle, at - offset):
                            hits.add(needle)
        return hits


def _places(needles: Sequence[Needle]) -> dict[int, list[tuple[int, Needle]]]:
    """Needles with the offset of their key, by key."""
    shared: Counter[bytes] = Counter()
    for one in needles:
        shared.update({one.data[offset : offset + _KEY] for offset in _offsets(one)})
    found: dict[int, list[tuple[int, Needle]]] = {}
    for one in needles:
        best = min(_offsets(one), key=lambda offset: shared[one.data[offset : offset + _KEY]])
        key = int.from_bytes(one.data[best : best + _KEY], "little")
        found.setdefault(key, []).append((best, one))
    return found


def _offsets(needle: Needle) -> list[int]:
    last = len(needle.data) - _KEY
    return sorted({0, last // 4, last // 2, 3 * last // 4, last})


def _stands(data: Data, needle: Needle) -> bool:
    at = data.find(needle.data)
    while at >= 0:
        if _edges(data, needle, at):
            return True
        at = data.find(needle.data, at + 1)
    return False


def _stands_at(data: Data, needle: Needle, at: int) -> bool:
    return at >= 0 and data[at : at + len(needle.data)] == needle.data and _edges(data, needle, at)


def _edges(data: Data, needle: Needle, at: int) -> bool:
    """Whether numbers begin and end there."""
    if not needle.numbers:
        return True
    around: list[Any] = [data[max(at - 1, 0) : at], data[at + len(needle.data) : at + len(needle.data) + 1]]
    return not any(edge.isdigit() for edge in around)
