"""What the shipped model is, where it comes from, and whether the files are the ones that were measured.

1. `Manifest` is the record in `model/manifest.json`, written by `memory.embedder.export`.
2. `problems` compares the files with it: size first, then SHA-256 (13 ms of CPU for the 23 MB, so every load does it).
"""

import hashlib
from pathlib import Path

from pydantic import Field, ValidationError

from runtime.contract.base import Record, digest_of
from runtime.contract.errors import SetupError

MODEL_FOLDER = Path(__file__).parent / "model"
"""Where the package carries its model."""
REINSTALL = "Reinstall pocketplanner, or rebuild with `python -m memory.embedder.export`."


class ShippedFile(Record):
    """One file beside the manifest."""

    name: str
    """File name inside the model folder."""
    size: int
    """Bytes."""
    sha256: str
    """Hex digest of the whole file."""


class Agreement(Record):
    """How near the quantised model is to the fp32 one, text by text."""

    texts: int
    """Number of texts compared."""
    source: str
    """Where they come from."""
    cosine_mean: float
    """Mean cosine between the two vectors of a text."""
    cosine_p01: float
    """First percentile of that cosine."""
    cosine_min: float
    """The worst one."""
    nearest_kept: float
    """Fraction of texts whose nearest other text is the same in both."""


class Manifest(Record):
    """The model's passport."""

    name: str
    """Short name; with the digest of the files it makes the embedder's identity."""
    base: str
    """The published model that was converted."""
    base_sha256: str
    """Digest of its fp32 weights file."""
    licence: str
    """Licence of the base model, and so of the converted file."""
    source: str
    """Package and version the weights were taken from."""
    recipe: str
    """How the files were made, in one line."""
    built_with: dict[str, str] = Field(default_factory=dict)
    """Library versions of the build."""
    dimension: int
    """Length of a vector."""
    max_tokens: int
    """Tokens of a text that the model reads, its two markers included; the rest is cut and counted."""
    graph: ShippedFile
    """The ONNX graph: ids and mask in, unit vector out."""
    weights: ShippedFile
    """The graph's tensors, apart so that they are mapped from the file and not copied (22 MB less of memory)."""
    tokenizer: ShippedFile
    """WordPiece vocabulary and rules, as published."""
    agreement: Agreement | None = None
    """Measured against fp32 at build time; None when the build was given no texts."""

    @property
    def identity(self) -> str:
        """Name and digest of the three files: vectors of different identities are never compared."""
        return f"{self.name}@{digest_of([file.sha256 for file in self.files])}"

    @property
    def files(self) -> tuple[ShippedFile, ShippedFile, ShippedFile]:
        """All that must lie beside the manifest."""
        return self.graph, self.weights, self.tokenizer


def describe(path: Path) -> ShippedFile:
    """Name, size and digest of the file at `path`."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return ShippedFile(name=path.name, size=path.stat().st_size, sha256=digest)


def read_manifest(folder: Path = MODEL_FOLDER) -> Manifest:
    """The manifest in `folder`; a missing or unreadable one is a `SetupError`."""
    path = folder / "manifest.json"
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        raise SetupError(f"the embedder's manifest `{path}` can't be read ({reason}). {REINSTALL}") from error


def problems(manifest: Manifest, folder: Path = MODEL_FOLDER) -> list[str]:
    """One sentence for each file that isn't the one in the manifest; empty when all is well."""
    found = []
    for want in manifest.files:
        path = folder / want.name
        if not path.is_file():
            found.append(f"the embedder's file `{path}` is missing. {REINSTALL}")
        elif (size := path.stat().st_size) != want.size:
            found.append(f"the embedder's file `{path}` has {size:,} bytes instead of {want.size:,}. {REINSTALL}")
        elif describe(path).sha256 != want.sha256:
            found.append(f"the embedder's file `{path}` differs from its digest {want.sha256[:16]}. {REINSTALL}")
    return found
