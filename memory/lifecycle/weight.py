"""How much a text matters and what it is about, by rule: what retrieval, consolidation and decay go by."""

import re

from memory.lifecycle.lexicon import listed
from memory.lifecycle.subjects import Statement, statements
from memory.lifecycle.text import numbers, words
from memory.records import Category, Trust

BASE = {Trust.USER: 0.3, Trust.SYSTEM: 0.3, Trust.AGENT: 0.2, Trust.EXTERNAL: 0.1}
"""Importance before anything is known of the text."""
STATED, ASKED_FOR, WEIGHTY, EXACT = 0.2, 0.4, 0.2, 0.05
"""Added for a statement, for "remember that", for health and the like, for numbers."""
_ASKED_FOR = re.compile(
    r"\b(?:remember (?:that|this|it|my|i\b)|do(?:n't| not) forget|keep in mind|make a (?:mental )?note|from now on)",
    re.I,
)
_PREFERENCE = re.compile(r"^(?:prefer|like|diet|favorite)\b|\bfavorite\b")
_ROUTINE = re.compile(r"^(?:wake|sleep|commute|gym|dose)\b")


def importance_of(text: str, trust: Trust) -> float:
    """From 0 to 1. What outsiders wrote never gains by what it says of itself."""
    weight = BASE[trust]
    if trust is Trust.EXTERNAL:
        return weight
    said = statements(text) if trust is Trust.USER else ()
    weight += STATED * any(one.strong for one in said)
    weight += ASKED_FOR * asked_for(text) if trust is Trust.USER else 0.0
    weight += WEIGHTY * bool(listed("weighty") & set(words(text)))
    weight += EXACT * bool(numbers(text))
    return round(min(1.0, weight), 3)


def asked_for(text: str) -> bool:
    """Whether a text asks to be remembered."""
    return _ASKED_FOR.search(text) is not None


def category_of(text: str) -> Category:
    """What a text is about, as the tools name it."""
    said = statements(text)
    if any(_PREFERENCE.search(one.attribute) for one in said):
        return Category.PREFERENCE
    if any(_is_routine(one) for one in said):
        return Category.ROUTINES
    return Category.INFO if any(one.strong for one in said) else Category.EVENT


def _is_routine(one: Statement) -> bool:
    return _ROUTINE.search(one.attribute) is not None or (bool(one.attribute) and not one.strong)
