"""Data of dependent requests: what can be looked up, what can be done with it, and conditions.

One file under `families/` holds one or more families: `producers/` (a call whose result names a value, and noun
phrases for that value), `consumers/` (a call that takes such a value as `{it}`), `conditions/` (a look-up and the facts
under which it holds), `blockers/` (facts that stand in the way, and the calls that clear them).
"""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import Field

from evalkit.gold import REFERENCE
from evalkit.suites.bench.book import HERE
from evalkit.suites.bench.wording import Phrasings
from evalkit.tables import data_files, each_once, read_table
from runtime.contract import Json, Record


class Look(Phrasings):
    """A call that is made to know something."""

    name: str
    """Unique among its kind."""
    tool: str
    """What is called."""
    arguments: Json = Field(default_factory=dict)
    """With slots."""
    plant: tuple[Json, ...] = ()
    """Rows that must be there."""

    @property
    def call(self) -> Json:
        """The gold call with slots."""
        return {"name": self.tool, "arguments": self.arguments}


class Producer(Look):
    """Its templates are noun phrases for the value that its result names."""

    gives: tuple[str, ...] = Field(min_length=1)
    """Kinds of value: text, time, date, place, person, phone, email, number, money, song, file."""
    path: str
    """Where the result holds the value: `data.events.0.time`."""


class Consumer(Look):
    """Its templates hold `{it}` where the noun phrase stands; its arguments hold it where the value goes."""

    takes: tuple[str, ...] = Field(min_length=1)
    """Kinds of value that fit."""
    subcategory: str = Field(min_length=3)
    """What it is about."""


class Condition(Look):
    """Its templates are clauses: `if my battery is low`."""

    others: tuple[Json, ...] = ()
    """Calls that tell as much."""
    loose: tuple[str, ...] = ()
    """Arguments that may be left out."""
    holds: tuple[Json, ...] = ()
    """Facts under which it is so."""
    fails: tuple[Json, ...] = ()
    """Facts under which it is not."""
    varies: bool = False
    """Whether the world decides, not facts: then `path` is compared with `equals`."""
    path: str = ""
    """Where the result says so."""
    equals: Any = None
    """Value there that makes it hold."""


class Blocker(Record):
    """Something that may stand in the way."""

    name: str
    """Unique."""
    facts: tuple[Json, ...]
    """Rows that plant it, over those of the request."""
    fix: tuple[Json, ...]
    """Calls that clear it."""
    wording: Phrasings | None = None
    """How a request allows the fix, around `{0}`, where it must say more than that something may be cleared."""


class Shelf(Record):
    """One file of families."""

    producer: tuple[Producer, ...] = ()
    """What can be looked up."""
    consumer: tuple[Consumer, ...] = ()
    """What can be done with it."""
    condition: tuple[Condition, ...] = ()
    """What a request may hang on."""
    blocker: tuple[Blocker, ...] = ()
    """What may stand in the way."""


F = TypeVar("F", Producer, Consumer, Condition, Blocker)


@lru_cache(maxsize=1)
def producers() -> tuple[Producer, ...]:
    """All producers."""
    return each_once([one for shelf in _shelves("producers") for one in shelf.producer], "families")


@lru_cache(maxsize=1)
def consumers() -> tuple[Consumer, ...]:
    """All consumers."""
    return each_once([one for shelf in _shelves("consumers") for one in shelf.consumer], "families")


@lru_cache(maxsize=1)
def conditions() -> tuple[Condition, ...]:
    """All conditions."""
    return each_once([one for shelf in _shelves("conditions") for one in shelf.condition], "families")


@lru_cache(maxsize=1)
def blockers() -> tuple[Blocker, ...]:
    """All blockers."""
    return each_once([one for shelf in _shelves("blockers") for one in shelf.blocker], "families")


def _shelves(folder: str) -> list[Shelf]:
    return [read_table(name, text, Shelf) for name, text in data_files(HERE, f"families/{folder}")]


def shifted(step: Json, by: int) -> Json:
    """A gold call whose references count `by` more calls before them."""
    arguments = {name: _moved(value, lambda number: number + by) for name, value in step["arguments"].items()}
    return {**step, "arguments": arguments}


def without_calls(gold: Sequence[Json], gone: Collection[int]) -> list[Json]:
    """The gold less the calls at these numbers (from 0), references counted anew; KeyError where one loses its call."""
    kept: dict[int, int] = {}
    steps: list[Json] = []
    number = -1
    for step in gold:
        if "name" not in step:
            steps.append(step)
            continue
        number += 1
        if number not in gone:
            kept[number + 1] = len(kept) + 1
            steps.append({**step, "arguments": _counted_anew(step["arguments"], kept)})
    return steps


def _counted_anew(arguments: Json, kept: dict[int, int]) -> Json:
    return {name: _moved(value, kept.__getitem__) for name, value in arguments.items()}


def _moved(value: Any, place: Callable[[int], int]) -> Any:
    """A reference with another number; any other value stays."""
    found = REFERENCE.fullmatch(value) if isinstance(value, str) else None
    return value if found is None else f"${place(int(found[1]))}.data.{found[2]}"
