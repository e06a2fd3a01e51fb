"""Plain rules over text: sentences, clauses, words without their endings.

text -> sentences -> clauses (contractions spelled out, openers dropped) -> words -> stems
"""

import re
import unicodedata
from functools import lru_cache

from memory.lifecycle.lexicon import listed, pattern

_CONTRACTIONS = (
    (re.compile(r"[\u2018\u2019\u02bc`]"), "'"),
    (re.compile(r"\bcan't\b|\bcannot\b", re.I), "can not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"(?<=\w)n't\b", re.I), " not"),
    (re.compile(r"\bI'm\b", re.I), "I am"),
    (re.compile(r"(?<=\w)'ve\b", re.I), " have"),
    (re.compile(r"(?<=\w)'re\b", re.I), " are"),
    (re.compile(r"(?<=\w)'ll\b", re.I), " will"),
    (re.compile(r"\b(I|we|you|he|she|they)'d\b", re.I), r"\1 would"),
    (re.compile(r"\b(he|she|it|that|there|what|who)'s\b", re.I), r"\1 is"),
    (re.compile(r"\bfavourite", re.I), "favorite"),
    (re.compile(r"\bcolour", re.I), "color"),
    (re.compile(r"\bcell ?phone\b|\bmobile(?: phone)? (?=number)", re.I), "phone "),
)
_SENTENCE = re.compile(r"(?<=[.!?\u2026])[\"')\]]*\s+(?=\S)|\s*\n+\s*")
_ABBREVIATION = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|vs|No|approx|e\.g|i\.e)\.$", re.I)
_WORD = re.compile(r"[^\W_]+(?:(?:[.'@&/:-]|,(?=\d))[^\W_]+)*")
_NEGATION = re.compile(r"\b(?:not|no|never|none|nothing|without|neither|nor|cannot)\b|n't\b", re.I)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def plain(text: str) -> str:
    """The text on one line with single spaces; control characters and halves of pairs are blanks."""
    return " ".join(_CONTROL.sub(" ", text).split())


def whole(text: str) -> bool:
    """Whether a text is free of halves of characters, which no file can hold."""
    return not any(unicodedata.category(sign) == "Cs" for sign in text) if not text.isascii() else True


def spelled(text: str) -> str:
    """The text with contractions spelled out and one spelling where two are common."""
    for form, full in _CONTRACTIONS:
        text = form.sub(full, text)
    return text


def spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of the sentences of a text, blanks behind them included: together they are the whole text."""
    found = _SENTENCE.finditer(text)
    borders = [one.end() for one in found if not _ABBREVIATION.search(text[max(0, one.start() - 12) : one.start()])]
    ends = [border for border in borders if border < len(text)] + [len(text)]
    return [(start, end) for start, end in zip([0, *ends[:-1]], ends, strict=True) if end > start]


def sentences(text: str) -> list[str]:
    """The sentences of a text, without the blanks around them."""
    found = (text[start:end].strip() for start, end in spans(text))
    return [sentence for sentence in found if sentence]


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence that may stand alone, spelled out, without openers such as "by the way"."""
    out: list[str] = []
    for part in pattern("clause").split(spelled(sentence)):
        first, *more = pattern("shared").split(pattern("opener").sub("", part).strip(" ,"))
        out.append(first)
        subject = first.split(" ", 1)[0]
        out += [f"{subject} {one}" for one in more if subject.lower() in ("i", "we")]
    return [clause.rstrip(" .!,:") for clause in out if clause.strip(" .!,:")]


def words(text: str) -> list[str]:
    """Words of a text in lower case; "7:30", "wi-fi" and addresses stay whole."""
    return [word.lower() for word in _WORD.findall(text)]


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """A word without its commonest endings; the same for "run", "runs", "running"."""
    word = word.removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and re.search(r"[aeiouy]", root):
            if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "ls":
                root = root[:-1]
            return root.removesuffix("e")
    if len(word) > 3 and word.endswith("es") and word[-3] in "sxzo":
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and word[-2] not in "su":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def telling(text: str) -> frozenset[str]:
    """Stems of the words that say what a text is about."""
    common = listed("common")
    return frozenset(stem(word) for word in words(text) if word not in common)


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text as they are written."""
    return frozenset(_NUMBER.findall(text))


def negated(text: str) -> bool:
    """Whether a text denies something."""
    return _NEGATION.search(text) is not None


def fingerprint(text: str) -> str:
    """Equal for texts that say the same in the same words, whatever their case, spaces and punctuation."""
    return " ".join(words(spelled(text)))
