"""Is the planner going round in circles? Decided over the last steps, whatever tools they name.

1. the same action with the same observation, 4 times running;
2. the same action with an error, 3 times running;
3. two steps taking turns, 6 steps long;
4. malformed actions, 3 times running, however they differ;
5. steps that gave nothing but errors or empty results, 5 times running, across names.
"""

from collections.abc import Sequence

from runtime.contract import Ask, Observation, ParseError, Step, ToolCall, canonical_json

SAME, SAME_ERROR, ALTERNATING, MALFORMED, FRUITLESS = 4, 3, 6, 3, 5


def stuck(steps: Sequence[Step]) -> str | None:
    """Which loop the last steps are in, or None."""
    if _running(steps, MALFORMED) and all(_malformed(step) for step in steps[-MALFORMED:]):
        return f"{MALFORMED} malformed actions running"
    last = steps[-SAME_ERROR:]
    if _running(steps, SAME_ERROR) and _one(map(_action, last)) and all(map(_failed, last)):
        return f"the same action failed {SAME_ERROR} times running"
    marks = [(_action(step), _observation(step)) for step in steps[-ALTERNATING:]]
    if len(marks) >= SAME and _one(marks[-SAME:]):
        return f"the same action with the same result {SAME} times running"
    if len(marks) == ALTERNATING and _one(marks[::2]) and _one(marks[1::2]):
        return f"two steps took turns {ALTERNATING} steps long"
    if _running(steps, FRUITLESS) and all(_failed(step) or _empty(step) for step in steps[-FRUITLESS:]):
        return f"{FRUITLESS} steps running gave only errors or empty results"
    return None


def _running(steps: Sequence[Step], count: int) -> bool:
    return len(steps) >= count


def _one(marks: object) -> bool:
    return len(set(marks)) == 1  # type: ignore[call-overload]


def _action(step: Step) -> str:
    """What was chosen, without the ids of its calls."""
    return canonical_json([action.model_dump(mode="json", exclude={"id"}) for action in step.decision.actions])


def _observation(step: Step) -> str:
    return canonical_json([_seen(one) for one in step.observations])


def _seen(one: Observation) -> object:
    failure = (one.failure.code, one.failure.message) if one.failure else None
    return [one.data, failure, one.diff.model_dump(mode="json"), [part.model_dump(mode="json") for part in one.parts]]


def _malformed(step: Step) -> bool:
    return any(isinstance(action, ParseError) for action in step.decision.actions)


def _failed(step: Step) -> bool:
    return bool(step.observations) and not any(seen.ok for seen in step.observations)


def _empty(step: Step) -> bool:
    """Calls that changed nothing and returned nothing."""
    if any(isinstance(action, Ask) for action in step.decision.actions):
        return False
    called = any(isinstance(action, ToolCall) for action in step.decision.actions)
    return called and all(seen.diff.empty and not any(seen.data.values()) for seen in step.observations)
