"""Whether a summary may stand for its original: three questions, answered apart.

1. Valid: may it be stored at all? An invalid summary fails its turn; nothing else is put in its place in silence.
2. Faithful: does it say only what the original says? Numbers, quotations, names, denials, and nearly all words.
3. Quality: how much of what one would ask for later did it keep, and is it shorter?
"""

import re
from typing import NamedTuple

from memory.lifecycle.lexicon import listed
from memory.lifecycle.subjects import statements
from memory.lifecycle.text import negated, numbers, stem, whole, words
from memory.records import MAX_CONTENT

MIN_KNOWN_WORDS = 0.8
"""Share of a summary's telling words that must stand in the original."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_MARKS = re.compile(r"<\|?/?(?:im_start|im_end|endoftext|tool_response|tools|skills|memory|now|system)\b", re.I)
_QUOTE = re.compile(r"[\"\u201c]([^\"\u201c\u201d]{2,}?)[\"\u201d]")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'-]+")


class Checked(NamedTuple):
    """The three answers about one summary."""

    problems: tuple[str, ...]
    """Why it may not be stored; empty when it may."""
    unfaithful: tuple[str, ...]
    """What it says and the original doesn't; empty when faithful."""
    quality: float
    """From 0 to 1."""


def check(summary: str, original: str) -> Checked:
    """All three answers. Both texts as they would be stored."""
    return Checked(tuple(problems(summary, original)), tuple(unfaithful(summary, original)), quality(summary, original))


def problems(summary: str, original: str = "") -> list[str]:
    """Why a summary may not be stored, a sentence each with what to do."""
    found: list[str] = []
    if not summary.strip():
        found.append("the summary is empty; write one sentence or leave it out")
    if len(summary) > MAX_CONTENT:
        found.append(f"the summary has {len(summary):,} characters; the limit is {MAX_CONTENT:,}. Shorten it")
    if _CONTROL.search(summary) or not whole(summary):
        found.append("the summary holds control characters or halves of characters; remove them")
    if _MARKS.search(summary):
        found.append("the summary holds marks of the context's layout; write plain words")
    if original and len(" ".join(summary.split())) > len(original):
        found.append(
            f"the summary ({len(summary):,} characters) is longer than its original ({len(original):,}); shorten it"
        )
    return found


def unfaithful(summary: str, original: str) -> list[str]:
    """What a summary says and its original doesn't."""
    found = [f"the number {number}" for number in sorted(numbers(summary) - numbers(original))]
    flat = " ".join(original.split()).lower()
    found += [
        f"the quotation {quote!r}" for quote in _QUOTE.findall(summary) if " ".join(quote.split()).lower() not in flat
    ]
    known = {stem(word) for word in words(original)}
    found += [f"the name {name}" for name in _NAME.findall(summary) if stem(name.lower()) not in known]
    if negated(summary) and not negated(original):
        found.append("a denial")
    said = [stem(word) for word in words(summary) if word not in listed("common")]
    strange = [word for word in said if word not in known]
    if len(strange) > (1 - MIN_KNOWN_WORDS) * len(said):
        found.append(f"words that are not there: {', '.join(sorted(set(strange))[:5])}")
    return found


def quality(summary: str, original: str) -> float:
    """Mean of what it kept of the original's numbers, names, denials and statements; 1 when there are none."""
    shares: list[float] = []
    kept = {stem(word) for word in words(summary)}
    if there := numbers(original):
        shares.append(len(there & numbers(summary)) / len(there))
    if names := {stem(name.lower()) for name in _NAME.findall(original)}:
        shares.append(len(names & kept) / len(names))
    if negated(original):
        shares.append(float(negated(summary)))
    if keys := {one.key for one in statements(original) if one.strong}:
        shares.append(len(keys & {one.key for one in statements(summary)}) / len(keys))
    return sum(shares) / len(shares) if shares else 1.0
