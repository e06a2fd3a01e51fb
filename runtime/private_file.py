"""Small files of the user that several processes change: mode 0600, whole on the disk, under a lock beside them."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Nobody else who asks changes `path` meanwhile; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def append(path: Path, text: str) -> None:
    """Add text at the end; on the disk when this returns."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "a", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def replace(path: Path, text: str) -> None:
    """Put text in place of all that is there: written beside it and renamed, so that no reader sees half of it."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    append(part, text)
    part.replace(path)
