"""The gate after export: closed-loop success of the exported file, never closeness of logits.

    adapter -> one Q8_0 file -> dev tasks of both suites through the real harness, and held-out utterances -> scores
    -> compared with the checkpoint that is installed -> installed only when it is better

Dev is used, never test: a checkpoint is chosen by it.
"""

from collections.abc import Callable
from pathlib import Path

from evalkit.results import ResultStore, results_file
from evalkit.runner import Plan, run_suite
from evalkit.score import score
from evalkit.suites import load_suite
from evalkit.utterances.score import score_utterances
from runtime.config import Settings, load_settings
from runtime.contract import Json
from runtime.planner.assemble import Progress, assemble_model
from runtime.planner.embedded import base_file

COMPARED = ("one_call_success", "multi_call_success", "ask_success")
"""Shares of `core` whose mean decides, beside those of BENCH; utterances add `tool_accuracy` and `call_exact`."""
BENCH = ("tool_use", "memory", "skill", "sub_agent")
"""Parts of `bench` that decide too, as `bench_<part>`."""
UTTERANCES = ("tool_accuracy", "call_exact")


def model_file(adapter: Path, target: Path, progress: Progress | None = None) -> Path:
    """The file that would be served."""
    target.unlink(missing_ok=True)
    return assemble_model(base_file(), adapter, target, progress)


def measure(planner: str, *, utterances: Path | None, tasks: int, rows: int, likely: int | None = None) -> Json:
    """Closed-loop figures of one planner on `tasks` dev tasks and `rows` held-out utterances.

    `likely` is what a candidate was trained with; an installed checkpoint's manifest says it.
    """
    settings = load_settings({"planner": {"use": planner}, "context": {"likely": likely}}, ())
    store = ResultStore(results_file())
    try:
        figures: Json = {**_on_core(settings, store, tasks), **_on_bench(settings, store, tasks)}
        if utterances is not None:
            said = score_utterances(utterances, settings, store, part="dev", limit=rows)
            figures.update({name: said[name] for name in (*UTTERANCES, "tool_accuracy_hard", "decline_accuracy")})
    finally:
        store.close()
    return figures


def _on_core(settings: Settings, store: ResultStore, tasks: int) -> Json:
    run = run_suite(load_suite("core", "dev"), settings, store, limit=tasks)
    figures = score(run.results, run.left)
    return {name: figures[name] for name in (*COMPARED, "malformed_calls", "tasks") if name in figures}


def _on_bench(settings: Settings, store: ResultStore, tasks: int) -> Json:
    run = run_suite(load_suite("bench", "dev"), settings, store, plan=Plan(limit=tasks, routing="mixed"))
    figures = score(run.results, run.left)
    shares = {f"bench_{name}": figures[name] for name in (*BENCH, "overall", "malformed_calls")}
    return {**shares, "bench_tasks": figures["tasks"]}


def overall(figures: Json) -> float:
    """One number to compare checkpoints by: the mean of the shares that both have."""
    names = (*COMPARED, *UTTERANCES, *(f"bench_{part}" for part in BENCH))
    shares = [float(figures[name]) for name in names if figures.get(name) is not None]
    return sum(shares) / len(shares) if shares else 0.0


def passes(candidate: Json, installed: Json | None, say: Callable[[str], None]) -> bool:
    """Whether the candidate is to be installed: strictly better, and no malformed call."""
    new, old = overall(candidate), overall(installed) if installed is not None else 0.0
    malformed = candidate.get("malformed_calls", 0) + candidate.get("bench_malformed_calls", 0)
    say(f"gate: candidate {new:.3f}, installed {old:.3f}, malformed calls {malformed}")
    return new > old and not malformed
