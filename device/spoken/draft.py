"""What the pieces of one phrase say so far; two pieces that contradict each other make the phrase unreadable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

Want = Literal["any", "time", "date", "recurrence"]


class Contradiction(Exception):  # noqa: N818 - it says what it is
    """Two pieces of a phrase say different things, or a piece is out of range; the phrase is unreadable."""


@dataclass(slots=True)
class Draft:
    """One phrase while it is being read."""

    now: datetime
    """The phone's clock."""
    want: Want = "any"
    """What kind of value was asked for: a bare "14" is an hour, or a day of the month, or neither."""
    first: date | None = None
    """The day, or the first day of the span."""
    last: date | None = None
    """The last day of the span; None for a single day."""
    loose_day: bool = False
    """The day was said as a weekday alone."""
    minutes: int | None = None
    """The clock time in minutes after midnight."""
    loose: bool = False
    """The clock time was said on the twelve-hour face with no am or pm: "seven", "half past seven"."""
    marked: bool = False
    """The clock time was said with am or pm."""
    part: str | None = None
    """The part of the day, by its canonical name (`clock.PARTS`)."""
    at: datetime | None = None
    """An exact moment: "in twenty minutes"."""
    until: datetime | None = None
    """The end of an exact stretch: "the next three hours" (from `at` on)."""
    rule: str | None = None
    """The recurrence, canonical (`recurrence.py`)."""

    def set_weekday(self, day: date) -> None:
        """Take the next such weekday; beside another day or a span it only narrows ("friday the 13th")."""
        if self.first is None:
            self.first, self.loose_day = day, True
        else:
            self.first, self.last = self._meet(day.weekday(), self.first, self.last), None

    def _meet(self, weekday: int, first: date, last: date | None) -> date:
        """The one day of a span, or the day, that has the weekday."""
        day = first + timedelta(days=(weekday - first.weekday()) % 7)
        if day > (last or first):
            raise Contradiction
        return day

    def set_days(self, first: date, last: date | None = None) -> None:
        """Take a day or a span; a second one must agree with the first or narrow it."""
        if self.first is not None and self.loose_day:
            first, last = self._meet(self.first.weekday(), first, last), None
            self.first, self.loose_day = None, False
        if self.first is not None:
            if last is None and self.last is None and first == self.first:
                return
            if last is not None and self.last is None:
                first, last, self.first, self.last = self.first, None, first, last
            if last is not None or self.last is None or not self.first <= first <= self.last:
                raise Contradiction
        self.first, self.last = first, last

    def set_clock(self, minutes: int, *, loose: bool = False, marked: bool = False) -> None:
        """Take the clock time; there can be one only."""
        if self.minutes is not None:
            raise Contradiction
        self.minutes, self.loose, self.marked = minutes, loose, marked

    def set_part(self, part: str) -> None:
        """Take the part of the day; there can be one only."""
        if self.part not in (None, part):
            raise Contradiction
        self.part = part

    def set_rule(self, rule: str) -> None:
        """Take the recurrence; there can be one only."""
        if self.rule is not None:
            raise Contradiction
        self.rule = rule

    def set_exact(self, at: datetime, until: datetime | None = None) -> None:
        """Take an exact moment or stretch; there can be one only."""
        if self.at is not None:
            raise Contradiction
        self.at, self.until = at, until
