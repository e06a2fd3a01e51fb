"""Tool recall: whether the right tool is among the 15 that a request is shown, and what finding them costs.

    a folder of utterance sets -> rows that the map gives a tool -> Recall.rank over all tools -> place of the right one
    requests.txt -> the same, each timed alone                                                 -> CPU time of a request

1. All rows of the folder that name a tool of ours count, each once. Recall has learned from four fifths of them; those
   that no training sees are told apart as `held_out`, and say what it does on new words. Without a folder the cost
   alone is measured.
2. The tools are those of `pocket run` under the settings: `--set memory.use=true --set skills.use=true` adds theirs.
3. A request's CPU time is that of the whole process, its embedding and all threads included.
"""

import time
from collections import Counter

from evalkit.bench.frame import Bench, Figure, Order, median
from evalkit.bench.requests import requests
from evalkit.utterances.mapping import gold_of, load_map
from evalkit.utterances.rows import Utterance, read_utterances
from evalkit.utterances.score import sample_rows
from runtime.contract import Json, TaskView
from runtime.wiring import offered_tools, open_recall

TOP = (1, 5, 15)
WORST = 8
"""Tools named with the most rows that recall lost."""


def utterances(order: Order) -> Json:
    """Share of rows whose tool is among the first 1, 5, 15; nothing without a folder."""
    if order.utterances is None:
        return {"rows": 0, "recall_at_15": None}
    rows = read_utterances(order.utterances)
    chosen = sample_rows(rows, order.limit) if order.limit else rows
    asked = [(row, gold.tool) for row in chosen if (gold := gold_of(row)) is not None and gold.tool]
    ranker, tools = open_recall(), offered_tools(order.settings)
    names = {spec.name for spec in tools}
    places: list[tuple[Utterance, str, int]] = []
    for row, wanted in asked:
        if wanted in names:
            ranked = [spec.name for spec in ranker.rank(TaskView(request=row.text), tools)]
            places.append((row, wanted, ranked.index(wanted)))
    lost = Counter(wanted for _, wanted, place in places if place >= TOP[-1])
    held_out = [place for row, _, place in places if row.held_out]
    return {
        **{f"recall_at_{top}": _share([place for *_, place in places], top) for top in TOP},
        **{f"recall_at_{top}_held_out": _share(held_out, top) for top in TOP},
        "recall_at_15_by_source": {
            source: _share([place for row, _, place in places if row.source == source], TOP[-1])
            for source in sorted({row.source for row, *_ in places})
        },
        "rows": len(places),
        "rows_held_out": len(held_out),
        "tools": len(tools),
        "lost_by_tool": dict(lost.most_common(WORST)),
        "map_digest": load_map()[2],
    }


def cost(order: Order) -> Json:
    """CPU milliseconds of one request, once tools are learned; the median over requests and runs."""
    ranker, tools = open_recall(), offered_tools(order.settings)
    ranker.warm(tools)
    said = requests()[: order.limit]
    taken: list[float] = []
    for _ in range(order.runs):
        for request in said:
            began = time.process_time()
            ranker.rank(TaskView(request=request), tools)
            taken.append((time.process_time() - began) * 1000)
    ordered = sorted(taken)
    return {
        "cpu_ms": median(taken, 2),
        "cpu_ms_p95": round(ordered[len(ordered) * 95 // 100], 2),
        "requests": len(said),
    }


def _share(places: list[int], top: int) -> float | None:
    return round(sum(place < top for place in places) / len(places), 4) if places else None


RECALL = Bench(
    name="recall",
    title="Tool recall over the utterance sets of a folder, and its cost.",
    parts={"utterances": utterances, "cost": cost},
    figures=(
        Figure("recall_at_15", "right tool among 15, rows that name a tool of ours", 0.97, "at_least"),
        Figure("recall_at_15_held_out", "the same, held-out rows alone", 0.97, "at_least"),
        Figure("recall_at_5", "right tool among 5"),
        Figure("recall_at_1", "right tool first"),
        Figure("recall_at_1_held_out", "the same, held-out rows alone"),
        Figure("cpu_ms", "CPU time of one request", 10.0),
    ),
)
