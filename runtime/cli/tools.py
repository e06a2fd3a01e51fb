"""Tools: what the phone can do, by domain; or all about one tool.

`pocket tools NAME` shows its schema, permissions, effects and example phrasings.
"""

from itertools import groupby
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, SetOption, out, print_json
from runtime.contract import Domain, ToolSpec, UserError

app = typer.Typer(add_completion=False)


@app.command(epilog="Examples: pocket tools --domain time; pocket tools manage_alarm")
def tools(
    name: Annotated[str | None, typer.Argument(help="One tool; none: the list.")] = None,
    domain: Annotated[str | None, typer.Option(help="Only a domain, by the start of its name.")] = None,
    backend: Annotated[str | None, typer.Option(help="The phone: sandbox.")] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """What the phone can do, by domain; or all about one tool."""
    from runtime.config import load_settings
    from runtime.wiring import offered_tools

    settings = load_settings({"phone": {"backend": backend}} if backend else {}, assignments or ())
    specs = offered_tools(settings)
    if name is not None:
        _show_one(_named(specs, name), json)
        return
    chosen = [spec for spec in specs if domain is None or spec.domain in _domains(domain)]
    if json:
        print_json([spec.model_dump(mode="json") for spec in chosen])
    else:
        _show_list(chosen)


def _named(specs: list[ToolSpec], name: str) -> ToolSpec:
    from runtime.arguments import near

    found = next((spec for spec in specs if spec.name == name), None)
    if found is None:
        hint = near(name, [spec.name for spec in specs]) or "."
        raise UserError(f"there is no tool `{name}`{hint} See `pocket tools`.")
    return found


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


def _show_one(spec: ToolSpec, json: bool) -> None:
    if json:
        print_json(spec.model_dump(mode="json"))
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
    for phrase in spec.examples:
        console.print(Text(f'  "{phrase}"', style="dim"))


def _effects(spec: ToolSpec) -> str:
    """`write`, or by action where they differ: `delete: delete; read: query; write: create, update`."""
    by_effect: dict[str, list[str]] = {}
    for action, effects in spec.action_effects.items():
        by_effect.setdefault("/".join(sorted(effects)), []).append(action)
    if len(by_effect) < 2:
        return ", ".join(sorted(spec.effects))
    return "; ".join(f"{effect}: {', '.join(actions)}" for effect, actions in sorted(by_effect.items()))
