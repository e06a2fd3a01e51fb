"""Vectors of a fixed list of texts, kept in a file: tool descriptions and example phrasings are embedded once.

The file is a plain `.npy` followed by a 32-byte seal: SHA-256 over key and array, the key being the embedder's identity
and the texts. What doesn't carry its seal (torn, flipped, renamed, of another model) is made anew, never used.
"""

import hashlib
import io
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory.embedder.encoder import Vectors
from runtime.contract.base import canonical_json
from runtime.contract.protocols import Embedder

SEAL_BYTES = 32


def cached_embeddings(embedder: Embedder, texts: Sequence[str], folder: Path) -> Vectors:
    """`embedder.embed(texts)`, read from `folder` when it was computed before.

    A folder that can't be written costs the next start its time, not this one its result: it is logged as a warning.
    """
    key = hashlib.sha256(canonical_json([embedder.identity, list(texts)]).encode("utf-8", "surrogatepass")).digest()
    path = folder / f"embeddings-{key.hex()[:24]}.npy"
    kept = _read(path, key, (len(texts), embedder.dimension))
    if kept is not None:
        return kept
    vectors = embedder.embed(texts)
    try:
        _write(path, key, vectors)
    except OSError as error:
        logging.getLogger(__name__).warning("embeddings are not cached in `%s`: %s", folder, error)
    return vectors


def _read(path: Path, key: bytes, shape: tuple[int, int]) -> Vectors | None:
    """The sealed array at `path`, or None when there is none that can be trusted."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    body, seal = data[:-SEAL_BYTES], data[-SEAL_BYTES:]
    if hashlib.sha256(key + body).digest() != seal:
        return None
    vectors = np.load(io.BytesIO(body), allow_pickle=False)
    return vectors if vectors.shape == shape and vectors.dtype == np.float32 else None


def _write(path: Path, key: bytes, vectors: Vectors) -> None:
    """Write beside `path` and rename, so that a reader sees the old file or the whole new one."""
    body = io.BytesIO()
    np.save(body, vectors, allow_pickle=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        part = Path(file.name)
        try:
            file.write(body.getvalue() + hashlib.sha256(key + body.getvalue()).digest())
            file.flush()
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
