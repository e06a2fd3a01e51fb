"""Constraints that a user states once and that hold until they are lifted, whatever the topic.

    sentence -> states one? holds on, until a later sentence lifts it or says otherwise about the same

Rules over words, in English; what they do not see is a turn like any other. They decide which turns stay longest and
what is noted as holding, never what is done.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

HOLDS = re.compile(
    r"\bfrom now on\b|\bfor the rest of\b|\balways\b(?!-| on\b)|\bnever\b(?! ?mind)|\bwhatever (?:i|else|you)\b"
    r"|\bevery time\b|\bno matter\b|\buntil (?:i|further|tomorrow|tonight|then)\b|\bas long as\b|\bunless i\b"
    r"|\b(?:at|no|not) (?:most|more than|later than|earlier than)\b|\b(?:under|below|within|over) [$€£]?\d"
    r"|\bmax(?:imum)?\b|\bonly (?:use|book|send|call|show|look|in|on|with)\b|\bdon't ever\b|\bbear in mind\b"
    r"|\bkeep in mind\b|\bi(?:'m| am) (?:allergic|vegetarian|vegan|not allowed)\b|\bi (?:can't|don't) (?:eat|drink)\b"
    r"|\b(?:in|for) this (?:chat|conversation|trip)\b|\bduring (?:this|the)\b",
    re.IGNORECASE,
)
LIFTS = re.compile(
    r"\bforget (?:about )?(?:the|that|what|my|it)\b|\bnever ?mind\b|\bno longer\b|\bdoes(?:n't| not) (?:matter|apply)\b"
    r"|\byou (?:can|may)\b.*\bagain\b|\b(?:drop|ignore|lift) (?:the|that)\b|\bnot any ?more\b",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
WORD = re.compile(r"[^\W\d_]+")
_COMMON = """the and for from now with that this what when then than you can may not never always only about any more
most again use please don doesn are was were have has had all every time rest until under below over within max maximum
mind forget drop ignore lift longer apply matter keep chat conversation make sure"""
COMMON = frozenset(_COMMON.split())
"""Words that say nothing of what a sentence is about."""
BARE = frozenset(("limit", "rule", "rul", "condition"))
"""Stems that name a constraint and not what it is about: "forget that limit" is about the last one."""
ALIKE = 0.5
"""Share of telling words that two constraints about the same have in common."""


class Constraint(NamedTuple):
    """One that holds."""

    words: str
    """As it was said."""
    place: int
    """Number of the exchange that said it, from 0."""


def standing(said: Iterable[tuple[int, str]]) -> list[Constraint]:
    """Those that hold after all that the user said, oldest first; `said` gives exchange numbers and texts."""
    held: list[Constraint] = []
    for place, text in said:
        for sentence in filter(None, map(str.strip, SENTENCE.split(text))):
            if LIFTS.search(sentence):
                held = _lifted(held, sentence)
            elif HOLDS.search(sentence):
                held = [one for one in held if not _same_matter(one.words, sentence)]
                held.append(Constraint(sentence, place))
    return held


def _lifted(held: list[Constraint], sentence: str) -> list[Constraint]:
    """Without those that the sentence speaks of; where it names nothing, without the last."""
    named = telling(sentence) - BARE
    if not named:
        return held[:-1]
    return [one for one in held if not telling(one.words) & named]


def _same_matter(old: str, new: str) -> bool:
    words, others = telling(old), telling(new)
    return bool(words & others) and len(words & others) >= ALIKE * min(len(words), len(others))


def telling(sentence: str) -> frozenset[str]:
    """Stems of the words that say what a sentence is about."""
    words = (word.lower() for word in WORD.findall(sentence))
    return frozenset(
        re.sub(r"(?:ies|es|s|ing|ed)$", "", word) for word in words if len(word) > 2 and word not in COMMON
    )
