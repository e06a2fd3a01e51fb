"""Figures of a run, under the keys that the project reports.

Rates are fractions. Invalid results (infrastructure) are counted apart and stand in no rate.
"""

from collections.abc import Callable, Sequence

from evalkit.results import Result
from evalkit.statistics import Proportion, mean, proportion
from runtime.contract import Json

FIGURES: dict[str, frozenset[str]] = {
    "one_call_success": frozenset(("one_call",)),
    "multi_call_success": frozenset(("multi_call", "dependent_call")),
    "ask_success": frozenset(("ask",)),
    "permission_success": frozenset(("permission",)),
    "unavailable_success": frozenset(("unavailable",)),
    "unseen_tools_success": frozenset(("unseen_tools",)),
}
"""Patterns behind each figure. `success` is over all but the unseen tools."""


def score(results: Sequence[Result], cancelled: int = 0) -> Json:
    """The figures of one planner."""
    valid = [result for result in results if result.verdict.valid]
    seen = [result for result in valid if result.pattern != "unseen_tools"]
    intervals = {"success": share(seen)}
    intervals |= {
        name: share([result for result in valid if result.pattern in patterns]) for name, patterns in FIGURES.items()
    }
    return {
        **{name: figure.value for name, figure in intervals.items()},
        "tasks": len(valid),
        "infrastructure_failures": len(results) - len(valid),
        "not_run": cancelled,
        "malformed_calls": sum(result.malformed for result in valid),
        "silent_cuts": sum(result.silent_cuts for result in valid),
        "steps_mean": mean([result.steps for result in valid]),
        "output_tokens_mean": mean([result.output_tokens for result in valid]),
        "seconds_mean": mean([result.seconds for result in valid]),
        "progress_mean": mean([result.verdict.progress for result in valid]),
        "intervals": {name: figure.model_dump(mode="json") for name, figure in intervals.items()},
        "by_pattern": _by(valid, lambda result: result.pattern),
        "by_domain": _by(valid, lambda result: result.domain.value),
        "stops": _counts([result.stop for result in results]),
    }


def share(results: Sequence[Result]) -> Proportion:
    """Success over some results."""
    return proportion([result.verdict.success for result in results], [result.family for result in results])


def _by(results: Sequence[Result], key: Callable[[Result], str]) -> Json:
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return {name: {"success": share(group).value, "tasks": len(group)} for name, group in sorted(groups.items())}


def _counts(names: Sequence[str]) -> Json:
    return {name: list(names).count(name) for name in sorted(set(names))}
