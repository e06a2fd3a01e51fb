"""What is not to be remembered: memory's own words, standing instructions, courtesies and noise. By rule, and told.

1. *Recalled*: blocks that the harness marks, results of the memory tools, what was shown as evidence in this task.
2. *Boot*: the system's turns, and text that was given as boot text (instructions, Skills, files read at every start).
3. *Echo*: an agent's sentence that repeats what the user said just before it.
4. *Junk*: courtesies alone, no words at all, blobs, one thing over and over.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from memory.lifecycle.lexicon import listed
from memory.lifecycle.text import fingerprint, sentences, stem, telling, words
from memory.lifecycle.turns import Reason, SourceTurn
from memory.records import Trust

_BLOCK = re.compile(
    r"<(memory|tools|skills|now|tool_response|recalled|evidence|system)\b[^>]*>.*?(?:</\1\s*>|\Z)", re.S | re.I
)
_RECALLED_LINE = re.compile(r"^.*(?:[\"']memory_id[\"']\s*:|\bmem_\d{3,}\b\s*[\])]?\s*[:|=\u2014-]).*$", re.M)
_DENIES = re.compile(r"\bnot\b|n't\b|\bno longer\b", re.I)
_BLOB = re.compile(r"[^\s]{160,}")
_SHINGLE = 5
"""Words of a stretch that two texts have in common."""
COVERED = 0.8
"""Share of a sentence that must stand in a known text for the sentence to come from there."""


LOOSELY = 0.6
"""Share of its telling words that an agent's sentence has in common with evidence which it only repeats."""


class Known:
    """Texts whose sentences are nobody's news: boot text, or the evidence that was shown."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        """Take the texts; each may be long."""
        self._whole: set[str] = set()
        self._stretches: set[tuple[str, ...]] = set()
        self._telling: list[frozenset[str]] = []
        for text in texts:
            for sentence in sentences(text):
                self._whole.add(fingerprint(sentence))
                self._telling.append(telling(sentence))
            self._stretches |= _stretches(text)

    def __bool__(self) -> bool:
        """Whether there is any text."""
        return bool(self._whole)

    def holds(self, sentence: str, loosely: bool = False) -> bool:
        """Whether a sentence comes from these texts; `loosely`: also when it says the same in other words."""
        if fingerprint(sentence) in self._whole:
            return True
        own = _stretches(sentence)
        if own and len(own & self._stretches) >= COVERED * len(own):
            return True
        said = telling(sentence) - _courteous() if loosely else frozenset()
        least = LOOSELY * len(said)
        return bool(said) and any(len(said & one) >= least and numbers_of(said) <= one for one in self._telling)


@cache
def _courteous() -> frozenset[str]:
    return frozenset(map(stem, listed("courtesies")))


def numbers_of(stems: frozenset[str]) -> set[str]:
    """The words that hold a digit."""
    return {stem for stem in stems if any(sign.isdigit() for sign in stem)}


def _stretches(text: str) -> set[tuple[str, ...]]:
    found = words(text)
    return {tuple(found[place : place + _SHINGLE]) for place in range(len(found) - _SHINGLE + 1)}


def unmarked(text: str) -> str:
    """The text without marked blocks and lines of evidence; the very same text when it has none."""
    if "<" not in text and "mem_" not in text and "memory_id" not in text:
        return text
    return _RECALLED_LINE.sub("", _BLOCK.sub("", text))


def news(turn: SourceTurn, boot: Known, shown: Known, before: Known) -> tuple[str, Reason | None]:
    """What of a turn is news, and if nothing is, why; `before` is what the user said just now, for an agent's turn."""
    if turn.recalled:
        return "", "recalled"
    if turn.trust is Trust.SYSTEM or turn.speaker.lower() == "system":
        return "", "boot"
    text = unmarked(turn.text)
    if text != turn.text and not text.strip():
        return "", "recalled"
    loosely = turn.trust is not Trust.USER
    known: list[tuple[Known, Reason, bool]] = [(boot, "boot", False), (shown, "recalled", loosely)]
    if turn.trust is Trust.AGENT:
        known.append((before, "echo", True))
    text, reason = _without(text, [one for one in known if one[0]])
    if reason is not None:
        return "", reason
    return (text, None) if worth(text) else ("", "junk")


def _without(text: str, known: list[tuple[Known, Reason, bool]]) -> tuple[str, Reason | None]:
    """The text without sentences that are known; a reason when nothing else was in it."""
    kept: list[str] = []
    found: Reason | None = None
    for sentence in sentences(text) if known else ():
        why = next((reason for one, reason, loosely in known if one.holds(sentence, loosely)), None)
        found = found or why
        if why is None:
            kept.append(sentence)
    if found is None:
        return text, None
    rest = " ".join(kept)
    return (rest, None) if worth(rest) else ("", found)


@lru_cache(maxsize=4096)
def courtesy(text: str) -> bool:
    """Whether a text is courtesy or reaction alone."""
    found = words(text)
    if _DENIES.search(text):
        return False
    return not any(word not in listed("courtesies") and word not in listed("common") for word in found)


def worth(text: str) -> bool:
    """Whether a text says anything that could be asked for later."""
    stripped = text.strip()
    if not stripped or courtesy(stripped):
        return False
    if sum(map(len, _BLOB.findall(stripped))) > len(stripped) / 2:
        return False
    signs = [sign for sign in stripped if not sign.isspace()]
    if len(signs) > 40 and sum(sign.isalnum() for sign in signs) < 0.4 * len(signs):
        return False
    found = words(stripped)
    return len(found) < 12 or len(set(found)) > len(found) // 8
