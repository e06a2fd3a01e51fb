"""One phrase of time, read piece by piece against the phone's clock.

1. The phrase has been made plain (`text.py`).
2. It is read from left to right: at each place the first of recurrence, offset,
   day, stretch and clock that fits takes its words. Words that nobody takes make the phrase unreadable, so that
   nothing of what was said is dropped.
3. A time without a date is the next time that the clock strikes it. "Today" with a bare hour that has passed means
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
from device.spoken.record import When
from device.spoken.recurrence import match_recurrence
from device.spoken.spans import match_offset, match_span

_RULES: Final[tuple[Callable[[Draft, str, int], int | None], ...]] = (
    match_recurrence,
    match_offset,
    match_day,
    match_span,
    match_clock,
)
_FILLER: Final = re.compile(
    r"(?:at|on|the|for|by|of|in|around|about|and|please|from|over|during|throughout|starting|beginning|exactly"
    r"|approximately|sometime|day of|any ?time|ish|later(?= to| this)|time is)\b"
)


def scan(text: str, now: datetime, want: Want) -> Draft | None:
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


def close(draft: Draft) -> When | None:
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


def read_one(text: str, now: datetime, want: Want) -> When | None:
    """The record of a plain phrase without two sides; None where it is unreadable."""
    draft = scan(text, now, want)
    return None if draft is None else close(draft)
