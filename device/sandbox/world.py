"""Worlds: what a phone holds before anything is done to it.

1. The default world of a clock and a seed is what the plants plant.
2. A `WorldSpec` lays its facts over that: `{"table": ..., **columns}`. Where a row has the key already, the columns
   given replace its own and the others stay; a singleton needs no key.
3. Worlds are built once and shared: a phone never writes into one.
"""

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from device.sandbox.clock import read_clock
from device.sandbox.ids import highest
from device.sandbox.registry import Catalogue
from device.sandbox.row import SINGLETON, RowKind
from runtime.contract import Json, UserError, WorldSpec

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class World:
    """One built world."""

    now: datetime
    """Clock at the start."""
    seed: int
    """Seeds every chance."""
    denied: frozenset[str]
    """Permissions that are not granted."""
    tables: Mapping[str, Mapping[str, Any]]
    """Rows by table and key; never written."""
    counts: Mapping[str, int]
    """Highest number of the ids of each prefix."""


class Key(NamedTuple):
    """What tells worlds apart."""

    clock: str
    """As in the spec."""
    seed: int
    """As in the spec."""
    denied: frozenset[str]
    """As in the spec."""
    facts: str
    """As JSON; empty for none."""


PhoneOf = Callable[[World, Catalogue], "Sandbox"]
"""Makes a phone of a built world."""


def world_of(catalogue: Catalogue, spec: WorldSpec, phone_of: PhoneOf) -> World:
    """The built world of `spec`, remembered; raises `UserError` for facts or permissions that do not fit."""
    facts = json.dumps(spec.facts) if spec.facts else ""
    return _with_facts(catalogue, Key(spec.clock, spec.seed, spec.denied, facts), phone_of)


@lru_cache(maxsize=32)
def _default(catalogue: Catalogue, clock: str, seed: int, phone_of: PhoneOf) -> World:
    singletons = {kind.table: {SINGLETON: kind.cls()} for kind in catalogue.kinds.values() if kind.singleton}
    phone = phone_of(World(read_clock(clock), seed, frozenset(), singletons, {}), catalogue)
    for plant in catalogue.plants:
        plant(phone)
    return phone.frozen()


@lru_cache(maxsize=512)
def _with_facts(catalogue: Catalogue, key: Key, phone_of: PhoneOf) -> World:
    default = _default(catalogue, key.clock, key.seed, phone_of)
    if unknown := sorted(key.denied - catalogue.permissions):
        known = ", ".join(sorted(catalogue.permissions)) or "none"
        raise UserError(f"the world denies `{unknown[0]}`, which no tool needs; permissions are {known}")
    phone = phone_of(World(default.now, default.seed, key.denied, default.tables, default.counts), catalogue)
    for fact in json.loads(key.facts) if key.facts else ():
        _lay(catalogue, phone, fact)
    return phone.frozen()


def _lay(catalogue: Catalogue, phone: "Sandbox", fact: Json) -> None:
    """Plant one fact."""
    columns = dict(fact)
    name = columns.pop("table", None)
    kind = catalogue.kinds.get(str(name))
    if kind is None:
        near = difflib.get_close_matches(str(name), catalogue.kinds, n=3) or sorted(catalogue.kinds)
        raise UserError(f"a fact names the table `{name}`, which the phone does not have; try {', '.join(near)}")
    if unknown := sorted(set(columns) - set(kind.columns)):
        raise UserError(f"`{kind.table}` has no column `{unknown[0]}`; its columns are {', '.join(kind.columns)}")
    table = phone.table(kind.cls)
    key = SINGLETON if kind.singleton else columns.get(str(kind.key))
    before = None if key is None else table.get(str(key))
    values = {**(kind.to_json(before) if before is not None else {}), **columns}
    if missing := [column for column in kind.required if column not in values]:
        raise UserError(f"a fact of `{kind.table}` lacks the column `{missing[0]}`; give {', '.join(kind.required)}")
    after = _valid(kind, values)
    if before is None:
        table.insert(after)
    else:
        table.update(before, **{column: getattr(after, column) for column in kind.columns})


def _valid(kind: RowKind, values: Json) -> Any:
    try:
        return kind.adapter.validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        column = ".".join(str(part) for part in first["loc"])
        raise UserError(f"a fact of `{kind.table}` has a wrong `{column}`: {first['msg']}") from None


def merged(base: Mapping[str, Mapping[str, Any]], overlays: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The rows of `base` with `overlays` laid over them; tables without changes are shared."""
    tables = dict(base)
    for name, overlay in overlays.items():
        if not overlay:
            continue
        rows = {**tables.get(name, {}), **overlay}
        tables[name] = {key: row for key, row in rows.items() if row is not None}
    return tables


def counts_of(tables: Mapping[str, Mapping[str, Any]], start: Mapping[str, int]) -> dict[str, int]:
    """The highest number of each id prefix over all tables."""
    return highest((key for rows in tables.values() for key in rows), start)


def forget_worlds() -> None:
    """Drop every remembered world (a measurement without cache needs this); phones keep theirs."""
    _default.cache_clear()
    _with_facts.cache_clear()
