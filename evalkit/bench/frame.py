"""What every bench is made of: named parts that measure, figures with limits, and one report.

    Bench -> its parts, one after the other, each after the calibration loop -> report: figures, limits, parts, machine

1. A figure is a median of at least `RUNS` runs, in process CPU time where one process does the work.
2. The calibration loop is the same everywhere; a figure of another machine is read against it. Its wall time over its
   CPU time says how much of the cores others had meanwhile.
3. Nothing in a report names a host, a user or a folder.
"""

import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from runtime.config import Settings
from runtime.contract import Json, UserError, digest_of

RUNS = 5
"""Least number of runs behind a figure."""


@dataclass(frozen=True)
class Figure:
    """One measured number and, where the project sets one, its limit."""

    key: str
    """In the JSON; the unit is in the name."""
    meaning: str
    """In a few words."""
    limit: float | None = None
    """The limit."""
    kind: Literal["at_most", "at_least"] = "at_most"
    """Which side of the limit is good."""

    def met(self, value: float | None) -> bool | None:
        """Whether the limit holds; None without a limit or a value."""
        if self.limit is None or value is None:
            return None
        return value <= self.limit if self.kind == "at_most" else value >= self.limit


@dataclass(frozen=True)
class Order:
    """What a bench is asked for."""

    settings: Settings
    """The configuration; by default that of `pocket run`."""
    runs: int = RUNS
    """Runs behind a figure, where the bench repeats whole runs."""
    limit: int | None = None
    """Fewer items (requests, rows) than the bench's own number."""
    utterances: Path | None = None
    """A folder of utterance sets, for benches that can use one."""
    suites: tuple[str, ...] = ("core", "bench")
    """Suites whose dev and test tasks are played, for benches that play tasks."""
    sizes: tuple[int, ...] = ()
    """Sizes to measure at instead of the bench's own, for benches that grow something."""


Part = Callable[[Order], Json]
"""Measures; gives figures by key and whatever explains them."""


@dataclass(frozen=True)
class Bench:
    """One bench."""

    name: str
    """On the command line."""
    title: str
    """In one line."""
    parts: dict[str, Part]
    """By name, in the order in which they run."""
    figures: tuple[Figure, ...] = field(default=())
    """The figures that are shown first."""


def run_bench(bench: Bench, order: Order, parts: Sequence[str] = ()) -> Json:
    """The report of a bench, or of some of its parts; an unknown part is a `UserError`."""
    if unknown := [name for name in parts if name not in bench.parts]:
        known = ", ".join(f"`{name}`" for name in bench.parts)
        raise UserError(f"`pocket bench {bench.name}` has no part `{unknown[0]}`. Use one of {known}.")
    measured: Json = {}
    for name, measure in bench.parts.items():
        if not parts or name in parts:
            loop = calibrate()
            measured[name] = {"calibration": loop, **measure(order)}
    return report_of(bench, order, measured)


def report_of(bench: Bench, order: Order, measured: Json) -> Json:
    """Figures in front, then limits, configuration, machine and all that the parts gave."""
    values = {key: value for part in measured.values() for key, value in part.items()}
    figures = {figure.key: values[figure.key] for figure in bench.figures if figure.key in values}
    return {
        "bench": bench.name,
        **figures,
        "limits": {
            figure.key: {figure.kind: figure.limit, "met": figure.met(figures[figure.key])}
            for figure in bench.figures
            if figure.limit is not None and figure.key in figures
        },
        "config_digest": digest_of(order.settings.model_dump(mode="json")),
        "machine": machine(),
        "parts": measured,
    }


def calibrate(runs: int = RUNS) -> Json:
    """Seconds of the fixed loop: CPU (median), and wall over CPU."""
    cpu, wall = [], []
    for _ in range(runs):
        at = time.perf_counter(), time.process_time()
        _loop()
        wall.append(time.perf_counter() - at[0])
        cpu.append(time.process_time() - at[1])
    busy = sum(wall) / sum(cpu)
    return {"cpu_s": round(statistics.median(cpu), 5), "wall_over_cpu": round(busy, 2)}


def _loop() -> float:
    """About 20 ms: half Python over integers, texts and dicts, half numpy on one core."""
    table: dict[str, int] = {}
    for number in range(25_000):
        key = f"key{number % 97}"
        table[key] = table.get(key, 0) + number * 3 % 7
    values = np.arange(200_000, dtype=np.float64)
    for _ in range(4):
        values = np.sqrt(np.sort((values * 1.1) % 1013.0))
    return float(values.sum()) + sum(table.values())


def machine() -> Json:
    """Facts that explain a speed."""
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def median(values: Iterable[float], digits: int = 4) -> float | None:
    """Rounded median; None of nothing."""
    found = list(values)
    return round(statistics.median(found), digits) if found else None
