"""MCP: use tools of MCP servers in runs, and offer the phone to MCP clients.

A server's tools are accepted once, as they are then (`add`, `accept`); one that changes is refused until you accept it
again. `mcp.use=true` offers them in runs. Exit codes: 0 done, 1 not done (a server that changed or fails), 2 wrong use.
"""

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, SetOption, err, out, print_json
from runtime.cli.root import NOT_DONE
from runtime.contract import Deadline, Json, ToolFailure, UserError
from runtime.visible import in_one_line

if TYPE_CHECKING:
    from runtime.config import Settings
    from runtime.mcp.book import ServerBook
    from runtime.mcp.records import Pinned, Server

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Use tools of MCP servers in runs, and offer the phone to MCP clients.",
)
Name = Annotated[str, typer.Argument(help="The server's name, as `pocket mcp list` shows it.")]
NEXT = (
    "`mcp.use=true` offers them in runs; each call is asked about unless the tool only reads: "
    "`pocket mcp accept NAME --read TOOL` says so."
)
NONE = "no servers yet: pocket mcp add NAME -- COMMAND"


@app.command(epilog="Example: pocket mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv/notes")
def add(
    name: Annotated[str, typer.Argument(help="Your name for it: small letters and digits.")],
    command: Annotated[list[str] | None, typer.Argument(help="After `--`: the program and its arguments.")] = None,
    url: Annotated[str, typer.Option(help="Its address instead (streamable HTTP).")] = "",
    env: Annotated[list[str] | None, typer.Option(help="Name of a variable that the program gets.")] = None,
    header: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VARIABLE", help="A header, its value in a variable.")
    ] = None,
    read: Annotated[list[str] | None, typer.Option(help="A tool that only reads: it is not asked about.")] = None,
    trust_hints: Annotated[bool, typer.Option(help="Believe what the server says its tools do.")] = False,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Start or reach a server, and accept its tools as they are now."""
    from runtime.config import load_settings
    from runtime.mcp.records import Server, refuse_bad

    headers = dict(_pair(one) for one in header or ())
    server = Server(name=name, command=tuple(command or ()), url=url, environment=tuple(env or ()), headers=headers,
                    trust_hints=trust_hints, reads=tuple(read or ()))  # fmt: skip
    refuse_bad(server)
    book = _book()
    if any(one.name == name for one in book.servers()):
        raise UserError(f"there is an MCP server `{name}` already. `pocket mcp remove {name}` takes it out.")
    tools = _declared(server, load_settings({}, assignments or ()))
    _refuse_unknown(server.reads, tools)
    server = server.model_copy(update={"tools": tuple(tools)})
    book.put(server, new=True)
    _tell(server, json)


@app.command("list", epilog="Example: pocket mcp list --json")
def list_servers(json: JsonFlag = False) -> None:
    """The servers, with their tools as you accepted them."""
    servers = _book().servers()
    if json:
        print_json([_as_json(one) for one in servers])
        return
    if not servers:
        out().print(Text(NONE, style="dim"))
    for one in servers:
        _show(one)


@app.command(epilog="Example: pocket mcp check files")
def check(
    names: Annotated[list[str] | None, typer.Argument(help="Servers; none: all.")] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Does each server answer, and are its tools still as accepted? What changed, is gone or new."""
    from runtime.config import load_settings

    settings, book = load_settings({}, assignments or ()), _book()
    chosen = [book.named(name) for name in names] if names else book.servers()
    found = [_compared(server, settings) for server in chosen]
    if json:
        print_json(found)
    else:
        if not found:
            out().print(Text(NONE, style="dim"))
        for one in found:
            _show_compared(one)
    raise typer.Exit(0 if all(one["ok"] for one in found) else NOT_DONE)


