"""The sandbox phone: reset, calls a second, whether a long history costs anything, and what tasks cost. In CPU time.

calls.toml -> schedule -> episodes -> execute (timed alone: what must come before, and resets, are not)
tasks of dev and test -> worlds, replay (tasks.py)
"""

import random
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence

from device.sandbox.arguments import forget_readings
from device.sandbox.sandbox import Sandbox
from evalkit.bench.calls import NEVER, PHONE, TALKING, Episode, Sample, episodes, load_samples, schedule
from evalkit.bench.frame import Bench, Figure, Order, Part, median
from evalkit.bench.tasks import replay, worlds
from runtime.contract import Json, WorldSpec

ROUNDS = 12
"""Calls of each tool in one run."""
RESETS = 200
EARLY, LATE, WINDOW = 5, 500, 5
"""The steps that are compared, and how many calls stand for each."""
HISTORIES = 400
"""Long episodes; each measures `WINDOW` samples early and late."""
DISTURBING = ("control_device_power", "reset_settings", "manage_airplane_mode")
"""Tools that change what many others do: kept out of the history between the two steps."""


def reset(order: Order) -> Json:
    """CPU time of one reset after an episode: to the same world, and to one that was never built."""
    samples = load_samples()
    steps = [step for episode in episodes(schedule(list(samples.values()), 1), samples) for step in episode.steps]
    same: list[float] = []
    new: list[float] = []
    phone, world = Sandbox(PHONE), PHONE
    for number in range(order.limit or RESETS):
        fresh = WorldSpec(
            facts=(TALKING, {"table": "flashlight", "on": True}, {"table": "notes", "id": f"n{number}", "content": "x"})
        )
        for wanted, times in ((world, same), (fresh, new)):
            for before, sample in random.Random(number).sample(steps, 15):
                for one in (*before, sample):
                    phone.execute(one.call, NEVER)
            start = time.process_time_ns()
            phone.reset(wanted)
            times.append((time.process_time_ns() - start) / 1e6)
    return {"reset_ms_p50": median(same), "reset_new_world_ms_p50": median(new), "resets": len(same)}


def calls(order: Order) -> Json:
    """Calls a second with canonical values."""
    samples = load_samples()
    planned = schedule(list(samples.values()), order.limit or ROUNDS)
    cut = list(episodes(planned, samples))
    rates, spent = [], defaultdict[str, list[int]](list)
    for _ in range(order.runs + 1):  # the first run fills what the phone remembers, and is left out
        rates.append(_rate(cut, spoken=False, spent=spent))
    slow = sorted(spent, key=lambda name: -statistics.median(spent[name]))[:8]
    return {
        "calls_per_s": round(statistics.median(rates[1:])),
        "calls": len(planned),
        "writes": sum(sample.writes for sample in planned),
        "tools": len({sample.call.name for sample in planned}),
        "episodes": len(cut),
        "runs_calls_per_s": [round(rate) for rate in rates[1:]],
        "slowest_us": {name: round(statistics.median(spent[name]) / 1e3, 1) for name in slow},
    }


def spoken(order: Order) -> Json:
    """Calls a second with values as said; every reading is forgotten before each call."""
    samples = load_samples()
    planned = schedule(list(samples.values()), order.limit or ROUNDS // 2)
    cut = list(episodes(planned, samples))
    rates = [_rate(cut, spoken=True, spent=defaultdict(list)) for _ in range(order.runs + 1)]
    said = [sample for sample in planned if sample.said != sample.call]
    return {
        "spoken_calls_per_s": round(statistics.median(rates[1:])),
        "spoken_calls": len(planned),
        "with_spoken_values": len(said),
    }


def _rate(cut: Sequence[Episode], spoken: bool, spent: dict[str, list[int]]) -> float:
    """Calls a second of CPU time over all episodes; `spent` collects nanoseconds by sample."""
    clock, total, count = time.process_time_ns, 0, 0
    for episode in cut:
        phone = Sandbox(PHONE)
        for before, sample in episode.steps:
            for one in before:
                phone.execute(one.call, NEVER)
            call = sample.said if spoken else sample.call
            if spoken:
                forget_readings()
            start = clock()
            seen = phone.execute(call, NEVER)
            took = clock() - start
            assert seen.ok, (sample.name, seen.failure)
            total, count = total + took, count + 1
            spent[sample.name].append(took)
    return count / total * 1e9


def slowdown(order: Order) -> Json:
    """Step 500 against step 5 of one episode: each sample's median late over its median early, over their sums."""
    samples = load_samples()
    steady = [one for one in samples.values() if not one.after and one.call.name not in DISTURBING]
    early, late = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    dice = random.Random(0)
    for _ in range(order.limit or HISTORIES):
        probes = dice.sample(steady, WINDOW)
        names = {probe.call.name for probe in probes}
        history = [one for one in schedule(steady, 8) if one.call.name not in names]
        dice.shuffle(history)
        phone = Sandbox(PHONE)
        first = _window(phone, probes, history, EARLY)
        last = _window(phone, probes, history, LATE)
        for probe, before, after in zip(probes, first, last, strict=True):
            if before and after:
                early[probe.name].append(before)
                late[probe.name].append(after)
    at_start = sum(statistics.median(times) for times in early.values())
    at_end = sum(statistics.median(times) for times in late.values())
    return {
        "slowdown_500_over_5": round(at_end / at_start, 3),
        "histories": order.limit or HISTORIES,
        "compared_calls": len(early),
    }


def _window(phone: Sandbox, probes: Sequence[Sample], history: list[Sample], step: int) -> list[int]:
    """Nanoseconds of each probe with step `step` in their middle; 0 where it failed. The probes are taken back."""
    while len(phone.log) < step - WINDOW // 2 - 1:
        phone.execute(history.pop().call, NEVER)
    times = []
    for probe in probes:
        mark = phone.mark()
        start = time.process_time_ns()
        seen = phone.execute(probe.call, NEVER)
        took = time.process_time_ns() - start
        times.append(took if seen.ok else 0)
        phone.undo(mark)
    return times


PARTS: dict[str, Part] = {
    "reset": reset,
    "calls": calls,
    "spoken": spoken,
    "slowdown": slowdown,
    "worlds": worlds,
    "replay": replay,
}
SANDBOX = Bench(
    name="sandbox",
    title="The sandbox phone: reset, calls a second, what a long history, many worlds and all tasks cost.",
    parts=PARTS,
    figures=(
        Figure("reset_ms_p50", "one reset after an episode", 0.2),
        Figure("calls_per_s", "every tool equally often, half writes, one core", 20_000, "at_least"),
        Figure("spoken_calls_per_s", "the same with spoken values, none remembered"),
        Figure("slowdown_500_over_5", "step 500 against step 5", 1.1),
        Figure("worlds_10k_mb", "10,000 phones alive in one process, its peak memory", 2_000.0),
        Figure("oracle_replay_s", "the oracle through all tasks of dev and test", 60.0),
    ),
)
