"""How the tools of calendar, lists, notes and apps find the row that a person means, and say so when they don't.

1. `named` keeps the rows whose label says the same as the words; failing that, those that hold all of them.
2. `only` takes the single row that is left: none is 404, several are 409 with the candidates in the details.
3. `narrow` serves updates, where a value either picks one of several rows or is what the row shall become.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from device.sandbox.api import Json, conflict, folded, not_found

R = TypeVar("R")

_ALL = frozenset(
    f"{word}{tail}"
    for word in ("all", "everything", "every", "all of them", "all of", "all my", "every one")
    for tail in ("", " alarms", " alarm", " events", " event", " meetings", " reminders", " reminder", " notifications")
)
_FILLER = frozenset({"my", "our", "this", "that", "called", "named", "on", "for", "with", "at", "of", "and", "to"})


def wants_all(said: str | None) -> bool:
    """Whether `said` names no single row but all of them ("all", "everything", "all my alarms")."""
    return said is not None and folded(said) in _ALL


@lru_cache(maxsize=4_096)
def bare(said: str, *fillers: str) -> str:
    """`said` folded, without words that only point ("my", "called") and without the given `fillers`."""
    words = folded(said).split()
    return " ".join(word for word in words if word not in _FILLER and word not in fillers) or folded(said)


def named(rows: Iterable[R], said: str, label: Callable[[R], str], *fillers: str) -> list[R]:
    """Rows whose label means what was `said`: equal when folded; else holding all the words; else held by them."""
    rows, wanted = list(rows), bare(said, *fillers)
    if exact := [row for row in rows if bare(label(row), *fillers) == wanted]:
        return exact
    words = set(wanted.split())
    if not words:
        return []
    if holding := [row for row in rows if words <= set(folded(label(row)).split())]:
        return holding
    return [row for row in rows if (own := set(bare(label(row)).split())) and own <= words]


def only(rows: Sequence[R], what: str, said: str, label: Callable[[R], str], hint: str) -> R:
    """The one row there is. 404 where there is none, 409 with `candidates` where several are meant."""
    if not rows:
        raise not_found(f"no {what} matches {said}; {hint}")
    if len(rows) > 1:
        candidates = [label(row) for row in rows]
        shown = ", ".join(f"`{text}`" for text in candidates[:5])
        raise conflict(f"{len(rows)} {what}s match {said}: {shown}; say which one", candidates=candidates)
    return rows[0]


def narrow(rows: list[R], value: object, same: Callable[[R], bool]) -> tuple[list[R], bool]:
    """Read a value of an update: `(rows it picks, False)` where it picks some of several, else `(rows, True)`.

    True says that the value is no lookup: it is what the row shall become. An absent value does neither.
    """
    if value is None:
        return rows, False
    hits = [row for row in rows if same(row)]
    if hits and len(rows) > 1:
        return hits, False
    return rows, not hits


def said_as(**arguments: str | None) -> str:
    """The lookup as it stands in messages: "`time` 07:00 and `title` Run"; "this request" where nothing was said."""
    given = [f"`{name}` {value}" for name, value in arguments.items() if value is not None]
    return " and ".join(given) or "this request"


def briefly(fields: Json) -> Json:
    """The fields that say something: empty ones are left out of what the planner reads."""
    return {name: value for name, value in fields.items() if value not in ("", None, [], ())}
