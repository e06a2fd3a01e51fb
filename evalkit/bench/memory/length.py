"""Recall, ingestion and query time against the length of a history: the same questions at every length.

histories.py -> capture, a session at a time -> questions -> the share of the evidence turns among the first 10
"""

import time
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from evalkit.bench.frame import Order, median
from evalkit.bench.memory.histories import QUESTIONS, History, Planted, shown
from evalkit.bench.memory.stand import cpu_ms, feed, opened, texts_of
from memory.service import MemoryService
from runtime.contract import Json
from runtime.wiring import open_embedder

LENGTHS = (100_000, 1_000_000, 10_000_000)
"""Tokens."""
TOP = 10


def length(order: Order) -> Json:
    """A report for each length; `--tokens` names others, `--limit` fewer questions."""
    questions = min(order.limit or QUESTIONS, QUESTIONS)
    reports = [_measured(History(tokens, questions=questions)) for tokens in order.sizes or LENGTHS]
    recalls = [report["recall_at_10"] for report in reports]
    return {
        **{f"recall_at_10_{_short(report['tokens'])}": report["recall_at_10"] for report in reports},
        "recall_drop_points": round(100 * (recalls[0] - recalls[-1]), 2),
        "query_cpu_ms_longest": reports[-1]["query_cpu_ms"],
        "ingest_turns_per_cpu_s_longest": reports[-1]["ingest_turns_per_cpu_s"],
        "questions": questions,
        "lengths": reports,
    }


def _measured(history: History) -> Json:
    with TemporaryDirectory() as folder:
        service = opened(Path(folder) / "memory.sqlite3", open_embedder())
        began = time.perf_counter()
        spent, turns = cpu_ms(partial(feed, service, history.turns()))
        wall = time.perf_counter() - began
        report = {
            "tokens": history.tokens,
            "turns": turns,
            "records": service.store.count(),
            "ingest_cpu_s": round(spent / 1000, 1),
            "ingest_s": round(wall, 1),
            "ingest_turns_per_cpu_s": round(turns / spent * 1000, 1),
            **_asked(service, history.planted()),
        }
        service.close()
        report["files_mb"] = round(sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6, 1)
    return report


def _asked(service: MemoryService, questions: Sequence[Planted]) -> Json:
    first, _ = cpu_ms(partial(service.search, "what is there to know", limit=TOP))
    kinds: dict[str, list[float]] = defaultdict(list)
    costs: list[float] = []
    for one in questions:
        cost, texts = cpu_ms(partial(texts_of, service, one.question, TOP))
        kinds[one.kind].append(shown(one.statements[-one.needed :], texts[:TOP]) / one.needed)
        costs.append(cost)
    every = [found for kind in kinds.values() for found in kind]
    return {
        "recall_at_10": round(sum(every) / len(every), 4),
        "recall_at_10_by_kind": {kind: round(sum(found) / len(found), 4) for kind, found in kinds.items()},
        "query_cpu_ms": median(costs, 2),
        "first_query_cpu_ms": round(first, 1),
    }


def _short(tokens: int) -> str:
    """`100k`, `10m`."""
    for unit, letter in ((1_000_000, "m"), (1_000, "k")):
        if tokens >= unit and tokens % unit == 0:
            return f"{tokens // unit}{letter}"
    return str(tokens)
