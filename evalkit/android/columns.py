"""What both backends can say of the same change: rows that went and rows that came, in the columns that a phone shows.

    sandbox's diff, phone's diff  ->  moves (table, row) gone and come  ->  what one has and the other lacks

Ids and keys are each backend's own, and a row that a phone keys by what changed (an alarm by its moment) is there a row
that went and another that came. So changes are compared as rows, not by key.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Any

from device.android.state.app_names import label
from runtime.contract import Json, RowChange, StateDiff, canonical_json

BOOKKEEPING = ("screen", "notifications", "player", "storage")
"""Tables that move with every action on a phone, or by themselves: what is in front, what is shown, what plays."""
GO_AND_COME = frozenset(("alarms", "apps", "files", "folders", "wifi_networks"))
"""Tables whose rows a phone knows by what can change: an alarm's moment, a file's path, whether an app is there."""
THERE = {"apps": "installed", "wifi_networks": "saved"}
"""Tables of which a phone lists a row only where this column holds."""
LAUNCHERS = ("launcher", "home")
"""Parts of the package names of home screens."""


def parts_of(table: str) -> tuple[str, ...]:
    """The tables in which a phone shows a row: of an app, whether it is there, and what it may do."""
    return ("apps", "app_permissions") if table == "apps" else (table,)


@lru_cache(maxsize=1)
def columns() -> dict[str, tuple[str, ...]]:
    """The columns that both backends have, by table."""
    data = tomllib.loads(files("evalkit.android").joinpath("columns.toml").read_text(encoding="utf-8"))
    return {table: tuple(names) for table, names in data.items()}


def shown(table: str, row: Json | None) -> Json | None:
    """A row in the columns that a phone shows; None for a table that it does not show.

    Of an alarm that repeats, the sandbox keeps the first day and a phone tells the next.
    """
    if row is None or table not in columns() or row.get(THERE.get(table, "")) is False:
        return None
    if table == "app_permissions":
        allowed = {"name": row.get("name"), "permissions": sorted(row.get("permissions", ()))}
        return allowed if "permissions" in row else None
    names = ("time",) if table == "alarms" and row.get("repeat") else columns()[table]
    return {name: row[name] for name in names if name in row}


def in_words(diff: StateDiff) -> StateDiff:
    """A phone's diff with what is in front named as the sandbox names it: the app, or `home`."""
    changes = [
        change.model_copy(update={"before": _front(change.before), "after": _front(change.after)})
        if change.table == "screen"
        else change
        for change in diff.changes
    ]
    return StateDiff(changes=tuple(changes))


def permissions_of(changes: Iterable[RowChange]) -> StateDiff:
    """Changes of apps' permissions, as a table of their own."""
    table = "app_permissions"
    made = [
        RowChange(table=table, key=one.key, before=shown(table, one.before), after=shown(table, one.after))
        for one in changes
    ]
    return StateDiff(changes=tuple(made))


def _front(row: Json | None) -> Json | None:
    if row is None:
        return None
    package = str(row.get("view", "")).partition("/")[0]
    home = not package or any(part in package for part in LAUNCHERS)
    return {"view": "home" if home else label(package)}


def moves(diff: StateDiff) -> Counter[str]:
    """Rows that went (`-`) and came (`+`), as text; a row whose shown columns are as before did not move."""
    found: Counter[str] = Counter()
    for change in diff.changes:
        if change.table in BOOKKEEPING:
            continue
        for table in parts_of(change.table):
            gone, come = _compared(table, change.before), _compared(table, change.after)
            if gone == come or (table == "app_permissions" and None in (gone, come)):
                continue
            for sign, row in (("-", gone), ("+", come)):
                if row is not None:
                    found[f"{sign}{canonical_json([table, _plain(row)])}"] += 1
    return _settled(found)


def _compared(table: str, row: Json | None) -> Json | None:
    """A row as two backends tell it alike: an alarm by its time, because only one of them knows whether it repeats."""
    found = shown(table, row)
    return {"time": found["time"]} if table == "alarms" and found else found


def _settled(found: Counter[str]) -> Counter[str]:
    """Without rows that went and came."""
    for line in [line for line in found if line.startswith("-")]:
        both = min(found[line], found["+" + line[1:]])
        found[line] -= both
        found["+" + line[1:]] -= both
    return +found


def _plain(row: Json) -> Json:
    return {name: _number(value) for name, value in sorted(row.items())}


def _number(value: Any) -> Any:
    """2 and 2.0 are one number."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def disagreement(one: StateDiff, other: StateDiff) -> tuple[list[str], list[str]]:
    """What the first diff has alone, and what the second has."""
    left, right = moves(one), moves(other)
    return sorted((left - right).elements()), sorted((right - left).elements())
