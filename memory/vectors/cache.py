"""Vectors in a file beside the store, so that a process need not read them one by one: a FAISS index, and a cache.

1. The file is a line of JSON (embedder, dimension, the store's generation), the places of the records, and a flat FAISS
   index. It is written aside and renamed, so that a reader sees an old file or a whole new one.
2. The store keeps the SHA-256 of the file that was written last, in the transaction in which it was written. Any other
   file (torn, flipped, of another store, older than a backup that was put back) is not the one, and is never opened.
3. A file that does not fit costs the time to read the vectors from the store, and nothing else.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from memory.vectors.space import Seqs, Vectors, faiss

FORMAT = 1


class Header(NamedTuple):
    """What a file holds."""

    format: int
    """Of the file."""
    identity: str
    """The embedder's."""
    dimension: int
    """Length of a vector."""
    generation: int
    """The store's, when they were read."""
    epoch: int
    """Likewise."""
    highest: int
    """The last place that was known."""
    rows: int
    """Vectors."""


class Kept(NamedTuple):
    """What was read."""

    header: Header
    """What it is."""
    seqs: Seqs
    """(rows,) places."""
    vectors: Vectors
    """(rows, dimension)."""


def short(digest: bytes) -> int:
    """The part of a SHA-256 that the store keeps: 63 bits."""
    return int.from_bytes(digest[:8], "big") >> 1


def read(path: Path, mark: int) -> Kept | None:
    """The file that carries this mark, or None when there is none that can be trusted."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if not mark or short(hashlib.sha256(data).digest()) != mark:
        return None
    begin = data.index(b"\n") + 1  # a copy of the rest would cost as much as reading it
    header = Header(**json.loads(data[:begin]))
    if header.format != FORMAT:
        return None
    seqs = np.frombuffer(data, np.int64, header.rows, begin).copy()
    numbers = header.rows * header.dimension  # a flat index ends with its vectors; FAISS would copy them twice
    vectors = np.frombuffer(data, np.float32, numbers, len(data) - 4 * numbers)
    return Kept(header, seqs, vectors.reshape(header.rows, header.dimension))


def write(path: Path, header: Header, parts: list[tuple[Seqs, Vectors]], announce: Callable[[int], None]) -> None:
    """Write beside `path`, tell the mark to whoever keeps it, and rename. An `OSError` leaves the old file."""
    index = faiss().IndexFlatIP(header.dimension)
    for _, vectors in parts:
        index.add(vectors)
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            hashed = Hashed(file)
            hashed.write(json.dumps(header._asdict()).encode() + b"\n")
            for seqs, _ in parts:
                hashed.write(seqs.tobytes())
            faiss().write_index(index, faiss().PyCallbackIOWriter(hashed.write))
            file.flush()
        announce(short(hashed.digest.digest()))
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


class Hashed:
    """A file whose bytes are digested as they are written."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.digest = hashlib.sha256()

    def write(self, data: Any) -> int:
        """Write and digest."""
        self.digest.update(data)
        return self.file.write(data)
