"""What alarms, events and reminders share: rows that happen on a day and perhaps repeat."""

import datetime as dt
from collections.abc import Callable
from typing import Literal, TypeVar

from device.sandbox.api import Sandbox, bad_argument
from device.sandbox.rows.time_management import Alarm, Event, Reminder
from device.sandbox.tools.finding import bare, narrow, only
from device.sandbox.tools.recurring import coming, happens_on, next_date
from runtime.contract import Json

Action = Literal["create", "query", "update", "delete"]
"""What can be done with a dated row."""

Dated = TypeVar("Dated", Alarm, Event, Reminder)
SHOWN = 10
"""Rows that a query returns at most; the rest is counted."""


def narrowed(rows: list[Dated], given: dict[str, str | None]) -> tuple[list[Dated], dict[str, str]]:
    """Rows that the values pick, and the values that pick none: what the row shall become."""
    changes: dict[str, str] = {}
    for name, value in given.items():
        rows, new = narrow(rows, value, _same(name, value))
        if new and value is not None:
            changes[name] = value
    return rows, changes


def _same(name: str, value: str | None) -> Callable[[Dated], bool]:
    if name == "date" and value is not None:
        day = dt.date.fromisoformat(value)
        return lambda row: bool(row.date) and happens_on(row.repeat, dt.date.fromisoformat(row.date), day)
    if name in ("person", "location"):
        return lambda row: bare(str(getattr(row, name))) == bare(value or "")
    return lambda row: bool(getattr(row, name) == value)


def once(repeat: str | None) -> str:
    """The recurrence as rows keep it: "" for what happens once."""
    return "" if repeat in (None, "ONCE") else str(repeat)


def first_day(phone: Sandbox, time: str | None, date: str | None, repeat: str, what: str) -> str:
    """The day said, or the coming one; a single moment that has passed is 400, a repeated one starts when it can."""
    now = phone.now.strftime("%Y-%m-%dT%H:%M")
    day = date or (coming(phone.now, time) if time else phone.now.date()).isoformat()
    if not repeat and (f"{day}T{time}" <= now if time else day < now[:10]):
        raise bad_argument(
            f"the {what} would lie in the past: {day} {time or ''}".rstrip() + f"; it is {now} now", argument="date"
        )
    if repeat and (first := next_date(repeat, dt.date.fromisoformat(day), phone.now.date())):
        return first.isoformat()
    return day


def on_day(rows: list[Dated], date: str | None) -> list[Dated]:
    """The rows that happen on a day; all of them where none is said."""
    if date is None:
        return rows
    day = dt.date.fromisoformat(date)
    return [row for row in rows if row.date and happens_on(row.repeat, dt.date.fromisoformat(row.date), day)]


def next_day(row: Alarm | Event | Reminder, today: dt.date) -> dt.date | None:
    """The next day on which a row happens; None for what is over or has no day."""
    return next_date(row.repeat, dt.date.fromisoformat(row.date), today) if row.date else None


def listed(name: str, rows: list[Dated], today: dt.date) -> Json:
    """The answer of a query: how many, and the first of them in the order in which they come."""
    ordered = sorted(rows, key=lambda row: (str(next_day(row, today) or row.date or "9999"), row.time))
    shown = ordered[:SHOWN]
    return {"count": len(rows), name: shown} | ({"more": len(rows) - SHOWN} if len(rows) > SHOWN else {})


def delete_all(phone: Sandbox, kind: type[Dated], rows: list[Dated], what: str, said: str) -> Json:
    """Delete every row that is left; 404 where there is none."""
    if not rows:
        only(rows, what, said, lambda row: row.id, "there is nothing to delete")
    for row in rows:
        phone.table(kind).delete(row)
    return {"deleted": [row.id for row in rows], "count": len(rows)}
