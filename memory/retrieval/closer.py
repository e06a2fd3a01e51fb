"""A closer look at the first turns of a long history: a turn is as near as the sentence that names most.

The vector of a long turn is that of all that was said in it. In a short history its evidence is near enough; among tens
of thousands of turns many others come as near. There the sentences of the first turns that name most of the question
are embedded, and a turn whose sentence is nearer than the whole rises by what its cosine counts. Where the question
names somebody, turns that don't are about somebody else: no sentence is spent on them, and others are reached.
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
MOST = 12
"""Sentences that are embedded: about 1.3 ms of CPU each."""
POOL = 5
"""Turns that may be looked at, as a multiple: many are one sentence, or name nothing."""
LONGEST = 160
"""Characters of a sentence that is looked at."""
STEM = 5
"""Letters by which words are compared."""


class Sentence(NamedTuple):
    """One sentence of a turn."""

    turn: int
    text: str


def chosen(
    turns: Sequence[int], texts: Mapping[int, str], words: Sequence[str], most: int = MOST, names: Sequence[str] = ()
) -> list[Sentence]:
    """The sentence of each turn that names most of the question's words, for `most` turns.

    `texts`: what the turns say. A turn of one sentence is known already, one that names nothing was not found by its
    words, and one without any of `names`, where there are any, is about somebody else; they are passed over.
    """
    asked, about = {word[:STEM] for word in words}, set(names)
    found: list[Sentence] = []
    for turn in turns:
        text = texts.get(turn, "")
        said = [one for one in sentences(text) if len(one) <= LONGEST]
        if len(said) < 2 or len(found) >= most or (about and about.isdisjoint(words_of(text))):
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
