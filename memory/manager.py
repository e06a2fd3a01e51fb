"""The contract's `MemoryManager`: four tools by record id, and evidence for a harness.

A write lands whole or not at all, under its idempotency key, and is read back in the same observation. What a planner
writes is trusted as `agent`: no text that it came across becomes the user's own word.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.access.rights import Action
from memory.journal import TABLE
from memory.records import Kind, MemoryRecord, Trust
from memory.records import row as as_row
from memory.service import MemoryService
from memory.store import Applied
from memory.tools import ADD, REMOVE, REPLACE, SEARCH, SPECS, Add, Remove, Replace, Search, read
from runtime.contract import (
    Deadline,
    Embedder,
    Episode,
    ErrorCode,
    Evidence,
    ExecutedCall,
    InfrastructureError,
    Json,
    Observation,
    StateDiff,
    ToolCall,
    ToolFailure,
    ToolSpec,
    WorldSpec,
    digest_of,
)

SCORE_DIGITS = 3
"""Digits of a relevance score."""


class UserMemory:
    """The memory of one user; `path` None keeps it in memory, for evaluation and training."""

    def __init__(
        self,
        path: Path | None = None,
        embedder: Embedder | None = None,
        clock: Callable[[], datetime] = datetime.now,
        *,
        service: MemoryService | None = None,
    ) -> None:
        """`service`: one that was opened already, in place of the rest."""
        self.service = service or MemoryService(path, embedder, clock)
        self.store = self.service.store
        self._told: set[str] = set()
        self._writes = {ADD: self._add, REPLACE: self._replace, REMOVE: self._remove}

    def tools(self) -> Sequence[ToolSpec]:
        """The four tools, by name."""
        return SPECS

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call; a failure is in the observation and leaves the memory as it was."""
        try:
            _in_time(deadline)
            if call.name == SEARCH:
                return _landed(call, idempotency_key, self._search(call.arguments))
            if call.name not in self._writes:
                known = ", ".join(f"`{spec.name}`" for spec in SPECS)
                raise ToolFailure(ErrorCode.UNKNOWN_TOOL, f"there is no memory tool `{call.name[:80]}`; use {known}")
            return self._write(call, idempotency_key)
        except ToolFailure as failure:
            return Observation(call_id=call.id, failure=failure.failure())

    def recover(self, call: ToolCall, idempotency_key: str, deadline: Deadline) -> Observation | None:
        """What came of a write that landed before its process died; None where it did not, and may be run."""
        known = bool(idempotency_key) and self.store.applied(idempotency_key) is not None
        return self.execute(call, deadline, idempotency_key) if known else None

    def recall(self, query: str, limit: int, deadline: Deadline) -> Sequence[Json]:
        """Evidence for a query as the search tool shows it: intentions that are due, then the best first.

        An intention is due for `DUE_HOURS`, or until it is settled, and is shown once by each process; the query is
        what happened, for those that wait for an event. No more fire than are shown. None once the time is over.
        """
        if limit <= 0 or not query.strip() or deadline.expired or deadline.cancel.cancelled:
            return []
        waiting = [record for record in self.service.outstanding() if record.id not in self._told][:limit]
        waiting = [*self.service.due(query, limit - len(waiting)), *waiting]
        self._told.update(record.id for record in waiting)
        due = [{**_shown(record), "due": True} for record in waiting]
        known = {item["memory_id"] for item in due}
        found = [item for item in self._found(query, limit) if item["memory_id"] not in known]
        return [*due, *found[: limit - len(due)]]

    def profile(self, limit: int, deadline: Deadline) -> Sequence[Json]:
        """What the user said of themselves or what was consolidated from it; an agent's guesses are retrieved alone."""
        if limit <= 0 or deadline.expired or deadline.cancel.cancelled:
            return []
        known = self.service.listed(kinds=(Kind.USER_MODEL,))
        held = [one for one in known if one.trust is Trust.USER or one.derived_from]
        held.sort(key=lambda one: one.importance, reverse=True)
        return [_shown(record) for record in held[:limit]]

    def due(self, event: str, deadline: Deadline) -> Sequence[Json]:
        """Intentions that become due now, or by what happened; each is given once by all who ask."""
        if deadline.expired or deadline.cancel.cancelled:
            return []
        return [{**_shown(record), "due": True} for record in self.service.due(event)]

    def capture(self, episode: Episode) -> int:
        """Keep what happened in a run; the number of new records. Of a run that forgot something nothing is kept.

        An `InfrastructureError` when a turn that says something new could not be kept.
        """
        from memory.happened import forgot, searched, standing, turns_of

        if forgot(episode):
            return 0
        injected = [self.store.get(one) for one in episode.digests.memory.split()]
        shown = [*(record.content for record in injected if record is not None), *searched(episode)]
        report = self.service.capture(turns_of(episode, self.store.now()), shown, standing(episode))
        if report.failures:
            count, first = len(report.failures), report.failures[0]
            raise InfrastructureError(f"{count} of {report.turns} turns could not be kept: {first.problem}")
        return len(report.ingested)

    def reset(self, world: WorldSpec) -> None:
        """Hold exactly the memories of `world`; only a memory without a file."""
        self.store.reset(world)

    def snapshot(self) -> str:
        """Remember the state."""
        return self.store.snapshot()

    def restore(self, handle: str) -> None:
        """Go back to a snapshot."""
        self.store.restore(handle)

    def diff(self, since: str) -> StateDiff:
        """Net change of the table `memories` since a snapshot."""
        return self.store.diff(since)

    def close(self) -> None:
        """Close the file."""
        self.service.close()

    def _search(self, arguments: Json) -> Json:
        asked = read(Search, SEARCH, arguments)
        categories = () if asked.memoryCategory is None else (asked.memoryCategory,)
        items = self._found(asked.query, asked.maxResults, mode=asked.searchMode, categories=categories)
        return {"items": items, "total": len(items)}

    def _found(self, query: str, limit: int, **how: Any) -> list[Json]:
        """Records that hold now, as they are shown, each with its score over the best one's."""
        found = [item for item in self.service.search(query, limit=limit, **how).items if not item.record.closed_at]
        best = max((item.score for item in found), default=0.0)
        return [{**_shown(item.record), "relevance_score": _relative(item.score, best)} for item in found]

    def _write(self, call: ToolCall, key: str) -> Observation:
        position = self.store.position()
        digest = digest_of([call.name, call.arguments])
        if call.name == REMOVE and self.store.path is not None:
            return self._forget(call, key, digest)
        with self.store.writing():
            first = self.store.applied(key) if key else None
            if first is not None:
                return self._again(call, key, digest, first)
            memory_id, data = self._writes[call.name](call.arguments)
            if key:
                self.store.keep_applied(key, Applied(digest, memory_id, data))
        if call.name == REMOVE:
            self.service.forgotten()
        return _landed(call, key, data, self.store.since(position), self._evidence(call, position))

    def _forget(self, call: ToolCall, key: str, digest: str) -> Observation:
        """Delete from a file, and from everything beside it that holds the same: traces, this one too, and data sets.

        It can't be one transaction, so after a crash a repeated call finds that the memory is gone.
        """
        position = self.store.position()
        first = self.store.applied(key) if key else None
        if first is not None:
            return self._again(call, key, digest, first)
        memory_id = read(Remove, REMOVE, call.arguments).memoryId
        self.service.holding(memory_id, Action.DELETE)
        receipt = self.service.forget([memory_id])
        if not receipt.complete:
            logging.getLogger(__name__).warning("`%s` is forgotten, but not everywhere yet: `%s` says where it is left",
                                                memory_id, receipt.erasure)  # fmt: skip
        data = {"memory_id": memory_id, "removed": len(receipt.records)}
        if key:
            with self.store.writing():
                self.store.keep_applied(key, Applied(digest, memory_id, data))
        return _landed(call, key, data, self.store.since(position), self._evidence(call, position))

    def _again(self, call: ToolCall, key: str, digest: str, first: Applied) -> Observation:
        """What the first call of this key answered; nothing is written twice."""
        if first.call != digest:
            message = f"the idempotency key `{key}` belongs to an earlier call; use a new key"
            raise ToolFailure(ErrorCode.CONFLICT, message, key=key)
        record = self.store.get(first.memory_id)
        rows = [{"table": TABLE, "key": first.memory_id, "row": record and as_row(record)}]
        evidence = Evidence(source=f"table {TABLE}", facts={"rows": rows, "differs": []})
        return _landed(call, key, first.data, StateDiff(), evidence)

    def _add(self, arguments: Json) -> tuple[str, Json]:
        given = read(Add, ADD, arguments)
        self._refuse_known(given.content)
        record = self.service.add(given.content, given.category, trust=Trust.AGENT)
        return record.id, _shown(record)

    def _replace(self, arguments: Json) -> tuple[str, Json]:
        given = read(Replace, REPLACE, arguments)
        self.service.holding(given.memoryId, Action.MODIFY)
        self._refuse_known(given.content)
        record = self.service.correct(given.memoryId, given.content, trust=Trust.AGENT)
        return record.id, {**_shown(record), "replaced": given.memoryId}

    def _remove(self, arguments: Json) -> tuple[str, Json]:
        given = read(Remove, REMOVE, arguments)
        self.service.holding(given.memoryId, Action.DELETE)
        gone = self.store.remove(given.memoryId)
        return given.memoryId, {"memory_id": given.memoryId, "removed": len(gone)}

    def _refuse_known(self, content: str) -> None:
        known = self.store.same_content(content, self.service.visible())
        if known is not None:
            raise ToolFailure(ErrorCode.CONFLICT, f"`{known.id}` says this already", memory_id=known.id)

    def _evidence(self, call: ToolCall, position: int) -> Evidence:
        """The rows that a write touched, read anew, and whether the text is as asked."""
        changed = self.store.since(position).changes
        records = {change.key: self.store.get(change.key) for change in changed}
        rows = [
            {"table": TABLE, "key": key, "row": None if record is None else as_row(record)}
            for key, record in records.items()
        ]
        wanted = " ".join(str(call.arguments.get("content", "")).split())
        written = [record.content for record in records.values() if record is not None]
        differs = [f"{TABLE}.content"] if wanted and wanted not in written else []
        return Evidence(source=f"table {TABLE}", facts={"rows": rows, "differs": differs})


def _relative(score: float, best: float) -> float:
    """In [0, 1]."""
    return round(max(score, 0.0) / best, SCORE_DIGITS) if best > 0 else 0.0


def _in_time(deadline: Deadline) -> None:
    if deadline.cancel.cancelled:
        raise ToolFailure(ErrorCode.CANCELLED, "the call was cancelled before it began; nothing was changed")
    if deadline.expired:
        raise ToolFailure(ErrorCode.TIMEOUT, "the deadline had passed before the call began; nothing was changed")


def _landed(
    call: ToolCall, key: str, data: Json, diff: StateDiff | None = None, evidence: Evidence | None = None
) -> Observation:
    done = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=key, landed="yes")
    return Observation(call_id=call.id, data=data, call=done, diff=diff or StateDiff(), evidence=evidence)


def _shown(record: MemoryRecord) -> Json:
    """What is said of a record; origin and trust only where it is not the user's own word."""
    shown: Json = {
        "memory_id": record.id,
        "category": record.category.value,
        "content": record.content,
        "created_at": record.created_at,
    }
    if record.trust is not Trust.USER:
        shown["trust"] = record.trust.value
    for name in ("source", "supersedes"):
        if value := getattr(record, name):
            shown[name] = value
    return shown
