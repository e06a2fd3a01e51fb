"""Forgetting for good, and showing that it is so.

    journal (ids) -> hide the records -> sinks (traces) and files outside the store -> records, words, vectors, caches
                  -> look into every file, byte by byte -> receipt

1. The store's records go last: as long as they are there, an erasure that was interrupted knows what to look for. Until
   then they are archived, so that no search shows them.
2. `resume` finishes what was interrupted. Where the records had gone already, the files outside had been done before.
3. A file that can't be cleaned now (in use, not ours to change) is named in the receipt, which is then not complete.
"""

import re
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from memory.access.context_files import SUFFIX, shown_ids
from memory.audit import Event, Logs
from memory.erasure.files import clean_file, rebuild
from memory.erasure.journal import Journal
from memory.erasure.needles import TokenIds
from memory.erasure.plan import EVERY, RETENTION, Sought, closure, sought
from memory.erasure.receipt import Receipt
from memory.erasure.redact import redactor_for
from memory.erasure.report import Report
from memory.erasure.scan import Hit, Scan, files_under, is_sqlite, scan
from memory.records import MemoryRecord
from memory.sqlite import module
from memory.store import MemoryStore
from runtime.contract import Erasable, Erasure, ErrorCode, PocketError, ToolFailure

RUN_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")
"""A source of this form is the run that a record came from."""
ROUNDS = 3
"""Looks at the files, with cleaning between them."""


