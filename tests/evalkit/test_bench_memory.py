"""The benches of the memory at a tiny size: the shape of what they report, and that they can find something wrong."""

import json

import numpy as np
import pytest

from evalkit.bench.frame import Order, run_bench
from evalkit.bench.memory import cache, cost, erasures, kills, length, recall, tenants
from evalkit.bench.memory.figures import MEMORY, MEMORY_FAULTS, MEMORY_LONG
from evalkit.bench.memory.home import furnished
from evalkit.bench.memory.rival import PlainStore
from evalkit.bench.memory.stand import NOW, Hashed, fill, opened
from evalkit.bench.memory.stretched import Stretched
from memory.store import MemoryStore
from runtime.cli.root import main
from runtime.config import Settings


def order(limit, **more):
    return Order(Settings(), runs=1, limit=limit, **more)


def test_the_figures_of_the_issue_have_their_limits():
    limits = {figure.key: (figure.kind, figure.limit) for bench in (MEMORY, MEMORY_LONG, MEMORY_FAULTS)
              for figure in bench.figures if figure.limit is not None}  # fmt: skip
    assert limits == {
        "stale_above_new": ("at_most", 0.05),
        "query_cpu_ms_10k": ("at_most", 10.0),
        "query_cpu_ms_100k": ("at_most", 40.0),
        "capture_per_cpu_s": ("at_least", 150.0),
        "rss_mb_10k": ("at_most", 250.0),
        "import_s": ("at_most", 0.5),
        "recall_drop_points": ("at_most", 5.0),
        **dict.fromkeys(
            ("acked_lost", "wrong_id", "integrity_failures", "erasure_leftovers", "tenant_leaks", "query_errors",
             "corrupt_accepted"), ("at_most", 0),
        ),
    }  # fmt: skip


def test_one_of_long_and_faults(capsys):
    assert main(["bench", "memory", "--long", "--faults"]) == 2
    assert "one of `--long` and `--faults`" in capsys.readouterr().err


def test_two_writers_lose_nothing_to_a_kill():
    report = kills.kills(order(2))
    assert (report["kills"], report["writers_that_died_by_themselves"], report["kill_problems"]) == (2, 0, [])
    assert (report["acked_lost"], report["wrong_id"], report["integrity_failures"]) == (0, 0, 0)
    assert report["acknowledged"] > 0


def test_a_lost_and_a_changed_record_are_counted(tmp_path):
    file = tmp_path / "memory.sqlite3"
    service = opened(file, Hashed())
    record = service.add("Parks on level two")
    tally = kills.Tally()
    kills._looked_up(service, {record.id: "Parks on level two", "mem_0002": "gone"}, tally)
    assert (tally.lost, tally.wrong_id) == (1, 0)
    kills._looked_up(service, {record.id: "Parks elsewhere"}, tally)
    assert (tally.lost, tally.wrong_id) == (1, 1)
    service.close()


def test_what_is_forgotten_is_looked_for_in_every_form(tmp_path):
    with furnished(tmp_path, 4) as home:
        files = {secret.id: set(erasures._leftovers(home.folder, secret)) for secret in home.secrets}
    for found in files.values():
        assert {
            "data/memory.sqlite3",
            "data/traces.sqlite3",
            "data/datasets/corpus.npz",
            "data/datasets/lines.jsonl",
            "data/datasets/packed.jsonl.gz",
        } <= {name.removesuffix("-wal") for name in found}


def test_erasures_leave_nothing_and_take_nothing_else(monkeypatch):
    monkeypatch.setattr(erasures, "KEPT", 2)
    report = erasures.erasures(order(2))
    assert report["erasures_that_had_something"] == 2
    wrong = (
        "erasure_leftovers",
        "erasures_incomplete",
        "stale_context_files_served",
        "erasure_overreach",
        "erased_trainable",
    )
    assert {name: report[name] for name in wrong} == dict.fromkeys(wrong, 0)


