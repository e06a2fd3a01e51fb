"""`When`: what a phrase of time says, each part None where it wasn't said, and its canonical text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final, Literal

from device.spoken.recurrence import canonical_rule


@dataclass(frozen=True, slots=True)
class When:
    """A time, a date, both, a stretch of either, a recurrence, or a mixture of them, as it was said."""

    date: str | None = None
    """The day, or the first day of a stretch: "2026-03-03"."""
    time: str | None = None
    """The time of day, or the start of a stretch: "07:30"."""
    end_date: str | None = None
    """The last day of a stretch, itself included."""
    end_time: str | None = None
    """The end of a stretch."""
    recurrence: str | None = None
    """How it repeats (`recurrence.py`): "FREQ=WEEKLY;BYDAY=MO,FR"."""
    part: str | None = None
    """The part of the day that was named ("morning"); `time` is its default where no clock time was said."""
    bound: Literal["after", "until"] | None = None
    """Said with "after" or "until": date and time are the open stretch's one end."""

    bare: bool = field(default=False, compare=False)
    """The time was said on the twelve-hour face with neither am, pm nor a part of the day, and is read as said."""

    @property
    def is_point(self) -> bool:
        """Neither a stretch nor open at one end."""
        return self.end_date is None and self.end_time is None and self.bound is None

    def moment(self, now: datetime) -> str | None:
        """The point as "2026-03-03T07:30"; without a date the next time that the clock strikes it; else None."""
        if self.time is None or not self.is_point or (self.recurrence and self.date is None):
            return None
        if self.date is not None:
            return f"{self.date}T{self.time}"
        day = now.date() if self.time > f"{now:%H:%M}" else now.date() + timedelta(days=1)
        return f"{day.isoformat()}T{self.time}"

    def __str__(self) -> str:
        """Canonical text: ISO 8601 date, time or both, a stretch with "/", an open end as "..", then the recurrence."""
        start = "T".join(part for part in (self.date, self.time) if part)
        end = "T".join(part for part in (self.end_date, self.end_time) if part)
        if self.bound:
            start = f"../{start}" if self.bound == "until" else f"{start}/.."
        return " ".join(part for part in (f"{start}/{end}" if end else start, self.recurrence) if part)


_CLOCKS: Final = frozenset(f"{hour:02}:{minute:02}" for hour in range(24) for minute in range(60))
_POINT: Final = r"(?:(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?|(\d\d:\d\d))"
_SECONDS: Final = re.compile(r"(T\d\d:\d\d):[0-5]\d(?:\.\d+)?(?!\d)")
_CANONICAL: Final = re.compile(rf"(\.\./)?(?:{_POINT}(?:/(\.\.)|/{_POINT})?)?(?: ?(FREQ=\S+))?")


def is_clock(said: str) -> bool:
    """Whether `said` is a canonical time of day."""
    return said in _CLOCKS


def is_day(said: str) -> bool:
    """Whether `said` is a canonical date that the calendar has."""
    if len(said) != 10 or said[4] != "-" or said[7] != "-" or not said.isascii():
        return False
    try:
        date.fromisoformat(said)
    except ValueError:
        return False
    return True


def canonical_when(said: str) -> When | None:
    """The record whose canonical text `said` is; None where it is no such text."""
    if said in _CLOCKS:
        return When(time=said)
    if not said[:1].isdigit() and said[:1] not in (".", "F"):
        return None
    if is_day(said):
        return When(date=said)
    found = _CANONICAL.fullmatch(_SECONDS.sub(r"\1", said))
    if found is None or not said:
        return None
    until, day, time, clock, after, end_day, end_time, end_clock, repeats = found.groups()
    days_fit = all(is_day(part) for part in (day, end_day) if part)
    clocks_fit = all(part in _CLOCKS for part in (time, clock, end_time, end_clock) if part)
    rule = canonical_rule(repeats) if repeats else None
    if not (days_fit and clocks_fit) or (repeats and rule is None) or (until and (after or end_day or end_clock)):
        return None
    if until and not (day or clock):
        return None
    bound: Literal["after", "until"] | None = "until" if until else "after" if after else None
    return When(day, time or clock, end_day, end_time or end_clock, rule, None, bound)
