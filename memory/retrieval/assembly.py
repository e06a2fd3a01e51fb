"""From ranked turns to evidence: the record of each turn that speaks, what superseded what, repetitions, the budget.

1. A turn shows the record that names most of the question (then the nearest); its other records only for words of the
   question that were not named yet.
2. What was replaced never stands above what replaced it, linked or of one subject. A question about a change also shows
   what held before, right behind its successor.
3. What says the same as something shown is left out, and counted.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memory.records import MemoryRecord
from memory.retrieval.evidence import Evidence
from memory.retrieval.query import LONGEST, QueryShape
from memory.retrieval.words import telling, words_of
from memory.store import Facets, Filter, MemoryStore

SAME, LEAST_TELLING = 0.8, 3
"""Share of the telling words that two texts which say the same have in common; texts with fewer are left alone."""
FOREIGN, STEM = 6.0, 5
"""What a text about another's thing loses; letters by which things are compared."""
LONGEST_CHAIN = 8
"""Predecessors that are shown of one record."""
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
    """The same, with newer records of one subject, and successors, before what they replaced, at the best place."""
    order = list(found)
    groups: dict[tuple[str, ...], list[int]] = {}
    heads = _heads(order)
    for place, one in enumerate(order):
        record = one.record
        subject = (record.workspace, record.user, record.speaker, record.subject) if record.subject else ()
        groups.setdefault(subject or ("id", heads[record.id]), []).append(place)
    for places in groups.values():
        if len(places) > 1:
            newest = sorted((order[place] for place in places), key=_age, reverse=True)
            for place, one in zip(places, newest, strict=True):
                order[place] = one
    return order


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


def _age(one: Found) -> tuple[str, int]:
    return one.record.valid_from, one.seq


def chain_of(store: MemoryStore, record: MemoryRecord, which: Filter) -> tuple[MemoryRecord, ...]:
    """What a record replaced, newest first, as far as the filter's owner may see it."""
    wide = which.model_copy(update={"standing": ()})
    chain: list[MemoryRecord] = []
    while record.supersedes and len(chain) < LONGEST_CHAIN:
        before = store.get(record.supersedes)
        if before is None or not wide.admits(_facets(before)):
            break
        chain.append(before)
        record = before
    return tuple(chain)


def _facets(record: MemoryRecord) -> Facets:
    return Facets(record.workspace, record.user, record.agent, int(record.shared), record.kind.value,
                  record.category.value, record.standing)  # fmt: skip


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
