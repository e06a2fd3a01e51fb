"""Consolidation by rule: evidence that repeats becomes a long-term record, which names what it was made of.

    active episodic records -> eligible? (trust, provenance) -> the same thing said elsewhere? -> enough? -> one record

1. Eligible: said by the user, or derived by an agent; with a known source. External text never is.
2. Enough: said in two sessions; or the user asked to remember it, or it weighs enough by itself.
3. What the user states of himself goes to the user model, all else to long-term memory. Trust is the least of the
   sources'; the sources stay.
4. A record that grows is superseded by its next version and stays.
"""

from collections.abc import Iterator
from typing import NamedTuple

from memory.lifecycle.embedding import embed
from memory.lifecycle.lexicon import listed
from memory.lifecycle.subjects import Statement, statements, subject_of
from memory.lifecycle.supersede import AUTHORITY, contradicts, outdates, voice, write
from memory.lifecycle.text import negated, numbers, telling, words
from memory.lifecycle.weight import asked_for
from memory.records import Kind, MemoryRecord, NewRecord, Trust
from memory.store import Filter, MemoryStore
from runtime.contract import CancelToken, Embedder

WEIGHTY = 0.55
"""Importance from which the user's single statement is enough."""
ALIKE = 0.8
"""Share of telling words that two sentences have in common when they say the same."""
GROWN = 2
"""A consolidated record gets a new version when its evidence is so many times what it was."""
NEAR = 12
"""Records that share words with one and are compared with it."""
MAX_SOURCES = 50
_DERIVED = (Kind.USER_MODEL, Kind.LONG_TERM)


class Step(NamedTuple):
    """What came of one record."""

    seq: int
    """Its place: where to go on from."""
    added: str = ""
    """Id of a new consolidated record."""
    version_of: str = ""
    """The earlier version, which is kept as superseded."""


def consolidate(
    store: MemoryStore, embedder: Embedder | None, own: Filter, since: int = 0, cancel: CancelToken | None = None
) -> Iterator[Step]:
    """Go through the episodic records behind `since`, oldest first; each step is durable when it is given."""
    episodic = own.model_copy(update={"kinds": (Kind.EPISODIC,), "since_seq": since})
    for seq, record in store.records(episodic):
        if cancel is not None and cancel.cancelled:
            return
        if not eligible(record):
            yield Step(seq)
            continue
        group = evidence(store, record, own)
        if not enough(group):
            yield Step(seq)
            continue
        yield _kept(store, embedder, own, seq, group)


def eligible(record: MemoryRecord) -> bool:
    """Whether a record may become long-term memory at all."""
    return record.trust in (Trust.USER, Trust.AGENT) and bool(record.session or record.source)


def evidence(store: MemoryStore, record: MemoryRecord, own: Filter) -> list[MemoryRecord]:
    """Active episodic records that say what this one says, itself among them, oldest first."""
    episodic = own.model_copy(update={"kinds": (Kind.EPISODIC,)})
    if record.subject:
        others = [one for _, one in store.records(episodic.model_copy(update={"subject": record.subject}))]
        alike = [one for one in others if one.id == record.id or _states_the_same(one, record)]
    else:
        alike = [record, *(one for one in _sharing(store, record, episodic) if _says_the_same(one, record))]
    mine = {one.id: one for one in alike if _same_origin(one, record)}
    return sorted(mine.values(), key=lambda one: (one.valid_from, one.id))[-MAX_SOURCES:]


def enough(group: list[MemoryRecord]) -> bool:
    """Whether a group of records that say the same is evidence enough."""
    if len({one.session or one.source for one in group}) > 1:
        return True
    last = group[-1]
    own_word = last.trust is Trust.USER and (asked_for(last.content) or last.importance >= WEIGHTY)
    return own_word and bool(last.subject)


