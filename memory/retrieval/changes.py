"""What holds now, where no rule reads what was said: of two records that answer one question, the later one.

A question about how something is with the asker wants what holds. A record of the same speaker that was made later, is
near the earlier one and the question, and tells of a change, stands above it. Nothing is closed by it and nothing is
hidden: the earlier one follows, and only their order in one answer hangs on it.
"""

import re
from collections.abc import Mapping, Sequence

from memory.lifecycle.nouns import is_person
from memory.records import Trust
from memory.retrieval.assembly import Found, age_of, anothers
from memory.retrieval.query import QueryShape
from memory.store import Vector

ALIKE, TOLD = 0.6, 0.3
"""Cosine from which a later record is about the same; where it has a word of change."""
ANSWERS = 0.5
"""Share of the earlier one's nearness to the question that the later one needs."""
FIRST = 3
"""Places that are looked at: further down an order of two matters little, and a wrong one costs a place."""
_CHANGE = re.compile(
    r"\b(now|nowadays|these days|by now|currently|any ?more|no longer|instead|from now on|as of|since|lately|new|other|"
    r"different|another|again|switched|swapped|changed|moved|replaced|started|stopped|ended|closed|shut|retired|"
    r"cancelled|left|gave up|became|turned)\b",
    re.I,
)
_SELF = re.compile(r"\b(i|we)\b", re.I)
_OWN = re.compile(r"\b(my|me|our|us)\b", re.I)
_OTHERS = re.compile(r"\b(?:my|our) ((?:[\w-]+ )?[\w-]+)", re.I)


def later_first(found: Sequence[Found], vectors: Mapping[int, Vector], shape: QueryShape) -> list[Found]:
    """The same, with what holds now before what held; `vectors` by place in the store."""
    order = list(found)
    if not shape.present or shape.people != ("user",):
        return order
    own = {one.seq for one in order if _own(one, shape)}
    for place in range(min(FIRST, len(order))):
        old = order[place]  # once something stands above it, it is looked at again at the next place
        heirs = [one for one in order[place + 1 :] if {one.seq, old.seq} <= own and _replaces(one, old, vectors)]
        if heirs:
            newest = max(heirs, key=age_of)
            order.remove(newest)
            order.insert(place, newest._replace(score=old.score))
    return order


def _own(one: Found, shape: QueryShape) -> bool:
    """Whether the user says something of himself: as "I", or of what is his without a word of another's doings."""
    text = one.record.content
    if one.record.trust is not Trust.USER or anothers(text, shape):
        return False
    if _SELF.search(text):
        return True
    return bool(_OWN.search(text)) and not any(is_person(other[1]) for other in _OTHERS.finditer(text))


def _replaces(new: Found, old: Found, vectors: Mapping[int, Vector]) -> bool:
    if age_of(new) <= age_of(old) or new.record.user != old.record.user or new.record.speaker != old.record.speaker:
        return False
    if new.near < ANSWERS * old.near or new.seq not in vectors or old.seq not in vectors:
        return False
    return float(vectors[new.seq] @ vectors[old.seq]) >= (TOLD if _CHANGE.search(new.record.content) else ALIKE)
