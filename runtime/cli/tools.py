"""Tools: what the phone can do, by domain; or all about one tool.

`pocket tools NAME` shows its schema, permissions, effects and example phrasings.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, SetOption, err, out, print_json
from runtime.contract import MCP_PREFIX, Domain, Json, ToolSpec, UserError

app = typer.Typer(add_completion=False)


@app.command(
    epilog="Examples: pocket tools --domain time; pocket tools manage_alarm; pocket tools --backend android --serial S"
)
def tools(
    name: Annotated[str | None, typer.Argument(help="One tool; none: the list.")] = None,
    domain: Annotated[str | None, typer.Option(help="Only a domain, by the start of its name.")] = None,
    backend: Annotated[str | None, typer.Option(help="The phone: sandbox or android.")] = None,
    serial: Annotated[str | None, typer.Option(help="Which connected phone; see `pocket devices`.")] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """What the phone can do, by domain; or all about one tool."""
    from runtime.config import load_settings
    from runtime.wiring import offered_with_notes

    chosen_phone = {name: value for name, value in (("backend", backend), ("serial", serial)) if value}
    settings = load_settings({"phone": chosen_phone} if chosen_phone else {}, assignments or ())
    specs, notes = offered_with_notes(settings)
    if name is not None:
        _show_one(_named(specs, name, notes), json, notes.get(name, {}))
        return
    chosen = [spec for spec in specs if domain is None or spec.domain in _domains(domain)]
    if json:
        print_json([_as_json(spec, notes.get(spec.name, {})) for spec in chosen])
    else:
        _show_list(chosen)
        _show_left_out(notes)


def _named(specs: list[ToolSpec], name: str, notes: dict[str, Json]) -> ToolSpec:
    """The tool of that name; a `UserError` says whether it is unknown, or a connected phone alone lacks it."""
    from runtime.arguments import near
    from runtime.wiring import accepted_tools

    found = next((spec for spec in specs if spec.name == name), None)
    if found is not None:
        return found
    if name.startswith(MCP_PREFIX) and name in accepted_tools():
        raise UserError(f"`{name}` belongs to an MCP server, whose tools are off. Add `--set mcp.use=true`.")
    if name in notes:
        raise UserError(f"`{name}` needs Android {notes[name]['since']}, and this phone is older. See `pocket tools`.")
    if notes and name in _of_the_sandbox():
        raise UserError(f"a connected phone can't do `{name}` by a command; `pocket tools {name}` shows the sandbox's.")
    hint = near(name, [spec.name for spec in specs]) or "."
    raise UserError(f"there is no tool `{name}`{hint} See `pocket tools`.")


def _of_the_sandbox() -> set[str]:
    from runtime.contract import WorldSpec
    from runtime.wiring import open_phone

    return {spec.name for spec in open_phone("sandbox", WorldSpec()).tools()}


def _domains(start: str) -> set[Domain]:
    found = {domain for domain in Domain if domain.value.lower().startswith(start.lower())}
    if not found:
        known = ", ".join(f"`{domain.value}`" for domain in Domain)
        raise UserError(f"there is no domain `{start}`. Use the start of one of {known}.")
    return found


def _show_list(specs: list[ToolSpec]) -> None:
    """Tables by domain on a terminal; else a tool a line: domain, call, effects, description, with tabs between."""
    console = out()
    ordered = [spec for domain in Domain for spec in specs if spec.domain is domain]
    if not console.is_terminal:
        for spec in ordered:
            print(spec.domain.value, _head(spec), _effects(spec), spec.description, sep="\t")
        return
    for domain, own in groupby(ordered, key=lambda spec: spec.domain):
        rows = list(own)
        table = Table(title=f"{domain.value} ({len(rows)})", title_justify="left", box=None, show_header=False)
        for ratio in (5, 3, 2):
            table.add_column(ratio=ratio, overflow="fold")
        for spec in rows:
            table.add_row(Text(_head(spec), style="bold"), Text(spec.description), Text(_effects(spec), style="dim"))
        console.print(table)
    console.print(Text(f"{len(specs)} tools", style="dim"))


def _head(spec: ToolSpec) -> str:
    """A tool as the planner is shown it, without its description."""
    from runtime.dialect import signature

    return signature(spec).removesuffix(spec.description).strip()


def _as_json(spec: ToolSpec, note: Json) -> Json:
    return spec.model_dump(mode="json") | ({"on_this_phone": note} if note else {})


def _show_left_out(notes: dict[str, Json]) -> None:
    """What a connected phone is too old for, and what it does in part; beside the list, which a program may read."""
    for name, note in notes.items():
        if not note["works"]:
            err().print(Text(f"not on this phone: {name} needs Android {note['since']}", style="dim"))
        elif note["actions"] != ["all"]:
            err().print(Text(f"in part on this phone: {name}, to {', '.join(note['actions'])}", style="dim"))


def _show_one(spec: ToolSpec, json: bool, note: Json) -> None:
    if json:
        print_json(_as_json(spec, note))
        return
    console = out()
    console.print(Text.assemble((spec.name, "bold"), (f"  {spec.domain.value}", "dim")))
    console.print(Text(spec.description))
    required = spec.parameters.get("required", [])
    table = Table(box=None, header_style="dim")
    for heading in ("argument", "needed", "value"):
        table.add_column(heading)
    for name, schema in spec.parameters.get("properties", {}).items():
        value = " | ".join(schema["enum"]) if "enum" in schema else schema.get("x-spoken", schema.get("type", ""))
        table.add_row(name, "yes" if name in required else "", Text(str(value)))
    console.print(table)
    console.print(Text(f"effects: {_effects(spec)}"))
    console.print(Text(f"permissions: {', '.join(spec.permissions) or 'none'}"))
    for line in _on_this_phone(note):
        console.print(Text(line))
    for phrase in spec.examples:
        console.print(Text(f'  "{phrase}"', style="dim"))


def _on_this_phone(note: Json) -> Iterator[str]:
    """What a connected phone says about a tool, a line each; nothing of the sandbox."""
    if not note:
        return
    yield f"on this phone: {'works' if note['works'] else 'does not work'}, from Android {note['since']} on"
    for key in ("needs", "actions", "proof"):
        value = note.get(key)
        if value:
            yield f"  {key}: {', '.join(value) if isinstance(value, list) else value}"


def _effects(spec: ToolSpec) -> str:
    """`write`, or by action where they differ: `delete: delete; read: query; write: create, update`."""
    by_effect: dict[str, list[str]] = {}
    for action, effects in spec.action_effects.items():
        by_effect.setdefault("/".join(sorted(effects)), []).append(action)
    if len(by_effect) < 2:
        return ", ".join(sorted(spec.effects))
    return "; ".join(f"{effect}: {', '.join(actions)}" for effect, actions in sorted(by_effect.items()))
