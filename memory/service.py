"""The front door of the room: everything that is done with one user's memories, by record id.

1. Access first: every read goes through the caller's filter before anything is scored, every change through a check.
2. A text is embedded before its transaction. A failed embedding leaves a record that keywords find, and that gets its
   vector later.
3. What a person adds is the user's own word; what a run captures keeps the trust of whoever said it.
4. Rules of retrieval, lifecycle and erasure stand in those rooms; each is loaded when it is first needed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from memory.access.access import Access, device_access
from memory.access.rights import Action
from memory.records import Category, Intention, Kind, MemoryRecord, NewRecord, Trust, kind_for, moment
from memory.store import Embedded, Filter, MemoryStore
from memory.transfer import Imported, lines, read_lines, take
from runtime.contract import CancelToken, Embedder, ErrorCode, InfrastructureError, Json, TextModel, ToolFailure

if TYPE_CHECKING:
    from memory.erasure import Eraser, Receipt
    from memory.lifecycle.reports import MaintenanceReport
    from memory.lifecycle.turns import CaptureReport, Scope, SourceTurn
    from memory.retrieval import EvidenceSet, Retriever

MOST_LISTED = 10**9
DUE_HOURS = 24
"""How long an intention that became due is shown where nobody settles it."""
END_OF_DAY = "T23:59:59.999"
"""What a day stands for as the end of something: behind its last second, which may be asked for."""
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
        after = self._chain(record, lambda one: self.store.heir(one.id))
        return record, self._chain(record, self.store.predecessor), after

    def _chain(self, record: MemoryRecord, step: Callable[[MemoryRecord], MemoryRecord | None]) -> list[MemoryRecord]:
        """Where `step` leads from a record, as far as the caller may read, each record once."""
        seen, found = {record.id}, []
        one = step(record)
        while one is not None and one.id not in seen and self.access.may(Action.READ, one):
            seen.add(one.id)
            found.append(one)
            one = step(one)
        return found

    def stats(self) -> Json:
        """Counts of the caller's records, and the state of the store."""
        counts: dict[str, dict[str, int]] = {}
        problems = self.store.check()
        try:
            for _, record in self.store.records(self._filter().model_copy(update={"standing": (), "expired": True})):
                kind = counts.setdefault(record.kind.value, {})
                kind[record.standing] = kind.get(record.standing, 0) + 1
        except InfrastructureError as error:
            problems.append(f"not all could be counted: {error}")
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
            "problems": problems,
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

        A day as `valid_to` counts to its end. The user's own word closes what it says otherwise about
        (lifecycle/supersede.py); an agent's stands beside it.
        """
        own = {"user": self.access.user, "workspace": self.access.workspace, "agent": self.access.agent}
        given = {**own, "kind": kind or kind_for(category), **more}
        new = self._lasting(NewRecord.of(content=content, category=category, trust=trust, **given))
        self.access.require(Action.CREATE)
        embedded = self.embed([new.content])[0]
        if trust is not Trust.USER:
            from memory.lifecycle.subjects import subject_of

            about = new.subject or subject_of(new.content)
            return self.store.insert(new.model_copy(update={"subject": about}), embedded)
        from memory.lifecycle.supersede import write

        return write(self.store, new, embedded, self._scope().own()).record

    def _lasting(self, new: NewRecord) -> NewRecord:
        """The record, its last day up to its end; a 400 where it would end before it begins."""
        if not new.valid_to:
            return new
        ends = new.valid_to if "T" in new.valid_to else new.valid_to + END_OF_DAY
        begins = new.valid_from or self.store.now()
        if ends <= begins:
            message = f"`valid_to` is `{new.valid_to}`, which is not after `{begins}`, when it begins to hold"
            raise ToolFailure(ErrorCode.BAD_ARGUMENT, message, argument="valid_to")
        return new.model_copy(update={"valid_to": ends})

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
        at, expires_at = _local("at", at), _local("expires_at", expires_at)
        intention = Intention(condition=event or f"at {at}", at=at, event=event, expires_at=expires_at)
        return intend(self.store, content, intention, self._scope(), self.embedder, trust)

    def correct(self, memory_id: str, content: str, *, trust: Trust = Trust.USER) -> MemoryRecord:
        """The successor of a record, which stays, closed."""
        self.holding(memory_id, Action.MODIFY)
        text = NewRecord.of(kind=Kind.USER_MODEL, category=Category.INFO, content=content).content
        return self.store.replace(memory_id, text, embedded=self.embed([text])[0], trust=trust)

    def doomed(self, memory_ids: Sequence[str]) -> list[MemoryRecord]:
        """What forgetting these would delete: each with all that it replaced, that was made of it or says the same."""
        from memory.erasure.plan import closure

        for memory_id in memory_ids:
            self._known(memory_id, Action.DELETE)
        return closure(self.store, memory_ids)

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

    def capture(
        self, turns: Sequence["SourceTurn"], shown: Sequence[str] = (), boot: Sequence[str] = ()
    ) -> "CaptureReport":
        """Keep what was said, without a model call.

        Nothing is new of `shown`, the memories that were in the context, nor of `boot`, the agent's standing texts.
        """
        from memory.lifecycle.capture import capture

        self.access.require(Action.CREATE)
        return capture(self.store, turns, self.embedder, self._scope(), boot, shown)

    def maintain(self, cancel: CancelToken | None = None) -> "MaintenanceReport":
        """Consolidate, supersede, archive, embed what lacks a vector."""
        from memory.lifecycle.maintain import Maintenance

        return Maintenance(self.store, self.embedder, self.model, self._scope()).run(cancel=cancel)

    def due(self, event: str = "", limit: int | None = None) -> list[MemoryRecord]:
        """Intentions that become due now, or by an event; each is given once. Beyond `limit` they wait for the next."""
        from memory.lifecycle.prospective import due

        return due(self.store, self.store.now(), event, self._scope(), limit=limit)

    def outstanding(self) -> list[MemoryRecord]:
        """Intentions that became due in the last `DUE_HOURS` and that nobody settled, the latest first."""
        from memory.lifecycle.prospective import outstanding

        since = (datetime.fromisoformat(self.store.now()) - timedelta(hours=DUE_HOURS)).isoformat()
        found = [(one.intention.fired_at or "", one) for one in outstanding(self.store, self._scope()) if one.intention]
        return [one for fired, one in sorted(found, key=lambda pair: pair[0], reverse=True) if fired >= since]

    def settle(self, memory_id: str, status: Literal["done", "cancelled"] = "done") -> MemoryRecord:
        """Say that an intention was carried out, or is not wanted any more."""
        from memory.lifecycle.prospective import settle

        self.holding(memory_id, Action.MODIFY)
        return settle(self.store, memory_id, status)

    # in and out

    def exported(self) -> Iterator[str]:
        """The caller's records as JSONL, superseded ones too, oldest first; what others share stays with them."""
        which = self._filter().model_copy(update={"standing": (), "expired": True, "or_shared": False})
        return lines(record for _, record in self.store.records(which))

    def imported(self, given: Iterable[str], name: str) -> Imported:
        """Take records from JSONL, all or none; they become the caller's, and private. `name` is for messages."""
        self.access.require(Action.CREATE)
        own = {"user": self.access.user, "workspace": self.access.workspace, "shared": False}
        if self.access.agent:
            own["agent"] = self.access.agent
        read = read_lines(given, name)
        records = [record.model_copy(update=own) for record in read if record.user or not record.shared]
        return take(self.store, records, self.embed)._replace(others=len(read) - len(records))

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


def _local(name: str, value: str | None) -> str | None:
    """As `_moment`; a time with an offset becomes that of this machine's clock."""
    checked = _moment(name, value)
    if not value or checked == value:
        return checked
    try:
        at = datetime.fromisoformat(value).astimezone()
    except (OverflowError, OSError):  # in the first or last year that there is
        return checked
    return at.replace(tzinfo=None).isoformat(timespec="seconds")


def _moment(name: str, value: str | None) -> str | None:
    """A date or time that exists; else a 400."""
    try:
        return value and moment(value)
    except ValueError as error:
        message = f"`{name}` is `{str(value)[:40]}`: {error}; a date is written 2026-03-02 or 2026-03-02T09:00"
        raise ToolFailure(ErrorCode.BAD_ARGUMENT, message, argument=name) from None
