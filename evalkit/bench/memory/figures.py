"""The three benches of the memory with their figures: everyday, long histories, faults."""

from evalkit.bench.frame import Bench, Figure
from evalkit.bench.memory.cache import cache
from evalkit.bench.memory.cost import capture, process, query
from evalkit.bench.memory.erasures import erasures
from evalkit.bench.memory.kills import kills
from evalkit.bench.memory.length import length
from evalkit.bench.memory.recall import updates
from evalkit.bench.memory.tenants import fuzz, tenants

MEMORY = Bench(
    name="memory",
    title="The memory: changed facts, queries, capture, a process; beside a plain FAISS + JSON store.",
    parts={"updates": updates, "query": query, "capture": capture, "process": process},
    figures=(
        Figure("stale_above_new", "questions about a changed fact that show the old one first", 0.05),
        Figure("update_found_at_10", "the same questions: the new one among 10"),
        Figure("stale_above_new_in_other_words", "144 more questions that nothing was written in view of"),
        Figure("plain_stale_above_new", "the same of the plain store"),
        Figure("query_cpu_ms_10k", "a search among 10,000 records, question embedded", 10.0),
        Figure("query_cpu_ms_100k", "among 100,000", 40.0),
        Figure("query_over_plain_10k", "over the plain store's, 10,000 records"),
        Figure("insert_over_plain_10k", "one insert over the plain store's, 10,000 records"),
        Figure("capture_per_cpu_s", "turns captured a CPU-second, embedded", 150.0, "at_least"),
        Figure("rss_mb_10k", "peak memory of a process that searches 10,000", 250.0),
        Figure("import_s", "`import memory.service`, CPU time, without torch", 0.5),
    ),
)
MEMORY_LONG = Bench(
    name="memory --long",
    title="The memory over histories of 100 thousand, 1 million and 10 million tokens with planted evidence.",
    parts={"length": length},
    figures=(
        Figure("recall_at_10_100k", "evidence turns among the first 10, 100 thousand tokens"),
        Figure("recall_at_10_1m", "1 million"),
        Figure("recall_at_10_10m", "10 million"),
        Figure("recall_drop_points", "from the shortest to the longest", 5.0),
        Figure("query_cpu_ms_longest", "a search in the longest"),
        Figure("ingest_turns_per_cpu_s_longest", "turns captured a CPU-second, the longest"),
    ),
)
MEMORY_FAULTS = Bench(
    name="memory --faults",
    title="The memory under kills, erasures, other users' questions, nonsense and damaged caches.",
    parts={"kills": kills, "erasures": erasures, "tenants": tenants, "fuzz": fuzz, "cache": cache},
    figures=(
        Figure("acked_lost", "acknowledged records lost to 500 kills of two writers", 0),
        Figure("wrong_id", "ids that stood for another text", 0),
        Figure("integrity_failures", "kills after which a check failed", 0),
        Figure("erasure_leftovers", "files that still held an erased text or its token ids", 0),
        Figure("tenant_leaks", "records of another user that were shown", 0),
        Figure("query_errors", "fuzzed questions that raised", 0),
        Figure("corrupt_accepted", "damaged cache files that were taken for good", 0),
    ),
)
