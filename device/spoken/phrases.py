"""Phrases of time, read piece by piece against the phone's clock.

1. A canonical form returns at once (about a microsecond).
2. The phrase is made plain (`text.py`) and read from left to right: at each place the first of recurrence, offset,
   day, stretch and clock that fits takes its words. Words that nobody takes make the phrase unreadable, so that
   nothing of what was said is dropped.
3. "between A and B", "A to B", "until A" are read as one or two such phrases; what one side leaves out (am or pm,
   the day, the month) it takes from the other.
4. A time without a date is the next time that the clock strikes it. "Today" with a bare hour that has passed means
   its second strike: "today at five", said at nine, is 17:00.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from device.spoken.clock import match_clock, settle
from device.spoken.dates import match_day
from device.spoken.draft import Contradiction, Draft, Want
from device.spoken.record import When, canonical_when
from device.spoken.recurrence import match_recurrence
from device.spoken.spans import match_offset, match_span
from device.spoken.text import LIMIT, plain

_RULES: Final[tuple[Callable[[Draft, str, int], int | None], ...]] = (
    match_recurrence,
    match_offset,
    match_day,
    match_span,
    match_clock,
)
_FILLER: Final = re.compile(
    r"(?:at|on|the|for|by|of|in|around|about|and|please|from|starting|beginning|exactly|approximately|sometime"
    r"|any ?time|ish|later(?= to| this)|time is)\b"
)
_BETWEEN: Final = re.compile(r"(.*?)\bbetween (.+?) and (.+)")
_TO: Final = re.compile(r" (?:to|until) ")
_BOUND: Final = re.compile(r"(until|before|after|since|from|starting) (.+?)( on| onwards?)?")
_DAY_NUMBER: Final = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)?")


def _scan(text: str, now: datetime, want: Want) -> Draft | None:
    """What one phrase says; None where a word is left over, pieces contradict each other or the calendar objects."""
    draft = Draft(now, want)
    pos, length, read = 0, len(text), False
    try:
        while pos < length:
            for rule in _RULES:
                end = rule(draft, text, pos)
                if end is not None:
                    read = True
                    break
            else:
                filler = _FILLER.match(text, pos)
                if filler is None:
                    return None
                end = filler.end()
            if end < length and text[end] != " ":
                return None
            pos = end + 1
    except (Contradiction, ValueError, OverflowError):
        return None
    return draft if read else None


def _close(draft: Draft) -> When | None:
    """The record of one phrase; None where its pieces don't go together."""
    if draft.at is not None:
        if draft.first or draft.minutes is not None or draft.part or draft.rule:
            return None
        end = draft.until
        start = When(f"{draft.at:%Y-%m-%d}", f"{draft.at:%H:%M}")
        return start if end is None else replace(start, end_date=f"{end:%Y-%m-%d}", end_time=f"{end:%H:%M}")
    try:
        settled = settle(draft)
    except Contradiction:
        return None
    first = draft.first
    if draft.last is not None and (draft.rule is not None or settled is not None):
        return None  # "this week at five": which of its days?
    time = None
    if settled is not None:
        minutes, extra = settled
        if first is not None and draft.last is None:
            minutes, extra = _strike(draft, first, minutes, extra)
            first += timedelta(days=extra)
        time = f"{minutes // 60:02}:{minutes % 60:02}"
    bare = draft.loose and draft.part is None
    return When(_iso(first), time, _iso(draft.last), None, draft.rule, draft.part, bare=bare)


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _strike(draft: Draft, day: date, minutes: int, extra: int) -> tuple[int, int]:
    """The second strike of a bare hour that has passed today."""
    passed = day == draft.now.date() and minutes <= draft.now.hour * 60 + draft.now.minute
    if passed and draft.loose and draft.part is None and minutes < 720:
        return minutes + 720, extra
    return minutes, extra


def _pair(left: str, right: str, now: datetime, want: Want) -> When | None:
    """A stretch from one phrase to another."""
    start, end = _scan(left, now, want), _scan(right, now, want)
    if start and end and start.first and start.minutes is None and (number := _DAY_NUMBER.fullmatch(right)):
        return _days(start.first, start.first, int(number[1]))
    if end and end.first and end.minutes is None and (number := _DAY_NUMBER.fullmatch(left)):
        return _days(end.first, end.first.replace(day=1), int(number[1]), end.first)
    if start is None or end is None or start.at or end.at or start.rule or end.rule or start.last or end.last:
        return None
    if (start.minutes is None and not start.part) != (end.minutes is None and not end.part):
        return None
    _share(start, end)
    opening, closing = _close(start), _close(end)
    if opening is None or closing is None:
        return None
    end_date = closing.date
    if end_date and end_date == opening.date and opening.time and closing.time and closing.time <= opening.time:
        end_date = (date.fromisoformat(end_date) + timedelta(days=1)).isoformat()
    if opening.date and end_date and end_date < opening.date:
        return None
    return When(opening.date, opening.time, end_date, closing.time)


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


def _stretch(text: str, now: datetime, want: Want) -> When | None:
    """A phrase of two sides, or one that is open at one end."""
    if found := _BETWEEN.fullmatch(text):
        return _pair(f"{found[1]}{found[2]}".strip(), found[3], now, want)
    for cut in _TO.finditer(text):
        left = text[: cut.start()].removeprefix("from ")
        if (pair := _pair(left, text[cut.end() :], now, want)) is not None:
            return pair
    found = _BOUND.fullmatch(text)
    if found and (found[1] not in ("from", "starting") or found[3]):
        draft = _scan(found[2], now, want)
        if draft and (inner := _close(draft)) and inner.is_point and not inner.recurrence:
            return When(
                inner.date, inner.time, part=inner.part, bound="until" if found[1] in ("until", "before") else "after"
            )
    return None


def read_phrase(said: str, now: datetime, want: Want) -> When | None:
    """The record of any phrase of time; None where it is unreadable."""
    if known := canonical_when(said):
        return known
    if len(said) > LIMIT:
        return None
    text = plain(said)
    if not text:
        return None
    if text.startswith("from ") or "between" in text:
        return _stretch(text, now, want) or _whole(text, now, want)
    return _whole(text, now, want) or _stretch(text, now, want)


def _whole(text: str, now: datetime, want: Want) -> When | None:
    draft = _scan(text, now, want)
    return None if draft is None else _close(draft)
