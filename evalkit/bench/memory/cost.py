"""What a query, a capture and a process cost, beside a plain FAISS + JSON store in the same run.

Records of the two sizes are filled in with stretched vectors (stretched.py); questions are embedded by the model, each
asked once. A capture is timed with everything it does: rules, embedding, one transaction a session.
"""

import statistics
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from evalkit.bench.frame import Order, median
from evalkit.bench.memory.histories import planted
from evalkit.bench.memory.prose import SESSION_TURNS, Prose, Said, moment, session_name
from evalkit.bench.memory.rival import PlainStore
from evalkit.bench.memory.stand import cpu_ms, fill, opened, source
from evalkit.bench.memory.stretched import BASE, Stretched
from evalkit.bench.processes import in_child
from memory.service import MemoryService
from runtime.contract import Json
from runtime.wiring import open_embedder

SMALL, LARGE = 10_000, 100_000
"""Records."""
QUERIES, WARM = 60, 5
"""Timed searches at a size, and those before that only warm up."""
INSERTS = 15
"""Timed single inserts at 10,000."""
SESSIONS = 12
"""Dialogues of a capture run."""
SENTENCES = 2
"""Of a captured turn: about 22 words, as in people's long chats."""


def query(order: Order) -> Json:
    """Searches at both sizes; the plain store at the smaller one."""
    small, large = min(order.limit or SMALL, SMALL), min(order.limit or LARGE, LARGE)
    first = _at(small, rival=True)
    second = _at(large, rival=False)
    return {
        "query_cpu_ms_10k": first["query_cpu_ms"],
        "query_cpu_ms_100k": second["query_cpu_ms"],
        "query_over_plain_10k": _ratio(first["query_cpu_ms"], first["plain_query_cpu_ms"]),
        "insert_over_plain_10k": _ratio(first["insert_cpu_ms"], first["plain_insert_cpu_ms"]),
        "sizes": [first, second],
    }


def _at(count: int, rival: bool) -> Json:
    """One store of `count` records in a file."""
    texts = _texts()
    embedder = Stretched(open_embedder(), list(islice(texts, BASE)))
    with TemporaryDirectory() as name:
        folder = Path(name)
        service = opened(folder / "memory.sqlite3", embedder)
        filled = fill(service, texts, count)
        embedder.filling = False
        report = {"records": count, **_searched(service), **_inserted(service, texts)}
        service.close()
        report["file_mb"] = round(sum(file.stat().st_size for file in folder.iterdir()) / 1e6, 1)
        if rival:
            report |= _beside(folder, embedder, filled, texts)
    return report


def _searched(service: MemoryService) -> Json:
    costs = [cpu_ms(partial(service.search, question, limit=10))[0] for question in _questions()]
    timed = costs[WARM:]
    return {
        "query_cpu_ms": median(timed, 2),
        "query_cpu_ms_p95": round(statistics.quantiles(timed, n=20)[-1], 2),
        "first_query_cpu_ms": round(costs[0], 1),
    }


def _inserted(service: MemoryService, texts: Iterator[str]) -> Json:
    costs = [cpu_ms(partial(service.add, text[:1000]))[0] for text in islice(texts, INSERTS)]
    after = cpu_ms(partial(service.search, "what was added just now", limit=10))[0]
    return {"insert_cpu_ms": median(costs, 2), "query_after_insert_cpu_ms": round(after, 2)}


def _beside(folder: Path, embedder: Stretched, filled: Sequence[str], texts: Iterator[str]) -> Json:
    """The plain store with the same records."""
    plain = PlainStore(folder, embedder)
    embedder.filling = True
    plain.fill(filled)
    embedder.filling = False
    searches = [cpu_ms(partial(plain.search, question, 10))[0] for question in _questions()]
    inserts = [cpu_ms(partial(plain.add, text))[0] for text in islice(texts, INSERTS)]
    return {
        "plain_query_cpu_ms": median(searches[WARM:], 2),
        "plain_insert_cpu_ms": median(inserts, 2),
        "plain_insert_rewrites_mb": round(plain.written_mb(), 1),
    }


def capture(order: Order) -> Json:
    """Records a CPU-second, a new file for each run, the model warm."""
    embedder = open_embedder()
    embedder.embed(["warm"])
    rates, words, made = [], [], 0
    for run in range(max(order.runs, 1)):
        prose = Prose(100 + run)
        sessions = [_session(prose, number) for number in range(min(order.limit or SESSIONS, SESSIONS))]
        words += [len(said.text.split()) for session in sessions for said in session]
        with TemporaryDirectory() as folder:
            service = opened(Path(folder) / "memory.sqlite3", embedder)
            spent = [cpu_ms(partial(service.capture, [source(said) for said in one]))[0] for one in sessions]
            made = service.store.count()
            service.close()
        rates.append(made / sum(spent) * 1000)
    return {
        "capture_per_cpu_s": median(rates, 1),
        "capture_records": made,
        "capture_words_mean": round(statistics.mean(words), 1),
        "capture_runs": [round(rate, 1) for rate in rates],
    }


def _session(prose: Prose, number: int) -> list[Said]:
    """One dialogue of turns of `SENTENCES` sentences."""
    said = []
    for place in range(SESSION_TURNS):
        order = number * SESSION_TURNS + place
        speaker = "assistant" if place % 2 else "user"
        text = " ".join(prose.sentence(speaker) for _ in range(SENTENCES))
        said.append(Said(session_name(order), order, speaker, text, moment(order)))
    return said


def process(order: Order) -> Json:
    """Peak memory of a process that opens 10,000 records and searches; CPU seconds of the import."""
    count = min(order.limit or SMALL, SMALL)
    texts = _texts()
    embedder = Stretched(open_embedder(), list(islice(texts, BASE)))
    with TemporaryDirectory() as name:
        file = Path(name) / "memory.sqlite3"
        service = opened(file, embedder)
        fill(service, texts, count)
        service.close()
        command = [sys.executable, "-m", "evalkit.bench.memory.searching", str(file)]
        peaks = [
            in_child(command, "a search in a process of its own")["rss_mb"] for _ in range(max(1, order.runs // 2))
        ]
    loads = [in_child([sys.executable, "-c", IMPORT], "import memory.service") for _ in range(order.runs + 1)][1:]
    return {
        "rss_mb_10k": median(peaks, 1),
        "import_s": median((one["cpu_s"] for one in loads), 3),
        "import_wall_s": median((one["wall_s"] for one in loads), 3),
        "rss_records": count,
    }


IMPORT = "import sys, memory.service; sys.exit('torch' in sys.modules)"
"""Fails where torch came along."""


def _texts() -> Iterator[str]:
    prose = Prose(7)
    while True:
        yield prose.turn()


def _questions() -> list[str]:
    return [one.question for one in planted(QUERIES + WARM)]


def _ratio(own: float | None, other: float | None) -> float | None:
    return round(own / other, 2) if own is not None and other else None
