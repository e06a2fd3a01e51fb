"""Eval: run suites and utterance sets, and look at what they hold.

Exit codes: 0 done, 1 not all was run, 2 wrong use, 130 interrupted (what was done is kept; the same command goes on).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from runtime.cli.common import JsonFlag, SetOption, err, interruptible, out, print_json
from runtime.cli.root import INTERRUPTED, NOT_DONE
from runtime.contract import CancelToken, Json, Record

if TYPE_CHECKING:
    from evalkit.results import ResultStore
    from evalkit.suites import Suite
    from runtime.config import Settings

T = TypeVar("T")
app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Run suites and utterance sets, and look at what they hold."
)
PlannerOption = Annotated[str | None, typer.Option("--planner", help="embedded, keyword, oracle, null, a GGUF, a URL.")]
SuiteOption = Annotated[str, typer.Option("--suite", help="Name of a suite.")]
SplitOption = Annotated[str, typer.Option("--split", help="train, dev or test.")]
LimitOption = Annotated[int | None, typer.Option("--limit", min=1, help="A fixed sample of that size.")]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Forget earlier results of this run.")]
FLOORS = ("null", "random", "read_only", "extra_write", "drop_one", "do_twice", "refuser", "asker", "keyword", "oracle")


@app.command(epilog="Example: pocket eval run --suite core --split test --planner embedded --json")
def run(
    suite: SuiteOption = "core",
    split: SplitOption = "test",
    planner: PlannerOption = None,
    limit: LimitOption = None,
    fresh: FreshOption = False,
    baseline: Annotated[bool, typer.Option(help="The keyword agent's figures beside it.")] = True,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Run a suite with a planner; goes on where an earlier run stopped."""
    from evalkit.suites import load_suite

    settings = _settings(planner, assignments)
    tasks, cancel = load_suite(suite, split), CancelToken()
    with _store() as store:
        report = suite_report(tasks, settings, store, limit=limit, fresh=fresh, cancel=cancel)
        if baseline and settings.planner.use != "keyword" and not cancel.cancelled:
            floor = settings.model_copy(update={"planner": settings.planner.model_copy(update={"use": "keyword"})})
            report["keyword"] = suite_report(tasks, floor, store, limit=limit, cancel=cancel)["figures"]
    flat = {**report, **report.pop("figures")}
    if json:
        print_json(flat)
    else:
        _print_figures(flat)
    raise typer.Exit(INTERRUPTED if cancel.cancelled else NOT_DONE if flat["not_run"] else 0)


def suite_report(tasks: "Suite", settings: "Settings", store: "ResultStore", *, limit: int | None = None,
                 fresh: bool = False, cancel: CancelToken) -> Json:  # fmt: skip
    """One planner on one suite: identity, digests, figures."""
    from evalkit.runner import run_suite
    from evalkit.score import score
    from evalkit.verify import GRADING

    with interruptible(cancel):
        done = run_suite(tasks, settings, store, limit=limit, fresh=fresh, cancel=cancel, watch=_watch)
    return {
        "suite": tasks.name,
        "split": tasks.split.value,
        "planner": settings.planner.use,
        "run": done.id,
        "fingerprint": tasks.fingerprint,
        "grading": GRADING,
        "digests": done.digests.model_dump(mode="json"),
        "figures": score(done.results, done.left),
    }


@app.command(epilog="Example: pocket eval suites --suite core --json")
def suites(
    suite: SuiteOption = "core",
    split: Annotated[str | None, typer.Option("--split", help="One split alone.")] = None,
    json: JsonFlag = False,
) -> None:
    """Count the admitted tasks of a suite by split, pattern and domain."""
    from evalkit.suites import load_suite

    wanted = [split] if split else ["train", "dev", "test"]
    report = {one: _counted(load_suite(suite, one)) for one in wanted}
    if json:
        print_json({"suite": suite, "splits": report})
        return
    for one, counts in report.items():
        out().print(f"{one}: {counts['tasks']} tasks, {counts['rejected']} rejected, {counts['fingerprint']}")
        for part in ("patterns", "domains"):
            out().print(f"  {part}: " + ", ".join(f"{key} {count}" for key, count in counts[part].items()))


def _counted(tasks: "Suite") -> Json:
    from collections import Counter

    return {
        "tasks": len(tasks.tasks),
        "rejected": len(tasks.rejected),
        "fingerprint": tasks.fingerprint,
        "patterns": dict(sorted(Counter(task.pattern for task in tasks.tasks).items())),
        "domains": dict(sorted(Counter(task.domain.value for task in tasks.tasks).items())),
        "families": len({task.family for task in tasks.tasks}),
        "tools": len({step["name"] for task in tasks.tasks for step in task.gold if "name" in step}),
    }


