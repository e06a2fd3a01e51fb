"""What a planner is shown of an observation: compact JSON, cut head and tail where it is long, never in silence.

A result is the tool's data. A failure is `{"error": code, "status": ..., "message": ...}`. A text over the limit keeps
its first two thirds and its last third, says between them how much is gone, and leaves a `Cut` in the observation.
The trainer renders its trajectories with the same functions.
"""

from dataclasses import dataclass

from runtime.contract import SEARCH_MEMORY, SKILL_PREFIX, Cut, Json, Observation, TextPart
from runtime.layout import quoted_json

LIMIT_KEY = "context.result_chars"
RESULT_CHARS = 400
"""Longest text of one observation by default: about 130 tokens, a fifth of a second of reading."""
MEMORY_CHARS = 1200
"""Longest text of a memory search by default: about six memories."""
SKILL_CHARS = 2400
"""Longest text of a loaded Skill by default: instructions that are cut mislead."""
DONE: Json = {"ok": True}
"""Shown for a success that says nothing else."""


@dataclass(frozen=True, slots=True)
class TextLimit:
    """The longest text of one result, with the key that sets it."""

    chars: int
    """Characters."""
    key: str = LIMIT_KEY
    """Configuration key."""


def limit_of(observation: Observation, chars: int, memory_chars: int, skill_chars: int) -> TextLimit:
    """The limit of one result: memories and Skills have their own, `chars` is for all others."""
    name = "" if observation.call is None else observation.call.name
    if name == SEARCH_MEMORY:
        return TextLimit(max(chars, memory_chars), "memory.result_chars")
    if name.startswith(SKILL_PREFIX):
        return TextLimit(max(chars, skill_chars), "skills.result_chars")
    return TextLimit(chars)


def body_of(observation: Observation) -> Json:
    """The JSON object that stands for an observation."""
    if observation.failure is not None:
        failure = observation.failure
        return {"error": str(failure.code), "status": failure.status, "message": failure.message}
    return observation.data or DONE


def cut_text(text: str, limit: int) -> tuple[str, int]:
    """`text` with at most `limit` characters kept, and how many were left out."""
    if len(text) <= limit:
        return text, 0
    tail = limit // 3
    head = limit - tail
    gone = len(text) - limit
    return f"{text[:head]} ... {gone:,} characters left out ... {text[len(text) - tail :]}", gone


def with_text(observation: Observation, limit: int, key: str = LIMIT_KEY) -> Observation:
    """The observation with its data as a text part of at most `limit` characters, in place of an earlier text part."""
    text, gone = cut_text(quoted_json(body_of(observation)), limit)
    other = tuple(part for part in observation.parts if not isinstance(part, TextPart))
    cuts = tuple(cut for cut in observation.cuts if cut.what != "result")
    if gone:
        cut = Cut(what="result", left_out=gone, unit="characters", limit=f"{key} = {limit}")
        cuts = (*cuts, cut)
    return observation.model_copy(update={"parts": (TextPart(text=text), *other), "cuts": cuts})


def text_of_observation(observation: Observation) -> str:
    """The text parts as one."""
    return "\n".join(part.text for part in observation.parts if isinstance(part, TextPart))
