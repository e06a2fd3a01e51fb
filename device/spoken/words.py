"""Number words to digits: "twenty second of march" -> "22nd of march", "seven forty five" -> "7 45".

Numbers are joined as people join them (tens and units, hundreds, thousands, `and` after a hundred); two numbers that
can't be one stay two, because a clock ("seven forty five") and a year ("twenty seventeen") are said that way.
"""

from __future__ import annotations

from typing import Final

_SMALL: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_ORDINALS: Final = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth",
)  # fmt: skip

UNITS: Final[dict[str, int]] = {word: n for n, word in enumerate(_SMALL)}
TENS: Final[dict[str, int]] = {word: 20 + 10 * n for n, word in enumerate(_TENS)} | {"fourty": 40}
ORDINALS: Final[dict[str, int]] = (
    {word: n for n, word in enumerate(_ORDINALS) if n}
    | {word[:-1] + "ieth": value for word, value in TENS.items()}
    | {"twelveth": 12, "nineth": 9, "fourtieth": 40}
)
SCALES: Final[dict[str, int]] = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_NUMBER_WORDS: Final = frozenset(UNITS) | frozenset(TENS) | frozenset(ORDINALS) | frozenset(SCALES)
_SUFFIX: Final = {1: "st", 2: "nd", 3: "rd"}


def ordinal(n: int) -> str:
    """`n` with its English suffix: 1st, 2nd, 11th, 22nd."""
    return f"{n}{'th' if 10 < n % 100 < 14 else _SUFFIX.get(n % 10, 'th')}"


class _Number:
    """One number while it is being said: `total` of the closed thousands, `open` group, and what may follow."""

    __slots__ = ("group", "room", "total")

    def __init__(self) -> None:
        self.total = 0
        self.group = 0
        self.room = 0  # how large the next part must stay below; 0: nothing was said yet

    @property
    def value(self) -> int:
        return self.total + self.group

    def add(self, part: int, leaves: int) -> bool:
        """Join a unit, a teen or a ten if it fits below what was said; `leaves` is the room after it."""
        if self.room and (part >= self.room or part == 0):
            return False
        self.group += part
        self.room = leaves
        return True

    def scale(self, factor: int) -> None:
        """Multiply what is open by hundred, thousand, ..."""
        if factor == 100:
            self.group = (self.group or 1) * 100
        else:
            self.total += (self.group or 1) * factor
            self.group = 0
        self.room = factor


def digits(words: list[str]) -> list[str]:
    """The same words with every spoken number as digits; words that are no numbers pass through."""
    if _NUMBER_WORDS.isdisjoint(words):
        return words
    out: list[str] = []
    number: _Number | None = None

    def close(suffix: bool = False) -> None:
        nonlocal number
        if number is not None:
            out.append(ordinal(number.value) if suffix else str(number.value))
            number = None

    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in UNITS or word in TENS:
            part = UNITS.get(word, TENS.get(word, 0))
            leaves = 10 if word in TENS else 1
            if number is None or not number.add(part, leaves):
                close()
                number = _Number()
                number.add(part, leaves)
        elif word in ORDINALS and not (word == "second" and _is_unit(out, number)):
            part = ORDINALS[word]
            if number is None or not number.add(part, 1):
                close()
                number = _Number()
                number.add(part, 1)
            close(suffix=True)
        elif word in SCALES:
            if number is None:
                number = _Number()
                if out and out[-1] in ("a", "an"):
                    out.pop()
                elif out and out[-1].isascii() and out[-1].isdigit() and len(out[-1]) < 7:
                    number.add(int(out.pop()), 1)
            number.scale(SCALES[word])
        elif (
            word == "and"
            and number is not None
            and number.room >= 100
            and (after in UNITS or after in TENS or after in ORDINALS)
        ):
            continue
        else:
            close()
            out.append("sec" if word == "second" else word)
    close()
    return out


def _is_unit(out: list[str], number: _Number | None) -> bool:
    """Whether `second` counts time here: "one second", "30 second", "a second", but not "twenty second of march"."""
    if number is not None:
        return number.room < 10
    return bool(out) and (out[-1] in ("a", "an", "per", "half") or out[-1].isdigit())
