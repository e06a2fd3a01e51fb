"""Value pools: what a slot of a template may be, by split; and what must be on the phone for a value to exist.

1. `load_values` reads `values.toml` and checks that the splits share nothing.
2. A `Draw` gives one task its values: a slot keeps its value, `{city_2}` is another city than `{city}`, and zipped
   pools (`unit_to` with `unit_from`) go together.
3. `canonical` is a value as the phone stores it, for rows that are planted.
"""

import re
import tomllib
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Any

from pydantic import Field, ValidationError

from device.spoken import (
    Unreadable,
    fold_text,
    read_currency,
    read_date,
    read_duration,
    read_money,
    read_number,
    read_percent,
    read_phone_number,
    read_recurrence,
    read_time,
    read_when,
)
from runtime.contract import Json, Record, SetupError, Split

SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
"""A slot of a template or of a planted row."""
_NUMBERED = re.compile(r"_\d+$")


class Pool(Record):
    """Values of one slot."""

    train: tuple[str, ...]
    """For train alone."""
    dev: tuple[str, ...]
    """For dev alone."""
    test: tuple[str, ...]
    """For test alone."""
    spoken: str = ""
    """Reader of `device.spoken` that must understand every value; empty: free text."""
    closed: bool = False
    """A small vocabulary that recurs in all splits."""

    def of(self, split: Split) -> tuple[str, ...]:
        """The values of a split; `evolve` shares dev's."""
        if split is Split.TRAIN:
            return self.train
        return self.test if split is Split.TEST else self.dev


class Values(Record):
    """The whole of `values.toml`."""

    pools: dict[str, Pool]
    """By name."""
    plants: dict[str, tuple[Json, ...]] = Field(default_factory=dict)
    """Rows by pool."""
    zips: dict[str, str] = Field(default_factory=dict)
    """Pool to the pool that it is drawn with."""
    alias: dict[str, str] = Field(default_factory=dict)
    """Other names of pools."""

    def partners(self, name: str) -> list[str]:
        """Pools that are drawn at the same place as this one."""
        return [other for pair in self.zips.items() if name in pair for other in pair if other != name]

    def pool_of(self, slot: str) -> str:
        """The pool of a slot; raises `SetupError` for none."""
        for name in (slot, _NUMBERED.sub("", slot)):
            if (found := self.alias.get(name, name)) in self.pools:
                return found
        raise SetupError(f"`{{{slot}}}` has no pool in `values.toml`; add `[pools.{slot}]` or an alias")


@lru_cache(maxsize=1)
def load_values() -> Values:
    """The pools of the suite; a damaged file is a `SetupError`."""
    raw = files("evalkit.suites.core").joinpath("values.toml").read_bytes()
    try:
        values = Values.model_validate(tomllib.loads(raw.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as error:
        raise SetupError(f"`evalkit/suites/core/values.toml` is damaged: {error}") from error
    for name, pool in values.pools.items():
        if shared := shared_values(pool):
            raise SetupError(f"pool `{name}` of `values.toml` has {', '.join(shared)} in two splits")
    return values


def shared_values(pool: Pool) -> list[str]:
    """Folded values that stand in more than one split of a pool that is not closed."""
    if pool.closed:
        return []
    folded = [{fold_text(value) for value in values} for values in (pool.train, pool.dev, pool.test)]
    return sorted((folded[0] & folded[1]) | (folded[0] & folded[2]) | (folded[1] & folded[2]))


def canonical(kind: str, said: str, now: datetime) -> Any:
    """A spoken value as a row stores it; free text stays. Raises `Unreadable`."""
    if kind == "duration":
        return read_duration(said)
    if kind == "number":
        return float(read_number(said))
    if kind == "percent":
        return int(read_percent(said))
    if kind == "money":
        return f"{read_money(said)[0]:.2f}"
    if kind == "currency" and (code := read_currency(said)):
        return code
    readers = {"time": read_time, "date": read_date, "recurrence": read_recurrence}
    if kind in readers:
        return readers[kind](said, now)
    if kind == "when":
        return str(read_when(said, now))
    if kind == "phone":
        return read_phone_number(said)
    if kind:
        raise Unreadable(said, "moment", f"`{kind}` is no reader; give one of {', '.join(readers)}")
    return said


class Draw:
    """The values of one task."""

    def __init__(self, values: Values, split: Split, rng: Random) -> None:
        self._values, self._split, self._rng = values, split, rng
        self.drawn: dict[str, str] = {}
        """Values by slot."""
        self._places: dict[str, int] = {}

    def value(self, slot: str) -> str:
        """The value of a slot, drawn once."""
        if slot not in self.drawn:
            self.drawn[slot] = self._draw(slot)
        return self.drawn[slot]

    def _draw(self, slot: str) -> str:
        name = self._values.pool_of(slot)
        options = self._values.pools[name].of(self._split)
        for partner in self._values.partners(name):
            if partner in self._places:
                return options[self._places[partner]]
        taken = {fold_text(value) for value in self.drawn.values()}
        free = [place for place, value in enumerate(options) if fold_text(value) not in taken]
        place = self._rng.choice(free or range(len(options)))
        self._places[name] = place
        return options[place]

    def fill(self, template: str) -> str:
        """The template with each slot replaced by its value."""
        return SLOT.sub(lambda found: self.value(found[1]), template)

    def stored(self, template: Any, now: datetime) -> Any:
        """A planted column: a lone slot of a spoken pool becomes the stored value, other text is filled."""
        if not isinstance(template, str):
            return template
        lone = SLOT.fullmatch(template)
        if lone is None:
            return self.fill(template)
        return canonical(self._values.pools[self._values.pool_of(lone[1])].spoken, self.value(lone[1]), now)

    def plants(self) -> list[Json]:
        """Rows that make the drawn values exist; `{value}`, `{title}`, `{bare}` (without my), `{slug}`, `{number}`."""
        rows: list[Json] = []
        for slot, value in self.drawn.items():
            for row in self._values.plants.get(self._values.pool_of(slot), ()):
                marks = {"{value}": value, "{title}": value.title(), "{bare}": value.removeprefix("my "),
                         "{slug}": slug(value), "{number}": str(201 + len(rows))}  # fmt: skip
                rows.append({column: _marked(text, marks) for column, text in row.items()})
        return rows


def slug(value: str) -> str:
    """Lower-case letters and digits with dots: a part of an address."""
    return re.sub(r"[^a-z0-9]+", ".", value.casefold()).strip(".")


def _marked(text: Any, marks: dict[str, str]) -> Any:
    if not isinstance(text, str):
        return text
    for mark, value in marks.items():
        text = text.replace(mark, value)
    return text
