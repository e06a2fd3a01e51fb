"""A planner's first decision on annotated utterances, against the map's gold.

    rows -> gold (mapping.py) -> 15 tools -> the runtime's context -> first decision -> judged (judge.py) -> figures

1. A row is shown 15 tools as the runtime recalls them for its text; where the right one is not among them, it takes the
   place of the last. A hard row is shown the right tool and its 14 nearest neighbours by the embedding of what the
   tools say of themselves. A row to decline is shown what recall gives.
2. Context, layout and eta are the runtime's own; nothing is executed.
3. Coverage is over rows that ask for a call; the shares of tools are over mapped rows.

Judged rows are kept as they come, so that a killed run goes on. `limit` takes the same rows every time, by hash.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evalkit.results import ResultStore
from evalkit.runner import planner_for
from evalkit.source import source_digest
from evalkit.utterances.judge import Judged, judge
from evalkit.utterances.mapping import Gold, gold_of, load_map
from evalkit.utterances.rows import Utterance, read_utterances, select
from runtime.config import Settings
from runtime.contract import CancelToken, Deadline, Digests, Json, Planner, TaskView, ToolSpec, digest_of
from runtime.wiring import Opened, open_rooms

EXPOSED = 15
"""Tools shown for a row."""
KEPT_EVERY = 20
"""Rows of one transaction."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One row under one exposure."""

    row: Utterance
    """The row."""
    gold: Gold
    """What it asks for."""
    hard: bool
    """Whether the distractors are the nearest neighbours."""

    @property
    def name(self) -> str:
        """Its key in the store."""
        text = digest_of([self.row.source, self.row.intent, self.row.text])
        return f"{text}:{'hard' if self.hard else 'recalled'}:{digest_of(self.gold)}"


Watch = Callable[[Iterable[Trial]], Iterable[Trial]]


def score_utterances(folder: Path, settings: Settings, store: ResultStore, *, part: str = "dev",
                     limit: int | None = None, fresh: bool = False, cancel: CancelToken | None = None,
                     watch: Watch = lambda trials: trials) -> Json:  # fmt: skip
    """The figures of the rows of a folder."""
    rows = select(read_utterances(folder), part)
    trials = list(trials_of(sample_rows(rows, limit)))
    token = cancel or CancelToken()
    planner = planner_for(settings)
    try:
        with open_rooms(settings, planner=planner) as opened:
            digests = _digests(opened, planner)
            run = digest_of({"map": load_map()[2], "code": source_digest(), **digests.model_dump(mode="json")})
            if fresh:
                store.forget(run)
            judged = {name: Judged.model_validate(one) for name, one in store.known_rows(run).items()}
            left = [trial for trial in trials if trial.name not in judged]
            judged |= _judge_all(left, opened, planner, store, run, token, watch)
    finally:
        planner.close()
    done = [(trial, judged[trial.name]) for trial in trials if trial.name in judged]
    return {
        "part": part,
        "planner": settings.planner.use,
        "run": run,
        "map_digest": load_map()[2],
        "digests": digests.model_dump(mode="json"),
        **mapping_figures(rows),
        **decision_figures(done),
        "not_run": len(trials) - len(done),
    }


def sample_rows(rows: Sequence[Utterance], limit: int | None) -> list[Utterance]:
    """All rows, or `limit` of them by hash of the text."""
    if limit is None or limit >= len(rows):
        return list(rows)
    return sorted(rows, key=lambda row: digest_of([row.source, row.text]))[:limit]


def trials_of(rows: Sequence[Utterance]) -> Iterator[Trial]:
    """Each mapped row under recall, and once more under its nearest neighbours when it asks for a call."""
    for row in rows:
        gold = gold_of(row)
        if gold is not None:
            yield Trial(row, gold, hard=False)
            if not gold.decline:
                yield Trial(row, gold, hard=True)


def _digests(opened: Opened, planner: Planner) -> Digests:
    return opened.rooms.digests.model_copy(
        update={"planner": planner.identity, "tools": digest_of([tool.name for tool in opened.phone.tools()])}
    )


def _judge_all(left: Sequence[Trial], opened: Opened, planner: Planner, store: ResultStore, run: str,
               cancel: CancelToken, watch: Watch) -> dict[str, Judged]:  # fmt: skip
    """Judge what is left, keeping every few rows."""
    judged: dict[str, Judged] = {}
    waiting: dict[str, Json] = {}
    neighbours = Neighbours(opened)
    try:
        for trial in watch(left):
            if cancel.cancelled:
                break
            judged[trial.name] = found = _decide(trial, opened, planner, neighbours)
            waiting[trial.name] = found.model_dump(mode="json")
            if len(waiting) >= KEPT_EVERY:
                store.add_rows(run, waiting)
                waiting = {}
    finally:
        store.add_rows(run, waiting)
    return judged


