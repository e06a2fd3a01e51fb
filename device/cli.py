"""Phone: a software phone at the wire, and dumps of real ones."""

import typer

from device.android.cli_fold import fold_file

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def phone() -> None:
    """A software phone at the wire, and dumps of real ones."""


app.command("fold", epilog="Example: pocket phone fold window_dump.xml --json")(fold_file)
