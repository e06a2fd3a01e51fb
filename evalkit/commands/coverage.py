"""`pocket eval coverage`: domain, tool, intent and interaction pattern against capabilities, with the empty cells."""

from typing import Annotated

import typer

from evalkit.commands.common import SuiteOption
from runtime.cli.common import JsonFlag, out, print_json
from runtime.contract import Json


def coverage(
    suite: SuiteOption = "bench",
    split: Annotated[str | None, typer.Option("--split", help="One split; dev and test without it.")] = None,
    json: JsonFlag = False,
) -> None:
    """Show what the tasks of a suite cover, and which cells are empty."""
    from device.sandbox.sandbox import Sandbox
    from evalkit.suites import load_suite
    from evalkit.suites.bench.coverage import coverage as covered

    wanted = [split] if split else ["dev", "test"]
    tasks = [task for one in wanted for task in load_suite(suite, one).tasks]
    report = covered(tasks, {spec.name: spec for spec in Sandbox().tools()})
    if json:
        print_json({"suite": suite, "splits": wanted, "tasks": len(tasks), **report})
        return
    out().print(f"{suite} {' and '.join(wanted)}: {len(tasks)} tasks")
    for aspect, table in report.items():
        _show(aspect, table)


def _show(aspect: str, table: Json) -> None:
    from rich.table import Table

    from evalkit.suites.bench.coverage import COLUMNS

    shown = Table(box=None, title=aspect, title_justify="left")
    for heading in ("", *(name.replace("_", "\n") for name in COLUMNS)):
        shown.add_column(heading)
    for row, held in table["cells"].items():
        shown.add_row(row, *(str(held.get(name, "-")) for name in COLUMNS))
    out().print(shown)
    out().print(f"{aspect}: {len(table['empty'])} empty cells, {len(table['bare'])} rows without any task")
    for row, name in table["empty"]:
        out().print(f"  {row} x {name}", markup=False)
