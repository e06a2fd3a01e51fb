"""`pocket eval runs`: which runs are stored, how far they are, and one figure of each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from evalkit.commands.common import open_store, rate
from runtime.cli.common import JsonFlag, err, out, print_json
from runtime.contract import Json

if TYPE_CHECKING:
    from evalkit.result import Result
    from evalkit.results import Header


def runs(
    limit: Annotated[int, typer.Option("--limit", min=1, help="So many, newest first.")] = 20,
    json: JsonFlag = False,
) -> None:
    """List the stored runs of suites, newest first; `score`, `compare` and `report` take their ids."""
    with open_store() as store:
        headers = store.headers()
        found = [summary(header, store.verdicts(header)) for header in headers[:limit]]
    if json:
        print_json(found)
        return
    if found:
        _show(found)
    if more := len(headers) - len(found):
        err().print(f"{more} older: pocket eval runs --limit {len(headers)}", style="dim")
    if not headers:
        err().print("none is stored yet: `pocket eval run`", markup=False)


def summary(header: "Header", results: "Sequence[Result]") -> Json:
    """One line of the listing. What infrastructure ended is left to do; the Overall is of what is done."""
    from evalkit.overall import overall

    done = [result for result in results if result.verdict.valid]
    return {
        "run": header.run,
        "suite": header.suite,
        "split": header.split,
        "planner": header.planner,
        "done": len(done),
        "left": len(header.trials) - len(done),
        "infrastructure_failures": len(results) - len(done),
        "overall_of_done": overall(done).value,
        "started_at": header.started_at,
        "sample": header.limit,
        "attempts": header.attempts,
        "stress_axes": list(header.stress.axes),
        "fingerprint": header.fingerprint,
        "grading": header.grading,
    }


def _show(found: Sequence[Json]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="dim")
    for heading in ("run", "suite", "split", "planner", "done", "left", "Overall of done", "when (UTC)", "beside"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "run")
    for one in found:
        figures = (str(one["done"]), str(one["left"]), rate(one["overall_of_done"]))
        beside = [f"sample of {one['sample']}"] if one["sample"] is not None else []
        beside += [f"{one['attempts']} attempts"] if one["attempts"] > 1 else []
        when = one["started_at"].replace("T", " ")[:16]
        row = (one["run"], one["suite"], one["split"], Text(one["planner"]), *figures, when)
        table.add_row(*row, ", ".join([*beside, *one["stress_axes"]]))
    out().print(table)
