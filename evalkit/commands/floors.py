"""`pocket eval floors`: what agents without a model reach, and whether the instrument can tell better from worse."""

import typer

from evalkit.commands.common import LimitOption, SplitsOption, SuiteOption, open_store, rate, settings_of, suites_of
from evalkit.commands.run import run_plan
from runtime.cli.common import JsonFlag, out, print_json
from runtime.cli.root import INTERRUPTED
from runtime.contract import CancelToken, Json


def floors(suite: SuiteOption = "core", split: SplitsOption = "dev+test", limit: LimitOption = None,
           json: JsonFlag = False) -> None:  # fmt: skip
    """Run the agents that need no model, through the whole harness, and try the instrument."""
    from evalkit.floors import FLOORS, floor_figures, headline, instrument
    from evalkit.result import Result
    from evalkit.runner import Plan, sample

    loaded, cancel = suites_of(suite, split), CancelToken()
    heads: Json = {}
    table: Json = {}
    with open_store() as store:
        for name in FLOORS:
            results: list[Result] = []
            for tasks in loaded:
                results += run_plan(tasks, settings_of(name), store, Plan(limit=limit), cancel=cancel).scored
            if cancel.cancelled:
                raise typer.Exit(INTERRUPTED)
            heads[name], table[name] = headline(name, results), floor_figures(results)
    tried = instrument([task for tasks in loaded for task in sample(tasks.tasks, limit)])
    report = {
        "suite": suite,
        "split": split,
        "fingerprint": {tasks.split.value: tasks.fingerprint for tasks in loaded},
        **heads,
        **tried,
        "floors": table,
    }
    if json:
        print_json(report)
        return
    for name, figures in table.items():
        out().print(f"{name:12} " + "  ".join(f"{key} {rate(value)}" for key, value in figures.items()))
    wrong = ", ".join(f"{percent}% {rate(value)}" for percent, value in tried["corrupted"].items())
    out().print(f"gold from outputs alone {rate(tried['gold'])}; Overall of an oracle with calls corrupted: {wrong}")
