"""What the tasks of dev and test cost: ten thousand of their worlds alive at once, and the oracle through all of them.

suites -> tasks -> different worlds with their gold calls -> many_phones.py in a process of its own -> peak memory
suites -> tasks -> oracle: reset, gold calls, verdict                                              -> seconds
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from device.sandbox.arguments import forget_readings
from device.sandbox.sandbox import Sandbox
from device.sandbox.world import forget_worlds
from evalkit.agents import oracle
from evalkit.bench.frame import Order
from evalkit.bench.processes import in_child
from evalkit.gold import is_call
from evalkit.rehearsal import rehearse
from evalkit.suites.registry import load_suite
from evalkit.verify import CoreVerifier
from evalkit.whole import Whole
from runtime.contract import Json, Split, TaskSpec

WORLDS = 10_000
"""Phones that are alive at once."""
SPLITS = (Split.DEV, Split.TEST)
SHOWN = 20
"""Tasks named that the oracle failed."""


def tasks_of(order: Order) -> list[TaskSpec]:
    """All tasks of dev and test of the suites that the order names."""
    return [task for name in order.suites for split in SPLITS for task in load_suite(name, split.value).tasks]


def worlds(order: Order) -> Json:
    """Peak memory of a process that holds `WORLDS` phones in different worlds, calls made on each; and of one phone."""
    lives = lives_of(tasks_of(order))
    count = order.limit or WORLDS
    many, told = _living(lives, count)
    one, _ = _living(lives, 1)
    return {
        "worlds_10k_mb": round(many["rss_mb"], 1),
        "one_world_mb": round(one["rss_mb"], 1),
        "kb_a_world": round((many["rss_mb"] - one["rss_mb"]) * 1000 / max(1, count - 1), 1),
        "worlds": told["alive"],
        "worlds_of_tasks": len(lives),
        "calls_on_worlds": told["calls"],
        "calls_that_worked": told["worked"],
    }


def lives_of(tasks: list[TaskSpec]) -> list[Json]:
    """The different worlds of tasks whose gold needs the phone alone, each with the gold calls of its first task."""
    known = {spec.name for spec in Sandbox().tools()}
    found: dict[str, Json] = {}
    for task in tasks:
        gold = [step for step in task.gold if is_call(step)]
        if all(step["name"] in known for step in gold):
            world = task.world.model_copy(update={"memories": ()})
            found.setdefault(world.model_dump_json(), {"world": world.model_dump(mode="json"), "gold": gold})
    return list(found.values())


def _living(lives: list[Json], count: int) -> tuple[Json, Json]:
    """What the process took, and what it told."""
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder) / "lives.jsonl", Path(folder) / "out.json"
        given.write_text("".join(json.dumps(life) + "\n" for life in lives), encoding="utf-8")
        module = [sys.executable, "-m", "evalkit.bench.many_phones"]
        took = in_child([*module, str(given), str(count), str(out)], "many_phones")
        told: Json = json.loads(out.read_text(encoding="utf-8"))
        return took, told


def replay(order: Order) -> Json:
    """Seconds of one pass of the oracle over all tasks, nothing remembered before; it opens memory's embedder too."""
    tasks = tasks_of(order)
    tasks = tasks[:: max(1, len(tasks) // order.limit)][: order.limit] if order.limit else tasks
    phone, verifier = Whole(), CoreVerifier()
    failed: list[str] = []
    calls = 0
    forget_worlds()
    forget_readings()
    at = time.perf_counter(), time.process_time()
    for task in tasks:
        episode, diff = rehearse(task, oracle(task), phone)
        calls += sum(len(step.observations) for step in episode.steps)
        if not verifier.judge(task.policy, episode, diff).success:
            failed.append(task.id)
    wall, cpu = time.perf_counter() - at[0], time.process_time() - at[1]
    return {
        "oracle_replay_s": round(cpu, 4),
        "oracle_replay_wall_s": round(wall, 4),
        "tasks_replayed": len(tasks),
        "calls_replayed": calls,
        "oracle_passed": len(tasks) - len(failed),
        "oracle_failed": failed[:SHOWN],
        "replayed_suites": list(order.suites),
    }
