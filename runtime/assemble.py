"""H_eta: lays the prefix of a context, and leaves out by rule what does not fit.

    request -> recall N tools -> Skill guidance -> memory evidence -> eta | domains | tools | skills | memory | now
            -> dialogue -> request

1. A part has its own limit in tokens where the settings give it one; then all together must fit the planner's window.
   What does not goes in the order of `LEFT_OUT_FIRST` (runtime/parts.py), each with a `Cut`. The request never goes:
   one that fits no window is the user's to shorten.
2. A pinned tool that is offered keeps a place whatever its rank: no request says "search my memory first", and what a
   dialogue used or a Skill opened in it is still there in the next turn.
3. Of memory only the validated model of the user is always there; all else is retrieved for the request.
4. The tools stand sorted by name, so that the list is the same whatever is asked. Which of them recall holds for the
   best may be said after the request (`likely`): where they speak of the same, a small planner errs less with it.
"""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from runtime.context import Context
from runtime.contract import (
    Deadline,
    Domain,
    Json,
    MemoryManager,
    Planner,
    ScenarioAdapter,
    TaskView,
    ToolSpec,
    Turn,
    UserError,
)
from runtime.eta import Eta
from runtime.layout import Piece, system_pieces
from runtime.parts import LEFT_OUT_FIRST, Parts, message_text
from runtime.recall import Recall
from runtime.shown import MEMORY_CHARS, SKILL_CHARS

DOMAINS = 2
"""Domains whose instructions are shown: those of the tools that recall holds for the best."""


