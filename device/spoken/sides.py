"""Phrases of two sides: "between A and B", "A to B", "A for a length", and those open at one end: "until A".

What one side leaves out (am or pm, the part of the day, the day, the month) it takes from the other.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final

from device.spoken.days import add_months
from device.spoken.draft import Draft, Want
from device.spoken.durations import match_length
from device.spoken.phrases import close, scan
from device.spoken.record import When

_BETWEEN: Final = re.compile(r"(.*?)\bbetween (.+?) (?:and|to) (.+)")
_LASTING: Final = re.compile(r"(?:from )?(.+) for (.+)")
_TO: Final = re.compile(r" (?:to|until) ")
_BOUND: Final = re.compile(r"(until|before|after|since|from|starting) (.+?)( on(?: ?wards?)?)?")
_DAY_NUMBER: Final = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)?")


def _pair(left: str, right: str, now: datetime, want: Want) -> When | None:
    """A stretch from one phrase to another."""
    start, end = scan(left, now, want), scan(right, now, want)
    if start and end and start.first and start.minutes is None and (number := _DAY_NUMBER.fullmatch(right)):
        return _days(start.first, start.first, int(number[1]))
    if end and end.first and end.minutes is None and (number := _DAY_NUMBER.fullmatch(left)):
        return _days(end.first, end.first.replace(day=1), int(number[1]), end.first)
    if start is None or end is None or start.at or end.at or start.rule or end.rule:
        return None
    if start.last or end.last:
        return _spans(start, end)
    if (start.minutes is None and not start.part) != (end.minutes is None and not end.part):
        return None
    _share(start, end)
    opening, closing = close(start), close(end)
    if opening is None or closing is None:
        return None
    end_date = closing.date
    if end_date and end_date == opening.date and opening.time and closing.time and closing.time <= opening.time:
        end_date = (date.fromisoformat(end_date) + timedelta(days=1)).isoformat()
    if opening.date and end_date and end_date < opening.date:
        return None
    return When(opening.date, opening.time, end_date, closing.time)


def _spans(start: Draft, end: Draft) -> When | None:
    """From the first day of one stretch to the last of another: "june to july"."""
    last = end.last or end.first
    timed = any(side.minutes is not None or side.part for side in (start, end))
    if timed or start.first is None or last is None or last < start.first:
        return None
    return When(start.first.isoformat(), None, last.isoformat())


def _days(month_of: date, first: date, number: int, last: date | None = None) -> When | None:
    """A stretch of days within one month, of which one end was said as a number alone."""
    if not 1 <= number <= 31:
        return None
    try:
        other = month_of.replace(day=number)
    except ValueError:
        return None
    begin, end = (other, last) if last else (first, other)
    return When(begin.isoformat(), None, end.isoformat()) if begin <= end else None


def _share(start: Draft, end: Draft) -> None:
    """Give each side what it left out and the other said: the day, the part of the day, am or pm."""
    if start.first is None and end.first is not None:
        back = start.minutes is not None and end.minutes is not None and end.minutes <= start.minutes
        start.first = end.first - timedelta(days=back and not start.loose)
    elif end.first is None and start.first is not None:
        end.first = start.first
    elif start.first and end.first and end.loose_day and end.first < start.first:
        end.first += timedelta(days=7)
    if start.part is None and end.part is not None and start.loose:
        start.part = end.part
    elif end.part is None and start.part is not None and end.loose:
        end.part = start.part
    if start.loose and start.minutes is not None and end.marked and end.minutes is not None:
        later = start.minutes % 720 + 720
        start.minutes = later if later < end.minutes else start.minutes % 720
        start.loose = False
    elif end.loose and end.minutes is not None and start.marked and start.minutes is not None:
        while end.minutes <= start.minutes and end.minutes < 720:
            end.minutes += 720
        end.loose = False
    elif (
        start.loose
        and end.loose
        and start.minutes
        and end.minutes
        and not start.part
        and end.minutes <= start.minutes < 720
    ):
        end.minutes += 720  # nine to five


def _lasting(start: str, length: str, now: datetime, want: Want) -> When | None:
    """A point and how long from there: "tomorrow at 3 pm for two hours", "friday for a week"."""
    draft, lasts = scan(start, now, want), match_length(length)
    opening = draft and close(draft)
    if not opening or lasts is None or lasts[1] != len(length) or not opening.is_point or opening.recurrence:
        return None
    if opening.date is None or (opening.time is None) != lasts[0].coarse:
        return None
    begin = datetime.fromisoformat(opening.date + (f"T{opening.time}" if opening.time else ""))
    last_day = add_months(begin.date(), lasts[0].months)
    end = datetime.combine(last_day, begin.time()) + timedelta(seconds=lasts[0].seconds)
    return When(opening.date, opening.time, f"{end:%Y-%m-%d}", f"{end:%H:%M}" if opening.time else None)


def read_sides(text: str, now: datetime, want: Want) -> When | None:
    """A phrase of two sides, or one that is open at one end."""
    if found := _BETWEEN.fullmatch(text):
        return _pair(f"{found[1]}{found[2]}".strip(), found[3], now, want)
    for cut in _TO.finditer(text):
        left = text[: cut.start()].removeprefix("from ")
        if (pair := _pair(left, text[cut.end() :], now, want)) is not None:
            return pair
    if (found := _LASTING.fullmatch(text)) and (lasting := _lasting(found[1], found[2], now, want)) is not None:
        return lasting
    found = _BOUND.fullmatch(text)
    if found and (found[1] not in ("from", "starting") or found[3]):
        draft = scan(found[2], now, want)
        if draft and (inner := close(draft)) and inner.is_point and not inner.recurrence:
            return When(
                inner.date, inner.time, part=inner.part, bound="until" if found[1] in ("until", "before") else "after"
            )
    return None
