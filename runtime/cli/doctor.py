"""Doctor: every problem of the installation at once, each with its fix.

Exit code 1 only when something that `pocket run` needs is missing.
"""

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, out, print_json
from runtime.cli.root import NOT_DONE
from runtime.doctor import findings

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: pocket doctor --json")
def doctor(json: JsonFlag = False) -> None:
    """Every problem of the installation at once, each with its fix."""
    found = findings()
    broken = [one for one in found if one.required and not one.right]
    if json:
        print_json({"right": not broken, "findings": [one.as_json() for one in found]})
    else:
        table = Table(box=None, show_header=False)
        for name in ("word", "name", "found", "fix"):
            table.add_column(no_wrap=name == "word", overflow="fold")
        for one in found:
            word, style = ("ok", "green") if one.right else ("missing", "red") if one.required else ("note", "yellow")
            fix = "" if one.right else one.fix
            table.add_row(Text(word, style=style), Text(one.name), Text(one.found), Text(fix, style=style))
        out().print(table)
        out().print(Text("all that is needed is there" if not broken else f"{len(broken)} to fix"))
    raise typer.Exit(NOT_DONE if broken else 0)
