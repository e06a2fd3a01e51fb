"""Outside: benchmarks of others, their own gold through our ToolProvider.

Exit codes: 0 measured (equal or not), 1 a worker failed, 2 wrong use or no environment, 130 interrupted.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from evalkit.outside.environment import Kind, default_folder, make_environment
from runtime.cli.common import JsonFlag, err, interruptible, out, print_json
from runtime.cli.root import INTERRUPTED
from runtime.contract import CancelToken, Json

if TYPE_CHECKING:
    from evalkit.outside.wire import OutsideTask

T = TypeVar("T")
app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Benchmarks of others: their own gold through our ToolProvider.",
    epilog="Example: pocket eval outside setup bfcl && pocket eval outside bfcl --json",
)
EnvOption = Annotated[Path | None, typer.Option("--env", help="Folder of the toolkit's Python environment.")]
LimitOption = Annotated[int | None, typer.Option("--limit", min=1, help="A fixed sample of that size.")]


@app.command(epilog="Example: pocket eval outside bfcl --json")
def bfcl(env: EnvOption = None, limit: LimitOption = None, json: JsonFlag = False) -> None:
    """BFCL multi-turn: outputs and states of two attempts against the toolkit's own executor, and the speed of both."""
    from evalkit.outside.bfcl import bfcl_report
    from evalkit.outside.toolkit import Toolkit

    folder, cancel = env or default_folder(Kind.BFCL), CancelToken()
    with Toolkit(Kind.BFCL, folder) as ours, Toolkit(Kind.BFCL, folder) as theirs, interruptible(cancel):
        report = bfcl_report(ours, theirs, sample(ours.tasks, limit), cancel, watched)
    _finish(report, cancel, json)


@app.command(epilog="Example: pocket eval outside agentdojo --json")
def agentdojo(env: EnvOption = None, limit: LimitOption = None, json: JsonFlag = False) -> None:
    """AgentDojo's user tasks: their ground truth, checked by their own `utility()`."""
    from evalkit.outside.agentdojo import agentdojo_report
    from evalkit.outside.toolkit import Toolkit

    folder, cancel = env or default_folder(Kind.AGENTDOJO), CancelToken()
    with Toolkit(Kind.AGENTDOJO, folder) as toolkit, interruptible(cancel):
        report = agentdojo_report(toolkit, sample(toolkit.tasks, limit), cancel, watched)
    _finish(report, cancel, json)


@app.command(epilog="Example: pocket eval outside setup bfcl")
def setup(toolkit: Annotated[Kind, typer.Argument(help="Which toolkit.")], env: EnvOption = None) -> None:
    """Make a toolkit's Python environment with pinned packages, apart from ours."""
    folder = env or default_folder(toolkit)
    with err().status(f"installing {toolkit.value} into {folder}"):
        make_environment(toolkit, folder)
    out().print(f"{toolkit.value} is ready in `{folder}`", markup=False)


def sample(tasks: "tuple[OutsideTask, ...]", limit: int | None) -> "list[OutsideTask]":
    """`limit` tasks at equal distances, so that every category is in it; all without a limit."""
    if limit is None or limit >= len(tasks):
        return list(tasks)
    return [tasks[place * len(tasks) // limit] for place in range(limit)]


def watched(items: Iterable[T]) -> Iterator[T]:
    """A progress bar on the error stream, where that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    left, console = list(items), err()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield from progress.track(left, description="tasks")


def _finish(report: Json, cancel: CancelToken, json: bool) -> None:
    if json:
        print_json(report)
    else:
        for key, value in report.items():
            shown = ", ".join(map(str, value)) or "none" if isinstance(value, list) else value
            out().print(f"{key}: {shown}", markup=False)
    raise typer.Exit(INTERRUPTED if cancel.cancelled else 0)
