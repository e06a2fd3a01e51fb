"""The runtime bench and the embedder's: shapes at tiny sizes; what a number means, never how large it is."""

import json

import pytest

from evalkit.bench import speed
from evalkit.bench.child import measured
from evalkit.bench.embedder import EMBEDDER
from evalkit.bench.frame import Order, run_bench
from evalkit.bench.requests import requests
from evalkit.bench.runtime import RUNTIME, _reuse
from evalkit.bench.survival.kills import RUNTIME_FAULTS, Left, Tally, _compare
from runtime.config import Settings, load_settings
from runtime.contract import Decision, Finish, Step, Usage, UserError

KEYWORD = load_settings({"planner": {"use": "keyword"}})


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def test_there_are_fifty_different_requests():
    assert len(requests()) == 50
    assert len(set(requests())) == 50


def test_decisions_and_overhead_come_from_episodes_of_every_request():
    report = run_bench(RUNTIME, Order(KEYWORD, limit=3), ["decisions"])
    part = report["parts"]["decisions"]
    assert part["requests"] == 3
    assert part["later_decisions"] >= 1
    assert report["first_decision_s_p50"] > 0
    assert report["overhead_ms_p50"] > 0
    assert part["planner"].startswith("keyword")
    assert part["memories"] == 100
    assert part["tools"] > 212
    assert part["prefix_reuse"] is None  # it reads no tokens


def step(index, prompt, cached, written):
    usage = Usage(prompt_tokens=prompt, cached_tokens=cached, output_tokens=written)
    return Step(index=index, decision=Decision(actions=(Finish(),), usage=usage))


def test_reuse_counts_what_stood_there_against_what_was_kept():
    steps = [step(0, 480, 50, 20), step(1, 600, 495, 20), step(0, 400, 50, 30), step(1, 500, 430, 10)]
    # 495 of 500 and 430 of 430; a first step has none before it
    assert _reuse(steps) == round(925 / 930, 4)
    assert _reuse(steps[:1]) is None


def test_growth_is_of_steps_2_and_15():
    report = run_bench(RUNTIME, Order(KEYWORD, limit=2), ["growth"])
    part = report["parts"]["growth"]
    assert (part["growth_episodes"], part["growth_memories"]) == (2, 100)
    assert report["overhead_growth"] == round(part["overhead_step_15_ms_p50"] / part["overhead_step_2_ms_p50"], 3)


def test_a_few_kills_repeat_and_lose_nothing():
    report = run_bench(RUNTIME_FAULTS, Order(KEYWORD, limit=2))
    assert (report["repeats"], report["lost"], report["unconfirmed"], report["kills"]) == (0, 0, 0, 2)
    assert report["parts"]["kills"]["calls_a_run"] == 11


def test_what_is_more_is_a_repeat_and_what_is_less_is_lost():
    whole = Left({("alarms", "a"): {"time": "06:00"}, ("volumes", "media"): {"percent": 60}}, ())
    twice = Left({("alarms", "a"): {"time": "06:00"}, ("alarms", "b"): {"time": "06:00"},
                  ("volumes", "media"): {"percent": 70}}, ())  # fmt: skip
    tally = Tally()
    _compare(whole, twice, None, tally)
    assert (tally.repeats, tally.lost, tally.unconfirmed) == (2, 1, 1)
    tally = Tally()
    _compare(whole, Left({("volumes", "media"): {"percent": 60}}, ()), None, tally)
    assert (tally.repeats, tally.lost) == (0, 1)


def test_speed_needs_a_local_model():
    with pytest.raises(UserError, match="no local GGUF"):
        run_bench(RUNTIME, Order(KEYWORD, limit=1), ["decode"])


@pytest.mark.model
def test_both_sides_read_the_same_tokens_and_write(monkeypatch):
    monkeypatch.setattr(speed, "REPEATS", 1)
    order = Order(load_settings({"planner": {"use": "base", "max_output_tokens": 40}}), limit=1)
    report = run_bench(RUNTIME, order, ["decode", "prefill"])
    assert report["decode_ratio"] > 0
    assert report["prefill_ratio"] > 0
    assert report["parts"]["decode"]["sampled_tokens"] >= 1
    assert report["parts"]["prefill"]["prefill_tokens_p50"] > 200


def test_memory_and_help_are_of_real_processes():
    report = run_bench(RUNTIME, Order(KEYWORD, runs=1), ["memory", "help"])
    part = report["parts"]["memory"]
    assert report["rss_mb_peak"] == max(part["first_run_rss_mb"], part["second_run_rss_mb"])
    assert report["rss_mb_peak"] > 20
    assert report["help_s"] > 0


def test_a_child_gives_its_exit_code_and_last_words():
    found = measured(["sh", "-c", "echo oh >&2; exit 3"])
    assert (found["code"], found["said"]) == (3, "oh\n")


def test_recall_counts_rows_that_ask_for_a_call(tmp_path):
    sure = {"source": "hwu64", "intent": "alarm_set", "slots": []}
    texts = [f"wake me up at {hour} in the morning and {word}" for hour in range(4, 12) for word in ("sing", "ring")]
    lines = [json.dumps({**sure, "text": text}) for text in texts]
    (tmp_path / "set.jsonl").write_text("\n".join(lines), encoding="utf-8")
    report = run_bench(EMBEDDER, Order(Settings(), utterances=tmp_path), ["recall"])
    part = report["parts"]["recall"]
    assert 1 <= part["rows"] < len(texts)
    assert report["recall_at_15"] == 1.0
    assert part["recall_at_15_by_source"] == {"hwu64": 1.0}


def test_without_a_folder_there_is_no_recall():
    report = run_bench(EMBEDDER, Order(Settings()), ["recall"])
    assert report["parts"]["recall"]["rows"] == 0
    assert "recall_at_15" not in report
