"""Run: carry out a request in plain words on a phone, and say what changed.

Steps appear as they happen. At the end stand the phone's net change, what was read back, and whether the run is
*confirmed*. Exit code 0 only for confirmed.
"""

from typing import Annotated

import typer

from runtime.cli.common import JsonFlag, SetOption, err, interruptible, out, print_json
from runtime.cli.root import INTERRUPTED, NOT_DONE
from runtime.contract import Json

app = typer.Typer(add_completion=False)

EPILOG = 'Example: pocket run "wake me at half past seven tomorrow with an alarm called morning run"'


@app.command(epilog=EPILOG)
def run(
    request: Annotated[str, typer.Argument(help="What the phone should do, in plain words.")],
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
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Carry out a request in plain words on a phone, and say what changed."""
    from runtime.cli.serve import serve
    from runtime.config import load_settings

    phone: Json = {"backend": backend, "serial": serial, "seed": seed, "clock": clock}
    flags: Json = {"planner": {"use": planner}, "phone": phone}
    given = {name: {key: value for key, value in part.items() if value is not None} for name, part in flags.items()}
    settings = load_settings({name: part for name, part in given.items() if part}, assignments or ())
    console = err() if json else out()
    served = serve(request, settings, console=console, agree=yes, interruptible=interruptible)
    if json:
        print_json(served.report)
    raise typer.Exit(INTERRUPTED if served.interrupted else 0 if served.confirmed else NOT_DONE)
