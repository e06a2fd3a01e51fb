"""Phone: a software phone at the wire, and dumps of real ones."""

import typer

from device.android.cli_fold import fold_file
from device.handset.cli import fault, replay, serve

START = "Example: pocket phone serve; in another terminal, pocket devices connect 127.0.0.1:PORT"
app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback(epilog=START)
def phone() -> None:
    """A software phone at the wire, and dumps of real ones."""


app.command("fold", epilog="Example: pocket phone fold window_dump.xml --json")(fold_file)
app.command("serve", epilog=START)(serve)
app.command("replay", epilog="Example: pocket phone replay night-light")(replay)
app.command(
    "fault",
    epilog="Examples: pocket phone fault list; pocket phone fault 38935 drop --service shell; "
    "pocket phone fault 38935 clear",
)(fault)
