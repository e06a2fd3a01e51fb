"""Small files of the cache folder: saved states of the static prefix, and digests of model files.

Both can be lost without harm. A state carries its own checksum; one that does not fit is deleted and built again.
Files are written beside their place and renamed, so that a reader never sees half of one.
"""

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

log = logging.getLogger(__name__)
KEPT_STATES = 8
"""Newest states that are kept (about 23 kB a token each)."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` with mode 0600, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


class StateStore:
    """States of static prefixes, one file each, named by model and ids."""

    def __init__(self, folder: Path, model: str) -> None:
        self._folder = folder / "prefix"
        self._model = model

    def path_of(self, ids: Sequence[int]) -> Path:
        """The file for these ids under this model."""
        text = json.dumps([self._model, list(ids)])
        return self._folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.state"

    def load(self, ids: Sequence[int]) -> bytes | None:
        """The state, or None where there is none that is whole."""
        path = self.path_of(ids)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data[32:]).digest() != data[:32]:
            log.warning("saved state `%s` is damaged; it is built again", path.name)
            self.drop(ids)
            return None
        return data[32:]

    def save(self, ids: Sequence[int], state: bytes) -> None:
        """Keep `state`; a folder that can't be written costs only the time to build it again."""
        try:
            write_atomically(self.path_of(ids), hashlib.sha256(state).digest() + state)
            files = sorted(self._folder.glob("*.state"), key=lambda file: file.stat().st_mtime)
            for old in files[:-KEPT_STATES]:
                old.unlink(missing_ok=True)
        except OSError as error:
            log.warning("the prefix's state is not saved: %s", error)

    def drop(self, ids: Sequence[int]) -> None:
        """Forget one state."""
        try:
            self.path_of(ids).unlink(missing_ok=True)
        except OSError as error:
            log.warning("the damaged state stays: %s", error)


def file_digest(path: Path, cache: Path) -> str:
    """First 16 hex digits of the file's SHA-256, remembered by path, size and time of change."""
    stat = path.stat()
    key = f"{path.resolve()}|{stat.st_size}|{stat.st_mtime_ns}"
    store = cache / "digests.json"
    try:
        known = json.loads(store.read_text())
        known = known if isinstance(known, dict) else {}
    except (OSError, ValueError):
        known = {}
    if isinstance(known.get(key), str):
        return str(known[key])
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:16]
    newest = dict([*known.items(), (key, digest)][-64:])
    try:
        write_atomically(store, json.dumps(newest).encode())
    except OSError as error:
        log.warning("the digest of `%s` is not remembered: %s", path.name, error)
    return digest
