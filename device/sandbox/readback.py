"""What the phone says after a write: the touched rows, read anew, against the acknowledgement and the arguments.

1. A row agrees with the acknowledgement when it equals the `after` of the observation's diff.
2. An argument agrees when a column of its name, in any touched row, holds it now, or held it before (then it chose the
   row). Text agrees when it is in the column's text, or the other way round; a step ("+10"), a person and "all" say
   nothing here, nor does the date of a row that repeats (it is its first day). `newX` is what column `x` must hold.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from device.sandbox.row import RowKind
from device.sandbox.tables import folded, same
from runtime.contract import Effect, Evidence, Json, Observation, RowChange, ToolCall

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox

_EVERY = frozenset(("all", "every", "everything", "everywhere"))
_HUMP = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class ReadRow:
    """One touched row."""

    kind: RowKind
    """Its table."""
    key: str
    """Its key."""
    now: Json | None
    """Read anew; None where there is no such row."""
    claim: RowChange | None
    """What the observation says about it."""

    def held(self, column: str) -> tuple[Any, ...]:
        """What the column holds, and held before."""
        before = self.claim.before if self.claim is not None else None
        return tuple(row[column] for row in (self.now, before) if row is not None)


def evidence_of(phone: "Sandbox", call: ToolCall, observation: Observation) -> Evidence | None:
    """Evidence of a write: `rows` as they are now, `matches`, and `differs` naming what does not."""
    tool = phone.catalogue.tools.get(call.name)
    if tool is None or observation.call is None or observation.failure is not None:
        return None
    arguments = observation.call.arguments
    if tool.spec.effects_of(arguments) == {Effect.READ}:
        return None
    rows = _read(phone, call.id, observation)
    if not rows:
        return None
    differs = [f"{row.kind.table}.{row.key}" for row in rows if row.claim is not None and row.now != row.claim.after]
    differs += _disagreeing(arguments, tool.spec.parameters["properties"], [row for row in rows if row.now is not None])
    shown = [{"table": row.kind.table, "key": row.key, "row": row.now} for row in rows]
    source = "tables " + ", ".join(sorted({row.kind.table for row in rows}))
    return Evidence(source=source, facts={"rows": shown, "matches": not differs, "differs": differs})


def _read(phone: "Sandbox", call_id: str, observation: Observation) -> list[ReadRow]:
    """The rows that the call wrote, by the log and by its own word."""
    claims = {(change.table, change.key): change for change in observation.diff.changes}
    logged = next((operation.touched for operation in reversed(phone.log) if operation.call_id == call_id), ())
    places = dict.fromkeys([*((kind.table, key) for kind, key in logged), *claims])
    rows = []
    for table, key in places:
        kind = phone.catalogue.kinds[table]
        found = phone.table(kind.cls).get(key)
        rows.append(ReadRow(kind, key, None if found is None else kind.to_json(found), claims.get((table, key))))
    return rows


def _disagreeing(arguments: Json, properties: Json, rows: list[ReadRow]) -> list[str]:
    """Columns named by an argument that no touched row holds or held."""
    wrong = []
    for name, value in arguments.items():
        spoken = properties[name].get("x-spoken")
        if _says_nothing(value, spoken):
            continue
        places = [(row, column) for row in rows if (column := _column(name, arguments, row.kind))]
        if spoken == "date":
            places = [(row, column) for row, column in places if not (row.now or {}).get("repeat")]
        if places and not any(_agrees(value, held, spoken) for row, column in places for held in row.held(column)):
            wrong += [f"{row.kind.table}.{column}" for row, column in places]
    return wrong


def _says_nothing(value: Any, spoken: str | None) -> bool:
    """A person, a step, or "all of them": no column holds these as they were said."""
    if spoken == "text":
        return str(folded(value)).partition(" ")[0] in _EVERY
    return spoken == "contact" or (spoken == "percent" and isinstance(value, str))


def _column(name: str, arguments: Json, kind: RowKind) -> str | None:
    """The column that an argument would set; an argument whose `new` form is given only chose the row."""
    if f"new{name[0].upper()}{name[1:]}" in arguments:
        return None
    bare = name[3:] if name.startswith("new") and name[3:4].isupper() else name
    for column in (bare, _HUMP.sub("_", bare).lower()):
        if column in kind.columns and column != kind.key:
            return column
    return None


def _agrees(value: Any, held: Any, spoken: str | None) -> bool:
    if same(value, held) or (spoken == "recurrence" and value == "ONCE" and held == ""):
        return True
    if spoken == "text" and isinstance(value, str) and isinstance(held, str):
        said, kept = set(folded(value).split()), set(folded(held).split())
        return bool(said and kept) and (said <= kept or kept <= said)
    return False
