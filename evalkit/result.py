"""One judged attempt: the verdict with all that figures are made of, so that none of them needs the episode again.

A task that got no episode is a `Result` too: it failed, with the stop `missing`.
"""

from collections.abc import Sequence
from typing import Any, Literal

from evalkit.android.stage import UNREADY
from evalkit.audit import malformed_calls, silent_cuts
from evalkit.gates import MEMORY_CHECK, injected_ids
from evalkit.stress import Stress, restored
from evalkit.verify import GRADING, CoreVerifier
from runtime.contract import (
    Domain,
    Episode,
    Observation,
    Record,
    StableSet,
    StateDiff,
    Stop,
    TaskSpec,
    ToolSpec,
    Verdict,
)

Part = Literal["tool_use", "memory", "skill", "sub_agent"]
Routing = Literal["", "mixed", "skill_only"]
"""How a Skill task is exposed: recalled tools and loaders, or loaders alone; empty for all other tasks."""
MISSING = "missing"
"""Stop of a task that got no episode."""


class Result(Record):
    """One task attempt, judged."""

    task_id: str
    """The task."""
    family: str
    """Its cluster."""
    domain: Domain
    """Its domain."""
    pattern: str
    """one_call, multi_call, ..."""
    part: Part = "tool_use"
    """Part of the Overall that it counts for."""
    kind: str = ""
    """Kind within its part."""
    subcategory: str = ""
    """Finer than the domain."""
    capabilities: StableSet[str] = frozenset()
    """Capabilities that it asks for."""
    hand_written: bool = False
    """Its request was written one by one."""
    attempt: int = 0
    """Number of the attempt, from 0."""
    routing: Routing = ""
    """Of a Skill task."""
    verdict: Verdict
    """The verifier's word."""
    stop: str
    """How the episode ended."""
    steps: int
    """Decisions."""
    calls: int = 0
    """Calls that reached a provider."""
    output_tokens: int
    """Generated tokens, thinking included."""
    input_tokens: int = 0
    """Tokens of the contexts that were decided on, summed over decisions."""
    cached_tokens: int = 0
    """Of those, how many were in the cache."""
    seconds: float
    """Wall time."""
    planner_s: float = 0.0
    """Of that, the planner's."""
    device_s: float = 0.0
    """Of that, the phone's and other providers'."""
    harness_s: float = 0.0
    """Of that, the harness's own."""
    malformed: int = 0
    """Malformed calls."""
    silent_cuts: int = 0
    """Parts of a prompt that are missing without a word in the trace."""
    unmet: str = ""
    """The precondition that the phone could not be brought to, or back from: the record is invalid."""
    witness: tuple[str, ...] = ()
    """What a second witness of the phone's state said otherwise than what was read."""
    injected: tuple[str, ...] = ()
    """Memory records that the harness put into the context by itself; they open no gate."""
    success_with_injected: bool = False
    """Whether it would be a success if they did."""


def result_of(task: TaskSpec, episode: Episode, diff: StateDiff, offered: Sequence[ToolSpec],
              stress: Stress | None = None, routing: Routing = "",
              witness: tuple[str, ...] = ()) -> Result:  # fmt: skip
    """Judge and count one episode. Under scrambled names the planner's calls are read back first."""
    told = restored(episode, stress or Stress(), offered)
    verdict = CoreVerifier().judge(task.policy, told, diff)
    injected = injected_ids(episode)
    decisions = [step.decision for step in episode.steps]
    seen = [one for step in episode.steps for one in step.observations]
    return Result(
        **_described(task),
        attempt=episode.attempt,
        routing=routing,
        verdict=verdict,
        stop=episode.stop.value,
        unmet=_unmet(episode),
        witness=witness,
        steps=len(decisions),
        calls=sum(one.call is not None for one in seen),
        output_tokens=sum(decision.usage.output_tokens for decision in decisions),
        input_tokens=sum(decision.usage.prompt_tokens for decision in decisions),
        cached_tokens=sum(decision.usage.cached_tokens for decision in decisions),
        seconds=episode.timing.seconds,
        planner_s=sum(decision.seconds for decision in decisions),
        device_s=_device_seconds(seen),
        harness_s=sum(step.overhead_s for step in episode.steps),
        malformed=malformed_calls(told, offered),
        silent_cuts=silent_cuts(episode, (stress or Stress()).shown(offered)),
        injected=tuple(sorted(injected)),
        success_with_injected=verdict.success or _opens(verdict, injected),
    )


def missing_result(task: TaskSpec, attempt: int = 0, routing: Routing = "") -> Result:
    """A task without an episode: a failure."""
    return bare_result(task, Verdict(success=False, progress=0.0, grading=GRADING), MISSING, attempt, routing)


def bare_result(task: TaskSpec, verdict: Verdict, stop: str, attempt: int = 0, routing: Routing = "") -> Result:
    """A verdict without what an episode cost."""
    return Result(
        **_described(task),
        attempt=attempt,
        routing=routing,
        verdict=verdict,
        stop=stop,
        steps=0,
        output_tokens=0,
        seconds=0.0,
    )


def _described(task: TaskSpec) -> dict[str, Any]:
    return {
        "task_id": task.id,
        "family": task.family,
        "domain": task.domain,
        "pattern": task.pattern,
        "part": task.part,
        "kind": task.kind,
        "subcategory": task.subcategory,
        "capabilities": task.capabilities,
        "hand_written": task.hand_written,
    }


def _unmet(episode: Episode) -> str:
    is_one = episode.stop is Stop.INFRASTRUCTURE and episode.stop_detail.startswith(UNREADY)
    return episode.stop_detail.removeprefix(UNREADY) if is_one else ""


def _device_seconds(seen: Sequence[Observation]) -> float:
    return sum(one.seconds for one in seen)


def _opens(verdict: Verdict, injected: frozenset[str]) -> bool:
    """Whether nothing but memory gates failed, and what they lack was injected."""
    failed = [check for check in verdict.checks if not check.passed]
    return (
        verdict.valid
        and bool(failed)
        and all(check.name == MEMORY_CHECK and set(check.evidence["missing"]) <= injected for check in failed)
    )
