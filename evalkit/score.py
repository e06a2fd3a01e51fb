"""Figures of a run, under the keys that the project reports.

Rates are fractions. Infrastructure failures and records whose precondition was not met are counted apart and stand in
no rate; a task without an episode failed.
"""

from collections.abc import Callable, Sequence

from evalkit.attempts import pass_figures
from evalkit.cost import cost_figures
from evalkit.overall import overall_facts, overall_intervals, share
from evalkit.result import MISSING, Result
from evalkit.statistics import mean
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


def score(results: Sequence[Result], cancelled: int = 0, price: float | None = None) -> Json:
    """The figures of one planner. `cancelled`: attempts that were not run and have no result here."""
    valid = [result for result in results if result.verdict.valid]
    unmet = [result for result in results if result.unmet]
    seen = [result for result in valid if result.pattern != "unseen_tools"]
    intervals = {"success": share(seen)}
    intervals |= {
        name: share([result for result in valid if result.pattern in patterns]) for name, patterns in FIGURES.items()
    }
    intervals |= overall_intervals(results)
    return {
        **{name: figure.value for name, figure in intervals.items()},
        **overall_facts(results),
        "n": len(seen),
        "tasks": len(valid),
        "infrastructure_failures": len(results) - len(valid) - len(unmet),
        "preconditions_unmet": len(unmet),
        "witness_disagreements": sum(bool(result.witness) for result in valid),
        "not_run": cancelled + sum(result.stop == MISSING for result in results),
        "malformed_calls": sum(result.malformed for result in valid),
        "silent_cuts": sum(result.silent_cuts for result in valid),
        "progress_mean": mean([result.verdict.progress for result in valid]),
        **cost_figures(results, price),
        **pass_figures(results),
        "intervals": {name: figure.model_dump(mode="json") for name, figure in intervals.items()},
        "by_pattern": _by(valid, lambda result: [result.pattern]),
        "by_kind": _by(valid, lambda result: [f"{result.part}.{result.kind}"] if result.kind else []),
        "by_domain": _by(valid, lambda result: [result.domain.value]),
        "by_capability": _by(valid, lambda result: sorted(result.capabilities)),
        "stops": _counts([result.stop for result in results]),
    }


def _by(results: Sequence[Result], keys: Callable[[Result], Sequence[str]]) -> Json:
    groups: dict[str, list[Result]] = {}
    for result in results:
        for key in keys(result):
            groups.setdefault(key, []).append(result)
    return {name: {"success": share(group).value, "tasks": len(group)} for name, group in sorted(groups.items())}


def _counts(names: Sequence[str]) -> Json:
    return {name: list(names).count(name) for name in sorted(set(names))}