def test_damaged_caches_are_refused_and_whole_ones_taken(monkeypatch):
    monkeypatch.setattr(cache, "RECORDS", 60)
    monkeypatch.setattr(cache, "WHOLE", 2)
    report = cache.cache(order(14))
    assert (report["corrupt_accepted"], report["corrupt_wrong_answers"], report["whole_files_refused"]) == (0, 0, 0)


@pytest.mark.parametrize("damage", cache.DAMAGE)
def test_every_damage_changes_the_file(damage):
    dice = cache.Random(1)
    good = b'{"count": 3}\n' + bytes(range(256)) * 2000
    files = cache.Files(good, b'{"count": 2}\n' + bytes(reversed(range(256))) * 1999, b'{"count": 9}\n' + bytes(9000))
    for _ in range(20):
        assert cache.DAMAGE[damage](files, dice) != good


def test_no_user_sees_another_ones_records(monkeypatch):
    monkeypatch.setattr(tenants, "RECORDS", 30)
    report = tenants.tenants(order(40))
    assert (report["tenant_leaks"], report["tenant_searches"]) == (0, 40)
    assert report["tenant_records_shown"] > 40


def test_nonsense_raises_nothing():
    report = tenants.fuzz(order(60))
    assert (report["query_errors"], report["query_errors_by_name"], report["fuzzed_queries"]) == (0, {}, 60)


def test_lengths_are_reported_one_by_one():
    report = length.length(order(10, sizes=(6_000, 12_000)))
    assert [one["tokens"] for one in report["lengths"]] == [6_000, 12_000]
    assert report["recall_at_10_6k"] == report["lengths"][0]["recall_at_10"] > 0.5
    assert set(report["lengths"][0]["recall_at_10_by_kind"]) == {"asked", "meant", "retold", "two", "changed"}


def test_updates_are_asked_of_both_stores():
    report = recall.updates(order(20))
    assert report["update_questions"] == 20
    assert report["stale_above_new"] < report["plain_stale_above_new"]
    assert len(report["stale_above_new_by_kind"]) == 12


def test_the_report_of_memory_has_every_part(monkeypatch):
    monkeypatch.setattr(cost, "QUERIES", 6)
    monkeypatch.setattr(cost, "INSERTS", 2)
    report = run_bench(MEMORY, order(240), ["query", "capture", "process"])
    assert all(report[key] > 0 for key in ("query_cpu_ms_10k", "query_cpu_ms_100k", "capture_per_cpu_s", "rss_mb_10k"))
    assert report["parts"]["query"]["sizes"][0]["records"] == 240
    json.dumps(report)


def test_the_plain_store_filters_after_it_has_searched(tmp_path):
    plain = PlainStore(tmp_path, Hashed())
    plain.fill(["the cat sat", "the dog ran"], "anna")
    plain.add("the cat ran", "bela")
    assert plain.search("the cat sat", 1, "anna") == ["the cat sat"]
    assert plain.search("the cat sat", 1, "bela") == []
    assert plain.written_mb() > 0


def test_stretched_vectors_are_of_unit_length_and_questions_are_real():
    stretched = Stretched(Hashed(), ["one two", "three four"])
    made = stretched.embed(["x"] * 50)
    assert np.linalg.norm(made, axis=1) == pytest.approx(np.ones(50), abs=1e-5)
    assert len(np.unique(made, axis=0)) == 50
    stretched.filling = False
    assert np.array_equal(stretched.embed(["one two"]), Hashed().embed(["one two"]))


def test_filling_makes_records_with_vectors(tmp_path):
    service = opened(tmp_path / "memory.sqlite3", Hashed())
    assert fill(service, iter(["a b", "c d", "e f"]), 2) == ["a b", "c d"]
    service.close()
    store = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    assert (store.count(), store.without_vector(Hashed.identity, 9)) == (2, [])
    store.close()
