"""Clock phrases and parts of the day: "quarter to six", "0730 hours", "7 in the evening", "noon".

1. A time said without am, pm or a part of the day is read as said on the 24-hour clock: "seven" is 07:00, "half
   seven" and "half past seven" are 07:30 (the British half). A part of the day moves it: "seven tonight" is 19:00.
2. Minutes are the resolution: the seconds of "08:02:59" are left out.
3. A part of the day alone is its default time in `PARTS`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from device.spoken.draft import Contradiction, Draft


class Part(NamedTuple):
    """A part of the day: its default time and the span in which it lies, in minutes after midnight."""

    default: int
    start: int
    end: int
    late: bool
    """An hour of the twelve-hour face means the afternoon's half here."""


PARTS: Final[dict[str, Part]] = {
    "morning": Part(8 * 60, 0, 12 * 60, late=False),
    "breakfast": Part(8 * 60, 0, 12 * 60, late=False),
    "lunch": Part(12 * 60, 11 * 60, 15 * 60, late=True),
    "afternoon": Part(13 * 60, 12 * 60, 18 * 60, late=True),
    "evening": Part(18 * 60, 16 * 60, 24 * 60, late=True),
    "dinner": Part(19 * 60, 16 * 60, 24 * 60, late=True),
    "night": Part(20 * 60, 17 * 60, 30 * 60, late=True),
}
"""Defaults of the common phone assistants: morning 08:00, afternoon 13:00, evening 18:00, night 20:00.
A night ends at 06:00 of the next day."""

PART_NAMES: Final = {name: name for name in PARTS} | {
    name + "s": name for name in ("morning", "afternoon", "evening", "night")
} | {"supper": "dinner", "lunchtime": "lunch", "dinnertime": "dinner", "suppertime": "dinner", "nighttime": "night",
     "breakfast time": "breakfast", "lunch time": "lunch", "dinner time": "dinner", "supper time": "dinner",
     "night time": "night"}  # fmt: skip
PART: Final = "|".join(sorted(PART_NAMES, key=len, reverse=True))
NOON, MIDNIGHT = 12 * 60, 0
_NAMED: Final = {"noon": NOON, "midnight": MIDNIGHT, "elevenses": 11 * 60}
_NOT_A_UNIT: Final = r"(?! (?:sec|minute|hour|day|week|fortnight|month|year|percent|%|[smhdw]\b|half an))"

_COLON: Final = re.compile(
    r"(\d{1,2})([:.])(\d\d)(?::\d\d(?:\.\d+)?)?(?: oclock)?(?: (am|pm))?(?: hour)?\b(?![:/.-]\d)"
)
_PAST: Final = re.compile(
    r"(?:a )?(half|quarter|\d{1,2}(?: minute)?) (past|after|to|before|of|until) (\d{1,2}|noon|midnight)"
    r"(?: oclock)?(?: (am|pm))?\b(?![:/.-]\d)" + _NOT_A_UNIT
)
_HALF: Final = re.compile(r"(half) ()(\d{1,2})(?: oclock)?(?: (am|pm))?\b" + _NOT_A_UNIT)
_PAIR: Final = re.compile(r"(\d{1,2}) ((?:oh?|0|zero) ?\d|\d\d)(?: (am|pm))?\b(?! \d|[:/.-]\d)" + _NOT_A_UNIT)
_RUN: Final = re.compile(r"(\d{3,4})(?: (am|pm|hour))?\b(?![:/.-]\d)")
_ZERO: Final = re.compile(r"(?:oh?|0) (?:(\d)00|(\d) ([0-5]\d))(?: hour)?\b")
_HOUR: Final = re.compile(r"(\d{1,2})( oclock)?(?: (am|pm))?(?: sharp)?\b(?![:/.-]\d)" + _NOT_A_UNIT)
_WORD: Final = re.compile(r"(?:12 )?(noon|midnight)\b|(elevenses)\b")
_PART: Final = re.compile(rf"(?:(?:in|at|during) the |(?:in|at|during) |the )?({PART})\b")


def _place(draft: Draft, hour: int, minute: int, meridiem: str | None, padded: bool = False) -> None:
    """Put an hour and a minute on the 24-hour clock."""
    if minute > 59 or hour > 24 or (hour == 24 and minute):
        raise Contradiction
    if (meridiem == "am" and hour > 12) or (meridiem == "pm" and hour == 0):
        raise Contradiction
    if meridiem and hour <= 12:
        hour = hour % 12 + (12 if meridiem == "pm" else 0)
    elif meridiem is None and 0 < hour <= 12 and not padded:
        draft.set_clock(hour * 60 + minute, loose=True)
        return
    draft.set_clock(hour % 24 * 60 + minute, marked=meridiem is not None)


