"""The file of the prototypes: bytes for the vectors, a manifest for where they come from."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import Field, ValidationError

from runtime.contract import Json, Record, SetupError, digest_of
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
    """Digest of the vectors and of their tools."""
    tools: int
    """Tools that have any."""
    phrasings: int
    """Phrasings that they were made of."""
    data: tuple[Json, ...] = ()
    """Sources with their licences."""
    recipe: Json = Field(default_factory=dict)
    """Everything needed to make them again."""


Prototypes = Mapping[str, Vectors]
"""Vectors of each tool by its name, (some, dimension), L2-normalised."""


def save_prototypes(folder: Path, vectors: Prototypes, manifest: PrototypesManifest) -> PrototypesManifest:
    """Write both files; the manifest comes back with the digest."""
    names = sorted(vectors)
    owners = np.repeat(np.arange(len(names)), [len(vectors[name]) for name in names]).astype(np.int16)
    stacked = np.concatenate([vectors[name] for name in names])
    steps = np.rint(stacked / np.abs(stacked).max(axis=1, keepdims=True) * STEPS).astype(np.int8)
    packed = io.BytesIO()
    np.savez_compressed(packed, vectors=steps, owners=owners, names=np.array(names))
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / VECTORS, packed.getvalue())
    made = manifest.model_copy(update={"digest": _digest(names, owners, steps)})
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
        with np.load(folder / VECTORS) as kept:
            steps, owners, names = kept["vectors"], kept["owners"], [str(name) for name in kept["names"]]
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise _damaged(VECTORS, error) from error
    if _digest(names, owners, steps) != manifest.digest:
        raise _damaged(VECTORS, ValueError("its digest is not the manifest's"))
    vectors = steps.astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {name: vectors[owners == index] for index, name in enumerate(names)}


def read_manifest(folder: Path = FOLDER) -> PrototypesManifest:
    """Where the prototypes come from."""
    try:
        return PrototypesManifest.model_validate_json((folder / MANIFEST).read_text())
    except (OSError, ValidationError) as error:
        raise _damaged(MANIFEST, error) from error


def _digest(names: Sequence[str], owners: npt.NDArray[np.int16], steps: npt.NDArray[np.int8]) -> str:
    return digest_of({"names": list(names), "owners": owners.tolist(), "vectors": steps.tobytes().hex()})


def _damaged(name: str, error: Exception) -> SetupError:
    reason = str(error).splitlines()[0]
    return SetupError(f"the prototypes' `{name}` can't be read ({reason}). Install the project again.")
