"""The sandbox bench: its calls succeed, its mix is fair, its report has the issue's keys."""

from collections import Counter

import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.bench.calls import NEVER, PHONE, episodes, load_samples, schedule
from evalkit.bench.frame import Order, run_bench
from evalkit.bench.sandbox import SANDBOX
from runtime.config import Settings
from runtime.contract import Effect

SAMPLES = load_samples()
FIGURES = (
    "reset_ms_p50",
    "calls_per_s",
    "spoken_calls_per_s",
    "slowdown_500_over_5",
    "worlds_10k_mb",
    "oracle_replay_s",
)


def test_every_tool_and_action_has_a_sample():
    wanted = {
        name
        for spec in Sandbox().tools()
        for name in ([f"{spec.name}.{action}" for action in spec.action_effects] or [spec.name])
    }
    assert set(SAMPLES) == wanted


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_succeeds_alike_in_canonical_and_spoken_form(name):
    sample = SAMPLES[name]
    executed = []
    for call in (sample.call, sample.said):
        phone = Sandbox(PHONE)
        for before in sample.after:
            assert phone.execute(SAMPLES[before].call, NEVER).ok, before
        seen = phone.execute(call, NEVER)
        assert seen.ok, seen.failure
        executed.append(seen.call.arguments)
    assert executed[0] == executed[1]


def test_the_schedule_calls_every_tool_equally_often_and_writes_half_the_time():
    calls = schedule(list(SAMPLES.values()), 4)
    tools = len(Sandbox().tools())
    assert len(calls) == 4 * tools
    assert set(Counter(sample.call.name for sample in calls).values()) == {4}
    assert sum(sample.writes for sample in calls) == 2 * tools


def test_a_sample_writes_unless_its_effect_is_reading():
    assert SAMPLES["manage_alarm.create"].writes
    assert not SAMPLES["manage_alarm.query"].writes
    reading = {spec.name for spec in Sandbox().tools() if spec.effects == {Effect.READ}}
    assert not any(sample.writes for sample in SAMPLES.values() if sample.call.name in reading)


def test_episodes_keep_every_call_in_order():
    calls = schedule(list(SAMPLES.values()), 2)
    cut = list(episodes(calls, SAMPLES))
    assert [sample.name for episode in cut for _, sample in episode.steps] == [sample.name for sample in calls]
    assert all(episode.steps for episode in cut)


def test_the_report_has_the_keys_of_the_figures():
    report = run_bench(SANDBOX, Order(Settings(), runs=1, limit=1, suites=("core",)))
    for key in FIGURES:
        assert report[key] > 0
    tools = len(Sandbox().tools())
    calls = report["parts"]["calls"]
    assert (calls["calls"], calls["tools"]) == (tools, tools)
    assert abs(2 * calls["writes"] - tools) <= 1
    assert report["parts"]["slowdown"]["compared_calls"] >= 1
    assert report["limits"]["calls_per_s"]["at_least"] == 20_000