@app.command(epilog="Example: pocket eval admit --suite core --split dev")
def admit(suite: SuiteOption = "core", split: SplitOption = "test", json: JsonFlag = False) -> None:
    """Show what admission left out of a split, and why."""
    from evalkit.suites import load_suite

    tasks = load_suite(suite, split)
    rejected = [{"task": one.task_id, "faults": list(one.faults)} for one in tasks.rejected]
    if json:
        print_json({"suite": suite, "split": split, "admitted": len(tasks.tasks), "rejected": rejected})
        return
    for one in rejected:
        out().print(f"{one['task']}: {'; '.join(one['faults'])}", markup=False)
    out().print(f"{len(tasks.tasks)} admitted, {len(rejected)} rejected")


@app.command(epilog="Example: pocket eval floors --split dev --json")
def floors(suite: SuiteOption = "core", split: SplitOption = "test", limit: LimitOption = None,
           json: JsonFlag = False) -> None:  # fmt: skip
    """Run the agents that need no model, through the whole harness."""
    from evalkit.suites import load_suite

    tasks, cancel = load_suite(suite, split), CancelToken()
    table: Json = {}
    with _store() as store:
        for name in FLOORS:
            figures = suite_report(tasks, _settings(name, None), store, limit=limit, cancel=cancel)["figures"]
            table[name] = {key: figures[key] for key in figures if key == "tasks" or key.endswith("success")}
            if cancel.cancelled:
                raise typer.Exit(INTERRUPTED)
    if json:
        print_json({"suite": suite, "split": split, "fingerprint": tasks.fingerprint, "floors": table})
        return
    for name, figures in table.items():
        out().print(f"{name:12} " + "  ".join(f"{key} {_rate(value)}" for key, value in figures.items()))


@app.command(epilog="Example: pocket eval utterances data/utterances --planner embedded --part dev --json")
def utterances(
    folder: Annotated[Path, typer.Argument(help="A folder of .jsonl files, one utterance a line.")],
    planner: PlannerOption = None,
    part: Annotated[str, typer.Option(help="dev (held out of training), train or all.")] = "dev",
    limit: LimitOption = None,
    fresh: FreshOption = False,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Score a planner's first decision on annotated utterances."""
    from evalkit.utterances.score import score_utterances

    cancel = CancelToken()
    with _store() as store, interruptible(cancel):
        report = score_utterances(folder, _settings(planner, assignments), store, part=part, limit=limit, fresh=fresh,
                                  cancel=cancel, watch=_watch)  # fmt: skip
    if json:
        print_json(report)
    else:
        for key, value in report.items():
            if not isinstance(value, dict):
                out().print(f"{key}: {_rate(value) if isinstance(value, float) else value}")
    raise typer.Exit(INTERRUPTED if cancel.cancelled else NOT_DONE if report["not_run"] else 0)


def _settings(planner: str | None, assignments: Sequence[str] | None) -> "Settings":
    from runtime.config import load_settings

    return load_settings({"planner": {"use": planner}} if planner else {}, assignments or ())


@contextmanager
def _store() -> "Iterator[ResultStore]":
    from evalkit.results import ResultStore, results_file

    store = ResultStore(results_file())
    try:
        yield store
    finally:
        store.close()


def _watch(items: Iterable[T]) -> Iterator[T]:
    """A progress bar on the error stream, where that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    left = list(items)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = err()
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield from progress.track(left, description="tasks")


def _print_figures(report: Json) -> None:
    from rich.table import Table

    table = Table(box=None, title=f"{report['suite']} {report['split']}: {report['planner']}", title_justify="left")
    for heading in ("figure", "value", "95%", "tasks", "keyword"):
        table.add_column(heading)
    beside = report.get("keyword", {})
    for name, interval in report["intervals"].items():
        ends = f"{_rate(interval['low'])} to {_rate(interval['high'])}" if interval["tasks"] else ""
        table.add_row(name, _rate(interval["value"]), ends, str(interval["tasks"]), _rate(beside.get(name)))
    for name in ("steps_mean", "output_tokens_mean", "seconds_mean", "malformed_calls", "silent_cuts", "not_run"):
        table.add_row(name, _rate(report[name]), "", "", _rate(beside.get(name)))
    out().print(table)


def _rate(value: float | int | Record | None) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
