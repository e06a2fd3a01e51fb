"""The embedder: what it costs in a process, and whether tool recall finds the right tool for what people said.

a folder of utterance sets -> rows that the map gives a tool -> Recall.rank over all tools -> place of the right one
"""

from evalkit.bench.frame import Bench, Figure, Order
from evalkit.utterances.mapping import gold_of, load_map
from evalkit.utterances.rows import Utterance, read_utterances, select
from evalkit.utterances.score import sample_rows
from memory.embedder.measure import cost
from runtime.contract import Json, TaskView
from runtime.wiring import open_phone, open_recall, world_of

ROWS = 2_000
"""Rows of the held-out part, chosen by hash."""
TOP = (1, 5, 15)


def embedder_cost(order: Order) -> Json:
    """CPU time and memory of the shipped embedder; load and memory hold for a process that had not loaded it."""
    return dict(cost())


def recall(order: Order) -> Json:
    """Share of rows whose right tool is among the first 1, 5, 15; nothing without a folder."""
    if order.utterances is None:
        return {"rows": 0}
    rows = sample_rows(select(read_utterances(order.utterances), "dev"), order.limit or ROWS)
    asked = [(row, gold.tool) for row in rows if (gold := gold_of(row)) is not None and gold.tool]
    ranker = open_recall(trained=False)  # its own texts alone: what the embedder does, not what was learned beside it
    tools = list(open_phone("sandbox", world_of(order.settings)).tools())
    places: list[tuple[Utterance, int]] = []
    for row, wanted in asked:
        names = [tool.name for tool in ranker.rank(TaskView(request=row.text), tools)]
        places.append((row, names.index(wanted)))
    sources = sorted({row.source for row, _ in places})
    return {
        **{f"recall_at_{top}": _share([place for _, place in places], top) for top in TOP},
        "rows": len(places),
        "tools": len(tools),
        "map_digest": load_map()[2],
        "recall_at_15_by_source": {
            source: _share([place for row, place in places if row.source == source], 15) for source in sources
        },
    }


def _share(places: list[int], top: int) -> float | None:
    return round(sum(place < top for place in places) / len(places), 4) if places else None


EMBEDDER = Bench(
    name="embedder",
    title="The embedder: its cost, and tool recall over the utterance sets of a folder.",
    parts={"cost": embedder_cost, "recall": recall},
    figures=(
        Figure("load_cpu_s", "import and load"),
        Figure("query_cpu_ms", "a short text"),
        Figure("rss_peak_mb", "peak memory of the process"),
        Figure("recall_at_15", "right tool among 15, held-out rows that ask for a call"),
    ),
)
