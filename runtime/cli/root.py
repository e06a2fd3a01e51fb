"""`pocket`: finds the commands of all rooms without importing any of them, and turns failures into one line.

1. A command is an entry point of the group `pocketplanner.commands`: its name, and a module with a typer app. The help
   of `pocket` shows the first line of that module's docstring, read without importing it.
2. Only the command that was asked for is imported. A module that it lacks belongs to an extra; the message says which.
3. Exit codes: 0 done, 1 not done, 2 wrong use, 130 interrupted. A person never sees a traceback for wrong use.
"""

import ast
import errno
import importlib.util
import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points, requires
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

GROUP = "pocketplanner.commands"
DISTRIBUTION = "pocketplanner"
NOT_DONE, WRONG_USE, INTERRUPTED = 1, 2, 130


class Commands(TyperGroup):
    """A group whose commands are loaded when they are called."""

    def points(self) -> dict[str, EntryPoint]:
        """Entry points by command, in alphabetical order."""
        return found_points()

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of the commands."""
        return list(self.points())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A stand-in with the command's name and help: enough for the help page."""
        point = self.points().get(cmd_name)
        return None if point is None else TyperCommand(cmd_name, help=first_line(point), callback=lambda: None)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The real command, imported now."""
        self.commands = {name: self.get_command(ctx, name) for name in self.points()}
        name, stand_in, rest = super().resolve_command(ctx, args)
        return (name, load(self.points()[name]), rest) if name and stand_in else (name, stand_in, rest)


@lru_cache(maxsize=1)
def found_points() -> dict[str, EntryPoint]:
    """Looked up once: it reads the metadata of every installed distribution."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def load(point: EntryPoint) -> Any:
    """The click command behind an entry point."""
    command: Any = typer.main.get_command(point.load())
    command.name = point.name
    return command


def first_line(point: EntryPoint) -> str:
    """First line of the docstring of the command's module, read from its file."""
    top, *rest = point.module.split(".")
    spec = importlib.util.find_spec(top)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        base = Path(folder, *rest)
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
                line = text.partition("\n")[0]
                words = line.partition(": ")[2] or line
                return words[:1].upper() + words[1:]
    return f"Not installed: `{point.value}`."


root = typer.Typer(
    cls=Commands,
    name="pocket",
    no_args_is_help=True,
    add_completion=False,
    help="Plain words in, verified phone state out.",
    epilog='Example: pocket run "wake me at half past seven tomorrow and call it morning run"',
    context_settings={"help_option_names": ["-h", "--help"]},
)


@root.callback()
def options() -> None:
    """Plain words in, verified phone state out."""


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is returned, never raised."""
    return _written(_called(args))


def _called(args: Sequence[str] | None) -> int:
    command: Any = typer.main.get_command(root)
    given = sys.argv[1:] if args is None else args
    if unread := next((word for word in given if any("\ud800" <= letter <= "\udfff" for letter in word)), None):
        return _fail(f"{unread!a} is not UTF-8. Write it in the terminal's encoding.", WRONG_USE)
    try:
        code = command.main(args=None if args is None else list(args), prog_name="pocket", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted.", INTERRUPTED)
    except BrokenPipeError:
        return _nowhere()
    except ModuleNotFoundError as error:
        return _fail(missing_module(error), WRONG_USE)
    except Exception as error:
        return _translated(error)
    return code if isinstance(code, int) else 0


def _written(code: int) -> int:
    """`code` when all that was printed is out; else one line says why not, and it is not done."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _nowhere()
    except OSError as error:
        return _full(error)
    return code


def _full(error: OSError) -> int:
    """What was printed, or a file beside it, could not be written."""
    _nowhere()
    return _fail(f"the output can't be written: {error.strerror}. Free the disk, or write elsewhere.", NOT_DONE)


def _nowhere() -> int:
    """Print nothing more: nobody reads it."""
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - the interpreter flushes it at exit
    return NOT_DONE


def _translated(error: Exception) -> int:
    """What a person must read becomes one line; a defect of the program keeps its traceback."""
    from typer._click.exceptions import ClickException, NoArgsIsHelpError, UsageError

    from runtime.contract.errors import InfrastructureError, PocketError, ToolFailure

    if isinstance(error, NoArgsIsHelpError):
        print(error.format_message(), file=sys.stderr)
        return WRONG_USE
    if isinstance(error, ClickException):
        path = error.ctx.command_path if isinstance(error, UsageError) and error.ctx is not None else "pocket"
        said = error.format_message().rstrip()
        return _fail(f"{said}{'' if said[-1:] in '.?!' else '.'} See `{path} --help`.", WRONG_USE)
    if isinstance(error, InfrastructureError):
        return _fail(str(error), NOT_DONE)
    if isinstance(error, PocketError):
        return _fail(str(error), WRONG_USE)
    if isinstance(error, ToolFailure):  # a phone's, where a command asked it without a call
        return _fail(f"{error.message}.", NOT_DONE)
    if any(kind.__name__ == "DatabaseError" for kind in type(error).__mro__):  # of sqlite3 or pysqlite3
        return _fail(_damaged(error), WRONG_USE)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return _full(error)
    raise error


def _damaged(error: Exception) -> str:
    from runtime.planner.settings import data_folder

    return (
        f"a data file in `{data_folder()}` is damaged or another program's: {error}. "
        "Move it out of the folder, or set `POCKET_HOME` to another one."
    )


def _fail(message: str, code: int) -> int:
    from runtime.visible import visible

    print("pocket: " + visible(" ".join(message.split())), file=sys.stderr)
    return code


def missing_module(error: ModuleNotFoundError) -> str:
    """Which extra brings the module that is missing."""
    module = (error.name or "").partition(".")[0]
    for requirement in requires(DISTRIBUTION) or []:
        name, _, marker = requirement.partition(";")
        extra = marker.partition("extra == ")[2].strip("'\" )")
        package = "".join(char if char.isalnum() else " " for char in name).split()
        if extra and module and "".join(package).startswith(module.replace("_", "")):
            remedy = f"in the clone, pip install -e '.[{extra}]'"
            return f"`{module}` is not installed. It comes with the extra `{extra}`: {remedy}."
    return f"`{error.name}` is not installed. Repair the installation: pip install --force-reinstall pocketplanner."


if __name__ == "__main__":
    sys.exit(main())
