"""Draw a run of `pocket run` as docs/run.svg: `python scripts/picture.py`; again whenever planner or output change.

The run is real: it goes through the same function as the command, on a phone whose clock stands still, in a data folder
of its own, so that only the planner decides what the picture shows. Exit code 1, and no picture, when the run is not
confirmed.
"""

import io
import os
import re
import tempfile
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from runtime.contract import CancelToken

REQUEST = "wake me at half past seven tomorrow and call it morning run"
CLOCK = "2026-03-02T09:00"
COLUMNS = 100
TARGET = Path(__file__).parents[1] / "docs" / "run.svg"
FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Rich names a font on the web; a picture of this project loads nothing."""


def draw(request: str, planner: str) -> tuple[str, bool]:
    """The picture of one run, and whether the run was confirmed."""
    from runtime.cli.serve import serve
    from runtime.config import load_settings

    settings = load_settings({"planner": {"use": planner}, "phone": {"clock": CLOCK}}, ())
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=False, highlight=False)
    option = "" if planner == "embedded" else f"--planner {planner} "
    console.print(f'$ pocket run {option}"{request}"', style="bold", markup=False)

    def uninterrupted(cancel: CancelToken) -> AbstractContextManager[None]:
        return nullcontext()

    served = serve(request, settings, console=console, agree=False, interruptible=uninterrupted)
    picture = console.export_svg(title="pocket run", unique_id="run")
    return FONTS.sub("", picture), served.confirmed


def main(
    request: Annotated[str, typer.Argument(help="What the phone should do.")] = REQUEST,
    planner: Annotated[str, typer.Option(help="As for `pocket run`.")] = "embedded",
    target: Annotated[Path, typer.Option(help="File to write.")] = TARGET,
) -> None:
    """Run a request and draw what `pocket run` shows."""
    with tempfile.TemporaryDirectory() as home:
        os.environ.setdefault("POCKET_HOME", home)
        picture, confirmed = draw(request, planner)
    if not confirmed:
        typer.echo("the run was not confirmed; nothing was drawn", err=True)
        raise typer.Exit(1)
    target.write_text(picture, encoding="utf-8")
    typer.echo(str(target))


if __name__ == "__main__":
    typer.run(main)