@app.command(epilog="Example: pocket mcp accept files")
def accept(
    name: Name,
    tools: Annotated[
        list[str] | None, typer.Argument(help="Only these tools of it; none: all as they are now.")
    ] = None,
    read: Annotated[list[str] | None, typer.Option(help="A tool that only reads: it is not asked about.")] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Accept a server's tools as they are now, in place of before; `--read` alone leaves them as they are."""
    from runtime.config import load_settings

    book = _book()
    server = book.named(name)
    if read:
        server = _reading(server, read)
        if not tools:
            book.put(server)
            _tell(server, json)
            return
    now = {one.name: one for one in _declared(server, load_settings({}, assignments or ()))}
    if not tools:
        kept = tuple(now.values())
    else:
        _refuse_unknown(tools, list(now.values()))
        before = {one.name: one for one in server.tools}
        kept = tuple({**before, **{tool: now[tool] for tool in tools}}.values())
    server = server.model_copy(update={"tools": kept})
    book.put(server)
    _tell(server, json)


@app.command(epilog="Example: pocket mcp remove files")
def remove(name: Name, json: JsonFlag = False) -> None:
    """Take a server out, with what was accepted of it."""
    gone = _book().remove(name)
    if json:
        print_json(_as_json(gone))
    else:
        out().print(f"removed {gone.name}", markup=False)


@app.command(epilog="Example, in a client's configuration: pocket mcp serve --domain time")
def serve(
    backend: Annotated[str | None, typer.Option(help="The phone: sandbox or android.")] = None,
    serial: Annotated[str | None, typer.Option(help="Which connected phone; see `pocket devices`.")] = None,
    domain: Annotated[list[str] | None, typer.Option(help="Only tools of a domain, by the start of its name.")] = None,
    read_only: Annotated[bool, typer.Option(help="Only tools that change nothing.")] = False,
    seconds: Annotated[float, typer.Option(min=1, max=3600, help="Of a call, the user's answers included.")] = 120.0,
    assignments: SetOption = None,
) -> None:
    """Offer the phone's tools to an MCP client over standard input and output, under the guard and your rules."""
    from runtime.cli.served import serve_client
    from runtime.config import load_settings

    phone = {key: value for key, value in (("backend", backend), ("serial", serial)) if value}
    settings = load_settings({"phone": phone} if phone else {}, assignments or ())
    if sys.stdin.isatty():
        err().print(
            Text("waiting for an MCP client on standard input; it belongs into a client's configuration", style="dim")
        )
    serve_client(settings, domain or [], read_only, seconds)


def _book() -> "ServerBook":
    from runtime.config import mcp_file
    from runtime.mcp.book import ServerBook

    return ServerBook(mcp_file())


def _pair(text: str) -> tuple[str, str]:
    name, equals, variable = text.partition("=")
    if not equals or not name.strip():
        raise UserError(f"`--header {text[:60]}` names no variable. Write `--header Authorization=MY_TOKEN`.")
    return name.strip(), variable.strip()


def _refuse_unknown(names: "tuple[str, ...] | list[str]", tools: "list[Pinned]") -> None:
    from runtime.arguments import near

    known = [one.name for one in tools]
    for name in names:
        if name not in known:
            hint = near(name, known) or f"; it has {', '.join(f'`{one}`' for one in known[:12])}."
            raise UserError(f"the server has no tool `{name[:60]}`{hint}")


def _reading(server: "Server", read: list[str]) -> "Server":
    """The server with more tools that only read, named as it names them or as a run shows them."""
    from runtime.mcp.schemas import specs_of

    own = {ours: tool.name for ours, (_, tool) in specs_of(server)[0].items()}
    names = [own.get(one, one) for one in read]
    _refuse_unknown(names, list(server.tools))
    return server.model_copy(update={"reads": tuple(dict.fromkeys((*server.reads, *names)))})


def _declared(server: "Server", settings: "Settings") -> "list[Pinned]":
    """What a server declares now; a failure of it is a `UserError`."""
    from runtime.mcp.link import Link
    from runtime.wiring import mcp_limits

    link = Link(server, mcp_limits(settings))
    try:
        return link.tools(Deadline.never())
    except ToolFailure as failure:
        raise UserError(f"{failure.message} Look at its command or address.") from None
    finally:
        link.close()


def _compared(server: "Server", settings: "Settings") -> Json:
    from runtime.mcp.records import changed
    from runtime.mcp.schemas import specs_of

    try:
        now = {one.name: one for one in _declared(server, settings)}
    except UserError as error:
        return {"server": server.name, "ok": False, "problem": str(error)}
    before = {one.name: one for one in server.tools}
    differ = {name: changed(one, now[name]) for name, one in before.items()
              if name in now and now[name].digest != one.digest}  # fmt: skip
    gone = [name for name in before if name not in now]
    return {
        "server": server.name,
        "ok": not differ and not gone,
        "changed": differ,
        "gone": gone,
        "new": [name for name in now if name not in before],
        "left_out": specs_of(server)[1],
    }


def _show_compared(one: Json) -> None:
    if "problem" in one:
        out().print(Text(in_one_line(one["problem"]), style="red"))
        return
    out().print(Text.assemble((one["server"], "bold"), "  as accepted" if one["ok"] else "  not as accepted"))
    for name, fields in one["changed"].items():
        out().print(Text(f"  {in_one_line(name)}: changed: {', '.join(fields)}", style="red"))
    for name in one["gone"]:
        out().print(Text(f"  {in_one_line(name)}: gone", style="red"))
    for name in one["new"]:
        out().print(Text(f"  {in_one_line(name)}: new; not offered before you accept it", style="yellow"))
    for name, why in one["left_out"].items():
        out().print(Text(f"  {in_one_line(name)}: not offered: {in_one_line(why)}", style="yellow"))


def _as_json(server: "Server") -> Json:
    from runtime.mcp.schemas import specs_of

    specs, left_out = specs_of(server)
    return {
        **server.model_dump(mode="json", exclude={"tools"}),
        "kind": server.kind,
        "tools": [
            {"name": tool.name, "digest": tool.digest, "offered_as": name, "effects": sorted(spec.effects)}
            for name, (spec, tool) in specs.items()
        ],
        "left_out": left_out,
    }


def _tell(server: "Server", json: bool) -> None:
    if json:
        print_json(_as_json(server))
    else:
        _show(server)
        err().print(NEXT, markup=False)


def _show(server: "Server") -> None:
    """A server with its tools, a stranger's words in one line each."""
    from runtime.mcp.schemas import specs_of

    specs, left_out = specs_of(server)
    where = server.url or " ".join(server.command)
    out().print(Text.assemble((server.name, "bold"), f"  {server.kind}  {in_one_line(where)}"))
    table = Table(box=None, header_style="dim")
    for heading in ("tool", "effects", "what it says of itself"):
        table.add_column(heading)
    for name, (spec, _) in specs.items():
        table.add_row(name, ", ".join(sorted(spec.effects)), Text(spec.description))
    for name, why in left_out.items():
        table.add_row(Text(in_one_line(name)), "not offered", Text(in_one_line(why)))
    out().print(table)
