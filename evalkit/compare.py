"""When two values are the same to a verifier.

Free text is compared folded (case, accents, punctuation, articles, politeness), numbers by value, containers piece by
piece. Text without letters (`+10`, `555-0134`) is compared to the letter. An expected argument may be
`{"$one_of": [...]}`; None among them means that it may be left out. `{"$contains": text}` is any text that holds it.
"""

from typing import Any

from device.spoken import fold_text
from runtime.contract import Json

ONE_OF = "$one_of"
CONTAINS = "$contains"
ABSENT = object()
"""Stands for an argument that was left out."""


def same(expected: Any, found: Any) -> bool:
    """Whether `found` is what was expected."""
    if isinstance(expected, dict) and set(expected) == {ONE_OF}:
        return any(same(ABSENT if option is None else option, found) for option in expected[ONE_OF])
    if isinstance(expected, dict) and set(expected) == {CONTAINS}:
        return isinstance(found, str) and _holds(found, str(expected[CONTAINS]))
    if expected is ABSENT or found is ABSENT:
        return expected is found
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, int | float) and isinstance(found, int | float):
        return abs(expected - found) <= 1e-6 * max(1.0, abs(expected))
    if isinstance(expected, str) and isinstance(found, str):
        return expected == found or (_has_letters(expected) and fold_text(expected) == fold_text(found))
    if isinstance(expected, dict) and isinstance(found, dict):
        return set(expected) == set(found) and all(same(value, found[key]) for key, value in expected.items())
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        return len(expected) == len(found) and all(map(same, expected, found))
    return bool(expected == found)


def same_arguments(expected: Json, found: Json) -> bool:
    """Whether a call's normalised arguments are the expected ones: each is the same, and none is added."""
    names = set(expected) | set(found)
    return all(same(expected.get(name, ABSENT), found.get(name, ABSENT)) for name in names)


def _holds(text: str, part: str) -> bool:
    return part in text or bool(_has_letters(part) and f" {fold_text(part)} " in f" {fold_text(text)} ")


def _has_letters(text: str) -> bool:
    return any(character.isalpha() for character in text)
