"""Gathers what an erasure did, store by store, for its receipt."""

from collections.abc import Sequence
from pathlib import Path

from memory.erasure.checkpoints import trained_on
from memory.erasure.receipt import Leftover, Looked, Receipt, Trained
from memory.erasure.scan import Scan, links_out
from runtime.contract import Erasable, Erased, Erasure

_LOGS = ("-wal", "-shm", "-journal")
_BESIDE = (".lock", ".key", ".anchor")
"""What stands beside a database and belongs to it."""


class Report:
    """What happened so far."""

    def __init__(self, roots: Sequence[Path], erasure: Erasure, records: tuple[str, ...], resumed: bool) -> None:
        self.roots, self.erasure, self.records, self.resumed = roots, erasure, records, resumed
        self.notes: tuple[str, ...] = ()
        self.others: list[str] = []
        self.rebuilt: set[Path] = set()
        """Databases that were rebuilt."""
        self.held: set[Path] = set()
        """Databases that somebody else was found to hold: they are not waited for again."""
        self.busy = False
        """A file is in use: the records stay, hidden, until it is cleaned."""
        self._looked: dict[str, Looked] = {}
        self._left: dict[str, Leftover] = {}
        self._opaque: list[Leftover] = []
        self._trained: tuple[Trained, ...] = ()

    def sink(self, sink: Erasable, erased: Erased) -> None:
        """What a store that erases by itself did."""
        path = getattr(sink, "path", None)
        name = self._store(Path(str(path))) if path is not None else erased.store
        self.others += erased.removed
        how = f"{len(erased.removed)} of {erased.looked_at} lost their words" if erased.removed else "nothing found"
        self._add(name, removed=len(erased.removed), how=how)

    def did(self, path: Path | None, count: int, how: str) -> None:
        """What was done to a file, and to how many items in it."""
        if path is not None:
            self._add(self._store(path), removed=count, how=how)

    def left(self, path: Path, forms: tuple[str, ...], why: str, busy: bool = False) -> None:
        """A file that still holds something."""
        self.busy = self.busy or busy
        self._left[str(path)] = Leftover(path=self._shown(path), forms=forms, why=why)

    def looked(self, seen: Scan) -> None:
        """The last look at all files. What it found clean is no longer left."""
        held = {str(hit.path) for hit in seen.hits}
        self._left = {path: one for path, one in self._left.items() if path in held or not Path(path).is_file()}
        for path, size in seen.files.items():
            self._add(self._store(path), files=1, size=size)
        self._opaque = [Leftover(path=self._shown(path), why="it can't be looked into") for path in seen.opaque]
        away = "a link that leads elsewhere: nobody looked there"
        self._opaque += [Leftover(path=str(path), why=away) for path in links_out(self.roots)]

    def trained(self, folders: Sequence[Path]) -> None:
        """Look for checkpoints that had used the data."""
        named = {*self.erasure.targets, *self.records, *self.others}
        self._trained = trained_on(folders, named)

    def receipt(self, now: str, complete: bool) -> Receipt:
        """The receipt."""
        return Receipt(
            erasure=self.erasure.id,
            subject=self.erasure.subject,
            requested_at=self.erasure.requested_at,
            finished_at=now,
            records=self.records,
            others=tuple(self.others),
            stores=tuple(self._looked[name] for name in sorted(self._looked)),
            left=tuple(self._left.values()),
            opaque=tuple(self._opaque),
            trained=self._trained,
            notes=self.notes,
            resumed=self.resumed,
            complete=complete and not self._left and not self.busy,
        )

    def _add(self, store: str, files: int = 0, size: int = 0, removed: int = 0, how: str = "") -> None:
        old = self._looked.get(store, Looked(store=store))
        hows = dict.fromkeys((*old.how, how) if how else old.how)
        self._looked[store] = Looked(store=store, files=old.files + files, size=old.size + size,
                                     removed=old.removed + removed, how=tuple(hows))  # fmt: skip

    def _store(self, path: Path) -> str:
        """The store that a file belongs to: a database with its log, a folder of other files."""
        shown = self._shown(path)
        for log in _LOGS:
            shown = shown.removesuffix(log)
        if path.suffix in _BESIDE and path.with_suffix(".sqlite3").is_file():
            shown = f"{shown.removesuffix(path.suffix)}.sqlite3"
        folder, _, name = shown.rpartition("/")
        return shown if ".sqlite3" in name or not folder else folder

    def _shown(self, path: Path) -> str:
        """The path under its root; else as it is."""
        for root in self.roots:
            if path.resolve().is_relative_to(root.resolve()):
                return str(path.resolve().relative_to(root.resolve()))
        return str(path)
