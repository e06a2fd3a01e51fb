"""What the pieces of one phrase say so far; two pieces that contradict each other make the phrase unreadable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
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

    def set_days(self, first: date, last: date | None = None) -> None:
        """Take a day or a span; a second one must narrow the first ("monday the 9th", "friday next week")."""
        if self.first is not None:
            if last is None and self.last is None and first == self.first:
                return
            inside, outer = (
                ((first, last), (self.first, self.last)) if last is None else ((self.first, self.last), (first, last))
            )
            if inside[1] is not None or outer[1] is None or not outer[0] <= inside[0] <= outer[1]:
                raise Contradiction
            first, last = inside
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
