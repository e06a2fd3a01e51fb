"""What personal things look like in a text: addresses, numbers, codes, and given names in the ways they are written.

What is taken for personal by mistake costs a word of a recording; what is missed is published. So in doubt it goes.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,100})*")
_GAP = "[ \\t\u00a0\u2007\u2009\u200e\u200f\u202a-\u202f\u2010-\u2015\u2212().\\/-]{0,3}"
"""What may stand between two digits of a number: blanks, dashes and marks of direction of all kinds."""
NUMBER = re.compile(
    rf"(?<![A-Za-z0-9_])(?<!\d[.:/-])\+?\(?\d(?:{_GAP}\d){{6,30}}(?!\d)(?!(?<=\D\d):\d)(?!(?<=\D\d\d):\d)"
)
"""Seven digits and more, but not with the hour of a time as its end."""
DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_SECRET = r"code|otp|pin|passcode|tan|password|verification|passwort|kennwort|código|codice"
CODE = re.compile(rf"(?i)\b((?:{_SECRET})\W{{0,3}}(?:\w+\W{{1,2}}){{0,3}}?)(\d[\d -]{{2,9}}\d)")
"""`Your code is 4711`."""
CODE_FIRST = re.compile(rf"(?i)(?<![\w.:/-])\d[\d -]{{2,8}}\d(?=\W{{1,3}}(?:[^\W\d]+\W{{1,3}}){{0,6}}?(?:{_SECRET})\b)")
"""`4711 is your verification code`."""
PASSWORD = re.compile(
    r"passw(?:or)?d|passwort|passcode|kennwort|contraseña|mot de passe|(?<![a-z])pin(?![a-z])", re.IGNORECASE
)
"""How a field of a secret is called."""
PLACEHOLDER = re.compile(r"\[(email|number|code|name|text) (\d{1,9})\]")
_ANYWHERE = 5
"""Letters from which a name is found inside other words, too: `#KellerFamily`."""
_LETTER = r"[^\W\d_]"


def plain(text: str) -> str:
    """The text with letters put together with their accents, so that it can be compared."""
    return unicodedata.normalize("NFC", text)


def bare(text: str) -> str:
    """As long as the text, each letter without its accents."""
    return text if text.isascii() else "".join(map(_bare, text))


@lru_cache(maxsize=4096)
def _bare(char: str) -> str:
    apart = unicodedata.normalize("NFD", char)
    return apart[0] if len(apart) > 1 and all(map(unicodedata.combining, apart[1:])) else char


@lru_cache(maxsize=8)
def names_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Finds the names and each of their words in a bare text, placeholders first; None where no name has a letter."""
    whole = {tuple(bare(plain(name)).split()) for name in names if any(map(str.isalpha, name))}
    parts = {(part,) for name in whole for part in name if len(part) > 2 and any(map(str.isalpha, part))}
    ordered = sorted(whole | parts, key=lambda name: len("".join(name)), reverse=True)
    if not ordered:
        return None
    return re.compile("|".join([PLACEHOLDER.pattern, *map(_name, ordered)]), re.IGNORECASE)


def _name(words: tuple[str, ...]) -> str:
    """One name, its words apart or together; a short one only as a word of its own, with or without an `s`."""
    pattern, joined = r"[\s._-]*".join(map(re.escape, words)), "".join(words)
    spaceless = joined.lower() == joined.upper()  # of a script that puts no blanks between words
    if spaceless or sum(map(str.isalpha, joined)) >= _ANYWHERE:
        return pattern
    return rf"(?<!{_LETTER}){pattern}(?=['’]?s?(?!{_LETTER}))"


@lru_cache(maxsize=8)
def texts_pattern(texts: tuple[str, ...]) -> re.Pattern[str] | None:
    """Finds given texts in a bare text, whatever blanks stand between their words."""
    words = [bare(plain(text)).split() for text in texts]
    ordered = sorted(filter(None, words), key=lambda text: len("".join(text)), reverse=True)
    if not ordered:
        return None
    return re.compile("|".join(r"\s+".join(map(re.escape, text)) for text in ordered), re.IGNORECASE)


def numbered(texts: Iterable[str]) -> dict[str, int]:
    """The highest number of each kind of placeholder that stands in the texts."""
    found: dict[str, int] = {}
    for text in texts:
        for kind, number in PLACEHOLDER.findall(text):
            found[kind] = max(found.get(kind, 0), int(number))
    return found
