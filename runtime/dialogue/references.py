"""What a reference of a request means, and what a request takes back: notes beside it, never in place of it.

    "the middle one", "the second", "the last two", "number 3", "the other one", "both", "it"
        -> the last list or subject of the dialogue -> {"note": "reference", "words": ..., "means": ...}

A reference that nothing answers, or that several items answer, gives no note: the planner asks.
"""

import re
from collections.abc import Sequence

from runtime.contract import Json
from runtime.dialogue.exchange import Exchange

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_FEW = "|".join((*NUMBERS[1:], *map(str, range(2, 10))))
_NTH = rf"{'|'.join(ORDINALS)}|[1-9](?:st|nd|rd|th)|last|middle|other"
_END = r"(?=\s*(?:[,.!?;:]|$|(?:please|and|for|to|at|on|instead)\b))"
ITEM = re.compile(
    rf"\bthe (?P<edge>first|last) (?P<many>{_FEW})\b"
    rf"|\bthe (?P<ordinal>{_NTH})(?: (?:one|option|of (?:them|those))\b|{_END})"
    rf"|\b(?:number|option) (?P<number>[1-9]|{'|'.join(NUMBERS)})\b"
    r"|\b(?P<both>both)\b|\b(?P<all>all of (?:them|those))\b",
    re.IGNORECASE,
)
POINTED = re.compile(r"\b(?:it|that one|this one|the same one)\b", re.IGNORECASE)
TAKES_BACK = re.compile(
    r"^(?:no|nope|wait|actually|sorry|rather|instead|hold on|i mean|i meant|not that)\b"
    r"|\b(?:make|change) (?:it|that)\b|\binstead\b|\bi meant\b|\bnot the\b.*\bbut\b|\bundo (?:it|that)\b",
    re.IGNORECASE,
)


def references(request: str, exchanges: Sequence[Exchange]) -> list[Json]:
    """Notes on what the request points at."""
    place, options = _last_list(exchanges)
    found: list[Json] = []
    for match in ITEM.finditer(request):
        if means := _meant(match, options, _subject(exchanges)):
            found.append({"note": "reference", "words": match[0], "means": means, "turn": place + 1})
    subject = _subject(exchanges)
    if not found and subject and (pointed := POINTED.search(request)):
        found.append({"note": "reference", "words": pointed[0], "means": [subject], "turn": len(exchanges)})
    return found


def revision(request: str, exchanges: Sequence[Exchange]) -> list[Json]:
    """A note on what the request takes back: the last one, with what was already done of it."""
    if not exchanges or not TAKES_BACK.search(request):
        return []
    last = exchanges[-1]
    return [{"note": "revision", "of": last.request, "done": list(last.done), "turn": len(exchanges)}]


def _last_list(exchanges: Sequence[Exchange]) -> tuple[int, tuple[str, ...]]:
    for place in range(len(exchanges) - 1, -1, -1):
        if exchanges[place].options:
            return place, exchanges[place].options
    return 0, ()


def _subject(exchanges: Sequence[Exchange]) -> str:
    return next((one.subject for one in reversed(exchanges) if one.subject), "")


def _meant(match: re.Match[str], options: Sequence[str], subject: str) -> list[str]:
    """Items that one reference means; empty where it has no or no single meaning."""
    count = len(options)
    if match["both"]:
        return list(options) if count == 2 else []
    if match["all"]:
        return list(options)
    if match["many"]:
        many = _number(match["many"])
        return list(options[:many] if match["edge"].lower() == "first" else options[-many:]) if many <= count else []
    if match["number"]:
        return list(options[_number(match["number"]) - 1 :][:1])
    return _one(match["ordinal"].lower(), options, subject)


def _one(word: str, options: Sequence[str], subject: str) -> list[str]:
    count = len(options)
    if word == "last":
        return list(options[-1:])
    if word == "middle":
        return [options[count // 2]] if count % 2 and count > 2 else []
    if word == "other":
        others = [option for option in options if option.casefold() != subject.casefold()]
        return others if count == 2 and len(others) == 1 else []
    place = int(word[0]) if word[0].isdigit() else ORDINALS.index(word) + 1
    return list(options[place - 1 :][:1])


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS.index(word.lower()) + 1
