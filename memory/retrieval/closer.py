"""A closer look at the first turns of a long history: a turn is as near as the sentence that names most.

The vector of a long turn is that of all that was said in it. In a short history its evidence is near enough; among tens
of thousands of turns many others come as near. There the sentences of the first turns that name most of the question
are embedded, and a turn whose sentence is nearer than the whole rises by what its cosine counts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from memory.lifecycle.text import sentences
from memory.retrieval.context import Floats
from memory.retrieval.scoring import UNKNOWN, Scored
from memory.retrieval.weights import Weights
from memory.retrieval.words import words_of
from memory.store import Vector

LONG = 15_000
"""Turns from which on a search looks closer."""
LEAST, MOST, MANY, EACH = 8, 24, 100_000, 6_250
"""Sentences that are embedded, 1.5 ms of CPU each: `LEAST`, from `MANY` turns on one more for `EACH`, up to `MOST`."""
POOL = 2
"""Turns that may be looked at, as a multiple of the sentences: many are one sentence, or name nothing."""
LONGEST = 160
"""Characters of a sentence that is looked at."""
STEM = 5
"""Letters by which words are compared."""


class Sentence(NamedTuple):
    """One sentence of a turn."""

    turn: int
    text: str


def room(turns: int, parts: int = 1) -> int:
    """How many sentences are embedded in a history of so many turns for each of the parts of a question."""
    if turns < LONG:
        return 0
    return min(LEAST + max(turns - MANY, 0) // EACH, MOST) // max(parts, 1)


def chosen(turns: Sequence[int], texts: Mapping[int, str], words: Sequence[str], most: int = MOST) -> list[Sentence]:
    """The sentence of each turn that names most of the question's words, for `most` turns.

    `texts`: what the turns say. A turn of one sentence is known already, and one that names nothing was not found by
    its words; both are passed over.
    """
    asked = {word[:STEM] for word in words}
    found: list[Sentence] = []
    for turn in turns:
        said = [one for one in sentences(texts.get(turn, "")) if len(one) <= LONGEST]
        if len(said) < 2 or len(found) >= most:
            continue
        named = [len(asked & {word[:STEM] for word in words_of(one)}) for one in said]
        if max(named):
            found.append(Sentence(turn, said[int(np.argmax(named))]))
    return found


def looked(
    scored: Scored,
    found: Sequence[Sentence],
    vector: Vector,
    embed: Callable[[list[str]], list[Vector] | None],
    weights: Weights,
) -> Floats:
    """The scores (turns,) with those of the turns that were looked at raised; the same where nothing is embedded."""
    made = embed([one.text for one in found]) if found else None
    total = scored.total.copy()
    if made is None:
        return total
    known = scored.near[scored.near > UNKNOWN]
    spread = max(float(known.max()) - float(known.mean()), weights.apart)
    for one, sentence in zip(found, made, strict=True):
        nearer = float(sentence @ vector) - float(scored.near[one.turn])
        if scored.near[one.turn] > UNKNOWN and nearer > 0:
            total[one.turn] += weights.meaning * nearer / spread
    return total
