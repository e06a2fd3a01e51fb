"""Phone: a software phone at the wire, and dumps of real ones."""

import typer

from device.android.cli_fold import fold_file
from device.handset.cli import fault, replay, serve

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def phone() -> None:
    """A software phone at the wire, and dumps of real ones."""


app.command("fold", epilog="Example: pocket phone fold window_dump.xml --json")(fold_file)
app.command("serve", epilog="Example: pocket phone serve --count 4, then adb connect 127.0.0.1:PORT")(serve)
app.command("replay", epilog="Example: pocket phone replay traces/2026-03-02")(replay)
app.command("fault", epilog="Examples: pocket phone fault 5601 drop --service shell; pocket phone fault 5601 clear")(
    fault
)