@dataclass(frozen=True)
class ContextLimits:
    """Sizes that hold for every context."""

    output_tokens: int = 192
    """Kept free for one decision."""
    steps_tokens: int = 512
    """Kept free beside it when the prefix is laid, for the steps to come."""
    memory_items: int = 5
    """Evidence asked of the memory."""
    memory_chars: int = MEMORY_CHARS
    """Longest text of a memory search."""
    skill_chars: int = SKILL_CHARS
    """Longest text of a loaded Skill."""
    likely: int = 0
    """Tools that are named after the request, as recall ranks them; 0: none."""
    profile_items: int = 0
    """Most of the user's model that is always there; 0: none."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    """Most tokens of a part, by its name; a part without one is limited by the window alone."""


class Assembler:
    """Begins contexts for one planner under one eta."""

    def __init__(
        self,
        planner: Planner,
        recall: Recall,
        eta: Eta,
        limits: ContextLimits | None = None,
        *,
        adapter: ScenarioAdapter | None = None,
        memory: MemoryManager | None = None,
        clock: Callable[[], str] | None = None,
        pinned: Sequence[str] = (),
        domains: Mapping[Domain, Eta] | None = None,
    ) -> None:
        """`clock` gives the text of the section `now`; without it, an adapter or a memory their sections stay away."""
        self.eta, self.recall, self.limits = eta, recall, limits or ContextLimits()
        self._pinned, self._domains = frozenset(pinned), domains or {}
        self._held: frozenset[Turn] = frozenset()
        self._notes: tuple[Json, ...] = ()
        self._planner, self._adapter, self._memory, self._clock = planner, adapter, memory, clock
        self._count = lru_cache(maxsize=256)(planner.count_tokens)

    def keeping(self, tools: Iterable[str] = (), turns: Iterable[Turn] = (), notes: Iterable[Json] = ()) -> "Assembler":
        """The same, with what a dialogue keeps: tools and turns that go last, and notes that stand among evidence."""
        kept = copy.copy(self)
        kept._pinned, kept._held = self._pinned | frozenset(tools), frozenset(turns)
        kept._notes = tuple(notes)
        return kept

    def begin(self, task: TaskView, offered: Sequence[ToolSpec], deadline: Deadline) -> Context:
        """The context of `task` up to the planner's first word; `offered` are all tools of all providers."""
        candidates = [tool for tool in task.tools or offered if tool.name not in task.unavailable]
        recalled = self._recalled(task, candidates)
        parts = self._parts(task, recalled, deadline)
        window = self._planner.context_tokens
        laid = self._fit(parts, window)
        context = Context(
            sorted(parts.tools, key=lambda tool: tool.name),
            parts.tools,
            window=window,
            reserve=self.limits.output_tokens,
            count=self._count,
            accepts_images="image" in self._planner.accepts,
            memory_chars=self.limits.memory_chars,
            skill_chars=self.limits.skill_chars,
        )
        (_, head), *tail = laid
        context.append(head)
        context.static_pieces = len(head)
        context.append([piece for _, pieces in tail for piece in pieces], *self._messages(parts))
        context.sections = {name: len(text) for name, text in parts.sections().items() if text}
        context.section_tokens = {name: self._tokens(pieces) for name, pieces in laid}
        context.cuts = parts.cut()
        context.evidence = tuple(str(item["memory_id"]) for item in parts.memory if "memory_id" in item)
        return context

    def _recalled(self, task: TaskView, candidates: Sequence[ToolSpec]) -> list[ToolSpec]:
        """The best tools, best first; pinned ones take the last places from those that rank before them."""
        ranked, places = self.recall.rank(task, candidates), task.budget.tools
        kept = [tool for tool in ranked[places:] if tool.name in self._pinned][:places]
        own = [tool for tool in ranked[:places] if tool.name in self._pinned]
        others = [tool for tool in ranked[:places] if tool.name not in self._pinned]
        room = {tool.name for tool in [*own, *others[: max(0, places - len(kept) - len(own))]]}
        return [*(tool for tool in ranked[:places] if tool.name in room), *kept][:places]

    def _parts(self, task: TaskView, recalled: Sequence[ToolSpec], deadline: Deadline) -> Parts:
        parts = Parts(self.eta.text, task.request, list(recalled), list(task.turns), held=self._held,
                      likely=self.limits.likely, pinned=self._pinned)  # fmt: skip
        self._within(parts, "tools")  # first, since guidance speaks of the tools that are shown
        parts.domains = self._domain_texts(parts.tools)
        if self._adapter is not None:
            parts.skills = self._adapter.guidance(parts.tools, len(task.turns))
        parts.memory = self._evidence(task, deadline)
        if self._clock is not None:
            parts.now = self._clock()
        return parts

    def _domain_texts(self, tools: Sequence[ToolSpec]) -> list[str]:
        near = dict.fromkeys(tool.domain for tool in tools if tool.domain in self._domains)
        return [self._domains[domain].text for domain in list(near)[:DOMAINS]]

    def _evidence(self, task: TaskView, deadline: Deadline) -> list[Json]:
        """The user's model, the dialogue's notes, then what is due and what was found for the request."""
        if self._memory is None:
            return list(self._notes)
        always: list[Json] = []
        if self.limits.profile_items:
            always = [{**item, "always": True} for item in self._memory.profile(self.limits.profile_items, deadline)]
        there = {item["memory_id"] for item in always}
        found = self._memory.recall(task.request, self.limits.memory_items, deadline)
        return [*always, *self._notes, *(item for item in found if item.get("memory_id") not in there)]

    def _fit(self, parts: Parts, window: int) -> list[tuple[str, list[Piece]]]:
        """The parts' pieces, once each keeps to its limit and all fit the window."""
        for part in self.limits.tokens:
            self._within(parts, part)
        limit = window - self.limits.output_tokens - self.limits.steps_tokens
        said = f"planner.context_tokens = {window}"
        while True:
            laid = parts.by_name()
            needed = sum(self._tokens(pieces) for _, pieces in laid)
            if needed <= limit:
                return laid
            if not any(parts.drop(part, said) for part in LEFT_OUT_FIRST):
                raise UserError(
                    f"the request needs {needed:,} tokens with one tool; the planner takes {max(0, limit):,} of its "
                    f"{window:,} for that (`planner.context_tokens`). Shorten it, or take a larger window."
                )

    def _within(self, parts: Parts, part: str) -> None:
        """Leave out of one part until it keeps to its own limit."""
        limit = self.limits.tokens.get(part)
        while limit is not None and getattr(parts, part) and self._tokens(dict(parts.by_name()).get(part, ())) > limit:
            if not parts.drop(part, f"sections.{part} = {limit}"):
                return

    def _tokens(self, pieces: Iterable[Piece]) -> int:
        return sum(self._count(piece.text) for piece in pieces)

    def _messages(self, parts: Parts) -> list[Json]:
        """The prefix as chat messages; the tools go beside them, as native tools."""
        system = message_text(self.eta.text, parts.domains, system_pieces({**parts.sections(), "tools": ""}))
        dialogue = [{"role": turn.role, "content": turn.text} for turn in parts.turns]
        return [{"role": "system", "content": system}, *dialogue, {"role": "user", "content": parts.asked()}]
