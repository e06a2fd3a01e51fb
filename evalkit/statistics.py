"""Proportions with intervals that know that tasks of one family are alike.

The interval is Wilson's with an effective sample size: n divided by the design effect, which is the variance between
families over the variance that independent tasks would have (Kish 1965), at least 1. It is closed-form, so that the
same results give the same interval everywhere, and stays inside [0, 1] at the ends, where a bootstrap
collapses.
"""

import math
from collections.abc import Sequence

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


def proportion(successes: Sequence[bool], families: Sequence[str]) -> Proportion:
    """The share of successes, clustered by family."""
    count, clusters = len(successes), len(set(families))
    if count == 0:
        return Proportion(value=None, low=None, high=None, tasks=0, families=0)
    share = sum(successes) / count
    effect = design_effect(successes, families)
    low, high = wilson(share, count / effect)
    return Proportion(value=share, low=low, high=high, tasks=count, families=clusters, design_effect=effect)


def design_effect(successes: Sequence[bool], families: Sequence[str]) -> float:
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


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return sum(values) / len(values) if values else None
