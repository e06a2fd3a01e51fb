"""Which rows a person means by a name: exact when folded, else all words of one within the other.

Words that only point ("my", "the", "called") and those that say what kind of thing it is (`kinds`, such as "account")
don't count.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from device.sandbox.api import conflict, folded, not_found

R = TypeVar("R")
_POINTING = frozenset(
    ("my", "our", "this", "that", "the", "called", "named", "for", "from", "at", "in", "to", "of", "on")
)


@lru_cache(maxsize=4_096)
def bare(said: str, *kinds: str) -> str:
    """`said` folded, without pointing words and `kinds`; as folded where nothing else is left."""
    words = folded(said).split()
    return " ".join(word for word in words if word not in _POINTING and word not in kinds) or " ".join(words)


def named(rows: Iterable[R], said: str, name: Callable[[R], str], *kinds: str) -> list[R]:
    """Rows that are called what was `said`; failing that, those that hold its words; failing that, held by them."""
    listed, target = list(rows), bare(said, *kinds)
    if exact := [row for row in listed if bare(name(row), *kinds) == target]:
        return exact
    words = set(target.split())
    if not words:
        return []
    if holding := [row for row in listed if words <= set(folded(name(row)).split())]:
        return holding
    return [row for row in listed if (own := set(bare(name(row), *kinds).split())) and own <= words]


def only(found: Sequence[R], what: str, said: str, name: Callable[[R], str], valid: Iterable[str] = ()) -> R:
    """The one row found: none is 404 with the `valid` names, several are 409 with the `candidates`."""
    if not found:
        there = list(dict.fromkeys(valid))
        shown = f"; there is {', '.join(there)}" if there else ""
        raise not_found(f"no {what} matches {said}{shown}", valid=there)
    if len(found) > 1:
        candidates = [name(row) for row in found]
        raise conflict(f"{said} could be the {what}s {', '.join(candidates)}; say which one", candidates=candidates)
    return found[0]
