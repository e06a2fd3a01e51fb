"""Numbers, percentages and amounts with a unit: "twenty five", "1,200", "two and a half", "half", "20 degrees".

Values are `Decimal`, so that what was said is kept to the last digit. A level said in a word is a percentage of the
whole: "half" 50, "max" and "full" 100, "off" and "lowest" 0, "a quarter" 25.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from device.spoken.currencies import CURRENCY, SIGN
from device.spoken.errors import Unreadable
from device.spoken.text import LIMIT, plain

Amount = tuple[Decimal, str | None]

_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,12})?")
_GROUPED: Final = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")
_SIGNED: Final = re.compile(r"^\s*(?:[-−]\s?(?=[\d.])|(?:minus|negative) )")
_POINT: Final = re.compile(r"(\d+) (?:point|dot) ((?:\d+ ?)+|oh \d)")
_LEADING_POINT: Final = re.compile(r"(?<![\d.])\.(?=\d)")
_EDGES: Final = re.compile(r"^(?:(?:to|by|at|about|around|of|exactly|set to|a total of) )+|(?: please| exactly)+$")
_FRACTION: Final = re.compile(r"(?:(\d+) and )?(?:(?:an? )?(half|quarter|3rd|third)|3 quarter|(\d+) ?/ ?(\d+))")
_PARTS: Final = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
_LEVELS: Final[dict[str, int]] = {
    "half": 50, "halfway": 50, "half way": 50, "a half": 50, "middle": 50, "medium": 50, "quarter": 25, "a quarter": 25,
    "3 quarter": 75, "max": 100, "maximum": 100, "full": 100, "full power": 100, "highest": 100, "full volume": 100,
    "all the way": 100, "all the way up": 100, "the max": 100, "the maximum": 100, "highest level": 100,
    "full brightness": 100, "min": 0, "minute": 0, "minimum": 0, "lowest": 0, "lowest level": 0, "the lowest level": 0,
    "off": 0, "mute": 0, "the minimum": 0, "nothing": 0, "all the way down": 0,
}  # fmt: skip
_VAGUE: Final = ("little", "bit", "few", "lot", "touch", "tad", "while")
_PERCENT: Final = re.compile(r" ?(?:%|percent|per cent|pct)$")

_MULTIPLE: Final = {"k": 1_000, "grand": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000}


def number_text(said: str) -> tuple[str, bool]:
    """The plain text without its polite edges, and whether a minus stood before it."""
    negative = bool(_SIGNED.match(said.casefold()))
    bare = _SIGNED.sub("", said.casefold()) if negative else said
    text = _GROUPED.sub("", plain(_LEADING_POINT.sub("0.", bare)))
    return _EDGES.sub(
        "", _POINT.sub(lambda m: f"{m[1]}.{m[2].replace(' ', '').replace('oh', '0')}", text)
    ).strip(), negative


def split_number(text: str) -> tuple[Decimal, str] | None:
    """The number at the start of a plain text, and what follows it."""
    if found := _FRACTION.match(text):
        whole = Decimal(found[1] or 0)
        if found[4]:
            if int(found[4]) == 0 or len(found[4]) > 4 or len(found[3]) > 15:
                return None
            part = Decimal(found[3]) / Decimal(found[4])
        else:
            part = _PARTS.get(found[2] or "", Decimal("0.75") if found[2] is None else Decimal(1) / 3)
        return whole + part, text[found.end() :].strip()
    if found := _NUMBER.match(text):
        value, rest = Decimal(found[0]), text[found.end() :].strip()
    elif text.startswith(("a ", "an ")):
        value, rest = Decimal(1), text.split(" ", 1)[1]
        if rest.startswith(_VAGUE):
            return None
    elif text == "dozen" or text.startswith("dozen "):
        value, rest = Decimal(1), text
    else:
        return None
    word, _, after = rest.partition(" ")
    if word in ("dozen", "dozens"):
        return value * 12, after.removeprefix("of ")
    if word in _MULTIPLE and (word not in ("k", "m") or len(rest) == 1 or after):
        return value * _MULTIPLE[word], after
    if rest.startswith(("and a half", "and half")):
        return value + Decimal("0.5"), rest.split("half", 1)[1].strip()
    return value, rest


def read_amount(said: str) -> Amount:
    """A number and its unit as said ("%" for percentages, None where there is none); raises `Unreadable`.

    A currency's sign before the number gives its code as the unit: "$20" is (20, "USD").

    "half", "max" and their like without a unit are levels: (50, "%").
    """
    if len(said) <= LIMIT:
        text, negative = number_text(said)
        if text in _LEVELS and not negative:
            return Decimal(_LEVELS[text]), "%"
        sign = SIGN.match(text)
        if (split := split_number(text[sign.end() :].strip() if sign else text)) is not None and not (
            sign and split[1]
        ):
            value, unit = split
            unit = CURRENCY[sign[0]] if sign else "%" if _PERCENT.fullmatch(" " + unit) else unit.removeprefix("of ")
            return tidy(-value if negative else value), unit or None
    raise Unreadable(said, "amount", "say a number, with its unit if it has one, such as `25` or `50 percent`")


def read_number(said: str | int | float) -> Decimal:
    """A number without a unit: "twenty five", "1,200", "two and a half", "a dozen"; raises `Unreadable`."""
    if isinstance(said, int | float):
        return Decimal(str(said))
    if said.isascii() and said.isdigit() and len(said) < 16:
        return Decimal(said)
    if len(said) <= LIMIT:
        text, negative = number_text(said)
        split = split_number(text)
        if split is not None and not split[1]:
            return tidy(-split[0] if negative else split[0])
    raise Unreadable(said, "number", "say a number such as `25` or `two and a half`")


def read_percent(said: str | int | float) -> Decimal:
    """A share of the whole between 0 and 100: "fifty percent", "50", "half", "max"; raises `Unreadable`."""
    if isinstance(said, str):
        try:
            value, unit = read_amount(said)
        except Unreadable:
            value, unit = Decimal(-1), None
    else:
        value, unit = Decimal(str(said)), None
    if unit not in (None, "%") or not 0 <= value <= 100:
        raise Unreadable(str(said), "percent", "say a share from 0 to 100 such as `50%` or `half`")
    return value


def tidy(value: Decimal) -> Decimal:
    """The same value without trailing zeros or an exponent."""
    whole = value.to_integral_value()
    return Decimal(int(whole)) if value == whole else value.normalize()
