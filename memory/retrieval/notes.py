"""What a search has to say about its own evidence: that it is about somebody else, or is not there."""

import numpy as np

from memory.retrieval.context import Context
from memory.retrieval.query import QueryShape, names_in
from memory.retrieval.scoring import Scored
from memory.retrieval.words import ROLES

CLEARLY = 0.5
"""By how much the turn of another speaker must be the better one."""
WEAK_WORDS = 0.34
"""Share of the question's information below which words say little."""
WEAK_MEANING = 0.35
"""Cosine below which meaning says little."""


def note_on(shape: QueryShape, scored: Scored, context: Context, unheard: list[str]) -> str:
    """A sentence when the evidence is about somebody else or is not there; empty otherwise."""
    if not scored.counts.any():
        return "there is nothing in memory that may be searched"
    if missing := [name for name in names_in(shape.text) if name.lower().split("'")[0] in unheard]:
        return f"memory never mentions `{'`, `'.join(missing[:3])}`; what is shown may be about something else"
    if other := somebody_else(shape, scored, context):
        asked = " or ".join(name.title() for name in shape.people)
        return f"the nearest evidence was said by {other.title()}, not by {asked}; it may not be about {asked}"
    if best_coverage(scored) < WEAK_WORDS and float(scored.near.max()) < WEAK_MEANING:
        return "nothing in memory answers this surely; what is shown is only near"
    return ""


def somebody_else(shape: QueryShape, scored: Scored, context: Context) -> str:
    """The speaker of the best turn, if that is not the named one and clearly better than all of theirs; else empty."""
    if not shape.people or scored.speaks[scored.counts].all():
        return ""
    best = int(np.argmax(scored.own))
    name = context.speakers[int(context.speaker[best])]
    if scored.speaks[best] or name in ROLES:
        return ""
    theirs = scored.own[scored.speaks & scored.counts]
    return name if not len(theirs) or scored.own[best] - float(theirs.max()) >= CLEARLY else ""


def best_coverage(scored: Scored) -> float:
    """The most of the question's information that one turn's words cover."""
    return float(scored.words[scored.counts].max(initial=0.0))
