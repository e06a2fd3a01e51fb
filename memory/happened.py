"""What happened in a run, as turns that a memory can keep: the request, what was done, what was asked and answered.

1. The user's request and answers are the user's word; what the agent says and did is the agent's.
   A question that was refused is neither.
2. What the phone showed is not kept: the trace has it, and a screen's text is nobody's memory.
3. What the run was shown of memory, and the system turn that stood before it, are given beside, so that a sentence
   which repeats them isn't kept as something new.
"""

import re
from collections.abc import Iterator

from memory.lifecycle.turns import SourceTurn
from memory.records import Trust
from memory.tools import REMOVE, SPECS
from runtime.contract import Ask, Episode, Finish, Observation, Step, Stop, TextPart, ToolCall

OWN = frozenset(spec.name for spec in SPECS)
"""Tools that write memories themselves."""
_SYSTEM_TURN = re.compile(r"\A<\|im_start\|>system\n(.*?)<\|im_end\|>", re.S)
_EVIDENCE = re.compile(r"<memory>.*?</memory>", re.S)


def turns_of(episode: Episode, at: str) -> list[SourceTurn]:
    """The turns of one run, at the time `at`."""
    asked = [] if _only_refused(episode) else [("user", episode.view.request)]
    said = [*asked, *(turn for step in _steps(episode) for turn in _said(step))]
    return [
        SourceTurn(
            session=episode.id,
            turn=f"{episode.id}:{order}",
            order=order,
            speaker=speaker,
            text=text,
            at=at,
            trust=Trust.USER if speaker == "user" else Trust.AGENT,
        )
        for order, (speaker, text) in enumerate(said)
        if text.strip()
    ]


def _only_refused(episode: Episode) -> bool:
    """Whether the request is a question that was refused: nothing happened, and it says nothing."""
    return episode.stop is Stop.REFUSED and episode.view.request.rstrip().endswith("?")


def forgot(episode: Episode) -> bool:
    """Whether a memory was removed in the run: what was said about it must not come back as a new one."""
    calls = (one.call for step in _steps(episode) for one in step.observations if one.ok and one.call is not None)
    return any(call.name == REMOVE for call in calls)


def searched(episode: Episode) -> list[str]:
    """Contents that memory searches of the run showed."""
    found = [one.data.get("items", []) for step in _steps(episode) for one in step.observations if one.call is not None]
    return [str(item["content"]) for items in found if isinstance(items, list) for item in items
            if isinstance(item, dict) and "memory_id" in item and "content" in item]  # fmt: skip


def standing(episode: Episode) -> list[str]:
    """The system turn of each stretch of the run, without the evidence in it; nothing of the dialogue behind it."""
    turns = (_SYSTEM_TURN.match(segment.prefix) for segment in episode.segments)
    return list(dict.fromkeys(_EVIDENCE.sub("", turn[1]) for turn in turns if turn is not None))


def _steps(episode: Episode) -> Iterator[Step]:
    return (step for segment in episode.segments for step in segment.steps)


def _said(step: Step) -> Iterator[tuple[str, str]]:
    """Speaker and words of one step, in order."""
    seen = {one.call_id: one for one in step.observations}
    for action in step.decision.actions:
        if isinstance(action, ToolCall) and action.name not in OWN and _landed(seen.get(action.id)):
            yield "agent", f"Did {action.name}: {_values(seen[action.id])}."
        elif isinstance(action, Ask):
            yield "agent", action.question
        elif isinstance(action, Finish):
            yield "agent", action.answer
    yield from (("user", part.text) for one in step.observations if not one.call_id and one.ok
                for part in one.parts if isinstance(part, TextPart))  # fmt: skip


def _landed(seen: Observation | None) -> bool:
    """Whether a call changed something."""
    return seen is not None and seen.ok and seen.call is not None and seen.call.landed == "yes" and not seen.diff.empty


def _values(seen: Observation) -> str:
    arguments = seen.call.arguments if seen.call is not None else {}
    return ", ".join(f"{name} {value}" for name, value in arguments.items())
