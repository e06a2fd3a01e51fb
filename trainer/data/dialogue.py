"""Dialogues: several exchanges under one list of tools, which makes training about four times cheaper.

1. A focus exchange gives the list: the recall of its request as at serve time, the neighbours of its tool (near
   misses), or a mixture; the right tools are always in it, tools that must be absent never. What stands beside the
   phone is offered where the focus has it: the memory's tools, one of them pinned, or the Skills' loaders.
2. Other exchanges that the list can serve follow, those first that were used least, until the dialogue is full. Where
   loaders are offered they come first, so requests that are answered without them stand in other dialogues.
3. The other sections of the layout (skills, memory, now) are there at random, so that rooms built later do not find a
   planner that never saw them. Their text has nothing to do with the requests: the planner learns to read past it.
4. In a share of `guided` the section of Skills is what the Scenario Adapter says about the list, as at serve time.

Everything follows from the seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import get_args

import numpy as np
import numpy.typing as npt

from evalkit.suites.core.drafts import UNSEEN
from evalkit.whole import MEMORY_TOOLS
from runtime.context import OPENED
from runtime.contract import SEARCH_MEMORY, SKILL_PREFIX, TaskView, ToolSpec
from runtime.dialect import signature
from runtime.layout import quoted_json, response_text, static_pieces, system_pieces
from runtime.recall import Recall, tool_texts
from skills import Adapter, forms
from trainer.data.exchange import Beside, Exchange, Move
from trainer.data.fillers import filler_sections
from trainer.data.tokens import DialogueTokenizer, Tokens

SHARES = {"recall": 0.55, "neighbours": 0.25, "mixture": 0.20}
"""How a list is made."""
EXPOSED = 15
"""Tools in a list (N of the paper)."""
LIKELY_MARKS, LIKELY_NAME = 8, 9
"""Tokens of the marks around the likely tools, and of one name, at most."""
SHORTER_SHARE = 0.1
"""Of the lists are shorter, down to 4 tools: a phone may offer fewer."""


@dataclass
class Stock:
    """Exchanges by the tools that they need; the least used is taken first."""

    exchanges: Sequence[Exchange]
    uses: list[int] = field(default_factory=list)
    by_tools: dict[frozenset[str], list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.uses = [0] * len(self.exchanges)
        for index, exchange in enumerate(self.exchanges):
            self.by_tools.setdefault(exchange.tools, []).append(index)

    def serving(self, exposed: frozenset[str]) -> list[list[int]]:
        """Groups of exchanges that a list can serve."""
        return [group for tools, group in self.by_tools.items() if tools <= exposed]


class DialogueMaker:
    """Makes dialogues of at most `limit` tokens."""

    def __init__(
        self,
        exchanges: Sequence[Exchange],
        specs: Mapping[str, ToolSpec],
        recall: Recall,
        tokenizer: DialogueTokenizer,
        eta: str,
        *,
        limit: int = 1024,
        likely: int = 0,
        guided: float = 0.0,
        seed: int = 0,
    ) -> None:
        """`specs`: the phone's tools, and those that stand beside it where an exchange has them. `likely`: how many
        tools of a list are named after each request. `guided`: the share of dialogues with the Adapter's guidance."""
        self.stock = Stock(exchanges)
        self.limit, self.likely, self._guided = limit, likely, guided
        self._adapter = Adapter()
        self._specs = {name: spec for name, spec in specs.items() if name not in UNSEEN}
        self._names = sorted(self._specs)
        self._offered = {beside: offered(self._names, beside) for beside in get_args(Beside)}
        self._recall, self._tokenizer, self._eta = recall, tokenizer, eta
        self._rng = Random(seed)
        self._lengths: dict[int, int] = {}
        self._scores: dict[int, dict[str, int]] = {}
        self._neighbours = neighbours(recall, [self._specs[name] for name in self._names])

    def dialogues(self, tokens: int) -> Iterator[Tokens]:
        """Dialogues with about `tokens` tokens in all."""
        made = 0
        while made < tokens:
            dialogue = self.dialogue()
            made += len(dialogue)
            yield dialogue

    def dialogue(self) -> Tokens:
        """One dialogue."""
        focus = self._least_used(range(len(self.stock.exchanges)))
        exposed = self.exposed_for(self.stock.exchanges[focus])
        with_loaders = _loads(self.stock.exchanges[focus])
        result = self._prefix(focus, exposed)
        index: int | None = focus
        while index is not None:
            self.stock.uses[index] += 1
            result.extend(self._of(index, exposed))
            exposed |= {name for move in self.stock.exchanges[index].moves for name in move.opens}
            index = self._next(exposed, self.limit - len(result), with_loaders)
        return result

    def exposed_for(self, focus: Exchange) -> frozenset[str]:
        """The list of tools for a focus."""
        rng = self._rng
        kind = rng.choices(list(SHARES), list(SHARES.values()))[0]
        if kind == "neighbours" and focus.tools:
            ranked = [name for tool in sorted(focus.tools) for name in self._near(tool, focus.beside)]
            if len(focus.tools) > 1:
                rng.shuffle(ranked)
        elif kind == "mixture":
            names = self._offered[focus.beside]
            ranked = self._ranked(focus)[: rng.randint(3, 8)] + rng.sample(names, len(names))
        else:
            ranked = self._ranked(focus)
        size = rng.randint(4, EXPOSED - 1) if rng.random() < SHORTER_SHARE else EXPOSED
        pinned = (SEARCH_MEMORY,) if focus.beside == "memory" else ()
        wanted = [*sorted(focus.tools), *pinned, *ranked]
        allowed = list(dict.fromkeys(name for name in wanted if name not in focus.absent))
        return frozenset(allowed[: max(size, len(focus.tools))])

    def _ranked(self, focus: Exchange) -> list[str]:
        """The recall of a focus, as at serve time."""
        view = TaskView(request=focus.said, turns=focus.turns)
        ranked = self._recall.rank(view, [self._specs[name] for name in self._offered[focus.beside]])
        return [spec.name for spec in ranked[: EXPOSED + 5]]

    def _near(self, tool: str, beside: Beside) -> list[str]:
        """The offered tools that are nearest to one."""
        allowed = frozenset(self._offered[beside])
        nearest = (self._names[index] for index in self._neighbours[self._names.index(tool)])
        return list(islice((name for name in nearest if name in allowed), EXPOSED + 5))

    def _prefix(self, focus: int, exposed: frozenset[str]) -> Tokens:
        sections = {"tools": "\n".join(signature(self._specs[name]) for name in sorted(exposed))}
        sections.update(filler_sections(self._rng))
        if self._rng.random() < self._guided:
            ranked = [self._specs[name] for name in self._nearest(focus, exposed)]
            sections["skills"] = forms(ranked, adapter=self._adapter)[1]
        return self._tokenizer.pieces([*static_pieces(self._eta), *system_pieces(sections)])

    def _next(self, exposed: frozenset[str], room: int, with_loaders: bool) -> int | None:
        """The least used exchange among a few drawn from each group that fits; None when none fits the room."""
        candidates: list[int] = []
        for group in self.stock.serving(exposed):
            candidates += self._rng.sample(group, min(3, len(group)))
        exchanges = self.stock.exchanges
        alike = [i for i in candidates if _loads(exchanges[i]) is with_loaders and not exchanges[i].absent & exposed]
        fitting = [i for i in alike if self._length(i, exposed) <= room]
        return self._least_used(fitting) if fitting else None

    def _least_used(self, indices: Sequence[int]) -> int:
        return min(indices, key=lambda index: (self.stock.uses[index], self._rng.random()))

    def _of(self, index: int, exposed: frozenset[str]) -> Tokens:
        exchange, likely = self.stock.exchanges[index], self._likely(index, exposed)
        if _loads(exchange):
            return self._tokenizer.exchange(self._with_opened(exchange, exposed), likely)
        return self._tokenizer.exchange(exchange, likely)

    def _length(self, index: int, exposed: frozenset[str]) -> int:
        """Tokens of an exchange, at most: its own are counted once, the names after its request are estimated."""
        exchange = self.stock.exchanges[index]
        if index not in self._lengths or _loads(exchange):
            shown = self._with_opened(exchange, exposed) if _loads(exchange) else exchange
            self._lengths[index] = len(self._tokenizer.exchange(shown))
        return self._lengths[index] + (LIKELY_MARKS + LIKELY_NAME * self.likely if self.likely else 0)

    def _likely(self, index: int, exposed: frozenset[str]) -> tuple[str, ...]:
        """The tools of a list that recall holds for the best for an exchange."""
        return tuple(self._nearest(index, exposed)[: self.likely]) if self.likely else ()

    def _nearest(self, index: int, exposed: frozenset[str]) -> list[str]:
        """A list of tools as recall ranks them for an exchange."""
        if index not in self._scores:
            view = TaskView(request=self.stock.exchanges[index].said, turns=self.stock.exchanges[index].turns)
            ranked = self._recall.rank(view, [self._specs[name] for name in self._names])
            self._scores[index] = {spec.name: place for place, spec in enumerate(ranked)}
        places = self._scores[index]
        return sorted(exposed, key=lambda name: places[name])

    def _with_opened(self, exchange: Exchange, exposed: frozenset[str]) -> Exchange:
        """The exchange with the tools that its loads open shown after them, as the context shows them."""
        have = set(exposed)
        moves: list[Move] = []
        for move in exchange.moves:
            new = [name for name in move.opens if name not in have]
            have.update(new)
            shown = quoted_json({OPENED: [signature(self._specs[name]) for name in new]})
            response = f"{move.response}\n{response_text([shown])}" if new else move.response
            moves.append(replace(move, response=response))
        return replace(exchange, moves=tuple(moves))


def _loads(exchange: Exchange) -> bool:
    """Whether Skills' loaders are offered."""
    return exchange.beside in ("skill", "skill_only")


def offered(names: Sequence[str], beside: Beside) -> list[str]:
    """The tools that a phone offers with what stands beside it."""
    loaders = [name for name in names if name.startswith(SKILL_PREFIX)]
    if beside == "skill_only":
        return loaders
    phone = [name for name in names if name not in MEMORY_TOOLS and not name.startswith(SKILL_PREFIX)]
    return phone + {"": [], "memory": sorted(MEMORY_TOOLS & set(names)), "skill": loaders}[beside]


def neighbours(recall: Recall, specs: Sequence[ToolSpec]) -> npt.NDArray[np.int64]:
    """For each tool the indices of all tools, nearest first, by the texts that recall compares."""
    means = []
    for spec in specs:
        vectors = recall.embedder.embed(tool_texts(spec))
        mean = vectors.mean(axis=0)
        means.append(mean / np.linalg.norm(mean))
    table = np.stack(means)
    return np.argsort(-(table @ table.T), axis=1, kind="stable")
