"""What the phone says after a write: the touched rows, read anew, against the acknowledgement and the arguments.

1. A row agrees with the acknowledgement when it equals the `after` of the observation's diff.
2. An argument agrees when a column of its name holds it now, or held it before (then it chose the row). Text agrees
   when it is in the column's text, or the other way round; a step ("+10") and a person say nothing here.
   `newX` is what column `x` must hold.
"""

import re
from typing import TYPE_CHECKING, Any

from device.sandbox.row import RowKind
from device.sandbox.tables import folded, same
from runtime.contract import Effect, Evidence, Json, Observation, RowChange, ToolCall

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox

_HUMP = re.compile(r"(?<!^)(?=[A-Z])")
_SILENT = frozenset(("contact",))


def evidence_of(phone: "Sandbox", call: ToolCall, observation: Observation) -> Evidence | None:
    """Evidence of a write: `rows` as they are now, `matches`, and `differs` naming what does not."""
    tool = phone.catalogue.tools.get(call.name)
    if tool is None or observation.call is None or observation.failure is not None:
        return None
    if tool.spec.effects_of(observation.call.arguments) == {Effect.READ}:
        return None
    touched = _touched(phone, call.id)
    claims = {(change.table, change.key): change for change in observation.diff.changes}
    places = {(kind.table, key): kind for kind, key in touched}
    places.update({(table, key): phone.catalogue.kinds[table] for table, key in claims})
    if not places:
        return None
    rows: list[Json] = []
    differs: list[str] = []
    properties = tool.spec.parameters["properties"]
    for (table, key), kind in places.items():
        found = phone.table(kind.cls).get(key)
        now = None if found is None else kind.to_json(found)
        rows.append({"table": table, "key": key, "row": now})
        claim = claims.get((table, key))
        if claim is not None and now != claim.after:
            differs.append(f"{table}.{key}")
        differs += _disagreeing(observation.call.arguments, properties, kind, now, claim)
    facts = {"rows": rows, "matches": not differs, "differs": differs}
    return Evidence(source="tables " + ", ".join(sorted({table for table, _ in places})), facts=facts)


def _touched(phone: "Sandbox", call_id: str) -> tuple[tuple[RowKind, str], ...]:
    for operation in reversed(phone.log):
        if operation.call_id == call_id:
            return operation.touched
    return ()


def _disagreeing(
    arguments: Json, properties: Json, kind: RowKind, now: Json | None, claim: RowChange | None
) -> list[str]:
    """Arguments that are columns of this row and that it neither holds nor held."""
    if now is None:
        return []
    before = claim.before if claim is not None and claim.before is not None else {}
    wrong = []
    for name, value in arguments.items():
        column = _column(name, arguments, kind)
        spoken = properties[name].get("x-spoken")
        if column is None or spoken in _SILENT or (spoken == "percent" and isinstance(value, str)):
            continue
        held = (now[column], before.get(column, now[column]))
        if not any(_agrees(value, other, spoken) for other in held):
            wrong.append(f"{kind.table}.{column}")
    return wrong


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
    if same(value, held):
        return True
    if spoken == "text" and isinstance(value, str) and isinstance(held, str):
        said, kept = set(folded(value).split()), set(folded(held).split())
        return bool(said and kept) and (said <= kept or kept <= said)
    return False
