"""A task's world on a connected phone that nobody can reset: what is missing is set up, and what changed is put back.

1. What a task stands on: the facts of its world, and the rows that its policy wants to be changed or deleted.
2. What the phone shows already is right. Settings are set; contacts, events and folders are made.
3. A task that would change for good what is somebody's own (delete a contact that was there, a file, an app) or leave
   behind what can't be taken back (a message) is not begun.
4. All that is an `UnreadyError`, before the episode or after it: the record is invalid, and nobody failed.

The clock can't be set: a task whose policy names a day needs a phone with the world's day.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from device.android.phone import AndroidPhone
from device.android.restore.undo import put_back
from device.android.state import Reading, Rows, read_tables
from device.android.state.tables import SINGLE, reader
from evalkit.android.columns import BOOKKEEPING, columns, shown
from evalkit.compare import same
from runtime.contract import (
    Deadline,
    InfrastructureError,
    Json,
    RowChange,
    StateCheck,
    StateDiff,
    TaskSpec,
    ToolCall,
    canonical_json,
)

SECONDS = 60.0
"""For setting up, and for putting back."""
UNREADY = "precondition: "
"""Begins what an `UnreadyError` says: the record is invalid, and counted apart from a broken phone."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
Maker = Callable[[Json], tuple[str, Json]]


class UnreadyError(InfrastructureError):
    """A precondition of a task that this phone can't be brought to, or be brought back from."""

    def __init__(self, message: str) -> None:
        super().__init__(UNREADY + message)


def _event(row: Json) -> Json:
    said = {"event": row["event"], "date": row["date"]}
    return said | {name: row[name] for name in ("time", "location", "repeat") if row.get(name)}


MAKERS: dict[str, Maker] = {
    "contacts": lambda row: (
        "add_contact",
        {"name": row["name"]}
        | {name: row[column] for name, column in (("phoneNumber", "phone"), ("email", "email")) if row.get(column)},
    ),
    "events": lambda row: ("manage_schedule", {"action": "create", **_event(row)}),
    "folders": lambda row: ("manage_folder", {"action": "create", "folder": row["name"]}),
}
"""The call that makes a row of a table."""
REMOVERS: dict[str, Maker] = {
    "contacts": lambda row: ("delete_contact", {"name": row["name"]}),
    "events": lambda row: (
        "manage_schedule",
        {"action": "delete", "event": row["event"], "date": row["date"]}
        | ({"time": row["time"]} if row["time"] else {}),
    ),
    "files": lambda row: ("delete_file", {"fileName": row["name"]}),
    "folders": lambda row: ("manage_folder", {"action": "delete", "folder": row["name"]}),
}
"""The call that removes one."""


def prepare(phone: AndroidPhone, task: TaskSpec) -> None:
    """Bring a phone to a task's first state; raises `UnreadyError`."""
    if task.world.denied:
        raise UnreadyError(f"permissions can't be denied from here: {', '.join(sorted(task.world.denied))}")
    if memories := len(task.world.memories):
        raise UnreadyError(f"a connected phone holds none of the {memories} memories of the task")
    today = phone.now.date().isoformat()
    if needs_clock(task) and today != task.world.clock[:10]:
        raise UnreadyError(f"the task is of {task.world.clock[:10]}, and the phone's day is {today}")
    _check_return(phone, task)
    for table, row in needed(task):
        _bring(phone, table, row)


def _check_return(phone: AndroidPhone, task: TaskSpec) -> None:
    """Raise where what the task is to do could not be undone."""
    for pattern in _required(task):
        makes, removes = pattern.change == "insert", pattern.change == "delete"
        if makes and pattern.table not in REMOVERS and pattern.table not in BOOKKEEPING:
            raise UnreadyError(f"a new row of `{pattern.table}` can't be taken back from here")
        if removes and pattern.table not in MAKERS:
            raise UnreadyError(f"a row of `{pattern.table}` that is gone can't be brought back from here")
        if removes and _there(_rows(phone, pattern.table), pattern.where):
            raise UnreadyError(f"the row {canonical_json(pattern.where)} of `{pattern.table}` is the user's own")


def needs_clock(task: TaskSpec) -> bool:
    """Whether what counts as success names a day."""
    rows = [pattern.model_dump(mode="json") for pattern in _required(task)]
    return bool(_DAY.search(canonical_json(rows)))


def needed(task: TaskSpec) -> Iterator[tuple[str, Json]]:
    """The rows that must be there at the start, each with its table."""
    for fact in task.world.facts:
        row = {name: value for name, value in fact.items() if name != "table"}
        yield str(fact["table"]), row
    for pattern in _required(task):
        if pattern.change != "insert" and pattern.where and pattern.table not in BOOKKEEPING:
            yield pattern.table, pattern.where


def _required(task: TaskSpec) -> list[Any]:
    checks = [check for outcome in task.policy.outcomes for check in outcome.checks]
    return [pattern for check in checks if isinstance(check, StateCheck) for pattern in check.required]


def _bring(phone: AndroidPhone, table: str, row: Json) -> None:
    """Have the phone show a row."""
    wanted = shown(table, row)
    if wanted is None:
        raise UnreadyError(f"`{table}` of a phone can't be read or set from here")
    there = _rows(phone, table)
    if _there(there, wanted):
        return
    key = SINGLE if set(there) == {SINGLE} else next((key for key in there if key == wanted.get("stream")), "")
    if key:
        change = RowChange(table=table, key=key, before={**there[key], **wanted}, after=there[key])
        left = put_back(phone, StateDiff(changes=(change,)), Deadline(SECONDS))
    elif table in MAKERS:
        left = [] if _done(phone, *MAKERS[table](row)) else [table]
    else:
        left = [table]
    if left or not _there(_rows(phone, table), wanted):
        raise UnreadyError(f"the phone can't be given the row {canonical_json(wanted)} of `{table}`")


def _rows(phone: AndroidPhone, table: str) -> Rows:
    """The rows of a table; what an app may do is read only where a call is about that app."""
    try:
        reader(table)
    except KeyError:
        raise UnreadyError(f"`{table}` of a phone can't be read or set from here") from None
    return read_tables(Reading(phone.shell, Deadline(SECONDS)), [table])[table]


def _there(rows: Rows, wanted: Json) -> bool:
    return any(all(name in row and same(value, row[name]) for name, value in wanted.items()) for row in rows.values())


def _done(phone: AndroidPhone, name: str, arguments: Json) -> bool:
    call = ToolCall(id=f"stage-{name}", name=name, arguments=arguments)
    return phone.execute(call, Deadline(SECONDS)).ok


def clean(phone: AndroidPhone, since: str) -> None:
    """Undo what changed since a snapshot; raises `UnreadyError` with what only a person can put back."""
    left: list[str] = []
    for change in phone.diff(since).changes:
        if change.table in BOOKKEEPING or change.table not in columns():
            continue
        if not _undone(phone, change):
            left.append(f"`{change.table}` {change.key}")
    if left:
        raise UnreadyError(f"these changes of the task can't be put back from here: {', '.join(left)}")


def _undone(phone: AndroidPhone, change: RowChange) -> bool:
    if change.before is not None and change.after is not None:
        return not put_back(phone, StateDiff(changes=(change,)), Deadline(SECONDS))
    table = MAKERS if change.after is None else REMOVERS
    row = change.before if change.after is None else change.after
    maker = table.get(change.table)
    return maker is not None and row is not None and _done(phone, *maker(row))
