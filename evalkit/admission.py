"""Admission: a task counts only when its gold passes and what must fail does fail.

1. The oracle, reading later arguments from the results as they are shown, passes: the gold is right and reachable.
2. Null, random, read-only and extra-write fail.
3. Drop-one fails for every call whose effect or result the task needs (each write; each read that is asked for). A call
   that fails and whose tool succeeds later, or that a question follows, only tells the planner what is in the way.
4. Do-twice fails wherever a repeat is not idempotent: where the doubled gold leaves another state than the gold.

`refuser` and `asker` are no part of admission, because declining is the right answer to some tasks; their scores are
published beside the floors.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalkit.agents import FLOORS, Agent, do_twice, drop_one
from evalkit.gold import is_call
from evalkit.rehearsal import rehearse
from evalkit.verify import CoreVerifier
from runtime.contract import Episode, Phone, StateDiff, TaskSpec, ToolCall, Verdict

MUST_FAIL = ("null", "random", "read_only", "extra_write")
"""Agents that no task may let pass."""


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a task may count, and what spoke against it."""

    task_id: str
    """The task."""
    faults: tuple[str, ...] = ()
    """Agents with the wrong outcome; empty: admitted."""

    @property
    def admitted(self) -> bool:
        """Nothing spoke against it."""
        return not self.faults


def admit(task: TaskSpec, phone: Phone) -> Admission:
    """Try all agents on a task."""
    return Admission(task.id, tuple(_faults(task, phone)))


def _faults(task: TaskSpec, phone: Phone) -> Iterator[str]:
    episode, gold_diff = rehearse(task, FLOORS["oracle"](task), phone)
    verdict = CoreVerifier().judge(task.policy, episode, gold_diff)
    if not verdict.success:
        failed = "; ".join(check.name for check in verdict.checks if not check.passed)
        yield f"oracle fails: {failed}"
        return
    for name in MUST_FAIL:
        if _verdict(task, FLOORS[name](task), phone)[0].success:
            yield f"{name} passes"
    told = _only_told(episode, "ask" in task.gold[-1])
    calls = [place for place, step in enumerate(task.gold) if is_call(step)]
    for number, place in enumerate(calls):
        step = task.gold[place]
        if number not in told and _verdict(task, drop_one(task, place), phone)[0].success:
            yield f"drop_one passes without call {place + 1} (`{step['name']}`)"
    verdict, diff = _verdict(task, do_twice(task), phone)
    if verdict.success and _shape(diff) != _shape(gold_diff):
        yield "do_twice passes with another end state"


def _only_told(episode: Episode, asks: bool) -> set[int]:
    """Numbers of the calls that failed while their tool succeeded later, or before a question about it."""
    seen = [one for step in episode.steps for one in step.observations if one.call_id]
    worked = {number: one.call.name for number, one in enumerate(seen) if one.ok and one.call is not None}
    tools = [action.name for step in episode.steps for action in step.decision.actions if isinstance(action, ToolCall)]
    return {
        number
        for number, one in enumerate(seen)
        if not one.ok and (asks or any(later > number and name == tools[number] for later, name in worked.items()))
    }


def _verdict(task: TaskSpec, agent: Agent, phone: Phone) -> tuple[Verdict, StateDiff]:
    episode, diff = rehearse(task, agent, phone)
    return CoreVerifier().judge(task.policy, episode, diff), diff


def _shape(diff: StateDiff) -> Sequence[object]:
    return [change.model_dump(mode="json") for change in diff.changes]
