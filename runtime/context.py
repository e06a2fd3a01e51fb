"""c_t: the context that a planner reads. Within a segment it only grows.

1. `begin` (runtime/assemble.py) lays the prefix: eta | tools | skills | memory | now, then the dialogue.
2. `extend` appends what the planner wrote and what came back: tool results as marked blocks in one user turn, an
   answer of the user as a plain user turn. Tools that a Skill opened stand after its result, as one more block, and may
   be called from the next step on.
3. Every piece is counted once, when it is appended. A result that does not fit the window is cut further, down to
   `MIN_RESULT_CHARS`, and says so; when not even that fits, `full` ends the episode by its budget.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from runtime.contract import Cut, Decision, ImagePart, Json, Observation, ParseError, TextPart, ToolCall, ToolSpec
from runtime.dialect import signature
from runtime.layout import Piece, close_assistant, open_assistant, quoted_json, response_text, text_of, turn_pieces
from runtime.shown import MEMORY_CHARS, SKILL_CHARS, limit_of, text_of_observation, with_text

MIN_RESULT_CHARS = 120
"""A result is not cut below this; the episode ends instead."""
OPENED = "tools"
"""Key of the observation that shows the tools which a Skill opened."""


class Context:
    """An append-only text with the exposed tools (the contract's `ContextView`)."""

    def __init__(
        self,
        exposed: Sequence[ToolSpec],
        recalled: Sequence[ToolSpec],
        *,
        window: int,
        reserve: int,
        count: Callable[[str], int],
        accepts_images: bool = False,
        memory_chars: int = MEMORY_CHARS,
        skill_chars: int = SKILL_CHARS,
    ) -> None:
        """`window` tokens in all; `reserve` of them stay free for the next decision; `count` gives tokens of a text.

        `memory_chars` and `skill_chars` are the longest texts of a memory search and of a loaded Skill.
        """
        self.exposed: tuple[ToolSpec, ...] = tuple(exposed)
        self.recalled: tuple[ToolSpec, ...] = tuple(recalled)
        """The exposed tools in the order of recall, best first; the text shows them by name."""
        self.window, self.reserve = window, reserve
        self.static_pieces = 0
        self.segment = 0
        self.tokens = 0
        """Tokens of all pieces."""
        self.full = False
        """The last result left too little room for another decision."""
        self.sections: dict[str, int] = {}
        self.section_tokens: dict[str, int] = {}
        """Tokens of each part of the prefix; together they are all of it."""
        self.cuts: tuple[Cut, ...] = ()
        self.evidence: tuple[str, ...] = ()
        """Ids of the memories that the harness itself put into the prefix."""
        self._memory_chars, self._skill_chars = memory_chars, skill_chars
        self._pieces: list[Piece] = []
        self._messages: list[Json] = []
        self._count = count
        self._accepts_images = accepts_images

    @property
    def text(self) -> str:
        """The whole context."""
        return text_of(self._pieces)

    @property
    def pieces(self) -> Sequence[Piece]:
        """The same, in stretches."""
        return self._pieces

    @property
    def messages(self) -> Sequence[Json]:
        """The same as chat messages with native tool calls; the tools themselves are in `exposed`."""
        return self._messages

    @property
    def room(self) -> int:
        """Tokens that may still be appended."""
        return self.window - self.reserve - self.tokens

    def append(self, pieces: Iterable[Piece], *messages: Json) -> None:
        """Add pieces and the messages that say the same."""
        for piece in pieces:
            self._pieces.append(piece)
            self.tokens += self._count(piece.text)
        self._messages.extend(messages)

    def extend(
        self,
        decision: Decision,
        observations: Sequence[Observation],
        result_chars: int,
        opened: Sequence[ToolSpec] = (),
    ) -> list[Observation]:
        """Append a decision and its observations; they come back as they were shown, with what was cut.

        `opened` are tools that a Skill opened: the new ones are shown and exposed from now on.
        """
        self._say(decision)
        if not observations:
            return []
        if _heard(decision, observations):
            return self._hear(observations)
        seen = [self._without_images(observation) for observation in observations]
        news = self._expose(opened)
        return self._show([*self._fit(seen, result_chars, [text_of_observation(one) for one in news]), *news])

    def repeat(self, decision: Decision, shown: Sequence[Observation], opened: Sequence[ToolSpec] = ()) -> None:
        """Append a step as it was shown before: who goes on with a run reads what it has read."""
        self._say(decision)
        if not shown:
            return
        if _heard(decision, shown):
            self._hear(shown)
            return
        lines = next((len(seen.data[OPENED]) for seen in shown if not seen.call_id and OPENED in seen.data), 0)
        have = {tool.name for tool in self.exposed}
        new = tuple(tool for tool in opened if tool.name not in have)[:lines]
        self.exposed, self.recalled = self.exposed + new, self.recalled + new
        self._show(list(shown))

    def _say(self, decision: Decision) -> None:
        """What the planner wrote."""
        decision = _readable(decision)
        self.append(close_assistant(decision.raw), _assistant_message(decision))

    def _show(self, shown: list[Observation]) -> list[Observation]:
        """Results as blocks of one user turn."""
        texts = [text_of_observation(observation) for observation in shown]
        self.append([*turn_pieces("user", response_text(texts)), *open_assistant()], *_result_messages(shown, texts))
        return shown

    def _hear(self, observations: Sequence[Observation]) -> list[Observation]:
        """The user's answer to a question is a plain turn."""
        text = "\n".join(text_of_observation(seen) for seen in observations)
        self.append([*turn_pieces("user", text), *open_assistant()], {"role": "user", "content": text})
        self.full = self.room <= 0
        return list(observations)

    def _expose(self, opened: Sequence[ToolSpec]) -> list[Observation]:
        """Expose the tools that are new, and the observation that shows them; in half of the room that is left."""
        have = {tool.name for tool in self.exposed}
        new = [tool for tool in opened if tool.name not in have]
        if not new:
            return []
        lines, limit = [signature(tool) for tool in new], self.room // 2
        while lines and self._count(quoted_json({OPENED: lines})) > limit:
            lines.pop()
        left_out = len(new) - len(lines)
        self.exposed += tuple(new[: len(lines)])
        self.recalled += tuple(new[: len(lines)])
        said = f"planner.context_tokens = {self.window}"
        cuts = (Cut(what="tools", left_out=left_out, unit="items", limit=said),) if left_out else ()
        data = {OPENED: lines}
        return [Observation(call_id="", parts=(TextPart(text=quoted_json(data)),), data=data, cuts=cuts)]

    def _fit(self, observations: Sequence[Observation], chars: int, beside: Sequence[str]) -> list[Observation]:
        """Observations with texts that fit the window beside other ones, halving their limits until they do."""
        limits = [limit_of(seen, chars, self._memory_chars, self._skill_chars) for seen in observations]
        while True:
            shown = [with_text(seen, at.chars, at.key) for seen, at in zip(observations, limits, strict=True)]
            texts = [*map(text_of_observation, shown), *beside]
            needed = self._count(response_text(texts)) + TURN_TOKENS
            if needed <= self.room or all(at.chars <= MIN_RESULT_CHARS for at in limits):
                self.full = needed > self.room
                return shown
            limits = [replace(at, chars=max(MIN_RESULT_CHARS, at.chars // 2)) for at in limits]

    def _without_images(self, observation: Observation) -> Observation:
        """The observation less the images that this planner can't take, which are named as cut."""
        images = [part for part in observation.parts if isinstance(part, ImagePart)]
        if not images or self._accepts_images:
            return observation
        cut = Cut(what="images", left_out=len(images), unit="items", limit="the planner accepts text alone")
        kept = tuple(part for part in observation.parts if not isinstance(part, ImagePart))
        return observation.model_copy(update={"parts": kept, "cuts": (*observation.cuts, cut)})


TURN_TOKENS = 16
"""Marks of a user turn and of the assistant's opening, at most."""


def _heard(decision: Decision, observations: Sequence[Observation]) -> bool:
    """Whether they are the user's answer to a question."""
    answered = not any(isinstance(action, ToolCall) for action in decision.actions)
    return answered and all(seen.ok and not seen.call_id for seen in observations)


def _readable(decision: Decision) -> Decision:
    """A malformed action that came without token ids, as its data keeps it: a huge one must not fill the window.

    With token ids the text stays as it was generated, within the limit of a decision.
    """
    broken = next((action for action in decision.actions if isinstance(action, ParseError)), None)
    return (
        decision if broken is None or decision.tokens is not None else decision.model_copy(update={"raw": broken.raw})
    )


def _assistant_message(decision: Decision) -> Json:
    calls = [action for action in decision.actions if isinstance(action, ToolCall)]
    if not calls:
        return {"role": "assistant", "content": decision.raw}
    return {
        "role": "assistant",
        "content": decision.thought,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
            }
            for call in calls
        ],
    }


def _result_messages(shown: Sequence[Observation], texts: Sequence[str]) -> list[Json]:
    """A tool message for each answered call; what answers no call (a malformed action) is a user message."""
    return [
        {"role": "tool", "tool_call_id": seen.call_id, "content": text}
        if seen.call_id
        else {"role": "user", "content": text}
        for seen, text in zip(shown, texts, strict=True)
    ]
