"""Vectors for what is written: as many as there are texts, None for each that has none. It never fails."""

import logging
from collections.abc import Sequence

from memory.store import Embedded
from runtime.contract import Embedder, PocketError

STEP = 32
"""Texts embedded at once."""


def embed(embedder: Embedder | None, texts: Sequence[str]) -> list[Embedded | None]:
    """A vector a text; None without an embedder, when it fails, or when what it gives is no unit vector.

    A record without a vector is found by its words, and embedded later.
    """
    if embedder is None:
        return [None] * len(texts)
    found: list[Embedded | None] = []
    for start in range(0, len(texts), STEP):
        found += _step(embedder, list(texts[start : start + STEP]))
    return found


def works(embedder: Embedder | None) -> bool:
    """Whether vectors can be had now."""
    return embedder is not None and _step(embedder, ["a word"])[0] is not None


def _step(embedder: Embedder, texts: list[str]) -> list[Embedded | None]:
    import numpy as np

    try:
        vectors = embedder.embed(texts)
        identity, shape = embedder.identity, (len(texts), embedder.dimension)
    except (PocketError, RuntimeError, ValueError, OSError) as error:
        logging.getLogger(__name__).warning("no vectors, keywords serve alone: %s", error)
        return [None] * len(texts)
    if vectors.shape != shape:
        logging.getLogger(__name__).warning("vectors of shape %s, expected %s", vectors.shape, shape)
        return [None] * len(texts)
    good = [bool(np.isfinite(vector).all()) for vector in vectors]
    return [Embedded(identity, vector) if fine else None for vector, fine in zip(vectors, good, strict=True)]
