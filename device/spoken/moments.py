"""The readers of times, days and recurrences over `phrases.py` and `sides.py`: each wants one kind, or raises."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from device.spoken.draft import Want
from device.spoken.errors import Kind, Unreadable
from device.spoken.phrases import read_one
from device.spoken.record import When, canonical_when, is_clock, is_day
from device.spoken.recurrence import canonical_rule
from device.spoken.sides import read_sides
from device.spoken.text import LIMIT, plain

_HINTS: Final[dict[Kind, str]] = {
    "time": "say a time of day such as `07:30` or `half past seven`",
    "date": "say one day such as `2026-03-03` or `next friday`",
    "dates": "say a day or a stretch such as `this weekend` or `march 3 to 7`",
    "moment": "say a date and a time such as `tomorrow at 07:30`",
    "recurrence": "say how it repeats such as `every weekday` or `monthly on the 3rd`",
}


def _read(said: str, now: datetime, want: Want) -> When | None:
    """The record of any phrase of time; None where it is unreadable."""
    if known := canonical_when(said):
        return known
    if len(said) > LIMIT:
        return None
    text = plain(said)
    if not text:
        return None
    first, second = read_one, read_sides
    if text.startswith("from ") or "between" in text:
        first, second = read_sides, read_one
    try:
        return first(text, now, want) or second(text, now, want)
    except (ValueError, OverflowError):  # a day that the calendar lacks: beyond the year 9999
        return None


def _fail(said: str, kind: Kind) -> Unreadable:
    return Unreadable(said, kind, _HINTS[kind])


def read_when(said: str, now: datetime, want: Want = "any") -> When:
    """Everything that a phrase of time says, as a record; raises `Unreadable`.

    `now` is the naive local time of the phone. `want` decides what a number alone is: the hour for "time", the day of
    the month for "date"; for "any" 14 is an hour and 1990 is unreadable.
    """
    found = _read(said, now, want)
    if found is None:
        raise _fail(said, "moment")
    return found


def read_time(said: str, now: datetime) -> str:
    """The time of day "HH:MM" that a phrase says, whatever its day; raises `Unreadable` for a stretch or no time."""
    if is_clock(said):
        return said
    found = _read(said, now, "time")
    if found is None or found.time is None or not found.is_point:
        raise _fail(said, "time")
    return found.time


def read_date(said: str, now: datetime) -> str:
    """The day "YYYY-MM-DD" that a phrase says, whatever its time; raises `Unreadable` for a stretch or no day."""
    if is_day(said):
        return said
    found = _read(said, now, "date")
    if found is None or found.date is None or not found.is_point:
        raise _fail(said, "date")
    return found.date


def read_dates(said: str, now: datetime) -> tuple[str, str]:
    """First and last day that a phrase says, both included and equal for one day; "until friday" begins today."""
    if is_day(said):
        return said, said
    found = _read(said, now, "date")
    if found is None or found.date is None or found.bound == "after":
        raise _fail(said, "dates")
    if found.bound == "until":
        return f"{now:%Y-%m-%d}", found.date
    return found.date, found.end_date or found.date


def read_moment(said: str, now: datetime) -> str:
    """The moment "YYYY-MM-DDTHH:MM" that a phrase says; a time alone is its next strike. Raises `Unreadable`.

    A day without a time, a stretch and a recurrence are no moments: `read_when` gives their parts.
    """
    if len(said) == 16 and said[10] == "T" and is_day(said[:10]) and is_clock(said[11:]):
        return said
    found = _read(said, now, "any")
    moment = None if found is None else found.moment(now)
    if moment is None:
        raise _fail(said, "moment")
    return moment


_NO_CLOCK: Final = datetime(2000, 1, 1)


def read_recurrence(said: str, now: datetime | None = None) -> str:
    """The canonical recurrence (`recurrence.py`) that a phrase says, whatever its time; raises `Unreadable`."""
    if (known := canonical_rule(said)) is not None:
        return known
    found = _read(said, now or _NO_CLOCK, "recurrence")
    if found is None or found.recurrence is None:
        raise _fail(said, "recurrence")
    return found.recurrence
