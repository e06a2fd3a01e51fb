"""`pocket eval floors`: what agents without a model reach, and whether the instrument can tell better from worse."""

from typing import TYPE_CHECKING

from evalkit.commands.common import (
    LimitOption,
    SplitsOption,
    SuiteOption,
    interrupted,
    open_store,
    rate,
    settings_of,
    suites_of,
)
from evalkit.commands.run import run_plan
from runtime.cli.common import JsonFlag, out, print_json
from runtime.contract import CancelToken, Json, TaskSpec

if TYPE_CHECKING:
    from evalkit.result import Result
    from evalkit.results import ResultStore
    from evalkit.suites import Suite

PARTS = ("tool_use", "memory", "skill", "sub_agent")


def floors(suite: SuiteOption = "core", split: SplitsOption = "dev+test", limit: LimitOption = None,
           json: JsonFlag = False) -> None:  # fmt: skip
    """Run the agents that need no model, through the whole harness, and try the instrument."""
    from evalkit.floors import FLOORS, floor_figures, headline
    from evalkit.runner import sample

    loaded = suites_of(suite, split)
    heads: Json = {}
    table: Json = {}
    with open_store() as store:
        for name in FLOORS:
            results = _reached(name, loaded, store, limit, len(table))
            heads[name], table[name] = headline(name, results), floor_figures(results)
    report = {
        "suite": suite,
        "split": split,
        "fingerprint": {tasks.split.value: tasks.fingerprint for tasks in loaded},
        **heads,
        **_tried([task for tasks in loaded for task in sample(tasks.tasks, limit)]),
        "floors": table,
    }
    if json:
        print_json(report)
    else:
        _show(report)


def _reached(name: str, loaded: "list[Suite]", store: "ResultStore", limit: int | None, done: int) -> "list[Result]":
    """One agent's results; after a Ctrl-C the command ends with what is kept."""
    from evalkit.floors import FLOORS
    from evalkit.runner import Plan

    results: list[Result] = []
    cancel = CancelToken()
    for tasks in loaded:
        results += run_plan(tasks, settings_of(name), store, Plan(limit=limit), cancel=cancel).scored
        if cancel.cancelled:
            kept = f"{done} of {len(FLOORS)} agents are done, `{name}` in part; what was done is kept"
            raise interrupted(f"{kept}. Repeat the command to go on.")
    return results


def _tried(tasks: list[TaskSpec]) -> Json:
    from evalkit.floors import instrument

    try:
        return instrument(tasks)
    except KeyboardInterrupt:
        left = "all agents are done and kept; trying the instrument begins anew"
        raise interrupted(f"{left}. Repeat the command to go on.") from None


def _show(report: Json) -> None:
    from rich.table import Table

    from evalkit.floors import ABOUT

    tasks = next(iter(report["floors"].values()))["tasks"]
    title = f"floors of {report['suite']} {report['split']}: shares of {tasks} tasks, through the whole harness"
    table = Table(box=None, title=title, title_justify="left", header_style="dim")
    for heading in ("agent", "what it is"):
        table.add_column(heading, no_wrap=heading == "agent")
    for heading in ("all tasks", "95%", "Overall", *(part.replace("_", " ") for part in PARTS)):
        table.add_column(heading, justify="right")
    for name, one in report["floors"].items():
        ends = f"{rate(one['all_low'])} to {rate(one['all_high'])}"
        figures = (rate(one.get(key)) for key in ("overall", *PARTS))
        table.add_row(name, ABOUT[name], rate(one["all"]), ends, *figures)
    out().print(table)
    wrong = ", ".join(f"{rate(value)} at {percent}%" for percent, value in report["corrupted"].items())
    out().print(
        "A planner that has learnt something stands above every agent but the oracle, and the oracle is the most that "
        "15 recalled tools allow.\n"
        f"The instrument, with all tools exposed: the gold passes {rate(report['gold'])} of the tasks; the Overall of "
        f"an oracle with some of its calls wrong is {wrong}, which must fall."
    )
