"""Arithmetic of the calendar: weeks from Monday, months, seasons of the northern half, and the days people name.

All functions are pure over `datetime.date`.
"""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import Final

from device.spoken.text import MONTHS, WEEKDAYS

WEEKDAY: Final = {name: n for n, name in enumerate(WEEKDAYS)}
MONTH: Final = {name: n for n, name in enumerate(MONTHS, start=1)}
SEASON: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month of each meteorological season (northern half); each lasts three months."""

Span = tuple[date, date]


def week_of(day: date, shift: int = 0) -> Span:
    """Monday to Sunday of the week `shift` weeks from that of `day`."""
    monday = day + timedelta(days=7 * shift - day.weekday())
    return monday, monday + timedelta(days=6)


def weekend_of(day: date, shift: int = 0) -> Span:
    """Saturday and Sunday of the week `shift` weeks from that of `day`."""
    monday = week_of(day, shift)[0]
    return monday + timedelta(days=5), monday + timedelta(days=6)


def month_of(year: int, month: int) -> Span:
    """First and last day of a month; `month` may lie outside 1..12 and moves the year."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def add_months(day: date, months: int) -> date:
    """The same day `months` later; a day that the month lacks becomes its last (31 January + 1 is 28 February)."""
    first, last = month_of(day.year, day.month + months)
    return first.replace(day=min(day.day, last.day))


def season_of(today: date, name: str, shift: int) -> Span:
    """This (`shift` 0: running or still to come), next (1) or last (-1) season of that name."""
    year = today.year - 1 if name == "winter" and today.month < 3 else today.year
    first = date(year, SEASON[name], 1)
    if month_of(first.year, first.month + 2)[1] < today:
        first = date(year + 1, SEASON[name], 1)
    started = first <= today
    if shift > 0 and started:
        first = date(first.year + 1, first.month, 1)
    elif shift < 0:
        first = date(first.year - 1, first.month, 1)
    return first, month_of(first.year, first.month + 2)[1]


def nth_weekday(year: int, month: int, weekday: int, n: int) -> date | None:
    """The `n`-th such weekday of a month, -1 for the last; None where the month has no `n`-th."""
    first, last = month_of(year, month)
    if n < 0:
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
    return day if day <= last else None


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm printed by Meeus)."""
    a, (b, c) = year % 19, divmod(year, 100)
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    m = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    month, day = divmod(h + m - 7 * ((a + 11 * h + 22 * m) // 451) + 114, 31)
    return date(year, month, day + 1)


_FIXED: Final[dict[str, tuple[int, int]]] = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "xmas": (12, 25),
    "boxing day": (12, 26), "new year eve": (12, 31), "new years eve": (12, 31), "new year": (1, 1),
    "new years": (1, 1), "new year day": (1, 1), "new years day": (1, 1), "valentine": (2, 14),
    "valentines": (2, 14), "valentine day": (2, 14), "valentines day": (2, 14), "halloween": (10, 31),
    "independence day": (7, 4), "st patrick day": (3, 17), "saint patrick day": (3, 17), "april fools": (4, 1),
    "april fools day": (4, 1), "veterans day": (11, 11), "leif erikson day": (10, 9), "groundhog day": (2, 2),
    "juneteenth": (6, 19), "earth day": (4, 22), "cinco de mayo": (5, 5), "all saints day": (11, 1),
}  # fmt: skip
_FROM_EASTER: Final = {
    "easter": 0, "easter sunday": 0, "easter monday": 1, "good friday": -2, "palm sunday": -7, "ash wednesday": -46,
    "mardi gras": -47, "ascension day": 39, "pentecost": 49, "whit sunday": 49, "whit monday": 50, "corpus christi": 60,
}  # fmt: skip
_FLOATING: Final = {
    "thanksgiving": (11, 3, 4), "thanksgiving day": (11, 3, 4), "labor day": (9, 0, 1), "memorial day": (5, 0, -1),
    "mother day": (5, 6, 2), "mothers day": (5, 6, 2), "father day": (6, 6, 3), "fathers day": (6, 6, 3),
    "martin luther king day": (1, 0, 3), "mlk day": (1, 0, 3), "presidents day": (2, 0, 3), "columbus day": (10, 0, 2),
}  # fmt: skip
HOLIDAYS: Final = frozenset(_FIXED) | frozenset(_FROM_EASTER) | frozenset(_FLOATING)
"""Days with a name, those of the United States where countries differ; holidays of lunar calendars are not read."""


def holiday(name: str, year: int) -> date:
    """The day with that name (one of `HOLIDAYS`) in a year."""
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name in _FROM_EASTER:
        return easter(year) + timedelta(days=_FROM_EASTER[name])
    month, weekday, n = _FLOATING[name]
    day = nth_weekday(year, month, weekday, n)
    assert day is not None  # every n in the table exists in every year
    return day


def next_date(today: date, month: int, day: int) -> date | None:
    """The next such day from today on; None where no year has it (29 February waits for its year)."""
    for year in range(today.year, min(today.year + 9, 9_999)):
        if day <= calendar.monthrange(year, month)[1] and (found := date(year, month, day)) >= today:
            return found
    return None


def next_day_of_month(today: date, day: int) -> date | None:
    """The next day with that number from today on, in a month that has it."""
    for shift in range(4):
        first, last = month_of(today.year, today.month + shift)
        if day <= last.day and (found := first.replace(day=day)) >= today:
            return found
    return None
