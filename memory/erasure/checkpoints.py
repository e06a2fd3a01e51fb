"""Which checkpoints had used what was erased: their manifests say from which records, episodes and data sets."""

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from memory.erasure.receipt import Trained

MANIFEST = "manifest.json"


def trained_on(folders: Sequence[Path], ids: Collection[str]) -> tuple[Trained, ...]:
    """Checkpoints under some folders whose manifest names one of these ids in its data or its recipe."""
    found: dict[Path, Trained] = {}
    for folder in folders:
        for path in sorted(folder.rglob(MANIFEST)):
            try:
                manifest = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            if not isinstance(manifest, dict):
                continue
            said = set(_strings([manifest.get("data"), manifest.get("recipe"), manifest.get("parents")]))
            used = sorted(said & set(ids))
            if used:
                name = str(manifest.get("name", path.parent.name))
                found[path.resolve()] = Trained(checkpoint=name, path=str(path), used=tuple(used))
    return tuple(found.values())


def _strings(value: Any) -> Iterator[str]:
    """All strings of a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
