"""Approvals: which calls may run, which are asked about, which never run: your rules, listed, added, removed.

Without a rule, what pays, deletes, installs, grants or powers off is asked about. A rule names effects, a tool and
arguments; `deny` counts wherever it matches, else the closer rule. An answer `a` or `never` in a run writes one too.
"""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, SetOption, err, out, print_json
from runtime.contract import MCP_PREFIX, Effect, ToolSpec, UserError
from runtime.guard import NEVER_BY_DEFAULT, Rule, RuleBook, Verdict, pin_of

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Which calls may run, which are asked about, which never run: your rules.",
)
EffectOption = Annotated[list[Effect] | None, typer.Option("--effect", help="Only with this effect; may be repeated.")]
ArgumentOption = Annotated[
    list[str] | None, typer.Option("--argument", metavar="NAME=VALUE", help="Only with this value; `*` stands for any.")
]


@app.command("list", epilog="Example: pocket approvals list --json")
def list_rules(assignments: SetOption = None, json: JsonFlag = False) -> None:
    """The rules, oldest first, and what is asked about without one."""
    from runtime.config import load_settings

    asked = sorted(load_settings({}, assignments or ()).guard.ask)
    rules = _book().rules()
    over = _over(rules)
    if json:
        print_json({"asked": asked, "rules": [rule.model_dump(mode="json") for rule in rules]})
        return
    table = Table(box=None, header_style="dim")
    for heading in ("id", "rule", "tool", "effects", "arguments", "why"):
        table.add_column(heading)
    for rule in rules:
        values = ", ".join(f"{name} = {value}" for name, value in rule.arguments.items())
        verdict = f"{rule.verdict}, over" if rule.id in over else rule.verdict
        cells = (rule.id, verdict, rule.tool, ", ".join(sorted(rule.effects)) or "any",
                 f"exactly {values or 'none'}" if rule.exact else values or "any", rule.why)  # fmt: skip
        table.add_row(*map(Text, cells))
    out().print(table if rules else Text("no rules yet", style="dim"))
    for tool in sorted({rule.tool for rule in rules if rule.id in over}):
        out().print(
            Text(f"over: `{tool}` is gone or another than it was when you agreed; remove the rule and add it anew")
        )
    out().print(Text(f"asked about without a rule: {', '.join(asked) or 'nothing'}", style="dim"))


@app.command(epilog="Example: pocket approvals add deny --tool 'manage_*' --effect delete --argument title='tax*'")
def add(
    verdict: Annotated[Verdict, typer.Argument(help="allow, ask or deny.")],
    tool: Annotated[str, typer.Option(help="A tool, or a pattern with `*`.")] = "*",
    effect: EffectOption = None,
    argument: ArgumentOption = None,
    why: Annotated[str, typer.Option(help="In your words; shown in the list.")] = "",
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Add a rule. An `allow` for what pays, deletes, grants or installs must name the tool and the effect."""
    from runtime.config import load_settings
    from runtime.wiring import accepted_tools, offered_tools

    known = {spec.name: spec for spec in offered_tools(load_settings({}, assignments or ()))}
    known |= accepted_tools() if tool.startswith(MCP_PREFIX) else {}
    given = dict(_pair(one) for one in argument or ())
    rule = Rule(verdict=verdict, effects=frozenset(effect or ()), tool=tool, arguments=given, why=why)
    spec = _named(tool, known)
    _refuse_unknown(given, spec)
    if verdict is Verdict.ALLOW:
        _refuse_wide(rule, spec)
        rule = rule.model_copy(update={"pin": pin_of(spec)}) if spec is not None else rule
    kept = _book().add(rule)
    if json:
        print_json(kept.model_dump(mode="json"))
    else:
        out().print(Text(f"{kept.id}: {kept.verdict} {kept.tool}"))
    if (
        verdict is Verdict.ALLOW
        and spec is not None
        and (left := sorted(spec.effects & NEVER_BY_DEFAULT - rule.effects))
    ):
        more = " ".join(f"--effect {one}" for one in left)
        err().print(Text(f"what it does with {', '.join(left)} is still asked about; a rule with {more} covers that"))


@app.command(epilog="Example: pocket approvals remove ap_3f9c2a01")
def remove(
    rule_id: Annotated[str, typer.Argument(help="Id of a rule, as `pocket approvals list` shows it.")],
    json: JsonFlag = False,
) -> None:
    """Take a rule out; what it was about is asked again."""
    gone = _book().remove(rule_id)
    if json:
        print_json(gone.model_dump(mode="json"))
    else:
        out().print(Text(f"removed {gone.id}: {gone.verdict} {gone.tool}"))


def _book() -> RuleBook:
    from runtime.config import approvals_file

    return RuleBook(approvals_file())


def _over(rules: Sequence[Rule]) -> set[str]:
    """Ids of agreements to tools of MCP servers that are no more, or others by now."""
    from runtime.wiring import accepted_tools

    agreed = [one for one in rules if one.verdict is Verdict.ALLOW and one.pin and one.tool.startswith(MCP_PREFIX)]
    known = accepted_tools() if agreed else {}
    return {one.id for one in agreed if one.tool not in known or pin_of(known[one.tool]) != one.pin}


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UserError(f"`--argument {text}` has no value. Write `--argument title=milk`.")
    return name.strip(), value.strip()


def _named(tool: str, known: dict[str, ToolSpec]) -> ToolSpec | None:
    from runtime.arguments import near

    if "*" in tool:
        return None
    if tool not in known:
        raise UserError(f"there is no tool `{tool}`{near(tool, list(known)) or '.'} See `pocket tools`.")
    return known[tool]


def _refuse_unknown(arguments: dict[str, str], spec: ToolSpec | None) -> None:
    from runtime.arguments import near, ticked

    names = list(spec.parameters.get("properties", {})) if spec is not None else list(arguments)
    for name in arguments:
        if name not in names and spec is not None:
            hint = near(name, names) or f". It takes {ticked(names) or 'none'}."
            raise UserError(f"`{spec.name}` has no argument `{name}`{hint}")


def _refuse_wide(rule: Rule, spec: ToolSpec | None) -> None:
    """An agreement to everything, or to a grave effect without its tool, is refused."""
    if rule.effects & NEVER_BY_DEFAULT and spec is None:
        grave = ", ".join(f"`{effect}`" for effect in sorted(rule.effects & NEVER_BY_DEFAULT))
        raise UserError(f"an `allow` with {grave} needs `--tool NAME` without `*`. Name the tool that may do this.")
    if spec is None and not rule.effects:
        raise UserError("an `allow` of everything is none of the rules. Give `--tool` or `--effect`.")
