"""`pocket eval cases`: the twelve cases of the paper, or a file of recorded ones, played through the real harness."""

from pathlib import Path
from typing import Annotated

import typer

from runtime.cli.common import JsonFlag, out, print_json
from runtime.cli.root import NOT_DONE
from runtime.contract import Json

FileArgument = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="Recorded cases, JSON; without it, the paper's twelve.")
]


def cases(file: FileArgument = None, json: JsonFlag = False) -> None:
    """Play cases by scripts: right paths must pass and wrong ones fail; recordings must come out as recorded."""
    from evalkit.cases.recorded.score import run_recorded
    from evalkit.cases.twelve import run_twelve

    report = run_twelve() if file is None else run_recorded(file)
    if json:
        print_json(report)
    else:
        _print(report)
    raise typer.Exit(0 if _as_wanted(report) else NOT_DONE)


def _as_wanted(report: Json) -> bool:
    """All pass that must pass, and nothing else does."""
    good: bool = report["passed"] == report["n"] and not report.get("wrong_passed") and not report.get("astray")
    return good and report.get("examples_passed") == report.get("examples_n")


def _print(report: Json) -> None:
    for line in [*report["cases"], *report.get("examples", ())]:
        mark, said = "passed" if line["passed"] else "FAILED", out()
        said.print(f"{mark}  {line.get('name') or line['case']}", markup=False)
        for differs in line["differs"]:
            said.print(f"        {differs}", markup=False)
        for note in line.get("notes", ()):
            said.print(f"        {note}", markup=False)
        for name in line.get("stood_in", ()):
            said.print(f"        `{name}` was made to fail as recorded; the sandbox would have done it", markup=False)
        for one in line.get("wrong", ()):
            how = "PASSED" if one["passed"] else "fails, ASTRAY" if one["astray"] else "fails"
            said.print(f"        wrong: {one['name']} {how} ({'; '.join(one['failed_by'])})", markup=False)
    out().print(f"{report['passed']} of {report['n']} passed", markup=False)
    if "wrong" in report:
        out().print(f"{report['wrong_passed']} of {report['wrong']} wrong variants passed", markup=False)
