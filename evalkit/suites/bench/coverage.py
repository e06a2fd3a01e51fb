"""What a suite covers: domain, tool, intent and interaction pattern against capabilities.

A cell counts tasks; the empty ones are listed, so that nobody has to look for them. An intent is what the gold does:
`read`, `write`, `send`, `pay`, ... by the effects of its calls, `ask` and `decline` by its end.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from evalkit.gold import is_call
from evalkit.suites.bench.draft import BESIDE, CAPABILITIES
from runtime.contract import Domain, Json, TaskSpec, ToolSpec

ASPECTS = ("domain", "tool", "intent", "pattern")
"""Rows of the tables."""
COLUMNS = (*CAPABILITIES, *BESIDE)


def coverage(tasks: Iterable[TaskSpec], specs: Mapping[str, ToolSpec]) -> Json:
    """By aspect: `cells` (row -> capability -> tasks), `empty` (row x capability without a task), `bare` rows."""
    counts: dict[str, dict[str, Counter[str]]] = {aspect: {} for aspect in ASPECTS}
    counts["domain"] = {domain.value: Counter() for domain in Domain}
    counts["tool"] = {name: Counter() for name in sorted(specs)}
    for task in tasks:
        for aspect, rows in (
            ("domain", {task.domain.value}),
            ("tool", set(_tools(task))),
            ("intent", set(intents(task, specs))),
            ("pattern", {task.pattern}),
        ):
            for row in rows:
                counts[aspect].setdefault(row, Counter()).update(task.capabilities)
    return {aspect: _table(found) for aspect, found in counts.items()}


def _table(found: Mapping[str, Counter[str]]) -> Json:
    cells = {row: {name: count[name] for name in COLUMNS if count[name]} for row, count in sorted(found.items())}
    empty = [[row, name] for row in cells for name in CAPABILITIES if name not in cells[row]]
    return {"cells": cells, "empty": empty, "bare": [row for row, held in cells.items() if not held]}


def _tools(task: TaskSpec) -> Iterator[str]:
    yield from (step["name"] for step in task.gold if is_call(step))
    yield from task.view.unavailable


def intents(task: TaskSpec, specs: Mapping[str, ToolSpec]) -> Iterator[str]:
    """What a gold does."""
    for step in task.gold:
        if "ask" in step:
            yield "ask"
        elif "refuse" in step:
            yield "decline"
        elif is_call(step) and step["name"] in specs:
            yield from (effect.value for effect in specs[step["name"]].effects_of(step["arguments"]))
