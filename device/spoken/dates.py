"""Days as people name them: "the day after tomorrow", "next friday", "march 3rd", "3/14", "the last friday of may".

1. A weekday alone is the next one after today; "this friday" may be today; "next friday" lies in next week (weeks begin
   on Monday); "last friday" is the latest one before today.
2. A day without a year is the next one from today on. 3/14 is March 14th; 14/3 can be nothing else than March 14th too.
"""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta
from typing import Final

from device.spoken import days
from device.spoken.draft import Contradiction, Draft
from device.spoken.text import MONTHS, WEEKDAYS

DAY_NAME: Final = "|".join(WEEKDAYS)
MONTH_NAME: Final = "|".join(MONTHS)
_YEAR: Final = r"(?:(?:of |in )?(\d{4}|(?:19|20) (?!am|pm)(?:\d\d|oh \d)))\b(?! (?:am|pm|oclock|hour))"
_NOT_CLOCK: Final = r"(?! ?(?:am|pm|oclock|[:/]\d))"
_NUMBER: Final = r"(\d{1,2})(?:st|nd|rd|th)?\b" + _NOT_CLOCK

_NAMED: Final = re.compile(
    r"(?:the )?(day after tomorrow|day before yesterday|today|tomorrow|yesterday|tonight|last night|this day|next day"
    r"|following day)\b"
)
_THIS_PART: Final = re.compile(r"this(?= (?:morning|afternoon|evening|night|lunch|dinner|breakfast)\b)")
_ISO: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b(?![:/-])")
_SLASHED: Final = re.compile(r"(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d\d))?\b(?![:/])")
_MONTH_DAY: Final = re.compile(rf"({MONTH_NAME}) (?:the )?{_NUMBER}(?: {_YEAR})?")
_DAY_MONTH: Final = re.compile(rf"(?:the )?{_NUMBER} (?:of )?({MONTH_NAME})\b(?: {_YEAR})?")
_ORDINAL: Final = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)\b(?! week| day)(?: of (?:(the|this|next) )?month\b)?")
_LONE_NUMBER: Final = re.compile(r"(?:the |day )?(\d{1,2})()$")
_DAY: Final = re.compile(
    rf"(?:the )?(?:(this coming|this|next|coming|last|past|following) )?({DAY_NAME})\b"
    r"(?: (after next|(?:of )?next week|(?:of )?this week|week)\b)?"
)
_DAY_THE: Final = re.compile(rf"({DAY_NAME}) (?:the )?(\d{{1,2}})(?:st|nd|rd|th)\b(?! (?:of|{MONTH_NAME})\b)")
_NTH: Final = re.compile(
    rf"(?:the )?(\d)(?:st|nd|rd|th)? ({DAY_NAME}) (?:of|in) "
    rf"(?:(?:(the|this|next) )?month|({MONTH_NAME})(?: {_YEAR})?)\b"
)
_LAST_NTH: Final = re.compile(
    rf"(?:the )?(last) ({DAY_NAME}) (?:of|in) (?:(?:(the|this|next) )?month|({MONTH_NAME})(?: {_YEAR})?)\b"
)
_EDGE: Final = re.compile(
    rf"(?:the )?(1st day|beginning|start|last day|end) of (?:(?:(the|this|next) )?(month|year|week)|({MONTH_NAME}))\b"
)
_HOLIDAY: Final = re.compile(
    r"(?:(this|next) )?(" + "|".join(sorted(days.HOLIDAYS, key=len, reverse=True)) + rf")\b(?: {_YEAR})?"
)
_RELATIVE: Final = {
    "today": 0, "this day": 0, "tonight": 0, "tomorrow": 1, "next day": 1,
    "following day": 1, "day after tomorrow": 2, "yesterday": -1,
    "last night": -1, "day before yesterday": -2,
}  # fmt: skip


def year_of(said: str | None) -> int | None:
    """A year as "2017", "20 17" or "20 oh 5"; None where none was said."""
    return None if said is None else int(said.replace("oh ", "0").replace(" ", ""))


def _on(draft: Draft, month: int, day: int, year: int | None) -> None:
    """Take a day of a month; without a year the next one from today on."""
    found = date(year, month, day) if year else days.next_date(draft.now.date(), month, day)
    if found is None:
        raise Contradiction
    draft.set_days(found)


def _slashed(draft: Draft, found: re.Match[str]) -> bool:
    """3/14, 3/14/27, 14.3.2027; with a point or a dash only where a year follows, because "7.30" is a time."""
    if found[2] != "/" and found[4] is None:
        return False
    month, day = int(found[1]), int(found[3])
    if month > 12 or found[2] == ".":
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        raise Contradiction
    year = int(found[4]) + (2_000 if len(found[4]) == 2 else 0) if found[4] else None
    _on(draft, month, day, year)
    return True


def _weekday(draft: Draft, which: str | None, name: str, tail: str | None) -> None:
    """A weekday with what stands before and after it."""
    today = draft.now.date()
    ahead = (days.WEEKDAY[name] - today.weekday()) % 7
    monday = days.week_of(today)[0]
    if tail and tail.endswith("this week"):
        day = monday + timedelta(days=days.WEEKDAY[name])
    elif (tail and tail.endswith("next week")) or which in ("next", "following"):
        day = monday + timedelta(days=7 + days.WEEKDAY[name])
    elif which in ("last", "past"):
        day = today - timedelta(days=(today.weekday() - days.WEEKDAY[name]) % 7 or 7)
    elif which == "this":
        day = today + timedelta(days=ahead)
    else:
        day = today + timedelta(days=ahead or 7)
        if tail is None and which is None:
            draft.set_weekday(day)
            return
    if tail in ("after next", "week"):
        day += timedelta(days=7)
    draft.set_days(day)


