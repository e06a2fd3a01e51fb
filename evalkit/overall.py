"""The Overall: four parts by weight, each a rate with an interval clustered by family.

1. Overall = 0.50 Tool Use + 0.20 Memory + 0.20 Skill + 0.10 Sub-agent. A part without tasks is named; its weight is
   spread over the others in proportion, and such an Overall stands beside no other.
2. A task that got no episode failed. Infrastructure failures are in no rate.
3. Memory counts what the planner's own searches found; what it would be with the records that a harness injected is
   reported apart.
4. A Skill task counts once under each routing that was run; both stand apart too.
5. Hand-written tasks count like all others, and are scored apart too.
"""

from collections.abc import Callable, Sequence

from evalkit.gates import MEMORY_CHECK
from evalkit.result import MISSING, Result
from evalkit.statistics import Proportion, proportion, weighted_sum
from runtime.contract import Json

WEIGHTS = {"tool_use": 0.50, "memory": 0.20, "skill": 0.20, "sub_agent": 0.10}
"""Of the parts."""
RULE = (
    "Overall = 0.50 Tool Use + 0.20 Memory + 0.20 Skill + 0.10 Sub-agent; the weight of a part without tasks is spread "
    "over the others in proportion"
)


def weights_of(parts: Sequence[str]) -> dict[str, float]:
    """Weights over the parts that have tasks; they sum to 1."""
    present = {name: weight for name, weight in WEIGHTS.items() if name in parts}
    return {name: weight / sum(present.values()) for name, weight in present.items()}


def share(results: Sequence[Result], passed: Callable[[Result], bool] = lambda one: one.verdict.success) -> Proportion:
    """The share of valid results that passed."""
    valid = [result for result in results if result.verdict.valid]
    return proportion([passed(result) for result in valid], [result.family for result in valid])


def parts_of(results: Sequence[Result]) -> dict[str, Proportion]:
    """Each part's rate."""
    return {name: share([result for result in results if result.part == name]) for name in WEIGHTS}


def overall(results: Sequence[Result]) -> Proportion:
    """The weighted rate over all parts that have tasks."""
    parts = parts_of(results)
    return weighted_sum(parts, weights_of([name for name, part in parts.items() if part.tasks]))


def overall_intervals(results: Sequence[Result]) -> dict[str, Proportion]:
    """The Overall, its parts, and what is reported beside them."""
    memory = [result for result in results if result.part == "memory"]
    skill = [result for result in results if result.part == "skill"]
    written = [result for result in results if result.hand_written]
    kinds = sorted({result.kind for result in memory if result.kind})
    return {
        "overall": overall(results),
        **parts_of(results),
        **{f"memory_{kind}": share([result for result in memory if result.kind == kind]) for kind in kinds},
        "memory_gate": share([result for result in memory if has_gate(result)], gate_open),
        "memory_with_injected": share(memory, lambda one: one.success_with_injected),
        "skill_mixed": share([result for result in skill if result.routing == "mixed"]),
        "skill_skill_only": share([result for result in skill if result.routing == "skill_only"]),
        "hand_written": share(written),
        "hand_written_overall": overall(written),
    }


def overall_facts(results: Sequence[Result]) -> Json:
    """What must be said beside an Overall."""
    present = [name for name, part in parts_of(results).items() if part.tasks]
    injected = [result for result in results if result.injected]
    return {
        "weights": weights_of(present),
        "weight_rule": RULE,
        "empty_parts": [name for name in WEIGHTS if name not in present],
        "injected_ids": sum(len(result.injected) for result in injected),
        "results_with_injected_ids": len(injected),
    }


def has_gate(result: Result) -> bool:
    """Whether the task needs memories to be searched for; one without an episode counts, as a gate that stayed shut."""
    return result.stop == MISSING or any(check.name == MEMORY_CHECK for check in result.verdict.checks)


def gate_open(result: Result) -> bool:
    """Whether the planner's searches found the memories that the task needs."""
    gates = [check.passed for check in result.verdict.checks if check.name == MEMORY_CHECK]
    return bool(gates) and all(gates)
