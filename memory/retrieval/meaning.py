"""The side of retrieval that needs an embedder: the question's vector, cosines, vectors that are still missing.

Without an embedder, or when it fails, there are no cosines and keywords serve; nothing is hidden by it. Many records
without a vector (a change of model) are left to a thread, so that no search waits for them.
"""

import logging
from collections import OrderedDict

import numpy as np

from memory.reembed import Backlog
from memory.retrieval.context import Floats, Ints
from memory.retrieval.scoring import UNKNOWN
from memory.sqlite import LockedError
from memory.store import Filter, MemoryStore, Vector
from memory.vectors import VectorIndex
from runtime.contract import Embedder, PocketError

BACKFILL = 64
"""Missing vectors that are made at one search."""
KEPT = 16384
"""Vectors of texts that a process remembers (25 MB): evaluation plants the same memories again and again."""


class Meaning:
    """Cosines of one store's records with questions."""

    def __init__(self, store: MemoryStore, embedder: Embedder | None) -> None:
        self.store, self.embedder = store, embedder
        self.index = VectorIndex(store, embedder.identity, embedder.dimension) if embedder is not None else None
        self._backlog = Backlog(store, embedder) if embedder is not None else None
        self._kept: OrderedDict[str, Vector] = OrderedDict()

    def ready(self, text: str) -> Vector | None:
        """The vector of a question; None without one. What lacks a vector gets it, a few at a time."""
        if self.embedder is None or self.index is None or not text.strip():
            return None
        found = self.embed([text])
        if found is None:
            return None
        self.index.refresh()
        waiting = len(self.index.lacking)
        if waiting and self._backlog is not None and self._backlog.at_once(waiting):
            self._backfill(self.embedder)
        return found[0]

    def compared(self, vector: Vector | None, which: Filter) -> tuple[Ints, Floats]:
        """Places of all that count, and their cosines, `UNKNOWN` for those without a vector."""
        if vector is None or self.index is None:
            every = np.array(self.store.seqs(which), np.int64)
            return every, np.full(len(every), UNKNOWN)
        seqs, cosines = self.index.cosines(vector, which)
        if self.index.lacking:
            bare = np.array([seq for seq in self.store.seqs(which) if seq in self.index.lacking], np.int64)
            seqs, cosines = np.append(seqs, bare), np.append(cosines, np.full(len(bare), UNKNOWN))
        return seqs, cosines.astype(np.float64)

    def close(self) -> None:
        """End the thread that makes vectors, if there is one."""
        if self._backlog is not None:
            self._backlog.close()

    def forget(self) -> None:
        """Drop what this process remembers of texts."""
        self._kept.clear()

    def _backfill(self, embedder: Embedder) -> None:
        missing = self.store.without_vector(embedder.identity, BACKFILL)
        vectors = self.embed([content for _, content in missing]) if missing else None
        if vectors is not None:
            made = {seq: vector for (seq, _), vector in zip(missing, vectors, strict=True)}
            try:
                with self.store.impatient():  # a search waits for no writer; the next one tries again
                    self.store.put_vectors(embedder.identity, made)
            except LockedError:
                logging.getLogger(__name__).info("vectors are kept later: another process writes to the memory")
            except PocketError as error:
                logging.getLogger(__name__).warning("vectors that were missing are not kept: %s", error)

    def embed(self, texts: list[str]) -> list[Vector] | None:
        """Vectors of texts, those seen lately from memory; None when the embedder fails, which is logged."""
        if self.embedder is None:
            return None
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        try:
            made = self.embedder.embed(missing) if missing else np.empty((0, self.embedder.dimension), np.float32)
        except (PocketError, RuntimeError, ValueError, OSError) as error:
            logging.getLogger(__name__).warning("no embedding, keywords serve alone: %s", error)
            return None
        if made.shape != (len(missing), self.embedder.dimension) or not np.isfinite(made).all():
            logging.getLogger(__name__).warning("the embedder gave vectors of shape %s, keywords serve", made.shape)
            return None
        known = {text: self._kept[text] for text in texts if text in self._kept}
        known.update(zip(missing, made, strict=True))
        for text, vector in known.items():
            self._kept[text] = vector
            self._kept.move_to_end(text)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return [known[text] for text in texts]
