"""Lengths of time: "an hour and a half", "1h30", "quarter of an hour" -> seconds.

A day has 86,400 seconds; a month is read as 30 days and a year as 365, because a length has no calendar to stand in.
Digits alone are seconds, the canonical form; "1:30" is unreadable (hours or minutes?), "1:30:00" is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from device.spoken.errors import Unreadable
from device.spoken.text import LIMIT, plain

_SECONDS: Final[dict[str, int]] = {
    "sec": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800, "fortnight": 1_209_600,
    "month": 2_592_000, "year": 31_536_000,
}  # fmt: skip
_SHORT: Final = {"s": "sec", "m": "minute", "h": "hour", "d": "day", "w": "week"}
UNIT: Final = r"sec|minute|hour|day|week|fortnight|month|year"
_COUNT: Final = (
    r"(?:another )?(?P<n>\d+(?:\.\d+)?)(?P<plus> and (?:a )?half| and (?:a )?quarter| 1/2)?"
    r"|(?P<part>(?:a )?half|(?:a )?quarter|3 quarter)(?: of)?(?: an?)?|another|an?|1 more"
)
_ITEM: Final = re.compile(
    rf"(?:(?:{_COUNT}) )?(?P<u>{UNIT})\b(?P<tail> and (?:a )?half\b| and (?:a )?quarter\b)?"
    r"|(?P<sn>\d+(?:\.\d+)?) (?P<su>[smhdw])\b"
)
_JOIN: Final = re.compile(r" (?:and )?")
_MINUTES: Final = re.compile(r" (\d{1,2})\b(?! )")
_FRACTIONS: Final = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "1/2": Fraction(1, 2)}
_CLOCKED: Final = re.compile(r"(\d{1,2}):([0-5]\d):([0-5]\d)")
_ISO: Final = re.compile(r"p(?:(\d+)d)?(?:t(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)?")
_EDGES: Final = re.compile(r"^(?:for |about |around |exactly |the |next |like )+|(?: long| please| or so)+$")
_TENS_SECOND: Final = re.compile(r"\b([2-9])2nd$")  # "thirty second", where a length is wanted
_HINT: Final = "say a length such as `20 minutes` or `an hour and a half`"


@dataclass(frozen=True, slots=True)
class Length:
    """A length as it was said: whole calendar months apart from the seconds, because months differ in length."""

    months: int
    """Calendar months, years included."""
    seconds: int
    """Everything else, in seconds."""
    coarse: bool
    """Said in days or longer units alone, so that it names a day and not a time of day."""


def match_length(text: str, pos: int = 0) -> tuple[Length, int] | None:
    """The length said in the plain `text` from `pos` on, and where it ends; None when none starts there."""
    months, seconds, coarse, end = Fraction(0), Fraction(0), True, pos
    unit = ""
    while found := _ITEM.match(text, end if end == pos else _skip(text, end)):
        count, unit = _counted(found)
        if end != pos and found["n"] is None and found["sn"] is None and found["part"] is None:
            break
        if unit in ("month", "year"):
            months += count * (12 if unit == "year" else 1)
        else:
            seconds += count * _SECONDS[unit]
        coarse = coarse and unit not in ("sec", "minute", "hour")
        end = found.end()
    if end == pos:
        return None
    if unit == "hour" and (rest := _MINUTES.match(text, end)) and int(rest[1]) < 60:
        seconds, end = seconds + int(rest[1]) * 60, rest.end()
    whole = months.__floor__()
    seconds += (months - whole) * _SECONDS["month"]
    return (Length(whole, round(seconds), coarse), end) if seconds < 1e11 and whole < 12_000 else None


def _skip(text: str, end: int) -> int:
    joined = _JOIN.match(text, end)
    return joined.end() if joined else len(text)


def _counted(found: re.Match[str]) -> tuple[Fraction, str]:
    """How many of which unit one item says."""
    if found["su"]:
        return Fraction(found["sn"]), _SHORT[found["su"]]
    count = Fraction(found["n"] or 1)
    if part := found["part"]:
        count = Fraction(3, 4) if part[0] == "3" else _FRACTIONS[part.split()[-1]]
    for extra in (found["plus"], found["tail"]):
        if extra:
            count += _FRACTIONS[extra.split()[-1]]
    return count, str(found["u"])


def read_duration(said: str | int) -> int:
    """Seconds in the length that was said; raises `Unreadable`. A whole number is seconds already."""
    if isinstance(said, int):
        return said
    if said.isascii() and said.isdigit() and len(said) < 11:
        return int(said)
    if len(said) <= LIMIT:
        text = _TENS_SECOND.sub(r"\g<1>0 sec", _EDGES.sub("", plain(said)))
        if clocked := _CLOCKED.fullmatch(text):
            return int(clocked[1]) * 3_600 + int(clocked[2]) * 60 + int(clocked[3])
        if (iso := _ISO.fullmatch(said.casefold())) and any(iso.groups()):
            days, hours, minutes, seconds = (int(part or 0) for part in iso.groups())
            return days * 86_400 + hours * 3_600 + minutes * 60 + seconds
        found = match_length(text)
        if found and found[1] == len(text) and (text not in _SECONDS):
            return found[0].months * _SECONDS["month"] + found[0].seconds
    raise Unreadable(said, "duration", _HINT)
