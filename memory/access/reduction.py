"""Takes personal details out of a text before it is shared: names, numbers, addresses, e-mails, places.

1. Rules alone, in a fixed order, so that the same text always gives the same result. Each detail becomes a mark that
   says what stood there: `[name]`, `[place]`, `[number]`.
2. The rules lean towards taking out too much. Whatever is written with a capital and is no ordinary word is a name;
   every digit is a number.
3. What can't be judged isn't shared: scripts other than the Latin one, a text without capitals or all in capitals
   (names don't show), secrets, health and the like, and a text of which too little is left.

This reduces what a shared experience says about a person. It doesn't make it anonymous.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable

from pydantic import Field

from memory.access.words import CAPITALS, KIN, NUMBERS, ORDINARY, SECRETS, SENSITIVE, STREETS
from runtime.contract import Record

LEAST_WORDS = 3
"""Ordinary words that must be left."""
MOST_MARKS = 0.5
"""Share of marks among words and marks that may be left."""

_WORD = r"[^\W\d_][^\W\d_'’-]*(?:['’-][^\W\d_]+)*"
_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀ-Ž][^\W\d_]*(?:['’-][^\W\d_]+)*"
_NAME = rf"{_CAPITAL}(?:\s+(?:(?:de|del|van|von|der|la|of|the)\s+)*{_CAPITAL})*"
_LIVING = r"lives?|lived|living|moved|moving|grew\s+up|born|based|works?"
_TOWARDS = r"in|at|to|from|near|towards?|via|around|outside|visit(?:s|ed|ing)?|leav(?:es?|ing)"
_MARK = re.compile(r"\[(?:email|link|handle|address|number|name|place)\]")

_RULES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("link", re.compile(r"\b(?i:https?://|www\.)\S+")),
    ("email", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*|\b[\w.]+ (?i:at|\(at\)) [\w-]+ (?i:dot|\(dot\)) \w+\b")),
    ("handle", re.compile(r"(?<!\w)[@#]\w+")),
    ("address", re.compile(rf"\b\d+\s?\w?,?\s+(?:[\w'’-]+\s+){{1,3}}?(?i:{STREETS})\b\.?")),
    ("address", re.compile(rf"\b(?:{_CAPITAL}\s+){{1,3}}(?i:{STREETS})\b\.?(?:\s+\d+\w?)?")),
    ("address", re.compile(r"\b[^\W\d_]*(?i:straße|strasse|gasse|allee|platz|weg)\s+\d+\s?\w?\b")),
    ("address", re.compile(rf"\b(?i:rue|calle|via|viale|plaza|piazza)\s+(?:\w+\s+){{0,2}}{_CAPITAL}(?:,?\s+\d+)?")),
    ("address", re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b")),
    ("number", re.compile(r"(?<![\w\[])(?=[\w/:.-]*\d)(?=[\w/:.-]*[^\W\d_])\w(?:[\w/:.-]*\w)?")),
    ("number", re.compile(r"\+?\(?\d(?:[\d\s()./:,-]*\d)?")),
    ("number", re.compile(rf"\b(?i:{NUMBERS})(?:[\s,-]+(?i:{NUMBERS})){{2,}}\b")),
)
"""Digits with letters in one word are a number too: a code, a plate, a date with a time."""
_AFTER_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("name", re.compile(rf"(\b(?i:called|named|nicknamed|(?:name|nickname)(?:\s+is|['’]s))\s+)({_NAME}|{_WORD})")),
    ("name", re.compile(rf"(\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Herr|Frau|Doctor|Professor)\b\.?\s+)({_NAME})")),
    ("name", re.compile(rf"(\b(?i:my|his|her|their|our|your|user['’]s)\s+(?i:{KIN})\s*,?\s+)({_NAME})")),
    ("place", re.compile(rf"(\b(?i:{_LIVING})\s+(?i:in|at|to|near)\s+(?i:the\s+)?)({_NAME}|{_WORD})")),
    ("place", re.compile(rf"(\b(?i:{_TOWARDS})\s+(?i:the\s+)?)({_NAME})")),
)  # fmt: skip
"""The words that announce a name or a place stay; what they announce goes."""
_ANY_NAME = re.compile(_NAME)
_LOWERED = re.compile(_WORD)
_SENTENCE = re.compile(r"(?:^|[.!?:;(\"“„-])\s*$")


class Reduced(Record):
    """A text without its personal details, or why it can't be had."""

    text: str = ""
    """What may be shared; empty where it is refused."""
    removed: dict[str, int] = Field(default_factory=dict)
    """How many details of each kind were taken out."""
    refused: str = ""
    """Why the text isn't shared; empty where it may be."""


