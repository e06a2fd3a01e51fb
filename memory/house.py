"""A user's memory on a device: the store in its folder, with everything that stands beside it.

    FOLDER/memory.sqlite3     the store            erasures.sqlite3   what is to be forgotten, until it is
           access.sqlite3     settings, rules      audit.sqlite3      who did what, under aliases
           contexts/          what is known, written out with a version

1. Files beside the store are made when they are first needed; a device whose user set nothing has the store alone.
2. An erasure that was interrupted is finished when the house is opened.
3. What has outlived its retention is forgotten for good by `maintain`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memory.access.access import Access, device_access
from memory.access.rights import Action
from memory.audit import Audit, Event
from memory.records import Kind, MemoryRecord, Trust
from memory.service import MemoryService
from memory.store import MemoryStore
from memory.transfer import Imported
from runtime.contract import CancelToken, Embedder, Erasable, Json, TextModel, ToolFailure

if TYPE_CHECKING:
    from memory.access.book import AccessBook
    from memory.access.context_files import ContextFiles
    from memory.access.settings import KindSetting
    from memory.access.sharing import Sharing
    from memory.erasure import Eraser, Receipt
    from memory.lifecycle.reports import MaintenanceReport


@dataclass(frozen=True)
class Reach:
    """How far forgetting reaches beyond the store."""

    roots: Sequence[Path] = ()
    """Folders of the user's data; every file under them is looked through."""
    caches: Sequence[Path] = ()
    """Folders whose files may go at any time."""
    checkpoints: Sequence[Path] = ()
    """Folders of checkpoints whose manifests say what they were trained on."""
    sinks: Callable[[], Sequence[Erasable]] = lambda: ()
    """Stores that erase by themselves, as traces do; opened when something is forgotten."""
    tokens: Callable[[str], Sequence[int]] | None = None
    """Token ids of a text in the planner's vocabulary."""


class House(MemoryService):
    """The memory of one user of a device, in a file."""

    def __init__(
        self,
        path: Path,
        embedder: Embedder | None = None,
        clock: Callable[[], datetime] = datetime.now,
        *,
        user: str = "user",
        workspace: str = "default",
        reach: Reach | None = None,
        model: TextModel | None = None,
    ) -> None:
        """Open the store, and finish what was interrupted."""
        self.folder, self.reach = path.parent, reach or Reach(roots=(path.parent,))
        super().__init__(path, embedder, clock, access=self._entered(user, workspace), model=model, eraser=self._eraser)
        if (self.folder / "erasures.sqlite3").is_file():
            self.eraser.resume()

    @cached_property
    def audit(self) -> Audit:
        """The log of who did what."""
        return Audit(self.folder / "audit.sqlite3")

    @cached_property
    def book(self) -> "AccessBook":
        """Tokens, rules and settings."""
        from memory.access.book import AccessBook

        return AccessBook(self.folder / "access.sqlite3", self.audit)

    @cached_property
    def sharing(self) -> "Sharing":
        """Shares experiences, less their personal details."""
        from memory.access.sharing import Sharing

        return Sharing(self.store, lambda text: self.embed([text])[0], self.audit)

    @cached_property
    def contexts(self) -> "ContextFiles":
        """What is known, written out for whoever can't ask the store."""
        from memory.access.context_files import ContextFiles

        return ContextFiles(self.folder / "contexts", self.store)

    # what the user wants

    def settings(self) -> list["KindSetting"]:
        """What the user wants for each type of record."""
        return [self.access.setting(kind) for kind in Kind]

    def wish(self, kind: Kind, **change: object) -> "KindSetting":
        """Change what the user wants for one type: `retention_days`, `reuse`, `sharing`; the setting as it is now."""
        from memory.access.settings import KindSetting

        kept = self.access.setting(Kind(kind)).model_dump()
        setting = KindSetting.model_validate({**kept, **change})
        self.book.set_wishes(self.access, setting)
        self.access = self.book.device(self.access.user, self.access.workspace)
        return setting

    def share(self, memory_id: str) -> MemoryRecord:
        """The shared experience made of one of the user's memories."""
        return self.sharing.share(self.access, memory_id)

    def withdraw(self, memory_id: str) -> "Receipt":
        """Delete what was shared of a memory for good; the memory stays."""
        return self.eraser.forget(self.sharing.to_withdraw(self.access, memory_id), by=self.access.name)

    # what the log shows beside

    def correct(self, memory_id: str, content: str, *, trust: Trust = Trust.USER) -> MemoryRecord:
        """As the service does."""
        record = super().correct(memory_id, content, trust=trust)
        self.audit.append(Event.CORRECTED, self.access.name, memory_id)
        return record

    def exported(self) -> Iterator[str]:
        """As the service does."""
        count = 0
        for line in super().exported():
            count += 1
            yield line
        self.audit.append(Event.EXPORTED, self.access.name, records=count)

    def imported(self, given: Iterable[str], name: str) -> Imported:
        """As the service does."""
        done = super().imported(given, name)
        self.audit.append(Event.IMPORTED, self.access.name, records=done.added)
        return done

    def maintain(self, cancel: CancelToken | None = None) -> "MaintenanceReport":
        """As the service does, after what has outlived its retention was forgotten."""
        if "book" in self.__dict__ or (self.folder / "access.sqlite3").is_file():
            from memory.access.retention import outlived

            for (user, _), ids in outlived(self.store, self.book.settings, self.clock()).items():
                self.eraser.forget(ids, "retention", by="system")
                self.audit.append(Event.EXPIRED, "system", f"user:{user}", records=len(ids))
        return super().maintain(cancel)

    def stats(self) -> Json:
        """As the service does, with the audit log among the problems."""
        report = super().stats()
        if (self.folder / "audit.sqlite3").is_file():
            report["problems"] += [f"audit log: {problem}" for problem in self.audit.verify()]
        return report

    def close(self) -> None:
        """Close the files."""
        for name in ("book", "audit"):
            if name in self.__dict__:
                self.__dict__[name].close()
        super().close()

    def _known(self, memory_id: str, action: Action) -> MemoryRecord:
        try:
            return super()._known(memory_id, action)
        except ToolFailure:
            if self.store.get(memory_id) is not None:  # it is there, and not for this caller
                self.audit.append(Event.DENIED, self.access.name, memory_id)
            raise

    def _entered(self, user: str, workspace: str) -> Access:
        if (self.folder / "access.sqlite3").is_file():
            return self.book.device(user, workspace)
        return device_access(user, workspace)

    def _eraser(self, store: MemoryStore) -> "Eraser":
        from memory.erasure import Eraser

        reach = self.reach
        roots = [*reach.roots, self.folder / "contexts"]
        return Eraser(roots, store, sinks=reach.sinks(), tokens=reach.tokens, checkpoints=reach.checkpoints,
                      caches=reach.caches, audit=self.audit)  # fmt: skip
