"""Elements as words: their title, value and states, and how well they fit what a goal names.

A label of the contract's `Element` reads `title, summary`, for a field `name: text`, and ends with its states:
`Dark theme (on)`. Words fit when they are equal or begin alike (`rotate`, `rotation`), so that a goal need not quote.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz import fuzz

from runtime.contract import Element

STATES = frozenset(("on", "off", "selected", "focused", "disabled", "off screen"))
_STATES = re.compile(r" ?\(([a-z, ]+)\)$")
_WORD = re.compile(r"\w+")
_EMPTY = frozenset(
    ("the", "a", "an", "my", "to", "of", "in", "on", "at", "for", "and", "with", "app", "page", "please", "it", "its")
)
_NO_NAMES = frozenset(("", "switch", "switch widget", "checkbox", "check box", "toggle"))
TOGGLES = ("switch", "check")
KEYS = 8
"""Buttons of one letter in a row that make a keyboard."""
ROWS = ("button", "choice", "radio", "check", "switch")


@dataclass(frozen=True, slots=True)
class Live:
    """One element of the screen as it is now."""

    element: Element
    """As observed."""
    title: str
    """What it is called."""
    rest: str
    """Its summary; for a field what stands in it."""
    states: frozenset[str]
    """Of `STATES`."""
    line: str
    """All of it, without the id."""
    role: str
    """What it is."""

    @property
    def id(self) -> str:
        """Id of the look."""
        return self.element.id

    def can(self, action: str) -> bool:
        """Whether it takes an action now."""
        return action in self.element.actions and not self.states & {"disabled", "off screen"}

    @property
    def on(self) -> bool | None:
        """Whether it is on or chosen; None where it says neither."""
        if self.states & {"on", "selected"}:
            return True
        return False if "off" in self.states else None


def live(element: Element) -> Live:
    """An element's parts."""
    label, states = element.label, frozenset[str]()
    if (found := _STATES.search(label)) and STATES.issuperset(named := found[1].split(", ")):
        label, states = label[: found.start()], frozenset(named)
    line = f"{element.role} {element.label}".strip()
    title, mark, rest = label.partition(": " if element.role == "field" else ", ")
    return Live(element, title if mark else label, rest if mark else "", states, line, element.role)


def lives_of(elements: Iterable[Element]) -> list[Live]:
    """All elements; a switch without a name of its own belongs to the row before it, which then is the switch."""
    found: list[Live] = []
    for one in _without_keys([live(element) for element in elements]):
        row = found[-1] if found else None
        if row is not None and row.role == "button" and row.title and _nameless(one):
            state = "on" if one.on else "off"
            states = one.states | row.states
            found[-1] = replace(row, states=states, role=one.role, line=f"{one.role} {row.element.label} ({state})")
        else:
            found.append(one)
    return found


def _without_keys(lives: list[Live]) -> list[Live]:
    """Without the keys of a keyboard, which stand together at the end: its `Delete` is no button of the app."""
    first = next(
        (at for at, one in enumerate(lives) if all(map(_key, lives[at : at + KEYS])) and len(lives) - at >= KEYS), None
    )
    return lives if first is None else lives[:first]


def _key(one: Live) -> bool:
    return one.role == "button" and len(one.title) == 1 and not one.rest


def _nameless(one: Live) -> bool:
    return one.on is not None and one.role in TOGGLES and one.title.casefold() in _NO_NAMES


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Words that say something, without case, accents and leading zeros; all words where none does."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))
    found = tuple(word.lstrip("0") or "0" if word.isdecimal() else word for word in _WORD.findall(plain))
    return tuple(word for word in found if word not in _EMPTY) or found


def alike(one: str, other: str) -> bool:
    """Whether two words are the same but for their endings or a slip."""
    if one == other:
        return True
    if one.isdecimal() or other.isdecimal() or min(len(one), len(other)) < 4:
        return False
    short, long = sorted((one, other), key=len)
    stem = short[: max(4, len(short) - 2)]
    return (long.startswith(stem) and len(long) - len(stem) <= 5) or (len(short) > 4 and fuzz.ratio(one, other) >= 86)


def share(wanted: Sequence[str], there: Sequence[str]) -> float:
    """Which part of the wanted words is there."""
    return sum(any(alike(word, other) for other in there) for word in wanted) / len(wanted) if wanted else 0.0


def fit(target: str, one: Live) -> float:
    """How well an element is what `target` names: 1 the same title, 0 nothing in common.

    From 0.7 on the title names it; about 0.6 its summary or value does; below that only some words are shared.
    """
    wanted, title = words(target), words(one.title)
    if not wanted:
        return 0.0
    if target.casefold().strip() in (one.title.casefold(), one.element.label.casefold()) or wanted == title:
        return 1.0
    forth, back = share(wanted, title), share(title, wanted)
    if forth == 1.0:
        return 0.8 + 0.15 * back
    if back == 1.0 and (len(title) > 1 or len(title[0]) > 2):
        return 0.7 + 0.1 * forth
    whole = share(wanted, (*title, *words(one.rest)))
    return 0.62 if whole == 1.0 else 0.5 * max(forth, whole * 0.8)


def best(target: str, among: Iterable[Live], floor: float) -> Live | None:
    """The one that fits best and well enough; the first of equals."""
    ranked = [(fit(target, one), -number, one) for number, one in enumerate(among)]
    top = max(ranked, key=lambda item: item[:2], default=None)
    return top[2] if top is not None and top[0] >= floor else None


def begins(one: Live, verbs: Iterable[str]) -> bool:
    """Whether its title begins with one of these words."""
    first = words(one.title)[:1]
    return bool(first) and any(verb in (first[0], " ".join(words(one.title))) for verb in verbs)
