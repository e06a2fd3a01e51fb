"""Requests in which a phrase stands for a value: where one may stand, and what must be mended then."""

import re
from functools import cache

_LEFT = """
to for of with on in at from by about and or that is are was as into onto over than the my via using called named per
until till before after between near around towards through like play call text tell message open close install
uninstall remove delete start stop launch find book get show send share connect pair forget join pay check see look
cast add put give let make email mail ring dial phone rename move set need want turn switch use watch read order
cancel hear inform notify update visit reach navigate ask
"""
BEFORE = frozenset(_LEFT.split())
"""Words after which a noun phrase may stand for a value."""
_RIGHT = """
to for of with on in at from by about and or that is are was as into please now today tonight tomorrow this over off
out up down again has have should must can when if so i saying know
"""
AFTER = frozenset(_RIGHT.split())
"""Words before which it may stand."""
DETERMINERS = frozenset(("the", "a", "an", "my", "that", "this"))
WEAK = frozenset(("the", "a", "an", "my"))
"""Determiners that give way to a stronger one that follows."""


@cache
def stands_free(template: str, slot: str) -> bool:
    """Whether a noun phrase may stand where a template has a slot: no noun leans on it."""
    before, found, after = template.partition(f"{{{slot}}}")
    if not found:
        return True
    left, right = before.split(), after.split()
    joined = before.endswith((", ", ": ")) or (before.endswith(" ") and left[-1:] and left[-1].casefold() in BEFORE)
    if left and not joined:
        return False
    return not right or after[0] in ",.?!:;" or (after[0] == " " and right[0].strip(",.?!").casefold() in AFTER)


_DOUBLED = re.compile(r"\b(the|a|an|my|to|at|on|in|for) \1\b", re.IGNORECASE)
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ON_WHEN = re.compile(
    rf"\bon (?=(?:today|tomorrow|tonight|in \w+ days?|(?:next|this) (?:week|month|{_DAYS})|a week|the day after|"
    r"every)\b)",
    re.IGNORECASE,
)


def spoken(text: str) -> str:
    """The request as a person would say it: doubled little words, and `on` before `tomorrow`, fall away."""
    return tidy(_ON_WHEN.sub("", _DOUBLED.sub(lambda found: found[1], " ".join(text.split()))))


_VOWEL = re.compile(r"(?!uni|use|usu|eu|one\b|once\b)(?:[aeio]|u|8|11\b|18\b|hour|honest)", re.IGNORECASE)


def tidy(text: str) -> str:
    """The text with articles, determiners and commas mended that meet where a phrase replaced a value."""
    words: list[str] = []
    for word in text.replace(" ,", ",").replace(",,", ",").replace(",.", ".").split():
        if words and words[-1].casefold() in WEAK and word.casefold() in DETERMINERS:
            words.pop()
        elif words and words[-1].casefold() in ("a", "an"):
            words[-1] = "an" if _VOWEL.match(word) else "a"
        words.append(word)
    return " ".join(words)
