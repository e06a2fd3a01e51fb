"""Run: carry out a request in plain words on a phone, and say what changed.

Steps appear as they happen. At the end stand the phone's net change, what was read back, and whether the run is
*confirmed*. Exit code 0 only for confirmed. A run whose process was killed goes on with `--resume`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from runtime.cli.common import JsonFlag, SetOption, err, interruptible, out, print_json
from runtime.cli.root import INTERRUPTED, NOT_DONE
from runtime.contract import Json, UserError

if TYPE_CHECKING:
    from runtime.cli.serve import Served

app = typer.Typer(add_completion=False)

EPILOG = 'Examples: pocket run "wake me at half past seven tomorrow and call it morning run"; pocket run --resume last'


@app.command(epilog=EPILOG)
def run(
    request: Annotated[str | None, typer.Argument(help="What the phone should do, in plain words.")] = None,
    planner: Annotated[
        str | None, typer.Option(help="embedded, keyword, scripted:FILE, a GGUF, an ONNX folder or a URL.")
    ] = None,
    backend: Annotated[str | None, typer.Option(help="The phone: sandbox or android.")] = None,
    serial: Annotated[str | None, typer.Option(help="Which connected phone; see `pocket devices`.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seeds the phone's ids and choices.")] = None,
    clock: Annotated[str | None, typer.Option(help="The phone's local time, 2026-03-02T09:00; else now.")] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Agree to what is asked; never to pay, delete, grant or install.")
    ] = False,
    resume: Annotated[
        str | None, typer.Option(metavar="ID", help="Go on with a run that was broken off; `last` is the newest.")
    ] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Carry out a request in plain words on a phone, and say what changed."""
    from runtime.cli.serve import serve
    from runtime.config import load_settings

    if resume is not None:
        fresh = {"REQUEST": request, "--planner": planner, "--backend": backend, "--serial": serial, "--seed": seed,
                 "--clock": clock, "--set": assignments}  # fmt: skip
        _end(_resumed(resume, [name for name, value in fresh.items() if value is not None], yes, json), json)
    phone: Json = {"backend": backend, "serial": serial, "seed": seed, "clock": clock}
    flags: Json = {"planner": {"use": planner}, "phone": phone}
    given = {name: {key: value for key, value in part.items() if value is not None} for name, part in flags.items()}
    settings = load_settings({name: part for name, part in given.items() if part}, assignments or ())
    if request is None:
        raise typer.BadParameter("say what the phone should do, or which run goes on (`--resume ID`).")
    console = err() if json else out()
    _end(serve(request, settings, console=console, agree=yes, interruptible=interruptible), json)


def _resumed(start: str, beside: Sequence[str], agree: bool, json: bool) -> "Served":
    """Go on with a run, under its own request and settings."""
    from contextlib import closing

    from runtime.cli.serve import serve
    from runtime.config import recorded_settings
    from runtime.wiring import read_traces

    if beside:
        raise typer.BadParameter(f"a run goes on under its own request and settings; leave out `{beside[0]}`.")
    with closing(read_traces()) as reader:
        earlier = reader.earlier(reader.find(start))
    if earlier.part_of:
        raise UserError(
            f"`{earlier.id}` is a sub-agent's part of the run `{earlier.part_of}`. Go on with that: "
            f"`pocket run --resume {earlier.part_of}`."
        )
    settings = recorded_settings(earlier.settings)
    console = err() if json else out()
    return serve(
        earlier.view.request, settings, console=console, agree=agree, interruptible=interruptible, earlier=earlier
    )


def _end(served: "Served", json: bool) -> NoReturn:
    """Print the report where it is asked for; the exit code says how the run ended."""
    if json:
        print_json(served.report)
    raise typer.Exit(INTERRUPTED if served.interrupted else 0 if served.confirmed else NOT_DONE)
