"""`pocket eval coverage`: domain, tool, intent and interaction pattern against capabilities, with the empty cells."""

from collections.abc import Mapping
from typing import Annotated

import typer

from evalkit.commands.common import SuiteOption
from runtime.cli.common import JsonFlag, out, print_json
from runtime.contract import Json


def coverage(
    suite: SuiteOption = "bench",
    split: Annotated[str | None, typer.Option("--split", help="One split; dev and test without it.")] = None,
    whole: Annotated[bool, typer.Option("--all", help="Also print every cell.")] = False,
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
    if whole:
        for aspect, table in report.items():
            _show_cells(aspect, table)
    show(f"{suite} {' and '.join(wanted)}: {len(tasks)} tasks", report)


def show(title: str, report: Mapping[str, Json]) -> None:
    """Counts by aspect and by capability, then the empty cells: rows that lack the same capabilities together."""
    from rich.table import Table

    from evalkit.suites.bench.coverage import COLUMNS
    from evalkit.suites.bench.draft import CAPABILITIES

    table = Table(box=None, title=title, title_justify="left", header_style="dim")
    for heading in ("rows by", "rows", "cells", "filled", "empty", "rows without any task"):
        table.add_column(heading, justify="left" if heading == "rows by" else "right")
    for aspect, one in report.items():
        cells, empty = len(one["cells"]) * len(CAPABILITIES), len(one["empty"])
        counts = (len(one["cells"]), cells, cells - empty, empty, len(one["bare"]))
        table.add_row(aspect, *map(str, counts))
    out().print(table)
    held = report["domain"]["cells"].values()  # every task has one domain
    tasks = ", ".join(f"{name} {sum(row.get(name, 0) for row in held)}" for name in COLUMNS)
    out().print(f"tasks by capability: {tasks}\ncells are rows x the {len(CAPABILITIES)} capabilities of the paper")
    for aspect, one in report.items():
        out().print(f"empty by {aspect}:" + ("" if one["empty"] else " none"))
        for missing, rows in gaps(one).items():
            what = "any task" if len(missing) == len(CAPABILITIES) else ", ".join(missing)
            out().print(f"  without {what} ({len(rows)}): {', '.join(rows)}", markup=False)


def gaps(table: Json) -> dict[tuple[str, ...], list[str]]:
    """Rows by the capabilities that they have no task of; the most rows first."""
    missing: dict[str, tuple[str, ...]] = {}
    for row, name in table["empty"]:
        missing[row] = (*missing.get(row, ()), name)
    found: dict[tuple[str, ...], list[str]] = {}
    for row, names in missing.items():
        found.setdefault(names, []).append(row)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def _show_cells(aspect: str, table: Json) -> None:
    from rich.table import Table

    from evalkit.suites.bench.coverage import COLUMNS

    shown = Table(box=None, title=aspect, title_justify="left")
    for heading in ("", *(name.replace("_", "\n") for name in COLUMNS)):
        shown.add_column(heading)
    for row, held in table["cells"].items():
        shown.add_row(row, *(str(held.get(name, "-")) for name in COLUMNS))
    out().print(shown)
