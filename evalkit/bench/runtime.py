"""The runtime: seconds a decision, its speed against llama.cpp's own, what the harness adds, memory, start.

    requests.txt -> run_episode in the rooms of `pocket run`, 10,000 memories, all tools       decisions, overhead
    a script of 15 steps in the same rooms (growth.py)                                         overhead_growth
    the same prompts -> our loop | llama.cpp's own (speed.py)                                  decode, prefill
    `pocket run` with a fresh POCKET_HOME, then again; `pocket --help` (child.py)              memory, help

Before each episode the cache is emptied, so that a first decision restores the static prefix and reads the rest anew. A
decision's seconds are wall time, as one waits for it (the model runs on several threads); its CPU seconds stand beside.

`prefix_reuse` is what a later decision found in its cache over what stood in the context at the end of the step before.
"""

import sys
import tempfile
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from evalkit.bench.frame import Bench, Figure, Order, median
from evalkit.bench.growth import growth
from evalkit.bench.processes import in_child
from evalkit.bench.remembering import remembering
from evalkit.bench.requests import requests, view
from evalkit.bench.speed import decode, prefill
from runtime.contract import ContextView, Deadline, Decision, Episode, Json, Planner, Step, WorldSpec
from runtime.harness import run_episode
from runtime.trace import TraceStore
from runtime.wiring import open_database, open_rooms

NEVER = Deadline.never()
POCKET = (sys.executable, "-m", "runtime.cli.root")
MEMORY_REQUEST = "wake me at half past seven tomorrow and call it morning run"


