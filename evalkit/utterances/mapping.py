"""Intent and slots to one gold call, by the data file `map.toml`.

The map was committed before any training; its digest stands in every result. What it can say is described at the head
of the file. Nothing here looks at a planner.
"""

import hashlib
import re
import tomllib
from collections import defaultdict
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Literal

from pydantic import Field, ValidationError

from evalkit.utterances.rows import Slot, Utterance
from runtime.contract import Record, SetupError, StableSet

JOIN_CHARACTERS = 16
"""Slots of one argument that stand no further apart are one stretch of text."""


class Role(Record):
    """How several slots of one name share two arguments."""

    kind: Literal["preposition", "pair"]
    """`preposition`: by the word before the slot. `pair`: first and second."""
    arguments: tuple[str, str]
    """The two arguments."""
    origin: StableSet[str] = frozenset()
    """Words that lead to the first argument."""
    single: str = ""
    """Argument of a lone slot of a pair."""


class When(Record):
    """A refinement by pattern."""

    pattern: str
    """Searched in the text in lower case."""
    set: dict[str, str] = Field(default_factory=dict)
    """Added to the fixed arguments."""
    tool: str | None = None
    """Another tool; then only `set` of this refinement holds."""
    rename: dict[str, str] = Field(default_factory=dict)
    """Arguments under the other tool's names; empty: it has none such."""


class Entry(Record):
    """What the map says of one intent."""

    tool: str = ""
    """The tool that serves it."""
    set: dict[str, str] = Field(default_factory=dict)
    """Arguments that the intent fixes."""
    slots: dict[str, str] = Field(default_factory=dict)
    """Slot name to argument or role."""
    via: StableSet[str] = frozenset()
    """Slots whose meaning `set` holds; they don't count as reached."""
    free: StableSet[str] = frozenset()
    """Arguments that the source does not annotate: not scored."""
    when: tuple[When, ...] = ()
    """Refinements; the first that matches counts."""
    decline: bool = False
    """No tool of ours serves it."""


class Gold(Record):
    """The call that a row asks for."""

    tool: str
    """The tool; empty where the row must be declined."""
    arguments: dict[str, str] = Field(default_factory=dict)
    """Arguments as said."""
    free: StableSet[str] = frozenset()
    """Arguments that are not scored."""
    reached: int = 0
    """Annotated slots that reached an argument."""
    scored: bool = False
    """Whether annotated slots decide the arguments (a row with slots)."""

    @property
    def decline(self) -> bool:
        """The row ends in a question or a refusal."""
        return not self.tool


@lru_cache(maxsize=1)
def load_map() -> tuple[dict[tuple[str, str], Entry], dict[str, Role], str]:
    """Entries by (source, intent), roles by name, and the digest of the file."""
    raw = files("evalkit.utterances").joinpath("map.toml").read_bytes()
    data: dict[str, Any] = tomllib.loads(raw.decode())
    try:
        roles = {name: Role.model_validate(role) for name, role in data.pop("roles").items()}
        entries = {
            (source, intent): Entry.model_validate(entry)
            for source, intents in data.items()
            for intent, entry in intents.items()
        }
    except ValidationError as error:
        raise SetupError(f"`evalkit/utterances/map.toml` is damaged: {error}; install the package again") from error
    return entries, roles, hashlib.sha256(raw).hexdigest()[:16]


def gold_of(row: Utterance) -> Gold | None:
    """The gold call of a row; None where the map does not know the intent."""
    entries, roles, _ = load_map()
    entry = entries.get((row.source, row.intent))
    if entry is None:
        return None
    if entry.decline:
        return Gold(tool="")
    refined = _refined(entry, row.text.lower())
    arguments, reached = _arguments(row, entry, roles, refined.rename)
    return Gold(
        tool=refined.tool or entry.tool,
        arguments={**refined.set, **arguments},
        free=entry.free,
        reached=reached,
        scored=bool(row.slots),
    )


def _refined(entry: Entry, text: str) -> When:
    """The refinement that holds, with the entry's fixed arguments unless it names another tool."""
    for when in entry.when:
        if re.search(when.pattern, text):
            return when if when.tool else when.model_copy(update={"set": {**entry.set, **when.set}})
    return When(pattern="", set=entry.set)


def _arguments(
    row: Utterance, entry: Entry, roles: dict[str, Role], rename: dict[str, str]
) -> tuple[dict[str, str], int]:
    """Arguments as said, and how many slots reached one."""
    by_target: dict[str, list[Slot]] = defaultdict(list)
    for slot in sorted(row.slots, key=lambda slot: slot.start):
        if slot.name in entry.slots:
            by_target[entry.slots[slot.name]].append(slot)
    spans: dict[str, list[Slot]] = defaultdict(list)
    for target, slots in by_target.items():
        for argument, slot in _assign(row.text, slots, roles.get(target), target):
            if name := rename.get(argument, argument):
                spans[name].append(slot)
    joined = {argument: join_slots(row.text, slots) for argument, slots in spans.items()}
    return joined, sum(len(slots) for slots in spans.values())


def _assign(text: str, slots: list[Slot], role: Role | None, target: str) -> list[tuple[str, Slot]]:
    if role is None:
        return [(target, slot) for slot in slots]
    if role.kind == "pair":
        names = [role.single] if len(slots) == 1 else [role.arguments[min(i, 1)] for i in range(len(slots))]
        return list(zip(names, slots, strict=True))
    return [(role.arguments[0 if _led_by(text, slot, role.origin) else 1], slot) for slot in slots]


def _led_by(text: str, slot: Slot, words: frozenset[str]) -> bool:
    """Whether one of the two words before the slot is in `words`."""
    return bool(set(text[: slot.start].lower().split()[-2:]) & words)


def join_slots(text: str, slots: list[Slot]) -> str:
    """The stretch of text that covers the slots; where they stand far apart, their values side by side."""
    first = slots[0]
    for before, after in pairwise(slots):
        if after.start - before.end > JOIN_CHARACTERS:
            return " ".join(slot.value for slot in slots)
    return text[first.start : slots[-1].end]
