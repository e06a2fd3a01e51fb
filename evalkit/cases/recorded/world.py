"""The phone and the memory in which a recorded case can happen: what its calls tell of, and nothing more.

1. A call that worked had the rows that the map says it needs; a first look at a setting shows how it was set.
2. What an earlier call of the same case wrote is never laid under it, and what is laid first stays.
3. Every memory that a search showed is there.
"""

from collections.abc import Iterator, Sequence

from device.sandbox.row import RowKind
from device.sandbox.sandbox import Sandbox
from evalkit.cases.recorded.mapping import Map, at, rows_of
from evalkit.cases.recorded.translate import Translated
from memory.records import MAX_CONTENT, Category
from runtime.contract import Json, WorldSpec, canonical_json


def world_of(calls: Sequence[Translated], clock: str, book: Map) -> WorldSpec:
    """The phone and the memory that the recordings tell of."""
    facts = list(_facts(calls, clock))
    aside = [row for row in book.aside if any(row["table"] == fact["table"] for fact in facts)]
    return WorldSpec(clock=clock, facts=(*aside, *facts), memories=tuple(_memories(calls)))


def _facts(calls: Sequence[Translated], clock: str) -> Iterator[Json]:
    """Rows that the phone had, by the calls that worked; nothing that an earlier call wrote."""
    there, written, today = Ground(clock), set[str](), clock[:10]
    for call in calls:
        if call.recorded.failed:
            continue
        result = call.recorded.result
        for rows in call.map.had:
            for find, columns in rows_of(rows, call.known, result, today):
                if rows.table not in written and (fact := there.fact(rows.table, find, columns)):
                    yield {"table": rows.table, **fact}
        written |= {rows.table for rows in call.map.state if any(rows_of(rows, call.known, result, today))}


class Ground:
    """A default phone, and what was laid over it."""

    def __init__(self, clock: str) -> None:
        self._phone = Sandbox(WorldSpec(clock=clock))
        self._keys: dict[tuple[str, str], str] = {}
        self._laid: dict[tuple[str, str], set[str]] = {}

    def fact(self, table: str, find: Json, columns: Json) -> Json:
        """The columns that are new to the row that is meant, with its key; empty for a row that can't be whole."""
        kind = self._phone.catalogue.kinds[table]
        if kind.singleton:
            return self._new(table, "", columns)
        name = str(kind.key)
        made = f"{table}_recorded_{len(self._keys)}"
        key = self._found(kind, find) or str(columns.get(name, made))
        whole = {name: key, **columns}
        known = self._laid.get((table, key)) is not None or self._phone.table(kind.cls).get(key) is not None
        if not known and not all(column in whole for column in kind.required):
            return {}
        if find:
            self._keys[table, canonical_json(find)] = key
        new = self._new(table, key, columns)
        return {**new, name: key} if new else {}

    def _found(self, kind: RowKind, find: Json) -> str | None:
        """The key of the row that is looked for, as laid before or as a default phone has it."""
        if not find:
            return None
        if (laid := self._keys.get((kind.table, canonical_json(find)))) is not None:
            return laid
        rows = (kind.to_json(row) for row in self._phone.table(kind.cls).all())
        fitting = (row for row in rows if all(row[name] == value for name, value in find.items()))
        return next((str(row[str(kind.key)]) for row in fitting), None)

    def _new(self, table: str, key: str, columns: Json) -> Json:
        laid = self._laid.setdefault((table, key), set())
        new = {name: value for name, value in columns.items() if name not in laid}
        laid.update(columns)
        return new


def _memories(calls: Sequence[Translated]) -> Iterator[Json]:
    """Every memory that a search showed, once."""
    known: set[str] = set()
    for call in calls:
        items = at(call.recorded.result, call.map.memories) if call.map.memories else []
        for item in items if isinstance(items, list) else ():
            if (name := str(at(item, "memory_id"))) not in known and isinstance(text := at(item, "content"), str):
                known.add(name)
                category = at(item, "category")
                kept = category if category in set(Category) else Category.INFO
                yield {"id": name, "content": text[:MAX_CONTENT], "category": str(kept)}