class Neighbours:
    """Which tools are shown for a row."""

    def __init__(self, opened: Opened) -> None:
        self._recall = opened.recall
        self._tools = list(opened.phone.tools())
        said = [f"{tool.name.replace('_', ' ')}: {tool.description}" for tool in self._tools]
        vectors = opened.recall.embedder.embed(said)
        self._order = np.argsort(-(vectors @ vectors.T), axis=1, kind="stable")
        self._places = {tool.name: place for place, tool in enumerate(self._tools)}

    def recalled(self, text: str, right: str) -> tuple[list[ToolSpec], bool]:
        """As recall gives them, the right one in place of the last where it is missing; and whether it was there."""
        best = self._recall.rank(TaskView(request=text), self._tools)[:EXPOSED]
        found = not right or any(tool.name == right for tool in best)
        if not found:
            best[-1] = self._tools[self._places[right]]
        return best, found

    def nearest(self, right: str) -> list[ToolSpec]:
        """The right tool and those that say nearly the same of themselves."""
        own = self._places[right]
        others = [int(place) for place in self._order[own] if place != own][: EXPOSED - 1]
        return [self._tools[own], *(self._tools[place] for place in others)]


def _decide(trial: Trial, opened: Opened, planner: Planner, neighbours: Neighbours) -> Judged:
    right = trial.gold.tool
    tools, recalled = (neighbours.nearest(right), True) if trial.hard else neighbours.recalled(trial.row.text, right)
    view = TaskView(request=trial.row.text, tools=tuple(tools), budget=opened.settings.budget)
    deadline = Deadline(opened.settings.budget.seconds)
    context = opened.rooms.assembler.begin(view, tools, deadline)
    started = time.perf_counter()
    decision = planner.decide(context, deadline)
    took = time.perf_counter() - started
    judged = judge(trial.gold, decision, {tool.name: tool for tool in tools})
    return judged.model_copy(update={"seconds": took, "recalled": recalled})


# Figures


def mapping_figures(rows: Sequence[Utterance]) -> Json:
    """How much of the set the map reaches, whatever the planner."""
    golds = [(row, gold) for row in rows if (gold := gold_of(row)) is not None and not gold.decline]
    slots = sum(len(row.slots) for row, _ in golds)
    tools = Counter(gold.tool for _, gold in golds)
    return {
        "rows": len(rows),
        "coverage": _share(len(golds), len(rows)),
        "slot_coverage": _share(sum(gold.reached for _, gold in golds), slots),
        "max_tool_share": _share(max(tools.values(), default=0), len(golds)),
        "max_tool": tools.most_common(1)[0][0] if tools else "",
    }


def decision_figures(done: Sequence[tuple[Trial, Judged]]) -> Json:
    """Accuracies over judged trials; None where nothing was judged."""
    calls = [(trial, judged) for trial, judged in done if not trial.gold.decline and not trial.hard]
    figures = _figures(done)
    return {
        **figures,
        "judged": len(done),
        "seconds_mean": _share(sum(judged.seconds for _, judged in done), len(done)),
        "output_tokens_mean": _share(sum(judged.output_tokens for _, judged in done), len(done)),
        "malformed_calls": sum(judged.malformed for _, judged in done),
        "by_source": _grouped(done, lambda trial: trial.row.source),
        "by_intent": _grouped(done, lambda trial: f"{trial.row.source}.{trial.row.intent}"),
        "by_tool": _grouped(calls, lambda trial: trial.gold.tool),
    }


def _figures(done: Sequence[tuple[Trial, Judged]]) -> Json:
    easy = [judged for trial, judged in done if not trial.gold.decline and not trial.hard]
    hard = [judged for trial, judged in done if trial.hard]
    exact = [judged for trial, judged in done if trial.gold.scored and not trial.hard and not trial.gold.decline]
    decline = [judged for trial, judged in done if trial.gold.decline]
    return {
        "tool_accuracy": _share(sum(one.tool for one in easy), len(easy)),
        "recall_at_15": _share(sum(one.recalled for one in easy), len(easy)),
        "tool_accuracy_hard": _share(sum(one.tool for one in hard), len(hard)),
        "call_exact": _share(sum(one.exact for one in exact), len(exact)),
        "decline_accuracy": _share(sum(one.declined for one in decline), len(decline)),
        "counts": {"tool": len(easy), "hard": len(hard), "exact": len(exact), "decline": len(decline)},
    }


def _grouped(done: Sequence[tuple[Trial, Judged]], key: Callable[[Trial], str]) -> Json:
    groups: dict[str, list[tuple[Trial, Judged]]] = {}
    for trial, judged in done:
        groups.setdefault(key(trial), []).append((trial, judged))
    return {name: _figures(group) for name, group in sorted(groups.items())}


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None
