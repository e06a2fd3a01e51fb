"""Proportions with intervals that know that tasks of one family are alike.

The interval is Wilson's with an effective sample size: n divided by the design effect, which is the variance between
families over the variance that independent tasks would have (Kish 1965), at least 1. It is closed-form, so that the
same results give the same interval everywhere, and stays inside [0, 1] at the ends, where a bootstrap
collapses.

A figure need not be yes or no: pass@k of a task is a share itself, and is averaged and bounded in the same way (its
variance is smaller than that of a yes or no of the same mean, so the interval errs on the wide side). A weighted sum of
figures takes its ends from theirs (Zou and Donner 2008), so that it too stays honest at 0 and 1.
"""

import math
from collections.abc import Mapping, Sequence

from pydantic import Field

from runtime.contract import Record

Z95 = 1.959964
"""Two-sided 95% of the normal distribution."""


class Proportion(Record):
    """A share with its 95% interval."""

    value: float | None
    """Share in [0, 1]; None without tasks."""
    low: float | None
    """Lower end."""
    high: float | None
    """Upper end."""
    tasks: int
    """How many are behind it."""
    families: int
    """In how many clusters."""
    design_effect: float = Field(default=1.0)
    """How much wider than independent tasks."""


class Difference(Record):
    """Second run less first, with its 95% interval."""

    value: float | None
    """Difference of shares, in [-1, 1]; None without tasks."""
    low: float | None
    """Lower end."""
    high: float | None
    """Upper end."""
    tasks: int
    """Pairs behind it."""
    families: int
    """In how many clusters."""


class Pair(Record):
    """One task under two runs."""

    group: str
    """Which weight it falls under."""
    family: str
    """Its cluster."""
    change: float
    """Second run's share of successes less the first's."""


def proportion(successes: Sequence[float], families: Sequence[str]) -> Proportion:
    """The mean of values in [0, 1] (True and False among them), clustered by family."""
    count, clusters = len(successes), len(set(families))
    if count == 0:
        return Proportion(value=None, low=None, high=None, tasks=0, families=0)
    share = sum(successes) / count
    effect = design_effect(successes, families)
    low, high = wilson(share, count / effect)
    return Proportion(value=share, low=low, high=high, tasks=count, families=clusters, design_effect=effect)


def design_effect(successes: Sequence[float], families: Sequence[str]) -> float:
    """Variance of the clustered mean over that of independent tasks, at least 1."""
    count, share = len(successes), sum(successes) / len(successes)
    residuals: dict[str, float] = {}
    for success, family in zip(successes, families, strict=True):
        residuals[family] = residuals.get(family, 0.0) + (success - share)
    clusters = len(residuals)
    independent = share * (1 - share) / count
    if clusters < 2 or independent == 0:
        return 1.0
    clustered = clusters / (clusters - 1) * sum(value * value for value in residuals.values()) / count**2
    return max(1.0, clustered / independent)


def wilson(share: float, count: float) -> tuple[float, float]:
    """Wilson's 95% interval for a share over `count` tasks (a fraction of tasks is fine)."""
    square = Z95 * Z95
    centre = (share + square / (2 * count)) / (1 + square / count)
    half = Z95 / (1 + square / count) * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    return max(0.0, centre - half), min(1.0, centre + half)


def weighted_sum(figures: Mapping[str, Proportion], weights: Mapping[str, float]) -> Proportion:
    """The weighted sum of independent figures; names without tasks must have no weight."""
    kept = [(weights[name], figure) for name, figure in figures.items() if weights.get(name)]
    values = [(weight, one.value, one.low, one.high) for weight, one in kept]
    if not values or any(value is None for _, value, _, _ in values):
        return Proportion(value=None, low=None, high=None, tasks=0, families=0)
    value = sum(weight * (here or 0.0) for weight, here, _, _ in values)
    below = math.sqrt(sum((weight * ((here or 0.0) - (low or 0.0))) ** 2 for weight, here, low, _ in values))
    above = math.sqrt(sum((weight * ((high or 0.0) - (here or 0.0))) ** 2 for weight, here, _, high in values))
    tasks, families = sum(one.tasks for _, one in kept), sum(one.families for _, one in kept)
    return Proportion(value=value, low=value - below, high=value + above, tasks=tasks, families=families)


def pass_at_k(tries: int, passed: int, k: int) -> float:
    """Chance that at least one of `k` tries passes, unbiased: 1 - C(n-c, k) / C(n, k) (Chen et al. 2021)."""
    _refuse_more_than_tried(tries, passed, k)
    return 1.0 - math.comb(tries - passed, k) / math.comb(tries, k)


def pass_hat_k(tries: int, passed: int, k: int) -> float:
    """Chance that all of `k` tries pass, unbiased: C(c, k) / C(n, k) (Yao et al. 2024)."""
    _refuse_more_than_tried(tries, passed, k)
    return math.comb(passed, k) / math.comb(tries, k)


def _refuse_more_than_tried(tries: int, passed: int, k: int) -> None:
    if not (0 <= passed <= tries and 1 <= k <= tries):
        raise ValueError(f"no estimate for k = {k} from {passed} of {tries} tries")


def paired_difference(pairs: Sequence[Pair], weights: Mapping[str, float]) -> Difference:
    """The weighted sum over groups of each group's mean change, with an interval that knows families.

    Each pair's share in the estimate's error is its distance from its group's mean, by its weight; these are summed
    within a family before they are squared, and scaled by C / (C - 1) for C families. One family gives no interval.
    """
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        if weights.get(pair.group):
            groups.setdefault(pair.group, []).append(pair)
    if not groups:
        return Difference(value=None, low=None, high=None, tasks=0, families=0)
    means = {name: sum(pair.change for pair in group) / len(group) for name, group in groups.items()}
    value = sum(weights[name] * means[name] for name in groups)
    shares: dict[str, float] = {}
    for name, group in groups.items():
        for pair in group:
            part = weights[name] / len(group) * (pair.change - means[name])
            shares[pair.family] = shares.get(pair.family, 0.0) + part
    tasks, clusters = sum(map(len, groups.values())), len(shares)
    if clusters < 2:
        return Difference(value=value, low=None, high=None, tasks=tasks, families=clusters)
    half = Z95 * math.sqrt(clusters / (clusters - 1) * sum(share * share for share in shares.values()))
    return Difference(value=value, low=value - half, high=value + half, tasks=tasks, families=clusters)


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return sum(values) / len(values) if values else None
