"""A record as a row of the table `records`, and back. Rows were validated when they were written."""

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from memory.records import Category, Intention, Kind, MemoryRecord, Trust

COLUMNS = tuple(MemoryRecord.model_fields)
SELECTED = ", ".join(f'records."{name}"' for name in COLUMNS)
SELECT = f"SELECT records.seq, {SELECTED} FROM records"
_NAMES = ", ".join(f'"{name}"' for name in COLUMNS)
INSERT = f"INSERT INTO records (seq, says, {_NAMES}) VALUES ({', '.join('?' * (len(COLUMNS) + 2))})"

_FROM: Mapping[str, Callable[[Any], Any]] = {
    "kind": Kind,
    "category": Category,
    "trust": Trust,
    "shared": bool,
    "derived_from": lambda text: tuple(json.loads(text)) if text else (),
    "intention": lambda text: Intention.model_validate_json(text) if text else None,
}


def record_of(row: Any) -> MemoryRecord:
    """The record of a row that was selected with `SELECT`."""
    values = dict(zip(COLUMNS, tuple(row)[1:], strict=True))
    for name, read in _FROM.items():
        values[name] = read(values[name])
    return MemoryRecord.model_construct(**values)


def values_of(record: MemoryRecord) -> list[object]:
    """The values of a record's columns, in their order."""
    given = record.__dict__
    values = [given[name] for name in COLUMNS]
    for place, name in _ENCODED:
        values[place] = _TO[name](values[place])
    return values


def says(content: str) -> int:
    """A number that texts have in common which differ in case alone."""
    return int.from_bytes(blake2b(content.casefold().encode(), digest_size=8).digest(), "big", signed=True)


_TO: Mapping[str, Callable[[Any], object]] = {
    "kind": str,
    "category": str,
    "trust": str,
    "shared": int,
    "derived_from": lambda ids: json.dumps(ids) if ids else "",
    "intention": lambda one: one and one.model_dump_json(),
}
_ENCODED = tuple((COLUMNS.index(name), name) for name in _TO)
