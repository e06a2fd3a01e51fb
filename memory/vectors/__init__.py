"""Nearness by meaning: the vectors of a store in memory, following its changes, with a FAISS file as their cache.

store (the truth) -> cache.py (a file, if it is the one) -> space.py (groups by facets) -> cosines of what counts

1. `VectorIndex` reads what changed since it last looked, in one moment of the store: another process may write at any
   time. What it can't follow it reads anew.
2. It never answers for the store: places that it names are read there, under the same filter.
"""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory.sqlite import LockedError
from memory.store import Facets, Filter, MemoryStore, Roll, Version
from memory.vectors import cache
from memory.vectors.space import Seqs, Space, Vectors
from runtime.contract import PocketError

__all__ = ["Seqs", "Space", "VectorIndex", "Vectors"]

CHUNK = 1024
"""Vectors that are read from the store at once."""
SAVE_FROM = 1000
"""Vectors from which a file is worth its while."""
SAVE_SHARE = 0.1
"""Share of the vectors that may be newer than the file before it is written again."""


class VectorIndex:
    """The vectors of one embedder in one store; for one thread, as its store is."""

    def __init__(self, store: MemoryStore, identity: str, dimension: int) -> None:
        self.store, self.identity, self.dimension = store, identity, dimension
        self.lacking: set[int] = set()
        """Places of records that have no vector of this embedder."""
        self.source = ""
        """Where the vectors were read from last as a whole: `store` or `file`."""
        self._space = Space(dimension)
        self._seen: Version | None = None
        self._highest = 0
        self._unsaved = 0

    def __len__(self) -> int:
        return len(self._space)

    def cosines(self, query: Vectors, which: Filter) -> tuple[Seqs, Vectors]:
        """Places and cosines of all that count and have a vector, in no order. `query`: (dimension,), unit length."""
        self.refresh()
        allowed = None if which.plain else np.array(self.store.seqs(which), np.int64)
        coming = [] if which.expired else self.store.coming()
        return self._space.cosines(np.asarray(query, np.float32), which, self.store.now(), allowed, coming)

    def search(self, query: Vectors, which: Filter, limit: int) -> tuple[Seqs, Vectors]:
        """Places and cosines of the nearest `limit` that count, nearest first."""
        seqs, cosines = self.cosines(query, which)
        if len(seqs) > limit:
            best = np.argpartition(cosines, len(cosines) - limit)[len(cosines) - limit :]
            seqs, cosines = seqs[best], cosines[best]
        order = np.lexsort((-seqs, -cosines))
        return seqs[order], cosines[order]

    def vectors(self, seqs: Sequence[int]) -> dict[int, Vectors]:
        """The vectors of records, by place; those without one are left out."""
        self.refresh()
        return self._space.vectors(seqs)

    def refresh(self) -> None:
        """Follow the store; nothing is read when nothing changed."""
        if self._seen is not None and self._seen.generation == self.store.generation():
            return
        with self.store.reading():
            version = self.store.version()
            seen = self._seen
            if seen is not None and seen.epoch == version.epoch and seen.generation <= version.generation:
                self._follow(seen.generation)
            else:
                self._load(version)
            self._seen = version
        if self._unsaved > max(SAVE_FROM, SAVE_SHARE * len(self)) and not self.store.inside:
            with self.store.impatient():  # a search waits for no writer
                self.save()
            self._unsaved = 0  # where it could not be, it is tried again after as many more

    def save(self) -> bool:
        """Write the file; False where there is nothing to write it to, or it could not be."""
        path = self.store.cache_path
        if path is None:
            return False
        try:
            with self.store.writing():
                self._save(path)
        except LockedError:
            logging.getLogger(__name__).info("vectors are cached later: another process writes to the memory")
            return False
        except (OSError, PocketError) as error:
            logging.getLogger(__name__).warning("vectors are not cached in `%s`: %s", path, error)
            return False
        self._unsaved = 0
        return True

    def _save(self, path: Path) -> None:
        """Part of a transaction: nobody writes meanwhile, and the file belongs to this very state."""
        version = self.store.version()
        if self._seen is None:
            self._load(version)
        elif self._seen != version:
            self._follow(self._seen.generation)
        self._seen = version
        header = cache.Header(
            cache.FORMAT,
            self.identity,
            self.dimension,
            version.generation - version.undone,
            version.epoch - version.undone,
            self._highest,
            len(self),
        )
        for old in path.parent.glob(f"{path.name}.*"):
            old.unlink(missing_ok=True)  # of a process that was killed while it wrote
        parts = [(group.seqs, group.matrix) for group in self._space.groups.values()]
        cache.write(path, header, parts, self.store.keep_mark)

    def _load(self, version: Version) -> None:
        """All vectors, from the file where it is the one, else from the store."""
        roll = self.store.roll()
        self._space, self.source, self._unsaved = Space(self.dimension), "store", 0
        self._space.reserve(roll)
        self._highest = int(roll.seqs[-1]) if len(roll.seqs) else 0
        kept = self._kept(version)
        if kept is not None:
            self._take(kept, self.store.changed(kept.header.generation + version.undone), roll)
            self.source = "file"
        else:
            for page in self.store.vector_pages(self.identity, CHUNK):
                seqs, matrix = self._matrix(page)
                self._space.load(seqs, matrix, roll)
                self._unsaved += len(seqs)
        self._space.end(roll)
        self.lacking = {seq for seq in roll.seqs.tolist() if seq not in self._space}
        if kept is not None and self.lacking:
            self._read({seq: (facets, end) for seq, facets, end in self.store.facets(sorted(self.lacking))})

    def _take(self, kept: cache.Kept, changed: Sequence[int], roll: Roll) -> None:
        """What a file holds, but for what was changed since it was written."""
        seqs, vectors = kept.seqs, kept.vectors
        if changed:
            same = ~np.isin(seqs, np.array(changed, np.int64))
            seqs, vectors = seqs[same], vectors[same]
        self._space.load(seqs, vectors, roll)

    def _kept(self, version: Version) -> cache.Kept | None:
        path = self.store.cache_path
        kept = None if path is None else cache.read(path, version.cache)
        if kept is None:
            return None
        head = kept.header
        epoch, generation = version.epoch - version.undone, version.generation - version.undone
        fits = (head.identity, head.dimension, head.epoch) == (self.identity, self.dimension, epoch)
        return kept if fits and head.generation <= generation else None

    def _follow(self, generation: int) -> None:
        """What was added, changed and removed since a generation."""
        changed = self.store.changed(generation)
        of = {seq: (facets, end) for seq, facets, end in self.store.facets(since=self._highest)}
        of.update((seq, (facets, end)) for seq, facets, end in self.store.facets(changed))
        self._space.drop(changed)
        self.lacking.difference_update(changed)
        self._highest = max(self._highest, max(of, default=0))
        self._read(of)

    def _read(self, of: dict[int, tuple[Facets, str | None]]) -> None:
        """The vectors of these records, from the store."""
        wanted = list(of)
        for start in range(0, len(wanted), CHUNK):
            seqs, matrix = self._matrix(self.store.vectors_at(self.identity, wanted[start : start + CHUNK]))
            self._space.fill(seqs.tolist(), matrix, of)
            self._unsaved += len(seqs)
        self.lacking.difference_update(seq for seq in wanted if seq in self._space)
        self.lacking.update(seq for seq in wanted if seq not in self._space)

    def _matrix(self, rows: Sequence[tuple[int, bytes]]) -> tuple[Seqs, Vectors]:
        """Places (rows,) and vectors (rows, dimension); one of another length is none."""
        whole = [row for row in rows if len(row[1]) == 4 * self.dimension]
        flat = np.frombuffer(b"".join(vector for _, vector in whole), np.float32)
        return np.array([seq for seq, _ in whole], np.int64), flat.reshape(len(whole), self.dimension)