class Eraser:
    """Erases from one store and everything under some folders."""

    def __init__(
        self,
        home: Path | Sequence[Path],
        store: MemoryStore,
        *,
        sinks: Sequence[Erasable] = (),
        tokens: TokenIds | None = None,
        checkpoints: Sequence[Path] = (),
        caches: Sequence[Path] = (),
        journal: Path | None = None,
        audit: Logs | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`home`: the folders of the user's data. `sinks`: stores that erase by themselves, as traces do.

        `tokens`: token ids of a text in the planner's vocabulary. `checkpoints`: folders of checkpoints beside those
        under `home`. `caches`: folders whose files may go at any time; `cache` of each home is one. `journal`: else
        beside the store.
        """
        self.roots = [home] if isinstance(home, Path) else list(home)
        self.store, self.sinks, self.tokens, self.audit = store, sinks, tokens, audit
        self._checkpoints = [*checkpoints, *self.roots]
        self._caches = [*caches, *(root / "cache" for root in self.roots)]
        beside = store.path.with_name("erasures.sqlite3") if store.path is not None else None
        self.journal = Journal(journal or beside)
        self._clock = clock

    # asking

    def forget(self, ids: Sequence[str], subject: str = "", by: str = "user:user") -> Receipt:
        """Erase records by id, with what they replaced and what was made of them. A 404 where one isn't there.

        The subject `RETENTION` takes them alone.
        """
        for one in ids:
            if self.store.get(one) is None:
                raise ToolFailure(
                    ErrorCode.NOT_FOUND, f"there is no memory `{one[:80]}`; use an id that `search_user_memory` gave"
                )
        return self.erase(self.erasure(ids, subject or f"record:{' '.join(ids)[:80]}"), by)

    def forget_user(self, user: str, workspace: str | None = None, by: str = "") -> Receipt:
        """Erase all that belongs to one user, and what was made of it; nobody else's."""
        own = EVERY.model_copy(update={"user": user, "workspace": workspace})
        ids = [record.id for _, record in self.store.records(own)]
        return self.erase(self.erasure(ids, f"user:{user}"), by or f"user:{user}")

    def erasure(self, targets: Sequence[str], subject: str) -> Erasure:
        """The contract's record of a wish to be forgotten."""
        return Erasure(
            id=f"erasure-{secrets.token_hex(6)}", subject=subject, targets=tuple(targets), requested_at=self._now()
        )

    # doing

    def erase(self, erasure: Erasure, by: str = "user:user") -> Receipt:
        """Erase what is named, everywhere; the receipt says whether anything is left."""
        with self.journal.alone():
            known = self.journal.receipt(erasure.id) if self.journal.stage(erasure.id) == "done" else None
            return known or self._erase(erasure, by, resumed=False)

    def resume(self, by: str = "system") -> list[Receipt]:
        """Finish what was interrupted, unless another process is erasing right now."""
        with self.journal.alone(wait=False) as mine:
            return [self._erase(one.erasure, by, resumed=True) for one in self.journal.open()] if mine else []

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()

    def _erase(self, asked: Erasure, by: str, resumed: bool) -> Receipt:
        records = closure(self.store, asked.targets, alone=asked.subject == RETENTION)
        erasure = asked.model_copy(update={"targets": _targets(asked, records)})
        self.journal.begin(erasure)
        self._log(Event.ERASURE_RESUMED if resumed else Event.ERASURE_BEGUN, by, asked, records=len(records))
        ids = [record.id for record in records]
        self.store.archive(ids)
        report = Report(self.roots, erasure, tuple(ids), resumed)
        what = sought(self.store, records, self._vocabulary(report))
        report.notes += what.notes
        self._sinks(erasure, what, report)
        self._context_files(set(ids), report)
        self._outside(what, report)
        if report.busy:
            return self._finished(report, by, complete=False, over=False)
        self.store.remove(ids, alone=True)
        self.journal.at(erasure.id, "removed")
        if ids:
            report.did(self.store.path, len(ids), "records, words and vectors removed; vector cache dropped")
        emptied = self.store.scrub()
        if not emptied and self.store.path is not None:
            report.held.add(self.store.path)
        if not emptied or (resumed and not records):
            emptied = self._rebuilt(self.store.path, report)
        last = self._verified(what, report)
        report.trained(self._checkpoints)
        return self._finished(report, by, complete=emptied and not last.hits, over=emptied)

    def _vocabulary(self, report: Report) -> TokenIds | None:
        """Token ids of texts; without the planner's files they can't be looked for, and the receipt says so."""
        try:
            if self.tokens is not None and self.tokens("a"):
                return self.tokens
        except PocketError as error:
            report.notes += (f"token ids weren't searched for: {error}",)
            return None
        report.notes += ("token ids weren't searched for: no vocabulary was given",)
        return None

    def _sinks(self, erasure: Erasure, what: Sought, report: Report) -> None:
        for sink in self.sinks:
            try:
                report.sink(sink, sink.erase(erasure, what.whole))
            except PocketError as error:
                report.left(Path(str(getattr(sink, "path", "a sink"))), (), f"in use: {error}", busy=True)

    def _context_files(self, ids: set[str], report: Report) -> None:
        """Delete context files that show one of the records: they are out of date."""
        for path in files_under(self.roots):
            if path.name.endswith(SUFFIX) and shown_ids(path) & ids:
                path.unlink(missing_ok=True)
                report.did(path, 1, "deleted: a context file that is out of date")

    def _outside(self, what: Sought, report: Report) -> None:
        """Clean every file that holds something, the store's own left out."""
        for _ in range(ROUNDS):
            hits = scan(self.roots, what.needles, skip=self._stores).hits
            if not hits or not self._clean(hits, what, report):
                return

    def _clean(self, hits: Sequence[Hit], what: Sought, report: Report) -> bool:
        """Clean files; whether any was changed."""
        changed = False
        sinks = {Path(str(path)).resolve() for sink in self.sinks if (path := getattr(sink, "path", None)) is not None}
        for path in dict.fromkeys(hit.path for hit in hits):
            redactor = redactor_for([hit.needle for hit in hits if hit.path == path], what.texts, what.ids)
            file = _database(path)
            try:
                if file.resolve() in sinks and file not in report.rebuilt:
                    how = "free pages overwritten"
                    if not self._rebuilt(file, report):
                        raise module().OperationalError("its log is in use")
                else:
                    how = clean_file(file, redactor, self._caches)
            except FileNotFoundError:
                continue
            except (OSError, module().Error, ValueError, EOFError) as error:
                locked = isinstance(error, module().OperationalError)
                report.left(path, (), f"{type(error).__name__}: {error}"[:120], busy=locked)
                continue
            if how:
                report.did(path, 1, how)
                changed = True
        return changed

    def _verified(self, what: Sought, report: Report) -> Scan:
        """The last look: what stands in free pages or a log is overwritten first."""
        seen = scan(self.roots, what.needles, self._own())
        files = {_database(hit.path) for hit in seen.hits}
        databases = [path for path in files if path.is_file() and is_sqlite(path)]
        if databases:
            for path in databases:
                self._rebuilt(path, report)
            seen = scan(self.roots, what.needles, self._own())
        report.looked(seen)
        for path in dict.fromkeys(hit.path for hit in seen.hits):
            forms = tuple(sorted({hit.needle.form for hit in seen.hits if hit.path == path}))
            report.left(path, forms, "it can't be changed, or is in use")
        return seen

    def _rebuilt(self, path: Path | None, report: Report) -> bool:
        if path is None:
            return True
        done = rebuild(path, again=path in report.held)
        if not done:
            report.held.add(path)
        if done:
            report.rebuilt.add(path)
            report.did(path, 0, "rebuilt, log emptied")
        return done

    def _own(self) -> list[Path]:
        """The store's files, which may lie elsewhere."""
        path = self.store.path
        return [] if path is None else sorted(path.parent.glob(f"{path.name}*"))

    def _stores(self, path: Path) -> bool:
        """Whether a file is the store's: the database, its log, its vector cache."""
        own = self.store.path
        return own is not None and path.resolve().parent == own.resolve().parent and path.name.startswith(own.name)

    def _finished(self, report: Report, by: str, complete: bool, over: bool) -> Receipt:
        """Keep the receipt; `over`: another try would change nothing."""
        receipt = report.receipt(self._now(), complete)
        self.journal.keep(receipt, done=over)
        self.journal.empty_log()
        event = Event.ERASED if receipt.complete else Event.ERASURE_INCOMPLETE
        counts = {"records": len(receipt.records), "others": len(receipt.others), "left": len(receipt.left)}
        self._log(event, by, report.erasure, **counts)
        return receipt

    def _log(self, event: Event, by: str, erasure: Erasure, **counts: int) -> None:
        if self.audit is not None:
            self.audit.append(event, by, erasure.subject, **counts)

    def _now(self) -> str:
        return self._clock().isoformat(timespec="seconds")


def _targets(asked: Erasure, records: Sequence[MemoryRecord]) -> tuple[str, ...]:
    """What was asked for, all records that go with it, and the runs that they came from."""
    ids = [record.id for record in records]
    runs = [name for record in records for name in (record.source, record.session) if RUN_ID.fullmatch(name)]
    return tuple(dict.fromkeys((*asked.targets, *ids, *runs)))


def _database(path: Path) -> Path:
    """The database that a log belongs to; else the file itself."""
    for suffix in ("-wal", "-shm", "-journal"):
        if path.name.endswith(suffix):
            return path.with_name(path.name.removesuffix(suffix))
    return path
