"""What the commands of `pocket eval` share: options, settings, the store, progress, how a figure is shown."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from runtime.cli.common import err, finite
from runtime.cli.root import INTERRUPTED
from runtime.contract import Record, UserError

if TYPE_CHECKING:
    from evalkit.results import ResultStore
    from evalkit.suites import Suite
    from runtime.config import Settings

T = TypeVar("T")
PlannerOption = Annotated[str | None, typer.Option("--planner", help="embedded, keyword, oracle, null, a GGUF, a URL.")]
SuiteOption = Annotated[str, typer.Option("--suite", help="Name of a suite.")]
SplitOption = Annotated[str, typer.Option("--split", help="train, dev or test.")]
SplitsOption = Annotated[str, typer.Option("--split", help="train, dev or test; several with `+`.")]
LimitOption = Annotated[int | None, typer.Option("--limit", min=1, help="A fixed sample of that size.")]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Forget earlier results of this run.")]
PriceOption = Annotated[
    float | None, typer.Option("--price", min=0, callback=finite, help="Of a million output tokens, any currency.")
]


def settings_of(planner: str | None, assignments: Sequence[str] | None = None) -> "Settings":
    """The settings in force, with another planner where one is named."""
    from runtime.config import load_settings

    return load_settings({"planner": {"use": planner}} if planner else {}, assignments or ())


def suites_of(name: str, splits: str) -> "list[Suite]":
    """The splits of a suite that `dev+test` names."""
    from evalkit.suites import load_suite

    wanted = [part.strip() for part in splits.split("+") if part.strip()]
    if not wanted:
        raise UserError("`--split` names no split. Write `--split dev` or `--split dev+test`.")
    return [load_suite(name, split) for split in wanted]


@contextmanager
def open_store() -> "Iterator[ResultStore]":
    """The results of all runs."""
    from evalkit.results import ResultStore, results_file

    store = ResultStore(results_file())
    try:
        yield store
    finally:
        store.close()


def watch(items: Iterable[T]) -> Iterator[T]:
    """A progress bar on the error stream, where that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    left = list(items)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = err()
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield from progress.track(left, description="tasks")


def interrupted(left: str) -> typer.Exit:
    """Say after a Ctrl-C what is kept and how to go on; the exit to raise."""
    err().print(f"interrupted: {left}", markup=False)
    return typer.Exit(INTERRUPTED)


def rate(value: float | int | Record | None) -> str:
    """A figure in a table."""
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
