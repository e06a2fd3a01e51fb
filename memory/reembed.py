"""Vectors for records that have none of the embedder in use: after a change of model, or of an embedding that failed.

Keyword search serves meanwhile, and finds every record; each vector counts as soon as it is there. Newest records come
first. A text that can't be embedded is passed over and tried again in the next run: it hides no other.
"""

import atexit
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memory.store import MemoryStore
from runtime.contract import CancelToken, Embedder, PocketError

BATCH = 32
"""Texts embedded in one transaction: about 0.15 s, after which another writer may go on."""
FEW = 8
"""Records that may wait for a vector before it is left to a thread: a search embeds so many itself, in 0.04 s."""
GIVE_UP = 3
"""Batches in a row without a vector after which the embedder is taken to be out of order."""


@dataclass(frozen=True)
class Embedding:
    """What a run did."""

    embedded: int
    """Records that have a vector now."""
    failed: int
    """Records whose text could not be embedded."""
    left: int
    """Records that still have none."""


class Reembedder:
    """Embeds what lacks a vector, a batch at a time."""

    def __init__(self, store: MemoryStore, embedder: Embedder, batch: int = BATCH) -> None:
        self.store, self.embedder, self.batch = store, embedder, batch
        self._before: int | None = None

    def left(self) -> int:
        """Records without a vector of this embedder."""
        return self.store.lacking(self.embedder.identity)

    def step(self) -> tuple[int, int] | None:
        """Embed one batch: how many were, how many could not be; None: all records were looked at."""
        rows = self.store.without_vector(self.embedder.identity, self.batch, self._before)
        if not rows:
            self._before = None
            return None
        self._before = rows[-1][0]
        vectors = self._embed([text for _, text in rows])
        made = {seq: vector for (seq, _), vector in zip(rows, vectors, strict=True) if vector is not None}
        self.store.put_vectors(self.embedder.identity, made)
        return len(made), len(rows) - len(made)

    def run(self, cancel: CancelToken | None = None) -> Embedding:
        """Embed all, until cancelled or until the embedder is out of order."""
        embedded = failed = idle = 0
        while idle < GIVE_UP and not (cancel is not None and cancel.cancelled):
            done = self.step()
            if done is None:
                break
            embedded, failed = embedded + done[0], failed + done[1]
            idle = 0 if done[0] else idle + 1
        return Embedding(embedded, failed, self.left())

    def _embed(self, texts: Sequence[str]) -> list[npt.NDArray[np.float32] | None]:
        """A vector for each text; where a batch fails, its texts are tried one by one."""
        try:
            vectors = np.asarray(self.embedder.embed(texts), np.float32)
            if vectors.shape != (len(texts), self.embedder.dimension):
                raise ValueError(f"{vectors.shape} numbers instead of ({len(texts)}, {self.embedder.dimension})")
            return [vector if np.isfinite(vector).all() else None for vector in vectors]
        except (PocketError, RuntimeError, ValueError, OSError) as error:
            if len(texts) == 1:
                logging.getLogger(__name__).warning("one record has no vector, keywords find it: %s", error)
                return [None]
            return [vector for text in texts for vector in self._embed([text])]


class Background:
    """A re-embedding in a thread of its own, over the store's file."""

    def __init__(self, path: Path, embedder: Embedder) -> None:
        self.path, self.embedder = path, embedder
        self.done: Embedding | None = None
        """What it did, once it has ended in order."""
        self._cancel = CancelToken()
        self._thread = threading.Thread(target=self._work, name="re-embedding", daemon=True)

    def start(self) -> "Background":
        """Begin. The end of the process stops it, after the batch it is at."""
        atexit.register(self.stop)
        self._thread.start()
        return self

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for its end; False when it still works."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def stop(self) -> None:
        """End it after the batch it is at; what it did so far stays."""
        self._cancel.cancel()
        self._thread.join()
        atexit.unregister(self.stop)

    def _work(self) -> None:
        try:
            store = MemoryStore(self.path)
            try:
                self.done = Reembedder(store, self.embedder).run(self._cancel)
            finally:
                store.close()
        except PocketError as error:
            logging.getLogger(__name__).warning("re-embedding stopped, it goes on at the next start: %s", error)


class Backlog:
    """What a search does about records without a vector: it embeds a few itself, and leaves many to a thread."""

    def __init__(self, store: MemoryStore, embedder: Embedder) -> None:
        self.store, self.embedder = store, embedder
        self.work: Background | None = None
        """The thread, once there was one."""

    def at_once(self, waiting: int) -> bool:
        """Whether `waiting` records are to be embedded now; where not, a thread is on it, or has tried in vain."""
        if self.store.path is None or waiting <= FEW:
            return True
        if self.work is None or (self.work.wait(0) and self.work.done is not None and self.work.done.embedded):
            self.work = Background(self.store.path, self.embedder).start()
        return False

    def close(self) -> None:
        """Stop the thread."""
        if self.work is not None:
            self.work.stop()
