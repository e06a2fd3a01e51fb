"""Installed checkpoints: a folder each, with an adapter file and a manifest that says where it comes from."""

import json
from pathlib import Path

from pydantic import Field, ValidationError

from runtime.contract import Json, Record, SetupError, UserError
from runtime.contract.base import Version
from runtime.planner.states import write_atomically

FOLDER = Path(__file__).parent / "checkpoints"
MANIFEST = "manifest.json"


class Manifest(Record):
    """What `manifest.json` holds; the trainer writes it, the runtime checks it."""

    contract: Version = 1
    """Contract version."""
    name: str
    """Name of the checkpoint and of its folder."""
    made_at: str
    """UTC, ISO 8601; the newest installed checkpoint is the default."""
    base: str
    """What it was trained from."""
    base_digest: str
    """First 16 hex digits of the SHA-256 of the base's GGUF file."""
    adapter: str
    """File name of the adapter beside this manifest."""
    adapter_digest: str
    """First 16 hex digits of its SHA-256."""
    data: tuple[Json, ...] = ()
    """Data sources with their licences."""
    recipe: Json = Field(default_factory=dict)
    """Everything needed to train it again."""
    seed: int = 0
    """Seed of the training."""
    scores: Json = Field(default_factory=dict)
    """What the gate measured."""


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `folder/manifest.json`."""
    write_atomically(folder / MANIFEST, (manifest.model_dump_json(indent=2) + "\n").encode())
    (folder / MANIFEST).chmod(0o644)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of one checkpoint; `SetupError` when it can't be read or its adapter is missing."""
    try:
        manifest = Manifest.model_validate(json.loads((folder / MANIFEST).read_text()))
    except (OSError, ValueError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        raise SetupError(f"checkpoint `{folder.name}` can't be read ({reason}). Install the project again.") from error
    if not (folder / manifest.adapter).is_file():
        raise SetupError(f"checkpoint `{folder.name}` lacks its file `{manifest.adapter}`. Install the project again.")
    return manifest


def installed(folder: Path = FOLDER) -> list[Path]:
    """Folders of the installed checkpoints, the newest last."""
    found = [path.parent for path in folder.glob(f"*/{MANIFEST}")]
    return sorted(found, key=lambda path: (read_manifest(path).made_at, path.name))


def choose(name: str, folder: Path = FOLDER) -> Path | None:
    """The checkpoint called `name`, or the newest; None where none is installed. `UserError` for an unknown name."""
    found = installed(folder)
    if not name:
        return found[-1] if found else None
    match = [path for path in found if path.name == name]
    if not match:
        names = ", ".join(f"`{path.name}`" for path in found) or "none"
        raise UserError(f"no checkpoint `{name}` (planner.checkpoint); installed: {names}. Name one of these.")
    return match[0]
