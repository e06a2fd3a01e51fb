"""Habits and whereabouts that no frame knows: "I park on level two", "I keep my keys in the bowl".

Such a clause may have several readings, and its value several others beside it. So what it states is weak: only a
later statement with a word of change replaces it.
"""

import re

from memory.lifecycle.lexicon import listed
from memory.lifecycle.text import stem, words

MAX_WORDS = 14
_TIME = re.compile(r"\d|days?\b|\b(?:morning|evening|night|noon|afternoon|week|month|year|daily|hour)s?\b")
_PROGRESS = re.compile(r"^(?:am|is|are) ([a-z]+ing)\b", re.I)
_PARTICLES = frozenset(("up", "out", "off", "down", "back", "away", "over"))
_ARTICLES = frozenset(("my", "the", "a", "an"))


def habits(rest: str) -> list[tuple[str, str]]:
    """(attribute, value) readings of what follows "I", the likeliest first; none for the past or for thoughts."""
    found = words(_PROGRESS.sub(r"\1", rest))
    if not 2 <= len(found) <= MAX_WORDS or not _is_habit(found[0]):
        return []
    verb, tail = stem(found[0]), found[1:]
    if tail[0] in _PARTICLES:
        verb, tail = f"{verb} {tail[0]}", tail[1:]
    places = listed("prepositions")
    at = next((place for place, word in enumerate(tail) if word in places), len(tail))
    thing, where = tail[:at], tail[at:]
    if not thing:
        return [(f"{verb} {where[0]}", " ".join(where[1:]))] if len(where) > 1 else []
    if not where:
        return [(verb, " ".join(thing))] if found[0].removesuffix("s") in listed("bare") else []
    of_thing = (f"{verb} {_stems(thing)}", " ".join(where))
    of_place = (f"{verb} {_stems(where)}", " ".join(thing))
    if thing[0] in ("my", "our", "the"):
        return [of_thing]
    return [of_thing, of_place] if _TIME.search(of_thing[1]) else [of_place, of_thing]


def _is_habit(verb: str) -> bool:
    excluded = verb in listed("no_habit") or (verb in listed("common") and verb != "use")
    return not (excluded or verb.endswith("ed") or re.search(r"\d", verb))


def _stems(some: list[str]) -> str:
    return " ".join(stem(word) for word in some if word not in _ARTICLES)
