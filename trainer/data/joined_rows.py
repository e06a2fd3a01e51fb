"""Two utterances in one request: what real people said, joined as people join two wishes.

Only rows of the train part whose call is whole are joined, only to pairs of tools that `core` keeps for training, and
only where both calls succeed on one phone, one after another; the order of the words is the order of the calls.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from evalkit.suites.core.drafts import composition, split_of
from evalkit.suites.core.joined import clause
from evalkit.utterances.mapping import gold_of
from evalkit.utterances.rows import Utterance
from runtime.contract import Deadline, Phone, Split, ToolCall, ToolSpec, WorldSpec
from runtime.dialect import CALL_CLOSE, CALL_OPEN, render_call
from trainer.data.exchange import Exchange, Move
from trainer.data.oracle import shown
from trainer.data.spoken_rows import ANSWERS, called

TRIES = 12
"""Pairs that are tried for each that is wanted."""


def joined_rows(rows: Sequence[Utterance], count: int, joins: Sequence[str], specs: Mapping[str, ToolSpec],
                phone: Phone, rng: Random) -> Iterator[Exchange]:  # fmt: skip
    """`count` requests of two calls, fewer where too few rows can be joined."""
    single = [one for row in rows if (one := _whole(row, specs)) is not None] if count else []
    made = 0
    for _ in range(TRIES * count if len({one.tools for one in single}) > 1 else 0):
        first, second = rng.sample(single, 2)
        order = (*first.tools, *second.tools)
        if first.tools == second.tools or split_of(composition("multi_call", order)) is not Split.TRAIN:
            continue
        moves = _played((first, second), phone)
        if moves:
            said = rng.choice(joins).format(clause(first.said), clause(second.said))
            end = Move(render_call("finish", {"answer": rng.choice(ANSWERS)}))
            yield Exchange(said, (*moves, end), first.tools | second.tools, source=first.source, kind="several")
            made += 1
        if made == count:
            return


def _whole(row: Utterance, specs: Mapping[str, ToolSpec]) -> Exchange | None:
    """The row's call, where all its arguments are known."""
    gold = None if row.held_out else gold_of(row)
    if gold is None or gold.decline:
        return None
    exchange = called(row, gold, specs[gold.tool])
    return exchange if exchange.moves[0].learned is None else None


def _played(exchanges: Sequence[Exchange], phone: Phone) -> list[Move]:
    """Their calls on one phone; nothing where one of them fails."""
    phone.reset(WorldSpec())
    moves = []
    for number, one in enumerate(exchanges):
        raw = one.moves[0].raw
        call = json.loads(raw.removeprefix(CALL_OPEN).removesuffix(CALL_CLOSE))
        seen = phone.execute(ToolCall(id=f"row{number}", **call), Deadline.never(), f"row:{number}")
        if not seen.ok:
            return []
        moves.append(Move(raw, response=shown(seen)))
    return moves
