"""`pocket eval run`: a planner on a suite, with the stress axes as flags."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from evalkit.commands.common import (
    FreshOption,
    LimitOption,
    PlannerOption,
    PriceOption,
    SplitOption,
    SuiteOption,
    interrupted,
    open_store,
    rate,
    settings_of,
    watch,
)
from runtime.cli.common import JsonFlag, SetOption, err, interruptible, out, print_json
from runtime.cli.root import NOT_DONE
from runtime.contract import CancelToken, Json, Stop
from runtime.visible import visible

if TYPE_CHECKING:
    from evalkit.results import ResultStore
    from evalkit.runner import Plan, Run
    from evalkit.suites import Suite
    from runtime.config import Settings

REASONS = 5
"""Unmet preconditions that are printed."""
Attempts = Annotated[int, typer.Option("--attempts", min=1, help="Attempts of each task, for pass@k and pass^k.")]
RoutingOption = Annotated[str, typer.Option("--routing", help="Of Skill tasks: both, mixed or skill_only.")]
Distractors = Annotated[int, typer.Option("--distractors", min=0, help="Expose so many more tools.")]
Scramble = Annotated[bool, typer.Option("--scramble", help="Show tools under other names and descriptions.")]
Faults = Annotated[float, typer.Option("--faults", min=0, max=1, help="Share of calls that fail: timeout, offline.")]
WrongData = Annotated[float, typer.Option("--wrong-data", min=0, max=1, help="Share of results with a wrong value.")]
Backend = Annotated[str, typer.Option("--backend", help="sandbox, or android: phones on adb.")]
Serials = Annotated[list[str] | None, typer.Option("--serial", help="A connected phone; repeatable. None: software.")]
PhonesOption = Annotated[int, typer.Option("--phones", min=0, help="Software phones at once; 0: as suits the planner.")]
Harness = Annotated[str, typer.Option("--harness", help="on or off: what the harness adds, switched as a whole.")]
Events = Annotated[bool, typer.Option("--events", help="Let something happen on the phone in mid-task.")]


def run(
    suite: SuiteOption = "core",
    split: SplitOption = "test",
    planner: PlannerOption = None,
    limit: LimitOption = None,
    attempts: Attempts = 1,
    routing: RoutingOption = "both",
    distractors: Distractors = 0,
    scramble: Scramble = False,
    faults: Faults = 0.0,
    wrong_data: WrongData = 0.0,
    events: Events = False,
    harness: Harness = "",
    backend: Backend = "sandbox",
    serial: Serials = None,
    phones: PhonesOption = 0,
    price: PriceOption = None,
    fresh: FreshOption = False,
    baseline: Annotated[
        bool | None, typer.Option(help="The keyword agent's figures beside it (on the sandbox).")
    ] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Run a suite with a planner; goes on where an earlier run stopped."""
    from evalkit.crew import SANDBOX, Phones
    from evalkit.runner import Plan, refuse_unknown
    from evalkit.stress import Stress
    from evalkit.suites import load_suite
    from evalkit.switch import switched

    on = Phones(backend, tuple(serial or ()), phones).checked()
    settings, cancel = settings_of(planner, assignments), CancelToken()
    stress = Stress(distractors=distractors, scramble=scramble, faults=faults, wrong_data=wrong_data, events=events)
    plan = Plan(attempts=attempts, routing=routing, stress=stress, limit=limit, phones=on, harness=harness)
    beside = backend == SANDBOX if baseline is None else baseline
    switched(settings, harness)
    refuse_unknown(settings)  # both before a suite is made and its use is put on record
    tasks = load_suite(suite, split)
    with open_store() as store:
        done = run_plan(tasks, settings, store, plan, fresh=fresh, cancel=cancel)
        report = {**report_of(done, price), "test_uses": store.uses(tasks.fingerprint)}
        if beside and settings.planner.use != "keyword" and not cancel.cancelled:
            report |= beside_keyword(done, tasks, settings, store, plan, cancel)
        if why := failed_by(done, store):
            report["infrastructure"] = why
    if json:
        print_json(report)
    elif not cancel.cancelled:
        print_figures(report)
    raise _exit(report, cancel, fresh)


def _exit(report: Json, cancel: CancelToken, fresh: bool) -> typer.Exit:
    """How the command ends, said where not all was run."""
    again = "Repeat the command" + (" without `--fresh`" if fresh else "")
    if cancel.cancelled:
        left = f"{report['not_run']} tasks of {report['suite']} {report['split']} were not run"
        if not report["not_run"]:
            left = "the keyword agent beside it is not done"
        return interrupted(f"{left}; what was done is kept. {again} to go on.")
    _say_unmet(report)
    if failed := report["infrastructure_failures"]:
        of = f"{failed} of {failed + report['tasks']} episodes ended by infrastructure and are in no figure"
        err().print(f"{of}: {report['infrastructure']} {again} to run them again.", markup=False)
    return typer.Exit(NOT_DONE if failed or report["not_run"] else 0)


