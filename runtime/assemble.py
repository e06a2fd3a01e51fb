"""H_eta: lays the prefix of a context, and leaves out by rule what does not fit.

    request -> recall N tools -> Skill guidance -> memory evidence -> eta | tools | skills | memory | now | dialogue

What does not fit the planner's window goes in this order, each with a `Cut`: memory evidence from the last item,
Skill guidance, earlier turns from the oldest, tools from the last recalled (one stays). The request never goes: one
that fits no window is the user's to shorten.

A pinned tool that is offered keeps a place whatever its rank: no request says "search my memory first".

The tools stand sorted by name, so that the list is the same whatever is asked. Which of them recall holds for the best
may be said after the request (`likely`): where they speak of the same, a small planner errs less with it.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from runtime.context import Context
from runtime.contract import (
    Cut,
    Deadline,
    Json,
    MemoryManager,
    Planner,
    ScenarioAdapter,
    TaskView,
    ToolSpec,
    Turn,
    UserError,
)
from runtime.dialect import signature
from runtime.eta import Eta
from runtime.layout import Piece, open_assistant, request_text, static_pieces, system_pieces, text_of, turn_pieces
from runtime.recall import Recall
from runtime.shown import MEMORY_CHARS, SKILL_CHARS

LEFT_OUT_FIRST = ("memory", "skills", "turns", "tools")
"""Parts of the prefix in the order in which they are left out."""


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


@dataclass
class Parts:
    """What a prefix is made of, before and after leaving out."""

    request: str
    tools: list[ToolSpec]
    turns: list[Turn] = field(default_factory=list)
    skills: str = ""
    memory: list[Json] = field(default_factory=list)
    now: str = ""
    likely: int = 0
    cuts: dict[str, int] = field(default_factory=dict)

    def sections(self) -> dict[str, str]:
        """The sections of the system turn as text."""
        return {
            "tools": "\n".join(signature(tool) for tool in sorted(self.tools, key=lambda tool: tool.name)),
            "skills": self.skills,
            "memory": "\n".join(_evidence(item) for item in self.memory),
            "now": self.now,
        }

    def asked(self) -> str:
        """The request's turn; `tools` stand best first."""
        return request_text(self.request, [tool.name for tool in self.tools[: self.likely]])

    def drop(self, part: str) -> bool:
        """Leave out one more of `part`; False when there is none left to leave out."""
        if part == "memory" and self.memory:
            self.memory.pop()
        elif part == "skills" and self.skills:
            self.skills = ""
        elif part == "turns" and self.turns:
            self.turns.pop(0)
        elif part == "tools" and len(self.tools) > 1:
            self.tools.pop()
        else:
            return False
        self.cuts[part] = self.cuts.get(part, 0) + 1
        return True


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
    ) -> None:
        """`clock` gives the text of the section `now`; without it, an adapter or a memory their sections stay away."""
        self.eta, self.recall, self.limits = eta, recall, limits or ContextLimits()
        self._pinned = frozenset(pinned)
        self._planner, self._adapter, self._memory, self._clock = planner, adapter, memory, clock
        self._count = lru_cache(maxsize=256)(planner.count_tokens)

    def begin(self, task: TaskView, offered: Sequence[ToolSpec], deadline: Deadline) -> Context:
        """The context of `task` up to the planner's first word; `offered` are all tools of all providers."""
        candidates = [tool for tool in task.tools or offered if tool.name not in task.unavailable]
        recalled = self._recalled(task, candidates)
        parts = self._parts(task, recalled, deadline)
        window = self._planner.context_tokens
        tail = self._fit(parts, window)
        kept = {tool.name for tool in parts.tools}
        exposed = sorted(parts.tools, key=lambda tool: tool.name)
        context = Context(
            exposed,
            [tool for tool in recalled if tool.name in kept],
            window=window,
            reserve=self.limits.output_tokens,
            count=self._count,
            accepts_images="image" in self._planner.accepts,
            memory_chars=self.limits.memory_chars,
            skill_chars=self.limits.skill_chars,
        )
        head = static_pieces(self.eta.text)
        context.append(head)
        context.static_pieces = len(head)
        context.append(tail, *self._messages(parts))
        context.sections = {name: len(text) for name, text in parts.sections().items() if text}
        context.cuts = _cuts(parts, window)
        context.evidence = tuple(str(item["memory_id"]) for item in parts.memory if "memory_id" in item)
        return context

    def _recalled(self, task: TaskView, candidates: Sequence[ToolSpec]) -> list[ToolSpec]:
        """The best tools, best first; pinned ones take the last places from those that rank before them."""
        ranked, places = self.recall.rank(task, candidates), task.budget.tools
        kept = [tool for tool in ranked[places:] if tool.name in self._pinned][:places]
        return [*ranked[: places - len(kept)], *kept]

    def _parts(self, task: TaskView, recalled: Sequence[ToolSpec], deadline: Deadline) -> Parts:
        parts = Parts(task.request, list(recalled), list(task.turns), likely=self.limits.likely)
        if self._adapter is not None:
            parts.skills = self._adapter.guidance(recalled, len(task.turns))
        if self._memory is not None:
            parts.memory = list(self._memory.recall(task.request, self.limits.memory_items, deadline))
        if self._clock is not None:
            parts.now = self._clock()
        return parts

    def _fit(self, parts: Parts, window: int) -> list[Piece]:
        """Pieces of the prefix after the static ones, once they fit."""
        limit = window - self.limits.output_tokens - self.limits.steps_tokens
        while (needed := self._tokens(pieces := self._dynamic(parts))) > limit:
            if not any(parts.drop(part) for part in LEFT_OUT_FIRST):
                raise UserError(
                    f"the request needs {needed:,} tokens with one tool; the planner takes {max(0, limit):,} of its "
                    f"{window:,} for that (`planner.context_tokens`). Shorten it, or take a larger window."
                )
        return pieces

    def _dynamic(self, parts: Parts) -> list[Piece]:
        pieces = system_pieces(parts.sections())
        for turn in parts.turns:
            pieces += turn_pieces(turn.role, turn.text)
        return [*pieces, *turn_pieces("user", parts.asked()), *open_assistant()]

    def _tokens(self, pieces: Sequence[Piece]) -> int:
        head = static_pieces(self.eta.text)
        return sum(self._count(piece.text) for piece in (*head, *pieces))

    def _messages(self, parts: Parts) -> list[Json]:
        """The prefix as chat messages; the tools go beside them, as native tools."""
        sections = {**parts.sections(), "tools": ""}
        system = text_of([piece for piece in system_pieces(sections) if piece.origin == "content"])
        dialogue = [{"role": turn.role, "content": turn.text} for turn in parts.turns]
        opening = {"role": "system", "content": f"{self.eta.text}\n{system}".strip()}
        return [opening, *dialogue, {"role": "user", "content": parts.asked()}]


def _evidence(item: Json) -> str:
    """One remembered item; `<` is escaped, so that it can't close its section."""
    return json.dumps(item, ensure_ascii=False, default=str).replace("<", "\\u003c")


def _cuts(parts: Parts, window: int) -> tuple[Cut, ...]:
    limit = f"planner.context_tokens = {window}"
    return tuple(Cut(what=what, left_out=count, unit="items", limit=limit) for what, count in parts.cuts.items())