def _weekday_on(draft: Draft, weekday: int, number: int) -> None:
    """Friday the 13th: the next day with both, within two years."""
    today = draft.now.date()
    for shift in range(24):
        first, last = days.month_of(today.year, today.month + shift)
        if 1 <= number <= last.day and (day := first.replace(day=number)) >= today and day.weekday() == weekday:
            draft.set_days(day)
            return
    raise Contradiction


def _month_named(draft: Draft, which: str | None, month: str | None, year: str | None) -> tuple[int, int]:
    """Year and month of "of the month", "of next month", "of march 2027"; the coming such month without a year."""
    today = draft.now.date()
    if month is None:
        first = days.month_of(today.year, today.month + (which == "next"))[0]
        return first.year, first.month
    number = days.MONTH[month]
    return year_of(year) or today.year + (number < today.month), number


def _nth(draft: Draft, found: re.Match[str]) -> None:
    """The second tuesday of april, the last friday of the month; a past one of this month is next month's."""
    n = -1 if found[1] == "last" else int(found[1])
    year, month = _month_named(draft, found[3], found[4], found[5])
    day = days.nth_weekday(year, month, days.WEEKDAY[found[2]], n)
    if day and day < draft.now.date() and found[4] is None:
        day = days.nth_weekday(*divmod(year * 12 + month, 12)[:1], month % 12 + 1, days.WEEKDAY[found[2]], n)
    if day is None:
        raise Contradiction
    draft.set_days(day)


def _edge(draft: Draft, found: re.Match[str]) -> None:
    """The first or last day of a month, a year or a week."""
    today, shift = draft.now.date(), found[2] == "next"
    if found[3] == "week":
        span = days.week_of(today, int(shift))
    elif found[3] == "year":
        span = date(today.year + shift, 1, 1), date(today.year + shift, 12, 31)
    else:
        span = days.month_of(*_month_named(draft, found[2], found[4], None))
    draft.set_days(span[1] if found[1] in ("last day", "end") else span[0])


def _ordinal(draft: Draft, found: re.Match[str]) -> None:
    """The 15th, the 15th of next month."""
    today, number = draft.now.date(), int(found[1])
    if not 1 <= number <= 31:
        raise Contradiction
    if draft.first is not None and draft.last is not None and not found[2]:
        day = days.next_day_of_month(draft.first, number)
        draft.set_days(day or draft.first)
    elif found[2] == "next":
        draft.set_days(days.month_of(today.year, today.month + 1)[0].replace(day=number))
    elif day := days.next_day_of_month(today, number):
        draft.set_days(day)


def _holiday(draft: Draft, found: re.Match[str]) -> None:
    """A day with a name: the next one from today on, or that of a year."""
    today, year = draft.now.date(), year_of(found[3])
    day = days.holiday(found[2], year or today.year)
    if year is None and day < today:
        day = days.holiday(found[2], today.year + 1)
    draft.set_days(day)


def _named(draft: Draft, found: re.Match[str]) -> None:
    """Today, tomorrow and their like."""
    draft.set_days(draft.now.date() + timedelta(days=_RELATIVE[found[1]]))
    if found[1] in ("tonight", "last night"):
        draft.set_part("night")


def match_day(draft: Draft, text: str, pos: int) -> int | None:
    """Read one day at `pos`; the end of what was read, or None. Raises where the calendar has no such day."""
    if found := _NAMED.match(text, pos):
        _named(draft, found)
    elif found := _THIS_PART.match(text, pos):
        draft.set_days(draft.now.date())
    elif found := _NTH.match(text, pos) or _LAST_NTH.match(text, pos):
        _nth(draft, found)
    elif found := _DAY_THE.match(text, pos):
        _weekday_on(draft, days.WEEKDAY[found[1]], int(found[2]))
    elif found := _DAY.match(text, pos):
        _weekday(draft, found[1], found[2], found[3])
    elif (found := _MONTH_DAY.match(text, pos)) and _fits(found[1], int(found[2])):
        _on(draft, days.MONTH[found[1]], int(found[2]), year_of(found[3]))
    elif found := _EDGE.match(text, pos):
        _edge(draft, found)
    elif found := _HOLIDAY.match(text, pos):
        _holiday(draft, found)
    else:
        return _numeric(draft, text, pos)
    return found.end()


def _numeric(draft: Draft, text: str, pos: int) -> int | None:
    """Days that begin with a number."""
    if found := _DAY_MONTH.match(text, pos):
        _on(draft, days.MONTH[found[2]], int(found[1]), year_of(found[3]))
    elif found := _ISO.match(text, pos):
        draft.set_days(date(int(found[1]), int(found[2]), int(found[3])))
    elif (found := _SLASHED.match(text, pos)) and _slashed(draft, found):
        pass
    elif (found := _ORDINAL.match(text, pos)) or (
        draft.want == "date" and text[:pos] in ("", "on ", "for ", "by ") and (found := _LONE_NUMBER.match(text, pos))
    ):
        _ordinal(draft, found)
    else:
        return None
    return found.end()


def _fits(month: str, day: int) -> bool:
    """Whether the number after a month is one of its days (else "march 45" would be a day)."""
    if not 1 <= day <= calendar.monthrange(2_000, days.MONTH[month])[1]:
        raise Contradiction
    return True
