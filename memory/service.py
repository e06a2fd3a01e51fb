"""The front door of the room: everything that is done with one user's memories, by record id.

1. Access first: every read goes through the caller's filter before anything is scored, every change through a check.
2. A text is embedded before its transaction. A failed embedding leaves a record that keywords find, and that gets its
   vector later.
3. What a person adds is the user's own word; what a run captures keeps the trust of whoever said it.
4. Rules of retrieval, lifecycle and erasure stand in those rooms; each is loaded when it is first needed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from memory.access.access import Access, device_access
from memory.access.rights import Action
from memory.records import Category, Intention, Kind, MemoryRecord, NewRecord, Trust, kind_for, moment
from memory.store import Embedded, Filter, MemoryStore
from memory.transfer import Imported, lines, read_lines, take
from runtime.contract import CancelToken, Embedder, ErrorCode, Json, TextModel, ToolFailure

if TYPE_CHECKING:
    from memory.erasure import Eraser, Receipt
    from memory.lifecycle.reports import MaintenanceReport
    from memory.lifecycle.turns import CaptureReport, Scope, SourceTurn
    from memory.retrieval import EvidenceSet, Retriever

MOST_LISTED = 10**9
ALL = Filter(standing=(), expired=True)
"""Every record, whatever its standing."""


class MemoryService:
    """One store, as one caller sees it. `path` None keeps it in memory."""

    def __init__(
        self,
        path: Path | None,
        embedder: Embedder | None = None,
        clock: Callable[[], datetime] = datetime.now,
        *,
        access: Access | None = None,
        model: TextModel | None = None,
        eraser: Callable[[MemoryStore], "Eraser"] | None = None,
    ) -> None:
        """`access` None: the device's own user. `eraser` None: forgetting reaches the files beside the store alone."""
        self.store = MemoryStore(path, clock)
        self.embedder, self.model, self.clock = embedder, model, clock
        self.access = access or device_access()
        self._make_eraser = eraser

    @cached_property
    def retriever(self) -> "Retriever":
        """Finds evidence."""
        from memory.retrieval import Retriever

        return Retriever(self.store, self.embedder)

    @cached_property
    def eraser(self) -> "Eraser":
        """Forgets for good."""
        from memory.erasure import Eraser

        path = self.store.path
        return self._make_eraser(self.store) if self._make_eraser else Eraser([path.parent] if path else [], self.store)

    # looking

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        kinds: Sequence[Kind] = (),
        categories: Sequence[Category] = (),
        budget: int | None = None,
        as_of: str | None = None,
        mode: Literal["relevance", "recent"] = "relevance",
    ) -> "EvidenceSet":
        """The evidence for a question, within `budget` tokens; `as_of`: what held at that time."""
        which = self._filter(kinds).model_copy(update={"categories": tuple(categories)})
        at = _moment("as_of", as_of)
        return self.retriever.search(query, filter=which, limit=limit, budget_tokens=budget, as_of=at, mode=mode)

    def listed(
        self, *, kinds: Sequence[Kind] = (), every: bool = False, as_of: str | None = None, limit: int = MOST_LISTED
    ) -> list[MemoryRecord]:
        """Records that hold now, or at `as_of`, newest first; `every`: whatever their standing."""
        update: Json = {"as_of": Filter(as_of=_moment("as_of", as_of)).as_of}
        if every:
            update |= {"standing": (), "expired": True}
        which = self._filter(kinds).model_copy(update=update)
        return [record for _, record in self.store.newest(limit, which)]

    def shown(self, memory_id: str) -> tuple[MemoryRecord, list[MemoryRecord], list[MemoryRecord]]:
        """A record, those that it replaced (newest first), and those that replaced it (oldest first)."""
        record = self._known(memory_id, Action.READ)
        before, after = [], []
        one: MemoryRecord | None = record
        while one is not None and one.supersedes and (one := self.store.get(one.supersedes)) is not None:
            before.append(one)
        one = record
        while one is not None and (one := self.store.heir(one.id)) is not None:
            after.append(one)
        return record, before, after

    def stats(self) -> Json:
        """Counts of the caller's records, and the state of the store."""
        counts: dict[str, dict[str, int]] = {}
        for _, record in self.store.records(self._filter().model_copy(update={"standing": (), "expired": True})):
            kind = counts.setdefault(record.kind.value, {})
            kind[record.standing] = kind.get(record.standing, 0) + 1
        identity = self.embedder.identity if self.embedder is not None else ""
        path = self.store.path
        beside = sorted(path.parent.glob(f"{path.name}*")) if path is not None else []
        return {
            "records": sum(kind.get("active", 0) for kind in counts.values()),
            "by_kind": dict(sorted(counts.items())),
            "without_vector": self._without_vector(identity),
            "embedder": identity,
            "generation": self.store.generation(),
            "files_mb": {file.name: round(file.stat().st_size / 1e6, 3) for file in beside},
            "problems": self.store.check(),
        }

    # changing

    def add(
        self,
        content: str,
        category: Category = Category.INFO,
        *,
        kind: Kind | None = None,
        trust: Trust = Trust.USER,
        **more: Any,
    ) -> MemoryRecord:
        """A new record of the caller's; `more` are further fields of `NewRecord`. A 400 names a field that is wrong.

        The user's own word closes what it says otherwise about (lifecycle/supersede.py); an agent's stands beside it.
        """
        own = {"user": self.access.user, "workspace": self.access.workspace, "agent": self.access.agent}
        given = {**own, "kind": kind or kind_for(category), **more}
        new = NewRecord.of(content=content, category=category, trust=trust, **given)
        self.access.require(Action.CREATE)
        embedded = self.embed([new.content])[0]
        if trust is not Trust.USER:
            return self.store.insert(new, embedded)
        from memory.lifecycle.supersede import write

        return write(self.store, new, embedded, self._scope().own()).record

    def intend(
        self,
        content: str,
        *,
        at: str | None = None,
        event: str = "",
        expires_at: str | None = None,
        trust: Trust = Trust.USER,
    ) -> MemoryRecord:
        """Something that is still to be done, at a time or at an event; see `due`."""
        from memory.lifecycle.prospective import intend

        self.access.require(Action.CREATE)
        at, expires_at = _moment("at", at), _moment("expires_at", expires_at)
        intention = Intention(condition=event or f"at {at}", at=at, event=event, expires_at=expires_at)
        return intend(self.store, content, intention, self._scope(), self.embedder, trust)

    def correct(self, memory_id: str, content: str, *, trust: Trust = Trust.USER) -> MemoryRecord:
        """The successor of a record, which stays, closed."""
        self.holding(memory_id, Action.MODIFY)
        text = NewRecord.of(kind=Kind.USER_MODEL, category=Category.INFO, content=content).content
        return self.store.replace(memory_id, text, embedded=self.embed([text])[0], trust=trust)

    def doomed(self, memory_ids: Sequence[str]) -> list[MemoryRecord]:
        """What forgetting these would delete: each with all that it replaced."""
        found: dict[str, MemoryRecord] = {}
        for memory_id in memory_ids:
            self._known(memory_id, Action.DELETE)
            record, before, _ = self.shown(memory_id)
            found |= {one.id: one for one in (record, *before)}
        return list(found.values())

    def forget(self, memory_ids: Sequence[str]) -> "Receipt":
        """Delete records for good, everywhere; the receipt says what was deleted where, and what is left."""
        for memory_id in memory_ids:
            self._known(memory_id, Action.DELETE)
        receipt = self.eraser.forget(memory_ids, by=self.access.name)
        self.forgotten()
        return receipt

    def forgotten(self) -> None:
        """Drop what this process may remember of texts that are gone."""
        if "retriever" in self.__dict__:
            self.retriever.forget()

    def embed(self, texts: Sequence[str]) -> list[Embedded | None]:
        """The vectors of texts; None each without an embedder, or when it fails."""
        from memory.lifecycle.embedding import embed

        return embed(self.embedder, texts)

    # a life

    def capture(self, turns: Sequence["SourceTurn"], shown: Sequence[str] = ()) -> "CaptureReport":
        """Keep what was said, without a model call; `shown` are memories that were in the context, which aren't new."""
        from memory.lifecycle.capture import capture

        self.access.require(Action.CREATE)
        return capture(self.store, turns, self.embedder, self._scope(), shown=shown)

    def maintain(self, cancel: CancelToken | None = None) -> "MaintenanceReport":
        """Consolidate, supersede, archive, embed what lacks a vector."""
        from memory.lifecycle.maintain import Maintenance

        return Maintenance(self.store, self.embedder, self.model, self._scope()).run(cancel=cancel)

    def due(self, event: str = "") -> list[MemoryRecord]:
        """Intentions that become due now, or by an event; each is given once."""
        from memory.lifecycle.prospective import due

        return due(self.store, self.store.now(), event, self._scope())

    # in and out

    def exported(self) -> Iterator[str]:
        """The caller's records as JSONL, superseded ones too, oldest first."""
        which = self._filter().model_copy(update={"standing": (), "expired": True})
        return lines(record for _, record in self.store.records(which))

    def imported(self, given: Iterable[str], name: str) -> Imported:
        """Take records from JSONL, all or none; they become the caller's. `name` is the file's, for messages."""
        self.access.require(Action.CREATE)
        own = {"user": self.access.user, "workspace": self.access.workspace}
        records = [record.model_copy(update=own) for record in read_lines(given, name)]
        return take(self.store, records, self.embed)

    def close(self) -> None:
        """Close the files."""
        if "eraser" in self.__dict__:
            self.eraser.close()
        if "retriever" in self.__dict__:
            self.retriever.meaning.close()
        self.store.close()

    def _scope(self) -> "Scope":
        from memory.lifecycle.turns import Scope

        return Scope(workspace=self.access.workspace, user=self.access.user, agent=self.access.agent)

    def _filter(self, kinds: Sequence[Kind] = ()) -> Filter:
        return self.access.filter([Kind(kind) for kind in kinds], now=self.clock())

    def visible(self) -> Filter:
        """The records that hold now and that the caller may see."""
        return self._filter()

    def holding(self, memory_id: str, action: Action) -> MemoryRecord:
        """A record that holds now and on which the caller may do this; 404, 403, or 409 for one that was replaced."""
        self._known(memory_id, action)
        return self.store.need(memory_id)

    def _known(self, memory_id: str, action: Action) -> MemoryRecord:
        """A record on which the caller may do this; 404 and 403 as `Access.require`."""
        record = self.store.get(memory_id)
        if record is None:
            record = self.store.need(memory_id)
        self.access.require(action, record)
        return record

    def _without_vector(self, identity: str) -> int:
        """How many records that hold now still wait for their vector."""
        waiting = {seq for seq, _ in self.store.without_vector(identity, MOST_LISTED)} if identity else set()
        return len(waiting.intersection(self.store.seqs(self._filter()))) if waiting else 0


def _moment(name: str, value: str | None) -> str | None:
    """A date or time that exists; else a 400."""
    try:
        return value and moment(value)
    except ValueError as error:
        message = f"`{name}` is `{str(value)[:40]}`: {error}; a date is written 2026-03-02 or 2026-03-02T09:00"
        raise ToolFailure(ErrorCode.BAD_ARGUMENT, message, argument=name) from None