def reduce_details(text: str, known: Collection[str] = ()) -> Reduced:
    """The text with marks in place of details. `known`: names that are taken out in any spelling of their case."""
    reason = _unjudgeable(text)
    if reason:
        return Reduced(refused=reason)
    counts: dict[str, int] = {}
    text = " ".join(text.split())
    for kind, pattern in _RULES:
        text, found = pattern.subn(f"[{kind}]", text)
        _count(counts, kind, found)
    for kind, pattern in _AFTER_WORDS:
        text = pattern.sub(lambda match, kind=kind: _after(match, kind, counts), text)  # type: ignore[misc]
    text = _names(_known(text, known, counts), counts)
    reason = _too_little(text)
    return Reduced(refused=reason, removed=counts) if reason else Reduced(text=text, removed=counts)


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Words with capitals in these texts that are no ordinary words: the names that somebody's records hold."""
    found: set[str] = set()
    for text in texts:
        for name in _ANY_NAME.findall(text):
            found.update(word for word in name.split() if not _ordinary(word, first=True) and len(word) > 2)
    return frozenset(found)


def _unjudgeable(text: str) -> str:
    """Why nothing can be said about a text; empty where the rules apply."""
    letters = [letter for letter in text if letter.isalpha()]
    words = {word.lower() for word in _LOWERED.findall(text)}
    if any(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters if not letter.isascii()):
        return "it is written in a script whose names the rules don't know"
    capitals = sum(letter.isupper() for letter in letters)
    if not capitals or capitals > len(letters) / 2:
        return "its capitals don't tell names from words"
    if words & SECRETS:
        return "it speaks of a secret"
    return "it speaks of health, money, belief, origin or intimate life" if words & SENSITIVE else ""


def _known(text: str, known: Collection[str], counts: dict[str, int]) -> str:
    names = sorted({name.strip() for name in known if len(name.strip()) > 1}, key=len, reverse=True)
    if not names:
        return text
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in names)})(?!\w)", re.I)
    text, found = pattern.subn("[name]", text)
    _count(counts, "name", found)
    return text


def _after(match: re.Match[str], kind: str, counts: dict[str, int]) -> str:
    """A name or place after words that announce one; an ordinary word there stays."""
    if _ordinary(match[2], first=match[2].islower()):
        return match[0]
    _count(counts, kind, 1)
    return f"{match[1]}[{kind}]"


def _names(text: str, counts: dict[str, int]) -> str:
    """Every other word with a capital; an ordinary one may begin a sentence."""

    def replaced(match: re.Match[str]) -> str:
        first = _SENTENCE.search(text[: match.start()]) is not None
        words = match[0].split()
        kept = " ".join(
            word if _ordinary(word, first and not place) or word.islower() else "[name]"
            for place, word in enumerate(words)
        )
        shown = re.sub(r"\[name\](?: (?:(?:de|del|van|von|der|la|of|the) )*\[name\])+", "[name]", kept)
        _count(counts, "name", shown.count("[name]"))
        return shown

    return _ANY_NAME.sub(replaced, text)


def _ordinary(word: str, first: bool) -> bool:
    """Whether a word names nobody. `first`: it may have its capital from its place alone ("Will" within a sentence
    is a man)."""
    bare = word.replace("’", "'")
    forms = {bare, bare.removesuffix("'s")}
    return bool(forms & CAPITALS) or (first and any(form.lower() in ORDINARY for form in forms))


def _too_little(text: str) -> str:
    """Why what is left isn't worth sharing, or still tells something."""
    rest = _MARK.sub(" ", text)
    words, marks = len(_LOWERED.findall(rest)), len(_MARK.findall(text))
    if any(letter.isdigit() or letter == "@" for letter in rest):
        return "a number or an address in it can't be taken out"
    if words < LEAST_WORDS or marks > MOST_MARKS * (words + marks):
        return "too little is left without its personal details"
    return ""


def _count(counts: dict[str, int], kind: str, found: int) -> None:
    if found:
        counts[kind] = counts.get(kind, 0) + found
