"""The evidence ledger of a question: which turn speaks for which of its parts, and which parts nothing speaks for yet.

For a question of several parts the first pass is wide; the ledger says what each turn found covers. A part that no
chosen turn covers is looked at again by itself, and its best turn takes a place among the chosen ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from memory.retrieval.context import Floats
from memory.retrieval.query import QueryShape, shape_of
from memory.retrieval.scoring import Scored

COVERED = 0.34
"""Share of a part's information that a turn's words must cover to speak for it."""
CLOSE = 0.5
"""Cosine from which a turn speaks for a part, whatever its words."""


@dataclass
class Ledger:
    """What speaks for which part."""

    parts: tuple[str, ...]
    """Of the question."""
    entries: dict[str, list[int]] = field(default_factory=dict)
    """Turns that speak for each part, best first."""
    again: tuple[str, ...] = ()
    """Parts that were looked at again."""


def examine(
    shape: QueryShape,
    chosen: Sequence[int],
    speakers: Sequence[str],
    scored: Callable[[QueryShape], Scored],
) -> tuple[list[int], Ledger]:
    """The chosen turns with the best one for each part that none of them speaks for, and the ledger."""
    ledger, turns = Ledger(shape.clauses), list(chosen)
    again = []
    for place, part in enumerate(shape.clauses):
        found = scored(shape_of(part, speakers))
        best = [int(turn) for turn in np.argsort(-found.total)[: max(len(turns), 1)]]
        speaking = [turn for turn in best if np.isfinite(found.total[turn]) and _speaks(found, turn)]
        ledger.entries[part] = speaking
        if speaking and not set(speaking[:1]) & set(turns[: len(shape.clauses) + 1]):
            again.append(part)
            if speaking[0] in turns:
                turns.remove(speaking[0])
            turns.insert(min(place + 1, len(turns)), speaking[0])
    ledger.again = tuple(again)
    return turns[: len(chosen)], ledger


def _speaks(found: Scored, turn: int) -> bool:
    words: Floats = found.words
    return bool(words[turn] >= COVERED or found.near[turn] >= CLOSE)
