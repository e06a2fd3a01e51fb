"""`pocket eval score`, `compare` and `report`: stored runs, without planner and suite."""

from pathlib import Path
from typing import Annotated

import typer

from evalkit.commands.common import PriceOption, open_store, rate
from evalkit.commands.run import print_figures
from runtime.cli.common import JsonFlag, out, output_file, print_json
from runtime.contract import Json

RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="Id of a stored run or its beginning; `last`.")]
JudgeOption = Annotated[str | None, typer.Option("--judge", help="An endpoint that reads behaviour too: URL#model.")]


def score(run: RunArgument, price: PriceOption = None, judge: JudgeOption = None, json: JsonFlag = False) -> None:
    """Judge the stored episodes of a run again under the current grading, and print its figures."""
    from evalkit.score import score as figures_of
    from evalkit.verify import GRADING

    with open_store() as store:
        kept = store.load(run)
        store.regrade(kept)
        header = kept.header.model_dump(mode="json", exclude={"trials"})
        report: Json = {**header, "grading": GRADING, "graded_before": kept.header.grading,
                        "stress_axes": kept.header.stress.axes, **figures_of(kept.results, price=price),
                        "test_uses": store.uses(kept.header.fingerprint)}  # fmt: skip
        if judge:
            from evalkit.rubric import judged_again

            report["rubric"] = judged_again(kept, store, judge)
    if json:
        print_json(report)
        return
    print_figures(report)
    if judge:
        out().print("rubric: " + ", ".join(f"{key} {rate(value)}" for key, value in report["rubric"].items()))


def compare(
    run_a: Annotated[str, typer.Argument(metavar="RUN_A", help="The run that is the reference.")],
    run_b: Annotated[str, typer.Argument(metavar="RUN_B", help="The run that is held against it.")],
    json: JsonFlag = False,
) -> None:
    """Give the paired difference of two stored runs on the same tasks: RUN_B less RUN_A, in points."""
    from evalkit.paired import compare_runs

    with open_store() as store:
        report = compare_runs(store.load(run_a, again=False), store.load(run_b, again=False))
    if json:
        print_json(report)
        return
    for name, one in (("", report["second"]), ("less ", report["first"])):
        said = [*([f"harness {one['harness']}"] if one["harness"] else ()), *one["stress"]]
        under = f", {', '.join(said)}" if said else ""
        out().print(f"{name}`{one['run']}` ({one['planner']} on {one['suite']} {one['split']}{under})", markup=False)
    low, high = rate(report["ci_low"]), rate(report["ci_high"])
    out().print(f"Overall {rate(report['overall_diff'])} points, 95% {low} to {high}, over {report['pairs']} pairs in "
                f"{report['families']} families")  # fmt: skip
    for name, part in report["parts"].items():
        ends = f"{rate(part['ci_low'])} to {rate(part['ci_high'])}"
        out().print(f"  {name}: {rate(part['diff'])} points, 95% {ends}, {part['pairs']} pairs")
    if report["unlike"]:
        out().print(f"the runs differ in {', '.join(report['unlike'])} too", markup=False)


def report(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Stored runs; the first one's failures show.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file.")],
    price: PriceOption = None,
    instrument: Annotated[bool, typer.Option(help="Try the instrument on the tasks: gold, corrupted calls.")] = True,
    failures: Annotated[int, typer.Option(min=0, help="How many failures to show.")] = 20,
) -> None:
    """Write one HTML page about stored runs, their floors and their worst failures; it needs nothing else."""
    from evalkit.report.page import write_page

    with open_store() as store:
        write_page(store, runs, output_file(output), price=price, failures=failures, instrument=instrument)
    out().print(f"{output}", markup=False)
