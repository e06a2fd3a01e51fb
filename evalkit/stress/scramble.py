"""Names across the border: other words on the planner's side, the tools' own on the provider's.

A call is mapped back before it runs. In what comes back, every whole word that is a tool's name is replaced, so that
no error message tells the old name. The episode is kept as it happened; the verifier gets it with the names restored.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from evalkit.stress.options import Stress
from evalkit.stress.words import Words
from runtime.contract import Decision, Episode, Observation, ToolCall, ToolSpec


class Names:
    """Both directions for a set of tools."""

    def __init__(self, names: Sequence[str]) -> None:
        self.shown = {name: Words().name(name) for name in names}
        self.own = {shown: name for name, shown in self.shown.items()}
        if len(self.own) < len(self.shown):
            raise ValueError("two tools have the same scrambled name")
        longest_first = sorted((name for name in names if "_" in name), key=len, reverse=True)
        self._pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})\b")

    def hide(self, value: Any) -> Any:
        """A value with the tools' names replaced in all its strings."""
        if isinstance(value, str):
            return self._pattern.sub(lambda found: self.shown[found[0]], value)
        if isinstance(value, dict):
            return {key: self.hide(inner) for key, inner in value.items()}
        return [self.hide(inner) for inner in value] if isinstance(value, list | tuple) else value

    def call(self, call: ToolCall) -> ToolCall:
        """The call under the tool's own name."""
        return call.model_copy(update={"name": self.own.get(call.name, call.name)})

    def observation(self, seen: Observation) -> Observation:
        """What came back, without the tools' own names in data and failure; the record of the call keeps them."""
        failure = seen.failure and seen.failure.model_copy(
            update={"message": self.hide(seen.failure.message), "details": self.hide(seen.failure.details)}
        )
        return seen.model_copy(update={"data": self.hide(seen.data), "failure": failure})


@lru_cache(maxsize=16)
def names_of(names: tuple[str, ...]) -> Names:
    """The names of a set of tools, made once."""
    return Names(names)


def restored(episode: Episode, stress: Stress, offered: Sequence[ToolSpec]) -> Episode:
    """The episode with the planner's calls under the tools' own names: for the verifier, which knows no others."""
    if not stress.scramble:
        return episode
    names = names_of(tuple(tool.name for tool in offered))
    segments = tuple(
        segment.model_copy(
            update={
                "steps": tuple(
                    step.model_copy(update={"decision": _restored(step.decision, names)}) for step in segment.steps
                )
            }
        )
        for segment in episode.segments
    )
    return episode.model_copy(update={"segments": segments})


def _restored(decision: Decision, names: Names) -> Decision:
    actions = tuple(names.call(action) if isinstance(action, ToolCall) else action for action in decision.actions)
    return decision.model_copy(update={"actions": actions})
