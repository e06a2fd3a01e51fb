"""Phone numbers as digits, with a plus before a country code: "five five five oh one double two" -> "5550122"."""

from __future__ import annotations

import re
from typing import Final

from device.spoken.errors import Unreadable
from device.spoken.text import LIMIT
from device.spoken.words import TENS, UNITS

_WRITTEN: Final = re.compile(r"\+?[\d\s().\-/]+")
_WORD: Final = re.compile(r"\+|[a-z]+|\d+|[^\s().,/-]")
_DIGIT: Final[dict[str, str]] = {word: str(n) for word, n in UNITS.items()} | {"oh": "0", "o": "0", "nought": "0"}
_TEEN: Final = {word: str(n) for word, n in TENS.items()}
_TIMES: Final = {"double": 2, "triple": 3, "treble": 3}
_SILENT: Final = frozenset("area code number phone the is call dial and".split())  # noqa: SIM905
_MIN, _MAX = 3, 15


def _spoken(said: str) -> str | None:
    """The digits that the words say; None where a word is no part of a number."""
    out, times, tens = "", 1, ""
    for word in _WORD.findall(said.casefold().replace("-", " ")):
        if word in {"+", "plus"}:
            if out:
                return None
            out = "+"
            continue
        if word in _SILENT and times == 1:
            continue
        digit = word if word.isascii() and word.isdigit() else _DIGIT.get(word)
        if tens:
            joins = word in UNITS and 0 < UNITS[word] < 10 and not word.isdigit()
            out += tens[0] + (digit or "") if joins else tens
            tens = ""
            if joins:
                continue
        if word in _TIMES and times == 1:
            times = _TIMES[word]
        elif word in _TEEN and times == 1:
            tens = _TEEN[word]
        elif word == "hundred" and out:
            out += "00"
        elif word == "thousand" and out:
            out += "000"
        elif digit is not None:
            out, times = out + digit * times, 1
        else:
            return None
    return out + tens if times == 1 else None


def read_phone_number(said: str) -> str:
    """3 to 15 digits, "+" before them where it was said (E.164 allows 15); raises `Unreadable`.

    "00" at the start stays as dialled; an extension is no part of the number and makes it unreadable.
    """
    if len(said) <= LIMIT:
        bare = said.strip()
        if bare.isascii() and _WRITTEN.fullmatch(bare):
            found: str | None = ("+" if bare[0] == "+" else "") + re.sub(r"\D", "", bare)
        else:
            found = _spoken(bare)
        if found and _MIN <= len(found.removeprefix("+")) <= _MAX:
            return found
    raise Unreadable(said, "phone number", f"say {_MIN} to {_MAX} digits, such as `+1 555 010 2000`")
