"""Tasks with due dates and priorities, and counters of the days that are left.

What an update, a completion or a deletion means must be one row: none is 404, several are 409 with the candidates.
"""

import datetime as dt
from typing import Literal

from device.sandbox.api import Date, Domain, Effect, Json, Sandbox, Text, bad_argument, conflict, tool
from device.sandbox.rows.planning import DayCounter, Task
from device.sandbox.tools.finding import bare, briefly, named, only, said_as

_SHOWN = 10
_RANK = {"high": 0, "medium": 1, "low": 2}


@tool(
    Domain.TIME,
    permission="tasks",
    effects={"delete": Effect.DELETE},
    phrases=(
        "new task: renew the insurance, high priority, due Friday",
        "which high priority tasks are open",
        "mark the expenses task as done",
        "push the due date of the contract task to Monday",
        "drop the onboarding task",
        "raise the priority of the report task",
        "delete that task, I won't do it",
    ),
)
def manage_task(
    phone: Sandbox,
    action: Literal["create", "query", "update", "complete", "delete"],
    task: Text | None = None,
    date: Date | None = None,
    priority: Literal["low", "medium", "high"] | None = None,
) -> Json:
    """Tasks with due dates and priorities."""
    if action == "query":
        return _open_tasks(phone, task, date, priority)
    if task is None:
        raise bad_argument(f"`manage_task` {action} needs `task`", argument="task")
    if action in ("create", "update") and date is not None and date < phone.now.date().isoformat():
        raise bad_argument(f"`date` is {date}, which has passed; give a day from today on", argument="date")
    table = phone.table(Task)
    if action == "create":
        if twins := [row for row in table.find(done=False) if bare(row.task) == bare(task)]:
            raise conflict(f"the task `{twins[0].task}` is open already: `{twins[0].id}`", candidates=[twins[0].id])
        return {"task": table.insert(Task(phone.new_id("task"), task, date or "", priority or "medium"))}
    found = _one_task(phone, task)
    if action == "delete":
        table.delete(found)
        return {"deleted": found}
    if found.done:
        raise conflict(f"the task `{found.task}` is completed already; delete it, or create it anew", id=found.id)
    if action == "complete":
        return {"task": table.update(found, done=True), "open": len(table.find(done=False))}
    changes = {name: value for name, value in (("date", date), ("priority", priority)) if value is not None}
    if not changes:
        raise bad_argument("`manage_task` update needs a new `date` or `priority`", argument="date")
    return {"task": table.update(found, **changes)}


def _one_task(phone: Sandbox, said: str) -> Task:
    """The task that is meant; an open one goes before those that are done."""
    found = named(phone.table(Task).all(), said, lambda row: row.task, "task")
    found = [row for row in found if not row.done] or found
    return only(found, "task", f"`task` {said}", lambda row: row.task, "list them with `manage_task` query")


def _open_tasks(phone: Sandbox, task: str | None, date: str | None, priority: str | None) -> Json:
    rows = phone.table(Task).find(done=False)
    rows = rows if task is None else named(phone.table(Task).all(), task, lambda row: row.task, "task")
    rows = [row for row in rows if date in (None, row.date) and priority in (None, row.priority)]
    rows.sort(key=lambda row: (row.date or "9999", _RANK[row.priority]))
    return {"count": len(rows), "tasks": rows[:_SHOWN]}


@tool(
    Domain.TIME,
    effects={"delete": Effect.DELETE},
    phrases=(
        "put a days-left counter for the wedding on July 12",
        "count the days down to my vacation",
        "how many days are left on the driving test counter",
        "remove the holiday day counter",
        "show all my day counters",
    ),
)
def manage_day_counter(
    phone: Sandbox, action: Literal["create", "query", "delete"], title: Text | None = None, date: Date | None = None
) -> Json:
    """Counters of days left until something."""
    table = phone.table(DayCounter)
    if action == "create":
        return {"counter": _shown(phone, _new_counter(phone, title, date))}
    rows = table.all() if title is None else named(table.all(), title, lambda row: row.title, "counter", "day", "days")
    rows = [row for row in rows if date in (None, row.date)]
    hint = "list them with `manage_day_counter` query"
    if action == "query":
        if title is not None and not rows:
            only(rows, "counter", said_as(title=title, date=date), lambda row: row.title, hint)
        return {"count": len(rows), "counters": [_shown(phone, row) for row in sorted(rows, key=lambda r: r.date)]}
    if title is None and date is None:
        raise bad_argument("`manage_day_counter` delete needs `title`", argument="title")
    found = only(rows, "counter", said_as(title=title, date=date), lambda row: row.title, hint)
    table.delete(found)
    return {"deleted": found}


def _new_counter(phone: Sandbox, title: str | None, date: str | None) -> DayCounter:
    for name, value in (("title", title), ("date", date)):
        if value is None:
            raise bad_argument(f"`manage_day_counter` create needs `{name}`", argument=name)
    assert title is not None and date is not None
    if date <= phone.now.date().isoformat():
        raise bad_argument(f"`date` is {date}; a counter needs a day after today", argument="date")
    table = phone.table(DayCounter)
    for row in table.all():
        if bare(row.title) == bare(title):
            raise conflict(f"a counter `{row.title}` runs to {row.date} already; delete it first", id=row.id)
    return table.insert(DayCounter(phone.new_id("counter"), title, date))


def _shown(phone: Sandbox, row: DayCounter) -> Json:
    left = (dt.date.fromisoformat(row.date) - phone.now.date()).days
    return briefly({"id": row.id, "title": row.title, "date": row.date}) | {"daysLeft": left}
