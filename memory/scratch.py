"""Raw processing data of one task: kept while the task runs, cleared when it ends, however it ends.

Transcripts that wait for capture, tool output before it is summarised, prompts of a merge: what is needed to make
memories and must not outlive the task. In memory without a folder; with one, in files of 0600 under a folder of 0700
that is locked by its owner. A folder whose owner died is cleared by the next task.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from runtime.contract import UserError

LOCK = ".owner"
MAX_NAME = 80


class Scratch:
    """The raw data of one task; a context manager that clears it at the end."""

    def __init__(self, root: Path | None, task: str) -> None:
        """Open the task's folder under `root`, after clearing those whose owner is gone; None: in memory."""
        self.task = _name(task)
        self._held: dict[str, bytes] = {}
        self._lock: IO[bytes] | None = None
        self.folder: Path | None = None
        if root is not None:
            root.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.folder = root / self.task
            with _guarded(root):
                _clear_abandoned(root)
                self._own(self.folder)

    def _own(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True, mode=0o700)
        self._lock = (folder / LOCK).open("wb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise UserError(
                f"the task `{self.task}` is running in another process; give it a name of its own"
            ) from None

    def put(self, name: str, data: bytes) -> None:
        """Keep some data under a name; what stood there is gone."""
        if self.folder is None:
            self._held[_name(name)] = data
            return
        path = self.folder / _name(name)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)

    def get(self, name: str) -> bytes | None:
        """The data under a name; None when there is none."""
        if self.folder is None:
            return self._held.get(_name(name))
        try:
            return (self.folder / _name(name)).read_bytes()
        except FileNotFoundError:
            return None

    def names(self) -> list[str]:
        """Names that hold data, sorted."""
        if self.folder is None:
            return sorted(self._held)
        return sorted(path.name for path in self.folder.glob("*") if path.name != LOCK)

    def clear(self) -> None:
        """Forget everything; the task is over. Calling it again does nothing."""
        self._held.clear()
        if self.folder is not None and self._lock is not None:
            with _guarded(self.folder.parent):
                shutil.rmtree(self.folder)
                self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()


def clear_abandoned(root: Path) -> list[str]:
    """Remove the folders whose owner is gone; names of their tasks. Those of running tasks stay."""
    if not root.is_dir():
        return []
    with _guarded(root):
        return _clear_abandoned(root)


def _clear_abandoned(root: Path) -> list[str]:
    folders = [folder for folder in sorted(root.iterdir()) if folder.is_dir() and not folder.is_symlink()]
    cleared = [folder for folder in folders if not _owned(folder)]
    for folder in cleared:
        shutil.rmtree(folder)
    return [folder.name for folder in cleared]


def _owned(folder: Path) -> bool:
    """Whether a living process holds the lock of a task's folder."""
    with (folder / LOCK).open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


@contextmanager
def _guarded(root: Path) -> Iterator[None]:
    """One process at a time makes and clears folders."""
    with (root / LOCK).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _name(name: str) -> str:
    """A name that is one path component; a `UserError` for any other."""
    fine = 0 < len(name) <= MAX_NAME and name[0].isalnum() and all(sign.isalnum() or sign in "-_." for sign in name)
    if not fine:
        raise UserError(
            f"`{name[:MAX_NAME]}` can't name scratch data: use 1 to {MAX_NAME} letters, digits, `-`, `_`, `.`"
        )
    return name
