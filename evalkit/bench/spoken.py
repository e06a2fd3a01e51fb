"""Spoken values: how many of 200 values checked by hand are read right, beside every date library that is installed."""

from dataclasses import asdict

from device.spoken.measure import Score, measure
from evalkit.bench.frame import Bench, Figure, Order
from runtime.contract import Json


def values(order: Order) -> Json:
    """The table of `device/spoken/values_200.toml`; microseconds are process time, mean over the table."""
    scores = measure()
    ours = scores["ours"]
    count = ours.right + ours.wrong + ours.unread
    return {
        "right_rate": round(ours.right / count, 4),
        "wrong_rate": round(ours.wrong / count, 4),
        "values": count,
        "us_a_value": ours.microseconds,
        "readers": {name: _counts(score) for name, score in scores.items()},
    }


def _counts(score: Score) -> Json:
    return {name: value for name, value in asdict(score).items() if name != "misses"}


SPOKEN = Bench(
    name="spoken",
    title="Spoken values: 200 values checked by hand, beside the date libraries that are installed.",
    parts={"values": values},
    figures=(
        Figure("right_rate", "values read as expected, unreadable ones refused", 0.95, "at_least"),
        Figure("wrong_rate", "values read as something else"),
        Figure("us_a_value", "process time a value, mean, microseconds"),
    ),
)