def _say_unmet(report: Json) -> None:
    """The preconditions that a connected phone could not be brought to, the most frequent first."""
    if not report["preconditions_unmet"]:
        return
    said = f"{report['preconditions_unmet']} tasks could not be set up or put back on the phone and are in no figure"
    err().print(said, markup=False)
    reasons = Counter(report.get("unmet", {}).values()).most_common()
    for reason, times in reasons[:REASONS]:
        err().print(f"  {times}: {visible(reason)}", markup=False)
    if len(reasons) > REASONS:
        err().print(f"  {len(reasons) - REASONS} more reasons stand under `unmet` with --json", markup=False)


def failed_by(done: "Run", store: "ResultStore") -> str:
    """What the first episode that ended by infrastructure says; empty where none did."""
    from evalkit.android.stage import UNREADY

    if all(result.verdict.valid or result.unmet for result in done.results):
        return ""
    kept = (store.episode(done.id, key) for key in done.header.trials)
    broken = (one[0].stop_detail for one in kept if one and one[0].stop is Stop.INFRASTRUCTURE)
    return next((why for why in broken if not why.startswith(UNREADY)), "")


def run_plan(tasks: "Suite", settings: "Settings", store: "ResultStore", plan: "Plan", *, fresh: bool = False,
             cancel: CancelToken) -> "Run":  # fmt: skip
    """One planner on one suite, with progress, until it is done or Ctrl-C."""
    from evalkit.runner import run_suite

    with interruptible(cancel):
        return run_suite(tasks, settings, store, plan=plan, fresh=fresh, cancel=cancel, watch=watch)


def report_of(done: "Run", price: float | None = None) -> Json:
    """Identity, digests and figures of a run, flat."""
    from evalkit.crew import SANDBOX
    from evalkit.score import score

    header = done.header.model_dump(mode="json", exclude={"trials"})
    facts: Json = {"stress_axes": done.header.stress.axes}
    if done.header.backend != SANDBOX:
        facts |= on_phones(done)
    return {**header, **facts, **score(done.scored, price=price)}


def on_phones(done: "Run") -> Json:
    """What is to say of a run on connected phones: tasks through the screen, preconditions, a second witness."""
    from evalkit.suites.android.screens import PATTERN

    screen = [one.verdict.success for one in done.results if one.pattern == PATTERN and one.verdict.valid]
    return {
        "gui_tasks": len(screen),
        "gui_success": sum(screen) / len(screen) if screen else None,
        "failed": [one.task_id for one in done.results if one.verdict.valid and not one.verdict.success],
        "unmet": {one.task_id: one.unmet for one in done.results if one.unmet},
        "witness": {one.task_id: list(one.witness) for one in done.results if one.witness},
    }


def beside_keyword(done: "Run", tasks: "Suite", settings: "Settings", store: "ResultStore", plan: "Plan",
                   cancel: CancelToken) -> Json:  # fmt: skip
    """The keyword agent's figures, and the paired difference to it."""
    from evalkit.paired import compare_results
    from evalkit.score import score

    floor = settings.model_copy(update={"planner": settings.planner.model_copy(update={"use": "keyword"})})
    beside = run_plan(tasks, floor, store, plan, cancel=cancel)
    return {"keyword": score(beside.scored), "over_keyword": compare_results(beside.scored, done.scored)}


def print_figures(report: Json) -> None:
    """The figures as a table; what they cost, where a price is given."""
    from rich.table import Table

    title = f"{report['suite']} {report['split']}: {report['planner']}, run {report['run']}"
    table = Table(box=None, title=title, title_justify="left")
    for heading in ("figure", "value", "95%", "tasks", "keyword"):
        table.add_column(heading)
    beside = report.get("keyword", {})
    for name, interval in report["intervals"].items():
        if not interval["tasks"]:
            continue
        ends = f"{rate(interval['low'])} to {rate(interval['high'])}"
        table.add_row(name, rate(interval["value"]), ends, str(interval["tasks"]), rate(beside.get(name)))
    for name in ("steps_mean", "output_tokens_mean", "input_tokens_mean", "seconds_mean", "planner_seconds_mean",
                 "device_seconds_mean", "harness_seconds_mean", "malformed_calls",
                 "silent_cuts", "infrastructure_failures", "preconditions_unmet", "not_run"):  # fmt: skip
        table.add_row(name, rate(report[name]), "", "", rate(beside.get(name)))
    if report["price_per_million_output_tokens"] is not None:
        cost = "output_cost_per_1000_tasks"
        table.add_row(cost, _amount(report[cost]), "", "", _amount(beside.get(cost)))
    out().print(table)
    if report["price_per_million_output_tokens"] is not None:
        price = f"{report['price_per_million_output_tokens']:g} a million output tokens"
        out().print(f"cost at {price}: {report['cost_scope']}", markup=False)
    if report.get("gui_tasks"):
        out().print(f"through the screen alone: {report['gui_tasks']} tasks, success {rate(report['gui_success'])}")
    if report["empty_parts"]:
        out().print(f"no tasks of {', '.join(report['empty_parts'])}. {report['weight_rule']}.", markup=False)
    if report.get("test_uses"):
        out().print(f"the tasks of this test split were used {report['test_uses']} times here")


def _amount(value: float | None) -> str:
    """A cost, however small or large."""
    return "-" if value is None else f"{value:,.2f}" if value >= 100 else f"{value:.3g}"
