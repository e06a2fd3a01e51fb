"""Vectors in memory, apart by what a filter looks at: those that don't count are not scored, by construction.

1. Records with the same facets (workspace, user, agent, kind, standing, ...) stand in one group with one array. A
   filter picks groups; each picked array is scored in one go, exactly, without a copy.
2. A removed row is filled by the last one of its group: nothing of it stays.
3. Scoring is FAISS's kernel (0.4 ms for 10,000 vectors of 384 numbers); few vectors need no FAISS, and don't load it.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import count, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from memory.store import Facets, Filter, Roll

Vectors = npt.NDArray[np.float32]
Seqs = npt.NDArray[np.int64]

FAISS_FROM = 2048
"""Vectors of one group from which FAISS scores them."""
ROOM = 16
"""Rows that a new group has room for."""


def faiss() -> Any:
    """FAISS, loaded when it is first needed; its stubs leave out what is used here."""
    return import_module("faiss")


class Group:
    """The vectors of records with the same facets."""

    def __init__(self, dimension: int) -> None:
        self.count = 0
        self._seqs: Seqs = np.empty(ROOM, np.int64)
        self._matrix: Vectors = np.empty((ROOM, dimension), np.float32)
        self.ends: dict[int, str] = {}
        """Ends of valid time, by place in the store, where one is known."""

    @property
    def seqs(self) -> Seqs:
        """(count,) places in the store."""
        return self._seqs[: self.count]

    @property
    def matrix(self) -> Vectors:
        """(count, dimension), unit length."""
        return self._matrix[: self.count]

    def extend(self, seqs: Sequence[int] | Seqs, vectors: Vectors) -> int:
        """Append rows; the number of the first."""
        first, wanted = self.count, self.count + len(seqs)
        if wanted > len(self._seqs):
            self.reserve(max(wanted, 2 * len(self._seqs)))
        self._seqs[first:wanted], self._matrix[first:wanted] = seqs, vectors
        self.count = wanted
        return first

    def reserve(self, room: int) -> None:
        """Make room for so many rows in all."""
        kept, matrix = self.seqs, self.matrix
        if room > len(self._seqs):
            self._seqs, self._matrix = np.empty(room, np.int64), np.empty((room, matrix.shape[1]), np.float32)
            self._seqs[: self.count], self._matrix[: self.count] = kept, matrix

    def take(self, row: int) -> int | None:
        """Remove a row; the place in the store of the record that stands there now."""
        self.ends.pop(int(self._seqs[row]), None)
        last = self.count - 1
        self._seqs[row], self._matrix[row] = self._seqs[last], self._matrix[last]
        self._matrix[last] = 0
        self.count = last
        return int(self._seqs[row]) if row < last else None

    def cosines(self, query: Vectors, rows: npt.NDArray[np.intp] | None = None) -> Vectors:
        """Cosine of a unit vector with each row, or with some."""
        if rows is not None:
            return np.asarray(self._matrix[rows] @ query, np.float32)
        if self.count < FAISS_FROM:
            return np.asarray(self.matrix @ query, np.float32)
        found, kernel = np.empty(self.count, np.float32), faiss()
        pointers = [kernel.swig_ptr(array) for array in (found, np.ascontiguousarray(query), self.matrix)]
        kernel.fvec_inner_products_ny(*pointers, len(query), self.count)
        return found


class Space:
    """All vectors of one embedder in one store."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.groups: dict[Facets, Group] = {}
        self._at: dict[int, tuple[Facets, int]] = {}

    def __len__(self) -> int:
        return len(self._at)

    def __contains__(self, seq: int) -> bool:
        return seq in self._at

    def fill(self, seqs: Sequence[int], vectors: Vectors, of: Mapping[int, tuple[Facets, str | None]]) -> None:
        """Add the vectors of records that `of` knows, with their facets and the end of their valid time."""
        rows: dict[Facets, list[int]] = {}
        for row, seq in enumerate(seqs):
            if seq in of:
                rows.setdefault(of[seq][0], []).append(row)
        for facets, chosen in rows.items():
            names = [seqs[row] for row in chosen]
            self._put(facets, names, vectors[chosen])
            self._end((seq, of[seq][1]) for seq in names)

    def reserve(self, roll: Roll) -> None:
        """Make room for the vectors of all these records."""
        for facets, rows in zip(roll.facets, np.bincount(roll.codes).tolist(), strict=True):
            self.groups.setdefault(facets, Group(self.dimension)).reserve(rows)

    def load(self, seqs: Seqs, vectors: Vectors, roll: Roll) -> None:
        """Add the vectors of many records; those that `roll` doesn't know are passed over."""
        if not len(roll.seqs):
            return
        rows = np.minimum(np.searchsorted(roll.seqs, seqs), len(roll.seqs) - 1)
        codes = np.where(roll.seqs[rows] == seqs, roll.codes[rows], -1)
        for code, facets in enumerate(roll.facets):
            chosen = np.flatnonzero(codes == code)
            if len(chosen):
                every = len(chosen) == len(seqs)
                self._put(facets, seqs[chosen].tolist(), vectors if every else vectors[chosen])

    def end(self, roll: Roll) -> None:
        """Take over the ends of valid time."""
        self._end(roll.ends.items())

    def _put(self, facets: Facets, names: list[int], vectors: Vectors) -> None:
        first = self.groups.setdefault(facets, Group(self.dimension)).extend(names, vectors)
        self._at.update(zip(names, zip(repeat(facets), count(first)), strict=False))

    def _end(self, ends: Iterable[tuple[int, str | None]]) -> None:
        for seq, end in ends:
            if end is not None and seq in self._at:
                self.groups[self._at[seq][0]].ends[seq] = end

    def drop(self, seqs: Iterable[int]) -> None:
        """Remove vectors; a place that has none is passed over."""
        for seq in seqs:
            found = self._at.pop(seq, None)
            if found is not None:
                facets, row = found
                moved = self.groups[facets].take(row)
                if moved is not None:
                    self._at[moved] = (facets, row)

    def vectors(self, seqs: Sequence[int]) -> dict[int, Vectors]:
        """The vectors of records, by place; those without one are left out."""
        found = {seq: self._at[seq] for seq in seqs if seq in self._at}
        return {seq: self.groups[facets].matrix[row].copy() for seq, (facets, row) in found.items()}

    def cosines(
        self, query: Vectors, which: Filter, now: str, allowed: Seqs | None = None, coming: Sequence[int] = ()
    ) -> tuple[Seqs, Vectors]:
        """Places and cosines of all that count at `now`; `allowed`: of these places alone; `coming` begin later."""
        seqs: list[Seqs] = [np.empty(0, np.int64)]
        cosines: list[Vectors] = [np.empty(0, np.float32)]
        for facets, group in self.groups.items():
            if not group.count or not which.admits(facets):
                continue
            rows = self._rows(facets, group, which, now, allowed, coming)
            seqs.append(group.seqs.copy() if rows is None else group.seqs[rows])
            cosines.append(group.cosines(query, rows))
        return np.concatenate(seqs), np.concatenate(cosines)

    @staticmethod
    def _rows(
        facets: Facets, group: Group, which: Filter, now: str, allowed: Seqs | None, coming: Sequence[int]
    ) -> npt.NDArray[np.intp] | None:
        """The rows of a group that count; None: all."""
        if allowed is not None:
            return np.flatnonzero(np.isin(group.seqs, allowed))
        mask: npt.NDArray[np.bool_] | None = None
        if which.since_seq:
            mask = group.seqs > which.since_seq
        if facets.standing == "active" and not which.expired:
            without = [*coming, *(seq for seq, end in group.ends.items() if end <= now)]
            if without:
                held = ~np.isin(group.seqs, without)
                mask = held if mask is None else mask & held
        return None if mask is None else np.flatnonzero(mask)
