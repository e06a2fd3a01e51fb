"""A result with one wrong value: a number that is off, a switch that says the opposite, a word spelt backwards.

Identifiers stay: they are no data about the world, and gates count by them.
"""

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

from runtime.contract import Json

KEPT = ("success", "status", "code", "message", "total")
"""Keys that say how the call went, not what the world is like."""


def with_wrong_value(data: Json, dice: Random) -> Json:
    """A copy with one value changed; the same where there is none to change."""
    wrong: Json = copy.deepcopy(data)
    places = list(_leaves(wrong))
    if places:
        holder, key = dice.choice(places)
        holder[key] = _other(holder[key], dice)
    return wrong


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        if isinstance(inner, dict | list):
            yield from _leaves(inner)
        elif not _kept(key) and inner not in (None, ""):
            yield value, key


def _kept(key: Any) -> bool:
    return isinstance(key, str) and (key in KEPT or key == "id" or key.endswith(("_id", "Id")))


def _other(value: Any, dice: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + dice.choice((-3, -2, 2, 3, 10))
    text = str(value)
    shifted = "".join(str((int(c) + 1) % 10) if c.isascii() and c.isdigit() else c for c in text)
    return shifted if shifted != text else text[::-1] if text[::-1] != text else f"{text} 2"
