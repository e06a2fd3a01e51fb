"""Text in the one form that the readers of this package work on, and in the form in which free text is compared.

1. `plain` makes lower-case words with single spaces, numbers as digits, units and names of days and months in full
   ("a quarter past seven p.m., on Tues." -> "quarter past 7 pm on tuesday"). It keeps every word that it doesn't know.
2. `fold_text` is the canonical form of a title, a message or a note: two texts that a person would call the same fold
   to the same string.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from device.spoken.words import digits

LIMIT: Final = 200
"""Characters in the longest value that is read; more than that is no time, date, amount or name."""

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS: Final = tuple("january february march april may june july august september october november december".split())  # noqa: SIM905

_SYNONYMS: Final[dict[str, str]] = {
    **{month[:3]: month for month in MONTHS},
    **{day[:3]: day for day in WEEKDAYS},
    **{day + "s": day + "s" for day in WEEKDAYS},
    "sept": "september", "tues": "tuesday", "wednes": "wednesday", "weds": "wednesday", "thur": "thursday",
    "thurs": "thursday", "febuary": "february", "tomorow": "tomorrow", "tommorow": "tomorrow",
    "tommorrow": "tomorrow", "tmrw": "tomorrow", "tmr": "tomorrow", "2moro": "tomorrow", "todays": "today",
    "tomorrows": "tomorrow", "tonights": "tonight", "tonite": "tonight", "till": "until", "til": "until",
    "thru": "until", "through": "until", "ok": "okay",
    "seconds": "sec", "secs": "sec", "minutes": "minute", "mins": "minute", "min": "minute", "minuets": "minute",
    "hours": "hour", "hrs": "hour", "hr": "hour", "days": "day", "weeks": "week", "wk": "week", "wks": "week",
    "months": "month", "years": "year", "yrs": "year", "yr": "year", "fortnights": "fortnight", "quarters": "quarter",
    "everyday": "every day", "noontime": "noon", "midday": "noon", "@": "at", "&": "and", "oclock": "oclock",
    "upcoming": "coming", "couple": "2",
}  # fmt: skip

_MERIDIEM: Final = re.compile(r"\b([ap])\.\s?m\b\.?|(?<=\d)(?:\s?([ap])\s?m|([ap]))\b(?!')\.?|(?<=[a-z] )([ap]) ?m\b")
_OCLOCK: Final = re.compile(r"\bo['’` ]?\s?clock\b")
_POSSESSIVE: Final = re.compile(r"(?<=[a-z])'s\b")
_COUPLE: Final = re.compile(r"\ba couple(?: of)?\b")
_RANGE: Final = re.compile(
    r"(?<![\d./:-])(\d{1,2}(?::\d\d)?)\s?[-–—]\s?(?=\d{1,2}(?::\d\d)?(?![\d./-]))|(?<=[ap]m)\s?[-–—]\s?(?=\d)|\s[-–—]\s|[–—]"
)
_TOKEN: Final = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[-/:.]\d+)+|\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:'[^\W\d_]+)?|[^\s,.!?;\"()'-]"
)
_ASCII_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789 ")


def plain(said: str) -> str:
    """`said` as lower-case words and digits with single spaces; "" where nothing of the kind was said."""
    text = said.casefold()
    if not _ASCII_PLAIN.issuperset(text):
        text = _unicode(text)
        text = _MERIDIEM.sub(lambda m: f" {m[1] or m[2] or m[3] or m[4]}m ", text)
        text = _RANGE.sub(lambda m: f"{m[1] or ''} to ", text)
        words = _TOKEN.findall(_POSSESSIVE.sub("", _OCLOCK.sub("oclock", text)))
        words = [word.replace("'", "") if "'" in word else word for word in words]
    else:
        if "a" in text or "p" in text:
            text = _MERIDIEM.sub(lambda m: f" {m[1] or m[2] or m[3] or m[4]}m ", text)
        words = _TOKEN.findall(_OCLOCK.sub("oclock", text) if "clock" in text else text)
    if "couple" in words:
        words = _COUPLE.sub("2", " ".join(words)).split()
    return " ".join(digits([_SYNONYMS.get(word, word) for word in words]))


def _unicode(text: str) -> str:
    """Compatibility forms folded, typographic apostrophes made plain, accents kept."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return text.replace("’", "'").replace("‘", "'").replace("`", "'")


_EDGE: Final = frozenset("please thanks thank you kindly a an the".split())  # noqa: SIM905
_ARTICLES: Final = frozenset(("a", "an", "the"))
_LETTERS: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def fold_text(said: str) -> str:
    """The form in which free text is compared: case, accents, punctuation, articles and politeness folded away.

    A text that is nothing but such words ("The The") keeps them. Folding a folded text changes nothing.
    """
    decomposed = unicodedata.normalize("NFKD", _unicode(said))
    bare = unicodedata.normalize("NFKC", "".join(c for c in decomposed if not unicodedata.combining(c)))
    words = [word.replace("'", "") for word in _LETTERS.findall(bare.casefold())]
    kept = list(words)
    while kept and kept[0] in _EDGE:
        kept.pop(0)
    while kept and kept[-1] in _EDGE:
        kept.pop()
    kept = [word for word in kept if word not in _ARTICLES]
    return " ".join(kept or words)
