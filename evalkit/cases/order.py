"""Checks on the order of calls, which a state can't show: what waited for what, and how often something was tried.

A call counts as *seen* with the step in which its result came back. A later call waits for it when it is first tried in
a later step: two calls of one decision were chosen together, so none of them can have waited for the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from evalkit.compare import same
from runtime.contract import CheckResult, Episode, Json, Record, ToolCall


class Call(Record):
    """A call, by its tool and those arguments that matter."""

    name: str
    """The tool."""
    arguments: Json = Field(default_factory=dict)
    """Arguments that it must have, as `evalkit.compare.same` compares; others may be given."""


class Waits(Record):
    """`then` is tried, and not before `first` has worked and its result was seen."""

    first: Call
    """What comes first."""
    then: Call
    """What waits for it."""


class Most(Record):
    """A call is tried at most so often; 0 times: never."""

    call: Call
    """Which call."""
    times: int = Field(ge=0)
    """Tries that are allowed, failed ones counted."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call that was tried."""

    step: int
    """Index of its step."""
    name: str
    """The tool."""
    arguments: Json
    """As the provider normalised them, else as the planner wrote them."""
    worked: bool
    """No failure came back."""


def attempts(episode: Episode) -> list[Attempt]:
    """All calls of an episode, in order."""
    found: list[Attempt] = []
    for step in episode.steps:
        answers = {seen.call_id: seen for seen in step.observations if seen.call_id}
        for action in step.decision.actions:
            if isinstance(action, ToolCall):
                seen = answers.get(action.id)
                ran = seen.call.arguments if seen is not None and seen.call is not None else action.arguments
                found.append(Attempt(step.index, action.name, ran, seen is not None and seen.ok))
    return found


def judge_order(waits: Sequence[Waits], most: Sequence[Most], episode: Episode) -> Iterator[CheckResult]:
    """A check for each demand."""
    tried = attempts(episode)
    for wait in waits:
        yield _waited(wait, tried)
    for limit in most:
        steps = [one.step for one in tried if fits(limit.call, one)]
        name = f"`{limit.call.name}` is tried at most {limit.times} times"
        evidence: Json = {"call": limit.call.model_dump(mode="json"), "steps": steps}
        yield CheckResult(name=name, passed=len(steps) <= limit.times, evidence=evidence)


def fits(wanted: Call, tried: Attempt) -> bool:
    """Whether an attempt is of that tool with those arguments."""
    given = tried.arguments
    return wanted.name == tried.name and all(
        name in given and same(value, given[name]) for name, value in wanted.arguments.items()
    )


def _waited(wait: Waits, tried: Sequence[Attempt]) -> CheckResult:
    seen = [one.step for one in tried if one.worked and fits(wait.first, one)]
    then = [one.step for one in tried if fits(wait.then, one)]
    passed = bool(seen and then) and min(seen) < min(then)
    evidence: Json = {"first": seen, "then": then, "waits": wait.model_dump(mode="json")}
    return CheckResult(name=f"`{wait.then.name}` waits for `{wait.first.name}`", passed=passed, evidence=evidence)
