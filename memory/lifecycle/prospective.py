"""Intentions: what is to be done when a time comes or an event happens. Each fires once, whoever asks and how often.

    intend -> pending -> due: fired (once, in one transaction) -> settle: done | cancelled        expire: expired

`due` takes the write lock before it reads, so of two processes one fires and the other sees that it was fired. What
fired stays in `outstanding` until it is settled: a process that dies in between loses nothing. External text intends
nothing.
"""

from collections.abc import Iterator
from typing import Literal

from memory.lifecycle.embedding import embed
from memory.lifecycle.text import fingerprint, telling
from memory.lifecycle.turns import Scope
from memory.records import Category, Intention, Kind, MemoryRecord, NewRecord, Trust, moment
from memory.store import MemoryStore
from runtime.contract import Embedder, ErrorCode, ToolFailure


def intend(
    store: MemoryStore,
    content: str,
    intention: Intention,
    scope: Scope | None = None,
    embedder: Embedder | None = None,
    trust: Trust = Trust.USER,
    source: str = "",
) -> MemoryRecord:
    """Keep an intention. It needs a time or an event, and a user or an agent who wants it (else a 400 or 403)."""
    if trust is Trust.EXTERNAL:
        raise ToolFailure(ErrorCode.PERMISSION_DENIED, "external text can't intend anything; ask the user for it")
    if not intention.at and not intention.event.strip():
        raise ToolFailure(
            ErrorCode.BAD_ARGUMENT, "the intention waits for nothing; give `at` or `event`", argument="at"
        )
    if intention.at and _expired(intention, intention.at):
        message = f"`expires_at` is `{intention.expires_at}`, before the intention is due at `{intention.at}`"
        raise ToolFailure(ErrorCode.BAD_ARGUMENT, message, argument="expires_at")
    new = NewRecord.of(
        kind=Kind.PROSPECTIVE,
        category=Category.EVENT,
        content=content,
        trust=trust,
        source=source,
        importance=0.6,
        intention=intention.model_copy(update={"status": "pending", "fired_at": None}),
        **(scope or Scope()).model_dump(),
    )
    return store.insert(new, embed(embedder, [new.content])[0])


def due(
    store: MemoryStore,
    now: str,
    event: str = "",
    scope: Scope | None = None,
    where: str = "",
    limit: int | None = None,
) -> list[MemoryRecord]:
    """What becomes due, each once for all processes, the earliest first.

    `now` is local, ISO 8601. `event` says in plain words what happened; `where` is the application or place, for
    intentions that are limited to one. One with a time and an event waits for the event from that time on. `limit`:
    so many fire; the others stay as they are, for whoever asks next.
    """
    now = moment(now)
    ripe: list[tuple[str, str, Intention]] = []
    with store.writing():
        for record, intention in list(_open(store, scope)):
            if _expired(intention, now):
                _end(store, record, intention.model_copy(update={"status": "expired"}))
            elif _is_due(intention, now, event, where):
                ripe.append((intention.at or now, record.id, intention))
        ripe.sort(key=lambda one: one[:2])
        fired = {"status": "fired", "fired_at": now}
        return [store.update_intention(name, one.model_copy(update=fired)) for _, name, one in ripe[:limit]]


def expire(store: MemoryStore, now: str, scope: Scope | None = None) -> list[str]:
    """Close what is no longer wanted; ids."""
    now = moment(now)
    with store.writing():
        over = [(record, intention) for record, intention in _open(store, scope) if _expired(intention, now)]
        for record, intention in over:
            _end(store, record, intention.model_copy(update={"status": "expired"}))
    return [record.id for record, _ in over]


def settle(store: MemoryStore, memory_id: str, status: Literal["done", "cancelled"]) -> MemoryRecord:
    """Say that an intention was carried out, or is not wanted any more; it goes to the archive."""
    with store.writing():
        record = store.need(memory_id)
        if record.intention is None:
            raise ToolFailure(
                ErrorCode.CONFLICT, f"memory `{memory_id}` is no intention; use one of kind `{Kind.PROSPECTIVE}`"
            )
        return _end(store, record, record.intention.model_copy(update={"status": status}))


def outstanding(store: MemoryStore, scope: Scope | None = None) -> list[MemoryRecord]:
    """What has fired and is not settled yet."""
    return [record for record, _ in _open(store, scope, "fired")]


def _open(
    store: MemoryStore, scope: Scope | None, status: Literal["pending", "fired"] = "pending"
) -> Iterator[tuple[MemoryRecord, Intention]]:
    own = (scope or Scope()).own(kinds=(Kind.PROSPECTIVE,), intending=True)
    for _, record in store.records(own):
        if record.intention is not None and record.intention.status == status:
            yield record, record.intention


def _end(store: MemoryStore, record: MemoryRecord, intention: Intention) -> MemoryRecord:
    store.update_intention(record.id, intention)
    return store.archive([record.id])[0]


def _expired(intention: Intention, now: str) -> bool:
    last = intention.expires_at
    return last is not None and (last if "T" in last else f"{last}T23:59:59") < now


def _is_due(intention: Intention, now: str, event: str, where: str) -> bool:
    if intention.scope and fingerprint(intention.scope) != fingerprint(where):
        return False
    if intention.at is not None and intention.at > now:
        return False
    return not intention.event or _happened(intention.event, event)


def _happened(awaited: str, event: str) -> bool:
    """Whether an event has all the telling words of the one that is waited for."""
    words = telling(awaited)
    return words <= telling(event) if words else bool(event) and fingerprint(awaited) == fingerprint(event)