def _before_or_after(draft: Draft, found: re.Match[str]) -> bool:
    """Half past seven, quarter to six, ten minutes after noon; "eight to ten pm" is a range and left alone."""
    said, side, hour, meridiem = found.groups()
    amount, _, unit = said.partition(" ")
    shift = {"half": 30, "quarter": 15}.get(amount) or int(amount)
    if shift > 59 or (not unit and (shift > 30 or shift % 5 or (side == "of" and said != "quarter"))):
        return False
    if amount == "half" and side not in ("past", "after", ""):
        return False
    base = _NAMED[hour] if hour in _NAMED else int(hour) * 60
    if base > 24 * 60 or (base // 60 > 12 and meridiem):
        return False
    later = side in ("past", "after", "")
    loose = hour not in _NAMED and 0 < base <= 12 * 60
    total = base + (shift if later else -shift)
    if meridiem:
        base = base % (12 * 60) + (12 * 60 if meridiem == "pm" else 0)
        total, loose = base + (shift if later else -shift), False
    if loose and total < 60:
        total += 12 * 60  # quarter to one on the clock face
    draft.set_clock(total % (24 * 60), loose=loose, marked=meridiem is not None)
    return True


def match_clock(draft: Draft, text: str, pos: int) -> int | None:
    """Read a clock time or a part of the day at `pos`; the end of what was read, or None."""
    if found := _PART.match(text, pos):
        draft.set_part(PART_NAMES[found[1]])
        return found.end()
    if found := _WORD.match(text, pos):
        draft.set_clock(_NAMED[found[1] or found[2]], marked=True)
        return found.end()
    if found := _COLON.match(text, pos):
        _place(draft, int(found[1]), int(found[3]), found[4], padded=len(found[1]) == 2 and found[1][0] == "0")
        return found.end()
    if (found := _PAST.match(text, pos) or _HALF.match(text, pos)) and _before_or_after(draft, found):
        return found.end()
    if found := _ZERO.match(text, pos):
        _place(draft, int(found[1] or found[2]), int(found[3] or 0), None, padded=True)
        return found.end()
    if not text[pos : pos + 1].isdigit():
        return None
    return _digits(draft, text, pos)


def _digits(draft: Draft, text: str, pos: int) -> int | None:
    """Read a time said in numbers alone: "7 30", "745 pm", "0730 hours", "7 oclock", "7"."""
    if (
        (found := _PAIR.match(text, pos))
        and int(found[1]) < 24
        and int(found[2][-1]) + int(found[2][:-1].strip("oh zer") or 0) * 10 < 60
    ):
        minute = int(found[2][-1]) + int(found[2][:-1].strip("oh zer") or 0) * 10
        _place(draft, int(found[1]), minute, found[3])
        return found.end()
    if found := _RUN.match(text, pos):
        number, suffix = found[1], found[2]
        if suffix is None and draft.want != "time" and number[0] != "0":
            return None
        meridiem = suffix if suffix in ("am", "pm") else None
        _place(draft, int(number[:-2]), int(number[-2:]), meridiem, padded=number[0] == "0" or suffix == "hour")
        return found.end()
    if found := _HOUR.match(text, pos):
        _place(draft, int(found[1]), 0, found[3], padded=len(found[1]) == 2 and found[1][0] == "0")
        return found.end()
    return None


def settle(draft: Draft) -> tuple[int, int] | None:
    """The time that clock and part say together: minutes after midnight, and whole days to add for a late night.

    Raises `Contradiction` where they disagree ("7 am in the evening"); None when no time was said.
    """
    if draft.part is None:
        return None if draft.minutes is None else (draft.minutes, 0)
    part = PARTS[draft.part]
    if draft.minutes is None:
        return part.default, 0
    minutes = draft.minutes
    if draft.loose:
        half = minutes % 720
        night_late = draft.part == "night" and half < 5 * 60
        minutes = half + 720 if part.late and not night_late else half
    extra = 1 if draft.part == "night" and minutes < 6 * 60 else 0
    if not part.start <= minutes + extra * 1440 <= part.end:
        raise Contradiction
    return minutes, extra
