"""What the measurements share: opening a memory as an application does, feeding it turns, reading what it shows."""

import re
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from evalkit.bench.memory.prose import Said
from memory.access.access import device_access
from memory.lifecycle.turns import SourceTurn
from memory.records import Category, Kind, NewRecord, Trust
from memory.service import MemoryService
from memory.store import Embedded
from runtime.contract import Embedder

T = TypeVar("T")
NOW = datetime(2030, 1, 1, 9, 0)
"""The clock of a measured store: after all that was said."""
BATCH = 512
"""Records that are put in at a time, where filling is not what is measured."""


class Hashed:
    """A bag of words as a unit vector: an embedder that costs nothing, where meaning is not what is measured."""

    identity = "hashed words"
    dimension = 64

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(len(texts), 64)."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                vectors[row, zlib.crc32(word.encode("utf-8", "replace")) % self.dimension] += 1
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)


def opened(path: Path | None, embedder: Embedder | None, user: str = "user") -> MemoryService:
    """A memory at the fixed time."""
    return MemoryService(path, embedder, lambda: NOW, access=device_access(user))


def source(said: Said) -> SourceTurn:
    """A turn as capture takes it."""
    trust = Trust.USER if said.speaker == "user" else Trust.AGENT
    return SourceTurn(session=said.session, turn=f"{said.session}-{said.order}", order=said.order, speaker=said.speaker,
                      text=said.text, at=said.at, trust=trust)  # fmt: skip


def feed(service: MemoryService, turns: Iterable[Said]) -> int:
    """Capture a history, a session at a time; the number of turns."""
    count = 0
    for _, session in groupby(turns, key=lambda said: said.session):
        batch = [source(said) for said in session]
        service.capture(batch)
        count += len(batch)
    return count


def fill(service: MemoryService, texts: Iterator[str], count: int, user: str = "user") -> list[str]:
    """`count` records of texts, many a transaction, as they stand; the texts."""
    put: list[str] = []
    while len(put) < count:
        batch = [next(texts) for _ in range(min(BATCH, count - len(put)))]
        new = [NewRecord(kind=Kind.EPISODIC, category=Category.EVENT, content=text[:1000], user=user) for text in batch]
        embedder = service.embedder
        vectors: list[Embedded | None] = [None] * len(batch)
        if embedder is not None:
            vectors = [Embedded(embedder.identity, vector) for vector in embedder.embed(batch)]
        service.store.insert_many(zip(new, vectors, strict=True))
        put += batch
    return put


def texts_of(service: MemoryService, query: str, limit: int = 10, as_of: str | None = None) -> list[str]:
    """What a search shows, best first, in the words that were said."""
    return [
        item.record.original or item.record.content for item in service.search(query, limit=limit, as_of=as_of).items
    ]


def cpu_ms(work: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds of CPU of all threads of this process, and the result."""
    start = time.process_time_ns()
    result = work()
    return (time.process_time_ns() - start) / 1e6, result
