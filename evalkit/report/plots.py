"""Places of what is drawn: bars with intervals, a matrix of shares, curves over k. The template draws them as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalkit.overall import share
from evalkit.result import Result
from runtime.contract import Json

LEFT, WIDTH, ROW = 210, 520, 26
"""Pixels: where bars begin, how long a whole one is, height of a row."""
CURVE = (360, 180)
"""Width and height of the curves."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar."""

    label: str
    """Beside it."""
    value: float | None
    """In [0, 1]."""
    low: float | None = None
    """Lower end."""
    high: float | None = None
    """Upper end."""


def bars(rows: Sequence[Bar]) -> Json:
    """Pixels of horizontal bars, one under the other."""
    drawn = [
        {
            "label": row.label,
            "y": place * ROW,
            "width": round(WIDTH * (row.value or 0.0), 1),
            "low": round(LEFT + WIDTH * _inside(row.low, row.value), 1),
            "high": round(LEFT + WIDTH * _inside(row.high, row.value), 1),
            "text": "–" if row.value is None else f"{100 * row.value:.1f}%",
        }
        for place, row in enumerate(rows)
    ]
    ticks = [{"x": LEFT + WIDTH * tick / 4, "text": f"{25 * tick}%"} for tick in range(5)]
    return {"rows": drawn, "ticks": ticks, "left": LEFT, "height": len(rows) * ROW, "width": LEFT + WIDTH + 70}


def matrix(results: Sequence[Result]) -> Json:
    """Success by domain and capability, or by pattern where no task names a capability."""
    valid = [result for result in results if result.verdict.valid]
    by_capability = any(result.capabilities for result in valid)
    columns = sorted({name for result in valid for name in _columns(result, by_capability)})
    rows = []
    for domain in sorted({result.domain.value for result in valid}):
        own = [result for result in valid if result.domain.value == domain]
        cells = [_cell([one for one in own if name in _columns(one, by_capability)]) for name in columns]
        rows.append({"name": domain, "cells": [_cell(own), *cells]})
    return {"columns": ["all", *columns], "rows": rows, "what": "capability" if by_capability else "pattern"}


def curve(figures: Json) -> Json:
    """Points of pass@k and pass^k over k; empty for single attempts."""
    width, height = CURVE
    lines = {}
    for name in ("pass_at_k", "pass_hat_k"):
        values = [one["value"] for one in figures.get(name, {}).values() if one["value"] is not None]
        step = width / max(1, len(values) - 1)
        lines[name] = [
            {"x": round(step * place, 1), "y": round(height * (1 - value), 1), "text": f"{value:.3f}"}
            for place, value in enumerate(values)
        ]
    return {"lines": lines, "width": width, "height": height} if lines["pass_at_k"] else {}


def _inside(end: float | None, value: float | None) -> float:
    return min(1.0, max(0.0, end if end is not None else value or 0.0))


def _columns(result: Result, by_capability: bool) -> frozenset[str]:
    return result.capabilities if by_capability else frozenset((result.pattern,))


def _cell(results: Sequence[Result]) -> Json:
    value = share(results).value
    return {"text": "" if value is None else f"{100 * value:.0f}%", "tasks": len(results), "share": value}
