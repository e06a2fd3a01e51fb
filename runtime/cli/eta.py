"""Eta: the instructions that open every context: general and by domain, with their versions.

What serves is what is shipped, until you keep a revision; every version stays, and a rollback is one command.
"""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, out, print_json
from runtime.contract import Json, UserError
from runtime.eta import Eta
from runtime.eta.book import EtaBook, difference

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="The instructions that open every context: general and by domain, with their versions.",
)
Name = Annotated[str, typer.Argument(help="Name of the instructions: general, explicit, or that of a domain.")]
Why = Annotated[str, typer.Option(help="Why, in your words; kept in the log.")]


@app.command(epilog="Examples: pocket eta show; pocket eta show general --version 1")
def show(
    name: Annotated[str | None, typer.Argument(help="Name of the instructions; none: the list.")] = None,
    version: Annotated[int | None, typer.Option(min=1, help="This version; else the one that serves.")] = None,
    json: JsonFlag = False,
) -> None:
    """What serves, by component, and its other versions; or the list of all."""
    book = _book()
    if name is None:
        _show_all(book, json)
        return
    eta = book.current(name) if version is None else book.version(name, version)
    log = book.log(name)
    if json:
        print_json({**_data(book, eta), "log": [deed.model_dump(mode="json") for deed in log]})
        return
    console = out()
    console.print(Text(f"{eta.name} version {eta.version}  {eta.digest}", style="bold"))
    for component, text in eta.components.items():
        console.print(Text.assemble((f"  {component}: ", "dim"), text))
    console.print(
        Text(f"{len(eta.text)} of {eta.limit} characters, in {book.versions(name)[eta.version]}", style="dim")
    )
    for deed in log:
        console.print(Text(f"{deed.at}  {deed.did}: {deed.before} -> {deed.version}  {deed.why}", style="dim"))


@app.command(epilog="Example: pocket eta diff general --from 1 --to 2")
def diff(
    name: Name,
    before: Annotated[int | None, typer.Option("--from", min=1, help="This version; else the shipped one.")] = None,
    after: Annotated[int | None, typer.Option("--to", min=1, help="This version; else the one that serves.")] = None,
    json: JsonFlag = False,
) -> None:
    """What two versions say differently, by component."""
    book = _book()
    old = book.version(name, min(book.versions(name)) if before is None else before)
    new = book.current(name) if after is None else book.version(name, after)
    lines = difference(old, new)
    if json:
        print_json({"name": name, "from": old.version, "to": new.version, "diff": lines})
        return
    same = f"versions {old.version} and {new.version} of {name} say the same"
    if old.version == new.version:
        same = f"that is version {old.version} of {name} twice; `pocket eta revise {name} FILE` keeps another"
    for line in lines or [same]:
        style = {"+": "green", "-": "red"}.get(line[:1], "dim")
        out().print(Text(line, style=style))


@app.command(epilog='Example: pocket eta revise general mine.toml --why "asks earlier"')
def revise(
    name: Name,
    file: Annotated[Path, typer.Argument(help="The next version, a TOML file like the one that `show` names.")],
    why: Why = "",
    json: JsonFlag = False,
) -> None:
    """Keep a file as the next version, which serves from now on."""
    if not file.is_file():
        raise UserError(f"`{file}` is no file. Give the next version of `{name}` as TOML.")
    _tell(_book().revise(file, name, why), "serves now", json)


@app.command(epilog="Example: pocket eta rollback general --to 1")
def rollback(
    name: Name,
    to: Annotated[
        int | None, typer.Option("--to", min=1, help="This version; else the one that served before.")
    ] = None,
    why: Why = "",
    json: JsonFlag = False,
) -> None:
    """Let an earlier version serve again; no version is deleted."""
    _tell(_book().rollback(name, to, why), "serves again", json)


def _book() -> EtaBook:
    from runtime.config import eta_folder

    return EtaBook(eta_folder())


def _data(book: EtaBook, eta: Eta) -> Json:
    files = book.versions(eta.name)
    kept = {"digest": eta.digest, "file": str(files[eta.version]), "versions": sorted(files)}
    return {
        **eta.model_dump(mode="json"),
        **kept,
        "serves": book.current(eta.name).version,
        "characters": len(eta.text),
    }


def _show_all(book: EtaBook, json: bool) -> None:
    found = [book.current(name) for name in book.names()]
    if json:
        print_json([_data(book, eta) for eta in found])
        return
    table = Table(box=None, header_style="dim")
    for heading in ("name", "serves", "of", "domain", "text"):
        table.add_column(heading)
    for eta in found:
        versions = str(len(book.versions(eta.name)))
        table.add_row(eta.name, str(eta.version), versions, Text(getattr(eta, "domain", "")), Text(eta.text))
    out().print(table)


def _tell(eta: Eta, words: str, json: bool) -> None:
    if json:
        print_json({**eta.model_dump(mode="json"), "digest": eta.digest})
    else:
        out().print(Text(f"{eta.name} version {eta.version} {words}"))
