"""Stretches and offsets: "this weekend", "next five days", "in twenty minutes", "two weeks from friday".

1. "in" + a length of hours or less is an exact moment (seconds move up to the next whole minute, so that it never lies
   in the past); in days or longer it is a day.
2. "this week" is Monday to Sunday, "next" and "coming" the one after it; a bare "march" is the running or coming one.
3. "the next 3 days" begin with today, "the last 3 days" end with it; "the last hour" ends now.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final

from device.spoken import days
from device.spoken.clock import match_clock
from device.spoken.dates import MONTH_NAME, match_day, year_of
from device.spoken.draft import Draft
from device.spoken.durations import Length, match_length

_SHIFT: Final = {
    None: 0, "this": 0, "the": 0, "current": 0, "whole": 0, "entire": 0, "all": 0, "next": 1, "coming": 1,
    "this coming": 1, "following": 1, "last": -1, "previous": -1, "past": -1, "this past": -1,
}  # fmt: skip
_WHICH: Final = r"(this coming|this past|this|next|coming|following|current|whole|entire|all|last|previous|past)"
_PERIOD: Final = re.compile(rf"(?:the )?(?:{_WHICH} )?(week|weekend|month|year)\b")
_SEASON: Final = re.compile(r"(?:the )?(?:(this|next|last) )?(spring|summer|autumn|fall|winter)\b(?: season)?")
_MONTH: Final = re.compile(rf"(?:(this|next|last) )?({MONTH_NAME})\b(?: (?:of )?(\d{{4}}|20 \d\d)\b)?")
_WEEK_OF: Final = re.compile(
    rf"(?:the )?(1st|2nd|3rd|4th|last) week (?:of|in) (?:(this|next|the) month|({MONTH_NAME}))\b"
)
_REST: Final = re.compile(r"(?:the )?rest of (?:the |this )?(day|week|month|year)\b")
_YEAR: Final = re.compile(r"((?:19|20)\d\d)\b")
_COUNTED: Final = re.compile(r"(?:the |this |these )*(next|coming|following|last|past|previous) (?!day\b)")
_IN: Final = re.compile(r"(?:in|after|within) (?:the next |about |around )?")
_NOW: Final = re.compile(r"(?:right |just )?now\b|immediately\b|this (?:time|moment|instant)\b|right away\b")
_THIS_HOUR: Final = re.compile(r"(?:this|the current) hour\b")
_FROM_NOW: Final = re.compile(r" (?:from now|later|from today|hence|time)\b")
_AGO: Final = re.compile(r" ago\b")
_ANCHORED: Final = re.compile(r" (from|after|before|on) ")


def _shifted(draft: Draft, length: Length, sign: int, origin: date | None = None) -> None:
    """Take the moment or day that lies a length away from now or from the day `origin`."""
    day = days.add_months(origin or draft.now.date(), sign * length.months)
    away = sign * timedelta(seconds=length.seconds)
    if length.coarse:
        draft.set_days(day + away)
    else:
        draft.set_exact(_whole_minute(datetime.combine(day, draft.now.time()) + away))


def _whole_minute(moment: datetime) -> datetime:
    """Up to the next whole minute."""
    return (
        moment
        if not (moment.second or moment.microsecond)
        else moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
    )


def _stretch(draft: Draft, length: Length, ahead: bool) -> None:
    """The next or last so many hours or days."""
    if not length.coarse:
        away = timedelta(seconds=length.seconds)
        now = draft.now.replace(second=0, microsecond=0)
        draft.set_exact(*((now, now + away) if ahead else (now - away, now)))
        return
    today = draft.now.date()
    sign = 1 if ahead else -1
    other = days.add_months(today, sign * length.months) + sign * timedelta(seconds=length.seconds)
    draft.set_days(min(today, other), max(today, other))


def _period(draft: Draft, which: str | None, unit: str) -> None:
    """This week, next weekend, last month, the past year."""
    today = draft.now.date()
    if which in ("past", "this past"):
        back = {"week": (0, 7), "weekend": (0, 0), "month": (1, 0), "year": (12, 0)}[unit]
        if unit != "weekend":
            draft.set_days(days.add_months(today, -back[0]) - timedelta(days=back[1]), today)
            return
    shift = _SHIFT[which]
    if unit == "week":
        span = days.week_of(today, shift)
    elif unit == "weekend":
        span = days.weekend_of(today, 0 if which in ("coming", "this coming") else shift)
    elif unit == "month":
        span = days.month_of(today.year, today.month + shift)
    else:
        span = date(today.year + shift, 1, 1), date(today.year + shift, 12, 31)
    draft.set_days(*span)


def _month(draft: Draft, which: str | None, name: str, year: str | None) -> None:
    """March, next march, march 2027."""
    today, number = draft.now.date(), days.MONTH[name]
    said = year_of(year)
    if said is None:
        said = today.year + (number < today.month)
        if which == "last":
            said = today.year - (number >= today.month)
        elif which == "next":
            said = today.year + (number <= today.month)
    draft.set_days(*days.month_of(said, number))


def _week_of(draft: Draft, n: str, which: str | None, month: str | None) -> None:
    """The first week of march: its days 1 to 7, the last week: its last seven."""
    today = draft.now.date()
    if month:
        first, last = days.month_of(today.year + (days.MONTH[month] < today.month), days.MONTH[month])
    else:
        first, last = days.month_of(today.year, today.month + (which == "next"))
    begin = last - timedelta(days=6) if n == "last" else first + timedelta(days=7 * (int(n[0]) - 1))
    draft.set_days(begin, begin + timedelta(days=6))


def _rest(draft: Draft, unit: str) -> None:
    """From today to the end of the period."""
    today = draft.now.date()
    ends = {
        "day": today,
        "week": days.week_of(today)[1],
        "month": days.month_of(today.year, today.month)[1],
        "year": date(today.year, 12, 31),
    }
    draft.set_days(today, ends[unit])


def match_span(draft: Draft, text: str, pos: int) -> int | None:
    """Read a stretch or an offset at `pos`; the end of what was read, or None."""
    if found := _NOW.match(text, pos):
        draft.set_exact(draft.now.replace(second=0, microsecond=0))
    elif found := _THIS_HOUR.match(text, pos):
        hour = draft.now.replace(minute=0, second=0, microsecond=0)
        draft.set_exact(hour, hour + timedelta(hours=1))
    elif found := _WEEK_OF.match(text, pos):
        _week_of(draft, found[1], found[2], found[3])
    elif found := _PERIOD.match(text, pos):
        _period(draft, found[1], found[2])
    elif found := _MONTH.match(text, pos):
        _month(draft, found[1], found[2], found[3])
    elif found := _SEASON.match(text, pos):
        draft.set_days(*days.season_of(draft.now.date(), found[2], _SHIFT[found[1]]))
    elif found := _REST.match(text, pos):
        _rest(draft, found[1])
    elif draft.want == "date" and (found := _YEAR.match(text, pos)):
        draft.set_days(date(int(found[1]), 1, 1), date(int(found[1]), 12, 31))
    else:
        return None
    return found.end()


def match_offset(draft: Draft, text: str, pos: int) -> int | None:
    """Read "in ten minutes", "two weeks from friday", "the next three hours" at `pos`; its end, or None."""
    if found := _COUNTED.match(text, pos):
        ahead = found[1] in ("next", "coming", "following")
        length = match_length(text, found.end())
        if length is None or _PERIOD.match(text, pos):
            return None
        _stretch(draft, length[0], ahead)
        return length[1]
    if found := _IN.match(text, pos):
        if (length := match_length(text, found.end())) is None:
            return None
        _shifted(draft, length[0], 1)
        tail = _FROM_NOW.match(text, length[1])
        return tail.end() if tail else length[1]
    if (length := match_length(text, pos)) is None:
        return None
    return _anchored(draft, text, *length)


def _anchored(draft: Draft, text: str, length: Length, end: int) -> int | None:
    """What follows a length: from now, ago, from friday."""
    if found := _FROM_NOW.match(text, end):
        _shifted(draft, length, 1)
        return found.end()
    if found := _AGO.match(text, end):
        _shifted(draft, length, -1)
        return found.end()
    if not (found := _ANCHORED.match(text, end)):
        return None
    if length.coarse:
        anchor = Draft(draft.now, "date")
        stop = match_day(anchor, text, found.end())
        if stop and anchor.first and not anchor.last:
            _shifted(draft, length, -1 if found[1] == "before" else 1, anchor.first)
            return stop
        return None
    return _from_clock(draft, text, length, found)


def _from_clock(draft: Draft, text: str, length: Length, found: re.Match[str]) -> int | None:
    """Three hours before midnight, 20 minutes after 7: a length from a clock time, within the day's round."""
    anchor = Draft(draft.now, draft.want)
    stop = match_clock(anchor, text, found.end())
    if stop is None or anchor.minutes is None or length.months or length.seconds >= 86_400 or found[1] == "on":
        return None
    shift = length.seconds // 60 * (-1 if found[1] == "before" else 1)
    draft.set_clock((anchor.minutes + shift) % 1_440, loose=anchor.loose, marked=anchor.marked)
    return stop
