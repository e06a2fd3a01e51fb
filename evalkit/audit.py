"""What an episode must not hold: malformed calls, and parts of a prompt that went missing without a word.

A call is malformed when it can't be read, names no tool of the phone, or breaks its tool's schema. A value that the
phone can't make sense of ("at purple o'clock") is a wrong value, not a malformed call.

A prompt is cut in silence when the request, an earlier turn, a recalled tool or a result is not in it whole and neither
the segment nor the observation names a `Cut` for it.
"""

from collections.abc import Sequence

from runtime.arguments import ArgumentCheck
from runtime.contract import Episode, Observation, ParseError, Segment, TextPart, ToolCall, ToolSpec
from runtime.layout import quoted_json
from runtime.shown import body_of


def malformed_calls(episode: Episode, offered: Sequence[ToolSpec]) -> int:
    """Malformed calls of an episode."""
    specs, check = {spec.name: spec for spec in offered}, ArgumentCheck()
    count = 0
    for step in episode.steps:
        for action in step.decision.actions:
            if isinstance(action, ParseError):
                count += 1
            elif isinstance(action, ToolCall):
                spec = specs.get(action.name)
                count += spec is None or check.problem(spec, action.arguments) is not None
    return count


def silent_cuts(episode: Episode, offered: Sequence[ToolSpec]) -> int:
    """Parts that are missing from the prompts of an episode without a word."""
    missing = 0
    for segment in episode.segments:
        missing += _prefix_cuts(episode, segment, offered)
        missing += sum(_cut(seen) for step in segment.steps for seen in step.observations)
    return missing


def _prefix_cuts(episode: Episode, segment: Segment, offered: Sequence[ToolSpec]) -> int:
    said = {cut.what for cut in segment.cuts}
    view = episode.view
    available = view.tools if view.tools is not None else [t for t in offered if t.name not in view.unavailable]
    expected = min(view.budget.tools, len(available))
    turns = sum(turn.text not in segment.prefix for turn in view.turns) if "turns" not in said else 0
    tools = max(0, expected - len(segment.exposed)) if "tools" not in said else 0
    shown = sum(name not in segment.prefix for name in segment.exposed)
    return turns + tools + shown + (view.request not in segment.prefix)


def _cut(seen: Observation) -> bool:
    """Whether a result's text is not the whole result and nothing says so."""
    if not seen.call_id or seen.cuts:
        return False
    text = "\n".join(part.text for part in seen.parts if isinstance(part, TextPart))
    return quoted_json(body_of(seen)) != text