class Clocked(Planner):
    """A planner with the CPU seconds of its decisions."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self.cpu: list[float] = []

    @property
    def identity(self) -> str:
        """As behind it."""
        return self._planner.identity

    @property
    def context_tokens(self) -> int:
        """As behind it."""
        return self._planner.context_tokens

    @property
    def accepts(self) -> frozenset[Literal["text", "image"]]:
        """As behind it."""
        return self._planner.accepts

    def count_tokens(self, text: str) -> int:
        """As behind it."""
        return self._planner.count_tokens(text)

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """Decide, on the clock."""
        start = time.process_time()
        decision = self._planner.decide(context, deadline)
        self.cpu.append(time.process_time() - start)
        return decision

    def close(self) -> None:
        """Left to whoever opened it."""

    def __getattr__(self, name: str) -> Any:
        """What only some planners have, as behind it."""
        return getattr(self._planner, name)


def decisions(order: Order) -> Json:
    """Episodes of all requests: seconds of first and later decisions, tokens, and what the harness adds to a step."""
    steps: list[tuple[Step, float]] = []
    with remembering(order) as (settings, memories), tempfile.TemporaryDirectory() as folder:
        store = TraceStore(Path(folder) / "traces.sqlite3", open_database)
        try:
            with open_rooms(settings, trace=store, world=WorldSpec()) as opened:
                planner = Clocked(opened.rooms.planner)
                rooms = replace(opened.rooms, planner=planner)
                chosen = requests()[: order.limit]
                for request in (chosen[-1], *chosen):  # the first one saves the prefix and is left out
                    opened.phone.reset(WorldSpec())
                    _forget(opened.rooms.planner)
                    planner.cpu.clear()
                    episode = run_episode(view(request, settings), rooms)
                    steps += zip(_steps(episode), planner.cpu, strict=False)
                identity, tools = planner.identity, len(rooms.executor.offered())
                steps = steps[next(i for i, (step, _) in enumerate(steps[1:], 1) if step.index == 0) :]
        finally:
            store.close()
    return {"planner": identity, "memories": memories, "tools": tools, **_decided(steps)}


def _steps(episode: Episode) -> tuple[Step, ...]:
    return episode.segments[-1].steps


def _forget(planner: Planner) -> None:
    """Empty the cache of a local model; others keep none."""
    engine = getattr(planner, "engine", None)
    if engine is not None:
        engine.keep(0)


def _decided(steps: list[tuple[Step, float]]) -> Json:
    first = [(step, cpu) for step, cpu in steps if step.index == 0]
    later = [(step, cpu) for step, cpu in steps if step.index]
    return {
        "first_decision_s_p50": median(step.decision.seconds for step, _ in first),
        "next_decision_s_p50": median(step.decision.seconds for step, _ in later),
        "first_decision_cpu_s_p50": median(cpu for _, cpu in first),
        "next_decision_cpu_s_p50": median(cpu for _, cpu in later),
        "overhead_ms_p50": median(step.overhead_s * 1000 for step, _ in steps),
        "overhead_first_step_ms_p50": median(step.overhead_s * 1000 for step, _ in first),
        "overhead_later_step_ms_p50": median(step.overhead_s * 1000 for step, _ in later),
        "first_new_tokens_p50": median(_new(step) for step, _ in first),
        "first_new_tokens_max": max((_new(step) for step, _ in first), default=0),
        "prefix_reuse": _reuse([step for step, _ in steps]),
        "prompt_tokens_p50": median(step.decision.usage.prompt_tokens for step, _ in first),
        "static_prefix_tokens_p50": median(step.decision.usage.cached_tokens for step, _ in first),
        "first_output_tokens_p50": median(step.decision.usage.output_tokens for step, _ in first),
        "next_output_tokens_p50": median(step.decision.usage.output_tokens for step, _ in later),
        "requests": len(first),
        "later_decisions": len(later),
    }


def _new(step: Step) -> int:
    """Prompt tokens that were not in the cache."""
    return step.decision.usage.prompt_tokens - step.decision.usage.cached_tokens


def _reuse(steps: list[Step]) -> float | None:
    """Of the tokens that stood in the context at the end of the step before, the share that was not read again."""
    pairs = [
        (step.decision.usage.cached_tokens, before.decision.usage.prompt_tokens + before.decision.usage.output_tokens)
        for before, step in pairwise(steps)
        if step.index == before.index + 1
    ]
    stood = sum(there for _, there in pairs)
    return round(sum(min(kept, there) for kept, there in pairs) / stood, 4) if stood else None


def memory(order: Order) -> Json:
    """Peak resident memory of `pocket run` in a fresh POCKET_HOME, and of the run after it."""
    planner = ["--planner", order.settings.planner.use]
    with tempfile.TemporaryDirectory() as home:
        runs = [_child([*POCKET, "run", MEMORY_REQUEST, "--json", *planner], home) for _ in range(2)]
    names = ("first_run", "second_run")
    peaks = {f"{name}_rss_mb": round(run["rss_mb"], 1) for name, run in zip(names, runs, strict=True)}
    walls = {f"{name}_wall_s": round(run["wall_s"], 2) for name, run in zip(names, runs, strict=True)}
    return {"rss_mb_peak": max(peaks.values()), **peaks, **walls}


def help_page(order: Order) -> Json:
    """CPU and wall seconds of `pocket --help`."""
    with tempfile.TemporaryDirectory() as home:
        runs = [_child([*POCKET, "--help"], home) for _ in range(order.runs + 1)][1:]
    return {
        "help_s": median(run["cpu_s"] for run in runs),
        "help_wall_s": median(run["wall_s"] for run in runs),
    }


def _child(command: list[str], home: str) -> Json:
    """Seconds and peak memory of a command of `pocket`; 1 is a run that was not confirmed, which is no matter here."""
    return in_child(command, f"pocket {' '.join(command[3:4])}", {"POCKET_HOME": home}, fine=(0, 1))


RUNTIME = Bench(
    name="runtime",
    title="The runtime: seconds a decision, speed against llama.cpp's own, overhead, memory, start.",
    parts={
        "decisions": decisions,
        "growth": growth,
        "decode": decode,
        "prefill": prefill,
        "memory": memory,
        "help": help_page,
    },
    figures=(
        Figure("first_decision_s_p50", "first decision: static prefix restored, the rest read", 2.0),
        Figure("next_decision_s_p50", "later decisions", 0.5),
        Figure("prompt_tokens_p50", "tokens of a first prompt"),
        Figure("first_new_tokens_p50", "of them, those that no cache held", 900),
        Figure("prefix_reuse", "of the context at the end of a step, not read again in the next", 0.99, "at_least"),
        Figure("decode_ratio", "bound decoding over llama.cpp's own, sampled tokens", 0.8, "at_least"),
        Figure("prefill_ratio", "reading over llama.cpp's own, same tokens", 0.9, "at_least"),
        Figure("overhead_ms_p50", "of a step, all but model and phone", 10.0),
        Figure("overhead_growth", "of that, step 15 over step 2", 1.1),
        Figure("rss_mb_peak", "peak memory of `pocket run`, first run included", 600.0),
        Figure("help_s", "`pocket --help`, CPU time", 0.4),
    ),
)
