"""*confirmed*: the phone changed as the calls say. It does not claim that the request was understood.

All of these must hold; what does not is a reason:
1. the planner declared that it is done;
2. an effect or an answer exists: a call succeeded (words alone are no evidence);
3. every write was read back, and what was read agrees with the change and with the call's normalised arguments;
4. no error is unanswered: a failed write was repeated with success, any other failure was followed by a success.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.contract import Confirmation, Effect, Observation, Step, Stop, ToolCall, ToolSpec
from runtime.readback import disagreement
from runtime.stops import Ending


def confirm(steps: Sequence[Step], end: Ending, exposed: Sequence[ToolSpec]) -> Confirmation:
    """The word on one episode at serve time."""
    specs = {spec.name: spec for spec in exposed}
    reasons: list[str] = []
    if end.stop is not Stop.FINISHED:
        reasons.append(f"it ended as `{end.stop}`" + (f": {end.detail}" if end.detail else ""))
    elif not any(seen.ok for _, seen in calls_of(steps)):
        reasons.append(_nothing(steps))
    reasons += [why for call, seen in _writes(steps, specs) if (why := disagreement(call.name, seen))]
    reasons += _unanswered(steps, specs)
    return Confirmation(confirmed=not reasons, reasons=tuple(dict.fromkeys(reasons)))


def _nothing(steps: Sequence[Step]) -> str:
    """What is said where no call succeeded: one that broke off half-way may have changed something all the same."""
    seen = [one for _, one in calls_of(steps)]
    if any(not one.diff.empty for one in seen):
        return "no call succeeded, so no answer was read; what was changed on the way stays"
    if any(one.call is not None and one.call.landed == "unknown" for one in seen):
        return "no call succeeded, so no answer was read; whether something was done is not known"
    return "no call succeeded, so nothing was done and no answer was read"


def calls_of(steps: Sequence[Step]) -> Iterator[tuple[ToolCall, Observation]]:
    """Every call with its observation, in order."""
    for step in steps:
        seen = {one.call_id: one for one in step.observations}
        for action in step.decision.actions:
            if isinstance(action, ToolCall) and action.id in seen:
                yield action, seen[action.id]


def writes(call: ToolCall, spec: ToolSpec | None) -> bool:
    """Whether this call may change anything."""
    return spec is not None and not spec.effects_of(call.arguments) <= {Effect.READ}


def _writes(steps: Sequence[Step], specs: dict[str, ToolSpec]) -> Iterator[tuple[ToolCall, Observation]]:
    return ((call, seen) for call, seen in calls_of(steps) if seen.ok and writes(call, specs.get(call.name)))


def _unanswered(steps: Sequence[Step], specs: dict[str, ToolSpec]) -> list[str]:
    """Failures that nothing after them made good."""
    history: list[tuple[Any, Observation]] = []
    for step in steps:
        called = {action.id: action for action in step.decision.actions if isinstance(action, ToolCall)}
        history += [(called.get(seen.call_id), seen) for seen in step.observations]
    reasons: list[str] = []
    for index, (call, seen) in enumerate(history):
        if seen.failure is None:
            continue
        later = [done for done, one in history[index + 1 :] if one.ok and done is not None]
        repeats = [done for done in later if call is not None and done.name == call.name]
        if not (repeats if call is not None and writes(call, specs.get(call.name)) else later):
            named = f"`{call.name}`" if call is not None else "an action"
            reasons.append(f"{named} failed ({seen.failure.code}): {seen.failure.message}")
    return reasons
