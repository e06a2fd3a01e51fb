"""The evidence ledger of a question: which turns speak for which of its parts.

For a question of several parts the first pass is wide, and what one part asks for may crowd out another's. So each part
is looked at by itself, the ledger says what speaks for it, and the parts take turns with the whole in filling the
places. A part that names nobody is about those whom the whole question names.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

import numpy as np

from memory.retrieval.context import Floats
from memory.retrieval.query import QueryShape, shape_of
from memory.retrieval.scoring import Scored

COVERED, OF_BEST = 0.34, 0.75
"""Share of a part's information that a turn's words must cover to speak for it; of the most that any of them covers,
where that is less: nobody may have said the part's other words."""
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
    """Parts whose best turn did not stand among the first of the whole question."""


def examine(
    shape: QueryShape,
    chosen: Sequence[int],
    speakers: Collection[str],
    scored: Callable[[QueryShape], Scored],
) -> tuple[list[int], Ledger]:
    """The turns of the whole question and of its parts by turns, as many as were chosen, and the ledger."""
    ledger = Ledger(shape.clauses)
    for part in shape.clauses:
        found = scored(_asked(part, shape, speakers))
        ledger.entries[part] = speaking(found, best_of(found, max(len(chosen), 1)))
    head = chosen[: len(shape.clauses) + 1]
    ledger.again = tuple(part for part, turns in ledger.entries.items() if turns and turns[0] not in head)
    rounds = zip_longest(chosen, *ledger.entries.values())
    turns = dict.fromkeys(turn for turn in chain.from_iterable(rounds) if turn is not None)
    return list(turns)[: len(chosen)], ledger


def best_of(scored: Scored, count: int) -> list[int]:
    """The turns with the highest scores among those that count, best first; of equal ones the later."""
    number = min(count, int(scored.counts.sum()))
    if not number:
        return []
    top = np.argpartition(-scored.total, number - 1)[:number]
    return [int(turn) for turn in top[np.lexsort((-top, -scored.total[top]))]]


def _asked(part: str, whole: QueryShape, speakers: Collection[str]) -> QueryShape:
    shape = shape_of(part, speakers)
    return shape if shape.people else shape.model_copy(update={"people": whole.people})


def speaking(found: Scored, turns: Sequence[int]) -> list[int]:
    """Those of some turns that speak for a part of a question."""
    words: Floats = found.words
    least = min(COVERED, OF_BEST * max((float(words[turn]) for turn in turns), default=0.0))
    return [turn for turn in turns if (least and words[turn] >= least) or found.near[turn] >= CLOSE]