def reconcile(store: MemoryStore, own: Filter, cancel: CancelToken | None = None) -> Iterator[tuple[str, str]]:
    """(old, new) of active records that contradict each other, whoever wrote them; the old one is closed.

    What comes in by capture is closed there; this finds what was imported, added by a tool or written by two at once.
    """
    latest: dict[tuple[str, str], MemoryRecord] = {}
    for _, record in store.records(own.model_copy(update={"kinds": (Kind.USER_MODEL, Kind.EPISODIC, Kind.LONG_TERM)})):
        if cancel is not None and cancel.cancelled:
            return
        speaker, text = voice(record)
        about = record.subject or (subject_of(text) if record.kind is Kind.USER_MODEL else "")
        if not about or not text:
            continue
        key = (speaker, about)
        before = latest.get(key)
        if before is None:
            latest[key] = record
            continue
        old, new = sorted((before, record), key=lambda one: (one.valid_from, one.created_at, one.id))
        latest[key] = new
        if outdates(voice(new)[1], voice(old)[1]) and AUTHORITY[old.trust] <= AUTHORITY[new.trust]:
            store.mark([old.id], "superseded", ended=new.valid_from)
            yield old.id, new.id


def _kept(store: MemoryStore, embedder: Embedder | None, own: Filter, seq: int, group: list[MemoryRecord]) -> Step:
    """A group as one consolidated record: new, a next version, or there already."""
    ids = [one.id for one in group]
    before = [
        one
        for one in store.derived(ids)
        if one.standing == "active" and one.kind in _DERIVED and _same_origin(one, group[-1])
    ]
    held = before[-1] if before else None
    if (
        held is not None
        and len(ids) < GROWN * len(held.derived_from)
        and not contradicts(group[-1].content, held.content)
    ):
        return Step(seq)
    new = _consolidated(group)
    embedded = embed(embedder, [new.content])[0]
    if held is not None:
        return Step(seq, store.supersede(held.id, new, embedded).id, held.id)
    written = write(store, new, embedded, own)
    return Step(seq, written.record.id, written.closed[0] if written.closed else "")


def _consolidated(group: list[MemoryRecord]) -> NewRecord:
    """One record of a group: the latest words, the earliest time, the least trust."""
    last = group[-1]
    said = _first(last.content)
    of_user = last.trust is Trust.USER and said is not None and not said.holder
    kept = last.model_dump(include={"category", "content", "speaker", "workspace", "user", "agent", "subject"})
    return NewRecord.of(
        **kept,
        kind=Kind.USER_MODEL if of_user else Kind.LONG_TERM,
        source="consolidation",
        trust=min((one.trust for one in group), key=AUTHORITY.__getitem__),
        importance=min(1.0, max(one.importance for one in group) + 0.1 * (len(group) - 1)),
        valid_from=group[0].valid_from,
        derived_from=tuple(one.id for one in group),
    )


def _first(text: str) -> Statement | None:
    return next((one for one in statements(text) if one.key), None)


def _same_origin(one: MemoryRecord, other: MemoryRecord) -> bool:
    return one.speaker.casefold() == other.speaker.casefold() and one.trust is other.trust


def _states_the_same(one: MemoryRecord, other: MemoryRecord) -> bool:
    """Whether two records of one subject agree in its value."""
    first, second = ({said.key: said.value for said in statements(text)} for text in (one.content, other.content))
    key = other.subject
    return key in first and key in second and first[key] == second[key]


def _says_the_same(one: MemoryRecord, other: MemoryRecord) -> bool:
    """Whether two records say the same in nearly the same words, with the same numbers, denied or not."""
    first, second = telling(one.content), telling(other.content)
    if len(first) < 3 or len(first & second) < ALIKE * len(first | second):
        return False
    return numbers(one.content) == numbers(other.content) and negated(one.content) == negated(other.content)


def _sharing(store: MemoryStore, record: MemoryRecord, which: Filter) -> list[MemoryRecord]:
    """Records that share the longest words with one."""
    told = sorted({word for word in words(record.content) if word not in listed("common")}, key=len, reverse=True)[:6]
    expression = " OR ".join(f'"{word}"' for word in told)
    places = store.matching(expression, which, NEAR) if expression else {}
    return [one for one in store.by_seq(list(places)).values() if one.id != record.id]
