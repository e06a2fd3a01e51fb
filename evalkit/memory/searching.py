"""Evidence for each question through the public search, its ranks, and what became of the attempts.

"At 10" counts distinct source turns in the order in which the search ranks them: a turn that is shown twice takes one
place; what an item replaced is shown with it and takes the places right behind.
"""

import time
from collections.abc import Callable, Iterator

from evalkit.memory.artifacts import Log
from evalkit.memory.dataset import Question
from memory.retrieval import Evidence, EvidenceSet
from memory.service import MemoryService
from runtime.contract import Json, PocketError

DEEP = 20
"""Places that are looked at."""
SHOWN_ITEMS = 24
"""Items that are asked for, so that as many places are filled though a turn may stand twice."""
ATTEMPTS = 3
"""Tries of one search."""

Search = Callable[[str], EvidenceSet]


def searched(question: Question, key: str, search: Search, log: Log) -> Json:
    """The line of a question: kept from before unless every attempt failed then."""
    kept = log.get(key)
    if kept is not None and kept["status"] != "failed":
        return kept
    tries_before = kept["tries"] if kept is not None else 0
    errors: list[str] = []
    for _ in range(ATTEMPTS):
        start = time.process_time_ns()
        try:
            found = search(question.text)
        except (PocketError, OSError, RuntimeError) as error:
            errors.append(f"{type(error).__name__}: {str(error)[:200]}")
            continue
        spent = (time.process_time_ns() - start) / 1e6
        status = "recovered" if errors or tries_before else "ok"
        tries = tries_before + len(errors) + 1
        return log.put(
            key, {**_line(question, found), "status": status, "tries": tries, "errors": errors, "cpu_ms": spent}
        )
    return log.put(key, {"status": "failed", "tries": tries_before + len(errors), "errors": errors})


def through(service: MemoryService, budget: int | None = None) -> Search:
    """The search of a memory as an application calls it."""
    return lambda text: service.search(text, limit=SHOWN_ITEMS, budget=budget)


def places(found: EvidenceSet) -> list[str]:
    """Distinct source turns by rank."""
    ranked = sorted(found.items, key=lambda item: item.rank)
    return list(dict.fromkeys(record.turn for item in ranked for record in (item.record, *item.supersedes)))


def _line(question: Question, found: EvidenceSet) -> Json:
    order = places(found)
    at = {turn: place for place, turn in enumerate(order, 1)}
    return {
        "ranks": {turn: at.get(turn) for turn in question.evidence},
        "shown": [line for item in found.items for line in _shown(item)],
        "kind": found.query.kind,
        "left_out": found.left_out,
        "tokens": found.tokens,
        "note": found.note,
    }


def _shown(item: Evidence) -> Iterator[Json]:
    """An item, and what it replaced."""
    told = {"rank": item.rank, "score": item.score, "via": list(item.via)}
    for record in (item.record, *item.supersedes):
        stale = item.stale or record is not item.record
        yield {"id": record.id, "turn": record.turn, **told, "stale": stale, "text": record.original or record.content,
               "speaker": record.speaker, "at": record.valid_from}  # fmt: skip


def ranks_of(line: Json) -> Iterator[float]:
    """The place of each piece of evidence; infinity for one that is not shown."""
    for rank in line["ranks"].values():
        yield float("inf") if rank is None else float(rank)
