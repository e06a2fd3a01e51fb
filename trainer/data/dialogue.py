"""Dialogues: several exchanges under one list of tools, which makes training about four times cheaper.

1. A focus exchange gives the list: the recall of its request as at serve time, the neighbours of its tool (near
   misses), or a mixture; the right tools are always in it, tools that must be absent never.
2. Other exchanges that the list can serve follow, those first that were used least, until the dialogue is full.
3. The other sections of the layout (skills, memory, now) are there at random, so that rooms built later do not find a
   planner that never saw them. Their text has nothing to do with the requests: the planner learns to read past it.

Everything follows from the seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
import numpy.typing as npt

from evalkit.suites.core.drafts import UNSEEN
from runtime.contract import TaskView, ToolSpec
from runtime.dialect import signature
from runtime.layout import static_pieces, system_pieces
from runtime.recall import Recall, tool_texts
from trainer.data.exchange import Exchange
from trainer.data.fillers import filler_sections
from trainer.data.tokens import DialogueTokenizer, Tokens

SHARES = {"recall": 0.55, "neighbours": 0.25, "mixture": 0.20}
"""How a list is made."""
EXPOSED = 15
"""Tools in a list (N of the paper)."""
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
        seed: int = 0,
    ) -> None:
        self.stock = Stock(exchanges)
        self.limit = limit
        self._specs = {name: spec for name, spec in specs.items() if name not in UNSEEN}
        self._names = sorted(self._specs)
        self._recall, self._tokenizer, self._eta = recall, tokenizer, eta
        self._rng = Random(seed)
        self._tokens: dict[int, Tokens] = {}
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
        result = self._prefix(exposed)
        index: int | None = focus
        while index is not None:
            self.stock.uses[index] += 1
            result.extend(self._of(index))
            index = self._next(exposed, self.limit - len(result))
        return result

    def exposed_for(self, focus: Exchange) -> frozenset[str]:
        """The list of tools for a focus."""
        rng = self._rng
        kind = rng.choices(list(SHARES), list(SHARES.values()))[0]
        if kind == "neighbours" and focus.tools:
            ranked = [name for tool in sorted(focus.tools) for name in self._near(tool)]
            if len(focus.tools) > 1:
                rng.shuffle(ranked)
        elif kind == "mixture":
            ranked = self._ranked(focus)[: rng.randint(3, 8)]
            ranked += rng.sample(self._names, len(self._names))
        else:
            ranked = self._ranked(focus)
        size = rng.randint(4, EXPOSED - 1) if rng.random() < SHORTER_SHARE else EXPOSED
        wanted = [*sorted(focus.tools), *ranked]
        allowed = list(dict.fromkeys(name for name in wanted if name not in focus.absent))
        return frozenset(allowed[: max(size, len(focus.tools))])

    def _ranked(self, focus: Exchange) -> list[str]:
        ranked = self._recall.rank(TaskView(request=focus.said), [self._specs[name] for name in self._names])
        return [spec.name for spec in ranked[: EXPOSED + 5]]

    def _near(self, tool: str) -> list[str]:
        return [self._names[index] for index in self._neighbours[self._names.index(tool)][: EXPOSED + 5]]

    def _prefix(self, exposed: frozenset[str]) -> Tokens:
        sections = {"tools": "\n".join(signature(self._specs[name]) for name in sorted(exposed))}
        sections.update(filler_sections(self._rng))
        return self._tokenizer.pieces([*static_pieces(self._eta), *system_pieces(sections)])

    def _next(self, exposed: frozenset[str], room: int) -> int | None:
        """The least used exchange among a few drawn from each group that fits; None when none fits the room."""
        candidates: list[int] = []
        for group in self.stock.serving(exposed):
            candidates += self._rng.sample(group, min(3, len(group)))
        exchanges = self.stock.exchanges
        fitting = [i for i in candidates if not exchanges[i].absent & exposed and len(self._of(i)) <= room]
        return self._least_used(fitting) if fitting else None

    def _least_used(self, indices: Sequence[int]) -> int:
        return min(indices, key=lambda index: (self.stock.uses[index], self._rng.random()))

    def _of(self, index: int) -> Tokens:
        if index not in self._tokens:
            self._tokens[index] = self._tokenizer.exchange(self.stock.exchanges[index])
        return self._tokens[index]


def neighbours(recall: Recall, specs: Sequence[ToolSpec]) -> npt.NDArray[np.int64]:
    """For each tool the indices of all tools, nearest first, by the texts that recall compares."""
    means = []
    for spec in specs:
        vectors = recall.embedder.embed(tool_texts(spec))
        mean = vectors.mean(axis=0)
        means.append(mean / np.linalg.norm(mean))
    table = np.stack(means)
    return np.argsort(-(table @ table.T), axis=1, kind="stable")
