"""From ranked turns to evidence: the record of each turn that speaks, what superseded what, repetitions, the budget.

1. A turn shows the record that names most of the question (then the nearest); its other records only for words of the
   question that were not named yet.
2. What was replaced never stands above what replaced it, linked or of one subject. A question about a change also shows
   what held before, right behind its successor. Of one subject, nobody's word stands above one that weighs more: what
   an agent noted later stays below what the user said.
3. What says the same as something shown is left out, and counted.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memory.lifecycle.supersede import AUTHORITY
from memory.records import MemoryRecord, Trust
from memory.retrieval.evidence import Evidence
from memory.retrieval.query import LONGEST, QueryShape
from memory.retrieval.words import telling, words_of
from memory.store import Filter, MemoryStore

SAME, LEAST_TELLING = 0.8, 3
"""Share of the telling words that two texts which say the same have in common; texts with fewer are left alone."""
FOREIGN, STEM = 6.0, 5
"""What a text about another's thing loses; letters by which things are compared."""
LONGEST_CHAIN = 8
"""Predecessors that are shown of one record."""
_HELD_BEFORE = {"standing": (), "expired": True, "as_of": None, "known_at": None, "session": None, "subject": None}
"""What a filter doesn't ask of a predecessor: it held before, and was said elsewhere."""
_ANOTHERS = re.compile(r"\b(?:(?:my|our|his|her|their) (?:[\w-]+ ){0,2})?([\w-]+)['’]s? ((?:[\w-]+ ?){1,4})", re.I)
_TELLING = re.compile(r"\d[\d.,:]*|(?<=[a-z,] )[A-Z]\w+")


class Found(NamedTuple):
    """A record on its way to become evidence."""

    seq: int
    record: MemoryRecord
    score: float
    via: tuple[str, ...]
    near: float


def once(found: Iterable[Found], loosely: bool = False) -> tuple[list[Found], int]:
    """Without what says the same as one before it, by the same speaker in the same words; how many were dropped.

    `loosely`, for a question that collects: by anybody, with `SAME` of the telling words in common and no other number.
    """
    kept: list[Found] = []
    said: set[tuple[str, str]] = set()
    told: list[frozenset[str]] = []
    dropped = 0
    for one in found:
        words = words_of(one.record.content)
        key, tells = (one.record.speaker, " ".join(words)), frozenset(telling(words))
        if key in said or (loosely and any(_same(tells, other) for other in told)):
            dropped += 1
            continue
        said.add(key)
        told.append(tells)
        kept.append(one)
    return kept, dropped


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    if len(one) < LEAST_TELLING or len(one & other) < SAME * len(one | other):
        return False
    return not any(word.isdigit() for word in one ^ other)


def anothers(text: str, shape: QueryShape) -> str:
    """Whose thing a text is about ("my son's locker") where the question asks for one's own; empty: nobody else's."""
    if "my" not in words_of(shape.text[:LONGEST]) or not shape.words:
        return ""
    asked = set(words_of(shape.text[:LONGEST]))
    for one in _ANOTHERS.finditer(text):
        things = {word[:STEM] for word in words_of(one[2])}
        if one[1].lower() not in asked and things & {word[:STEM] for word in shape.words}:
            return one[1]
    return ""


def own_first(found: Sequence[Found], shape: QueryShape) -> list[Found]:
    """The same, with what is about another's thing of that name further down."""
    foreign = [one for one in found if anothers(one.record.content, shape)]
    order = [one for one in found if one not in foreign]
    for one in foreign:
        lowered = one._replace(score=one.score - FOREIGN)
        above = [place + 1 for place, other in enumerate(order) if other.score > lowered.score]
        order.insert(max(above, default=0), lowered)
    return order


def successors_first(found: Sequence[Found]) -> list[Found]:
    """The same, with successors, and newer records of one subject, before what they replaced, at the best place.

    Of one subject the word that weighs more stands above a newer one (lifecycle/supersede.py); a link is a decision.
    """
    order = list(found)
    groups: dict[tuple[str, ...], list[int]] = {}
    heads = _heads(order)
    for place, one in enumerate(order):
        record = one.record
        subject = (record.workspace, record.user, _whose(record), record.subject) if record.subject else ()
        groups.setdefault(subject or ("id", heads[record.id]), []).append(place)
    for places in groups.values():
        if len(places) > 1:
            for place, one in zip(places, _ranked([order[place] for place in places]), strict=True):
                order[place] = one
    return order


def _whose(record: MemoryRecord) -> str:
    """Of whom a record says something: of its speaker; what an agent noted is about the user."""
    return record.speaker if record.trust is Trust.USER else "user"


def _ranked(group: list[Found]) -> list[Found]:
    """Those of one subject or chain: the weightier word first, of equal ones the newer. A chain weighs as its head."""
    heads, by_id = _heads(group), {one.record.id: one for one in group}

    def rank(one: Found) -> tuple[int, tuple[str, int], tuple[str, int]]:
        head = by_id[heads[one.record.id]]
        return AUTHORITY[head.record.trust], age_of(head), age_of(one)

    return sorted(group, key=rank, reverse=True)


def _heads(order: Sequence[Found]) -> dict[str, str]:
    """The newest record of each one's chain among the found ones."""
    heir = {one.record.supersedes: one.record.id for one in order if one.record.supersedes}
    heads = {}
    for one in order:
        name, seen = one.record.id, {one.record.id}
        while name in heir and heir[name] not in seen:
            name = heir[name]
            seen.add(name)
        heads[one.record.id] = name
    return heads


def age_of(one: Found) -> tuple[str, int]:
    """What orders records by when they were said."""
    return one.record.valid_from, one.seq


def chain_of(store: MemoryStore, record: MemoryRecord, which: Filter) -> tuple[MemoryRecord, ...]:
    """What a record replaced, newest first, as far as the filter lets its owner's records through at all."""
    wide = which.model_copy(update=_HELD_BEFORE)
    chain: list[MemoryRecord] = []
    while record.supersedes and len(chain) < LONGEST_CHAIN:
        before = store.get(record.supersedes, wide)
        if before is None:
            break
        chain.append(before)
        record = before
    return tuple(chain)


def verified(record: MemoryRecord) -> bool:
    """Whether numbers and names of the summary stand in the original."""
    return not record.original or all(one in record.original for one in _TELLING.findall(record.content))


def within(items: Sequence[Evidence], budget: int | None) -> list[Evidence]:
    """The items that fit into so many tokens, best first; a long one makes room for shorter ones behind it."""
    if budget is None:
        return list(items)
    kept, left = [], budget
    for item in items:
        if item.tokens <= left:
            kept.append(item)
            left -= item.tokens
    return kept
