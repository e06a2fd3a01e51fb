"""The file of the prototypes: bytes for the vectors, a manifest for where they come from."""

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import Field, ValidationError

from runtime.contract import Json, Record, SetupError
from runtime.planner.states import write_atomically

Vectors = npt.NDArray[np.float32]
FOLDER = Path(__file__).parent
VECTORS, MANIFEST = "vectors.npz", "manifest.json"
STEPS = 127
"""Steps of a byte on each side of zero; a vector's largest part takes all of them."""


class PrototypesManifest(Record):
    """What `manifest.json` holds."""

    embedder: str
    """Identity of the embedder whose vectors they are."""
    digest: str
    """First 16 hex digits of the SHA-256 of the vectors' file."""
    tools: int
    """Tools that have any."""
    phrasings: int
    """Phrasings that they were made of."""
    data: tuple[Json, ...] = ()
    """Sources with their licences, and how many phrasings each gave."""
    there: tuple[str, ...] = ()
    """Tools that were there, whether or not anything was learned of them."""
    recipe: Json = Field(default_factory=dict)
    """How they were made: most means of a tool, seed, digest of the map from intents to tools."""


Prototypes = Mapping[str, Vectors]
"""Vectors of each tool by its name, (some or none, dimension), L2-normalised."""


def save_prototypes(folder: Path, vectors: Prototypes, manifest: PrototypesManifest) -> PrototypesManifest:
    """Write both files; the manifest comes back with the digest."""
    names = sorted(vectors)
    owners = np.repeat(np.arange(len(names)), [len(vectors[name]) for name in names]).astype(np.int16)
    stacked = np.concatenate([vectors[name] for name in names])
    steps = np.rint(stacked / np.abs(stacked).max(axis=1, keepdims=True) * STEPS).astype(np.int8)
    packed = io.BytesIO()
    np.savez_compressed(packed, vectors=steps, owners=owners, names=np.array(names))
    made = manifest.model_copy(update={"digest": _digest(packed.getvalue())})
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / VECTORS, packed.getvalue())
    write_atomically(folder / MANIFEST, (made.model_dump_json(indent=2) + "\n").encode())
    for name in (VECTORS, MANIFEST):
        (folder / name).chmod(0o644)
    return made


def load_prototypes(embedder: str, folder: Path = FOLDER) -> Prototypes:
    """Those of the embedder of this identity; none for another. `SetupError` where the files are damaged."""
    manifest = read_manifest(folder)
    if manifest.embedder != embedder:
        return {}
    try:
        packed = (folder / VECTORS).read_bytes()
    except OSError as error:
        raise _damaged(VECTORS, error.strerror or "missing") from error
    if _digest(packed) != manifest.digest:
        raise _damaged(VECTORS, "its digest is not the manifest's")
    with np.load(io.BytesIO(packed)) as kept:
        steps, owners, names = kept["vectors"], kept["owners"], [str(name) for name in kept["names"]]
    vectors = steps.astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    nothing = dict.fromkeys(manifest.there, vectors[:0])
    return {**nothing, **{name: vectors[owners == index] for index, name in enumerate(names)}}


def read_manifest(folder: Path = FOLDER) -> PrototypesManifest:
    """Where the prototypes come from."""
    try:
        return PrototypesManifest.model_validate_json((folder / MANIFEST).read_bytes())
    except OSError as error:
        raise _damaged(MANIFEST, error.strerror or "missing") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise _damaged(MANIFEST, f"{where}: {first['msg']}" if where else first["msg"]) from error


def _digest(packed: bytes) -> str:
    return hashlib.sha256(packed).hexdigest()[:16]


def _damaged(name: str, reason: str) -> SetupError:
    return SetupError(
        f"the prototypes' `{name}` can't be read ({reason}). Install the project again, or make them anew: "
        "pocket train prototypes --utterances DIR"
    )
