"""Finding records: keywords and meaning, each scaled to [0, 1] over the candidates, added.

1. Keywords: FTS5's BM25 over stemmed words. Words of the question are quoted, so that nothing in it is syntax; common
   ones are left out unless there is nothing else.
2. Meaning: cosine with every record that holds now, by an exact scan. Vectors of another embedder are never compared;
   what lacks one (planted, of an older model, failed before) is embedded at the next search, a few at a time.
3. Min-max sum keeps what the scores say; fusing ranks loses it, and finds less than keywords alone.
4. Without an embedder, or when it fails, keywords serve.
"""

import logging
import re
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory.records import Category, MemoryRecord
from memory.store import Embedded, Filter, MemoryStore, Vector
from runtime.contract import Embedder, PocketError

KEYWORD_LIMIT = 200
"""Records that keywords may name."""
BACKFILL = 64
"""Vectors made at one search."""
KEPT = 16384
"""Vectors of texts that a process remembers (25 MB): evaluation plants the same memories again and again."""
RECENT_POOL = 4
"""`newest` orders this many times `limit` of the most relevant records by time."""
MAX_WORDS = 32

_COMMON = """
a about all also am an and any are as at be been but by can could did do does for from had has have he her his how
i if in is it its like me my of on or our please she should so some than that the their them then there these they
this to up us was we were what when where which who will with would you your
"""
STOPWORDS = frozenset(_COMMON.split())


def match_expression(query: str) -> str:
    """Words of a question as an FTS5 expression; empty when it has none."""
    words = list(dict.fromkeys(re.findall(r"\w+", query.lower())))
    telling = [word for word in words if word not in STOPWORDS] or words
    return " OR ".join(f'"{word}"' for word in telling[:MAX_WORDS])


def scaled(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Scores on [0, 1] from the least to the greatest; equal ones are 1 if above 0, else 0."""
    if scores.size == 0:
        return scores
    low, high = float(scores.min()), float(scores.max())
    if high == low:
        return np.full_like(scores, 1.0 if high > 0 else 0.0)
    return (scores - low) / (high - low)


@dataclass(frozen=True)
class Vectors:
    """The vectors of the records that hold now, as one array."""

    generation: int
    """Of the store when they were read."""
    seqs: npt.NDArray[np.int64]
    """(n,) places."""
    categories: npt.NDArray[np.str_]
    """(n,) categories."""
    matrix: npt.NDArray[np.float32]
    """(n, dimension), unit length."""


@dataclass(frozen=True)
class Found:
    """A record with its score."""

    record: MemoryRecord
    """The record."""
    score: float
    """In [0, 1], comparable within one search."""


class Finder:
    """Searches one store."""

    def __init__(self, store: MemoryStore, embedder: Embedder | None = None) -> None:
        self.store, self.embedder = store, embedder
        self._vectors: Vectors | None = None
        self._kept: OrderedDict[tuple[str, str], Vector] = OrderedDict()

    def search(self, query: str, limit: int, category: Category | None = None, newest: bool = False) -> list[Found]:
        """The best records that hold now; `newest`: the most relevant ones, latest first."""
        scores = self._scores(query, category)
        wanted = limit * RECENT_POOL if newest else limit
        best = sorted(scores, key=lambda seq: (-scores[seq], -seq))[:wanted]
        records = self.store.by_seq(best)
        if newest:
            best = sorted(best, key=lambda seq: (records[seq].created_at, seq), reverse=True)
        return [Found(records[seq], scores[seq]) for seq in best[:limit]]

    def embed(self, content: str) -> Embedded | None:
        """The vector of one text; None without an embedder, or when it fails."""
        if self.embedder is None:
            return None
        vectors = self._embed(self.embedder, [content])
        return None if vectors is None else Embedded(self.embedder.identity, vectors[0])

    def _scores(self, query: str, category: Category | None) -> dict[int, float]:
        """The fused score of each candidate, by place."""
        expression = match_expression(query)
        words = self.store.matching(expression, _of(category), KEYWORD_LIMIT) if expression else {}
        seqs, cosines = self._cosines(query, category)
        near = dict(zip(seqs.tolist(), scaled(cosines).tolist(), strict=True))
        pool = list(dict.fromkeys((*near, *words)))
        keyword = scaled(np.array([words.get(seq, 0.0) for seq in pool]))
        parts = 2 if near else 1
        return {seq: (near.get(seq, 0.0) + score) / parts for seq, score in zip(pool, keyword.tolist(), strict=True)}

    def _cosines(self, query: str, category: Category | None) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Places and cosines of all candidates that have a vector."""
        nothing = np.empty(0, np.int64), np.empty(0, np.float64)
        if self.embedder is None or not query.strip():
            return nothing
        asked = self._embed(self.embedder, [query])
        if asked is None:
            return nothing
        self._backfill(self.embedder)
        vectors = self._current(self.embedder)
        chosen = slice(None) if category is None else np.flatnonzero(vectors.categories == category.value)
        return vectors.seqs[chosen], (vectors.matrix[chosen] @ asked[0]).astype(np.float64)

    def _current(self, embedder: Embedder) -> Vectors:
        """The array, read anew when the store has changed."""
        generation = self.store.generation()
        if self._vectors is None or self._vectors.generation != generation:
            rows = self.store.vectors(embedder.identity)
            flat = np.frombuffer(b"".join(vector for _, vector in rows), np.float32)
            seqs = [seq for seq, _ in rows]
            names = {seq: facets.category for seq, facets, _ in self.store.facets(seqs)}
            self._vectors = Vectors(
                generation,
                np.array(seqs, np.int64),
                np.array([names[seq] for seq in seqs], np.str_),
                flat.reshape(len(rows), embedder.dimension),
            )
        return self._vectors

    def _backfill(self, embedder: Embedder) -> None:
        missing = self.store.without_vector(embedder.identity, BACKFILL)
        vectors = self._embed(embedder, [content for _, content in missing]) if missing else None
        if vectors is not None:
            self.store.put_vectors(
                embedder.identity, {seq: vector for (seq, _), vector in zip(missing, vectors, strict=True)}
            )

    def _embed(self, embedder: Embedder, texts: list[str]) -> list[Vector] | None:
        """Vectors of texts, those seen lately from memory; None when the embedder fails, which is logged."""
        keys = [(embedder.identity, text) for text in texts]
        missing = list(dict.fromkeys(key for key in keys if key not in self._kept))
        try:
            made = embedder.embed([text for _, text in missing]) if missing else ()
        except (PocketError, RuntimeError, ValueError, OSError) as error:
            logging.getLogger(__name__).warning("no embedding, keywords serve alone: %s", error)
            return None
        known = {key: self._kept[key] for key in keys if key in self._kept}
        known.update(zip(missing, made, strict=True))
        for key in keys:
            self._kept[key] = known[key]
            self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return [known[key] for key in keys]

    def forget(self, content: str) -> None:
        """Drop what this process remembers of a text."""
        for key in [key for key in self._kept if key[1] == content]:
            del self._kept[key]
        self._vectors = None


def _of(category: Category | None) -> Filter:
    return Filter() if category is None else Filter(categories=(category,))
