"""Two runs on the same tasks: the paired difference of their Overalls, in points, with an interval clustered by family.

Attempts of one task (under one routing) are averaged first. Runs that were not graded by the same rules, or not on the
same tasks, are not compared. Pairs of which one is an infrastructure failure are left out and counted.
"""

from collections.abc import Sequence

from evalkit.overall import RULE, WEIGHTS, weights_of
from evalkit.result import Result
from evalkit.results import Header, Kept
from evalkit.statistics import Difference, Pair, paired_difference
from evalkit.verify import GRADING
from runtime.contract import Json, UserError

ALIKE = ("planner", "tools", "grammar", "sampling")
"""What two runs should have in common where only the harness is compared."""
POINTS = 100.0
"""Differences are given in points."""


def compare_runs(first: Kept, second: Kept) -> Json:
    """Second less first."""
    refuse_unlike(first.header, second.header)
    return {
        "grading": GRADING,
        "first": _named(first.header),
        "second": _named(second.header),
        "unlike": [
            name for name in ALIKE if getattr(first.header.digests, name) != getattr(second.header.digests, name)
        ],
        **compare_results(first.results, second.results),
    }


def compare_results(first: Sequence[Result], second: Sequence[Result]) -> Json:
    """The figures of a comparison over two sets of results of the same tasks."""
    pairs, left_out = pairs_of(first, second)
    weights = weights_of(sorted({pair.group for pair in pairs}))
    whole = paired_difference(pairs, weights)
    parts = {name: paired_difference(pairs, {name: 1.0}) for name in WEIGHTS}
    below = [name for name, part in parts.items() if part.high is not None and part.high < 0]
    return {
        "overall_diff": _points(whole.value),
        "ci_low": _points(whole.low),
        "ci_high": _points(whole.high),
        "parts": {name: _in_points(part) for name, part in parts.items() if part.tasks},
        "parts_below_zero": below,
        "weights": weights,
        "weight_rule": RULE,
        "unit": "points of 100",
        "pairs": len(pairs),
        "families": whole.families,
        "second_better": sum(pair.change > 0 for pair in pairs),
        "first_better": sum(pair.change < 0 for pair in pairs),
        "alike": sum(pair.change == 0 for pair in pairs),
        "left_out": left_out,
    }


def refuse_unlike(first: Header, second: Header) -> None:
    """`UserError` for runs whose scores can't be compared, with what differs named on both sides."""
    if first.grading != second.grading:
        raise UserError(
            f"run `{first.run}` was graded under version {first.grading}, run `{second.run}` under {second.grading}. "
            "Scores of different gradings are not compared; judge both again: `pocket eval score RUN`."
        )
    for what in ("fingerprint", "limit", "routing"):
        here, there = getattr(first, what), getattr(second, what)
        if here != there:
            raise UserError(
                f"run `{first.run}` has {what} `{here}`, run `{second.run}` has `{there}`: they are not about the same "
                "tasks. Run both on the same suite, split and sample."
            )


def pairs_of(first: Sequence[Result], second: Sequence[Result]) -> tuple[list[Pair], int]:
    """Pairs of the same task under the same routing, and how many are left out."""
    here, there = _rates(first), _rates(second)
    common = [key for key in here if key in there]
    pairs = [
        Pair(group=result.part, family=result.family, change=there[key][1] - rate)
        for key in common
        for result, rate in (here[key],)
    ]
    return pairs, len({_key(result) for result in (*first, *second)}) - len(common)


def _rates(results: Sequence[Result]) -> dict[tuple[str, str], tuple[Result, float]]:
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        if result.verdict.valid:
            groups.setdefault(_key(result), []).append(result)
    return {
        key: (group[0], sum(one.verdict.success for one in group) / len(group)) for key, group in sorted(groups.items())
    }


def _key(result: Result) -> tuple[str, str]:
    return result.task_id, result.routing


def _named(header: Header) -> Json:
    kept = ("run", "suite", "split", "planner", "fingerprint", "grading", "attempts", "harness",
            "started_at")  # fmt: skip
    return {name: getattr(header, name) for name in kept} | {"stress": header.stress.axes}


def _in_points(found: Difference) -> Json:
    return {
        "diff": _points(found.value),
        "ci_low": _points(found.low),
        "ci_high": _points(found.high),
        "pairs": found.tasks,
        "families": found.families,
    }


def _points(value: float | None) -> float | None:
    return None if value is None else value * POINTS
