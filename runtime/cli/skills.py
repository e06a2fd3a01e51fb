"""Skills: procedures that the planner can load: look at them, compile and check their guidance, install and export.

Exit codes: 0 done, 1 not done (guidance that is not whole), 2 wrong use.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, SetOption, err, out, output_file, print_json
from runtime.cli.root import NOT_DONE
from runtime.contract import UserError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Procedures that the planner can load: look at them, compile and check their guidance, install, export.",
)
FAULTS = ("unexposed_mentions", "revealed", "unmapped", "over_limit", "problems", "recompile")
"""Figures of a check that must be nothing."""
Slug = Annotated[str, typer.Argument(help="Name of a Skill, as `pocket skills list` shows it.")]


@app.command("list", epilog="Example: pocket skills list")
def list_skills(json: JsonFlag = False) -> None:
    """All Skills with their shelf, the number of their tools, and what they are about."""
    from runtime.wiring import open_desk

    desk = open_desk()
    pins = desk.store.pins()
    rows = [
        {"name": one.skill.name, "shelf": desk.shelf_of(one.skill.name), "tools": list(one.skill.tools),
         "about": one.skill.about, "digest": pins[one.skill.name].digest if one.skill.name in pins else ""}
        for one in desk.everything
    ]  # fmt: skip
    if json:
        print_json(rows)
        return
    table = Table(box=None, header_style="dim")
    for heading in ("Skill", "shelf", "tools", "about"):
        table.add_column(heading)
    for row in rows:
        table.add_row(str(row["name"]), str(row["shelf"]), str(len(row["tools"])), Text(str(row["about"])))
    out().print(table)


@app.command(epilog="Example: pocket skills show smart-home")
def show(name: Slug, json: JsonFlag = False) -> None:
    """One Skill: its tools, its conditions, its instructions, and what is said where its tools are exposed."""
    from runtime.wiring import open_desk

    source = open_desk().named(name)
    if json:
        print_json({**source.skill.model_dump(mode="json"), "guidance": source.guide.model_dump(mode="json")})
        return
    console, skill = out(), source.skill
    console.print(Text.assemble((skill.name, "bold"), f"  {source.path}"))
    console.print(Text(skill.description))
    for heading, lines in (
        ("opens", [", ".join(skill.tools)] if skill.tools else []), ("uses", skill.uses),
        ("requires", skill.requires), ("ensures", skill.ensures),
        ("says", [rule.text for rule in source.guide.rule]),
    ):  # fmt: skip
        for line in lines:
            console.print(Text.assemble((f"{heading}  ", "dim"), line))
    console.print(Text(skill.instructions))


@app.command("compile", epilog="Example: pocket skills compile --overrides owners.toml")
def compile_command(
    overrides: Annotated[Path | None, typer.Option(help="TOML: [owners], [limits], [[rule]], [[route]].")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Another file than the one that runs use.")
    ] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Make the guidance of the Skills for the tools on offer; a gap or an ambiguity is an error."""
    from runtime.config import load_settings
    from runtime.wiring import every_tool, open_desk, planner_tokens

    settings, desk = load_settings({}, assignments or ()), open_desk()
    artifact, problems = desk.compile(every_tool(settings), planner_tokens, overrides)
    if problems:
        for problem in problems:
            err().print(problem, markup=False)
        raise UserError(f"{len(problems)} of this must be settled first; nothing was written.")
    target = desk.write(artifact, output_file(output) if output is not None else None)
    done = {"file": str(target), "digest": artifact.digest, "schemas": artifact.schemas, "tools": len(artifact.tools),
            "skills": len(artifact.skills), "rules": len(artifact.rules) + len(artifact.routes)}  # fmt: skip
    if json:
        print_json(done)
    else:
        said = f"{done['rules']} rules of {done['skills']} Skills for {done['tools']} tools"
        out().print(f"{said}, in {target}", markup=False)


@app.command(epilog="Example: pocket skills check --json")
def check(
    subsets: Annotated[int, typer.Option(min=1, max=1_000_000, help="So many random subsets of the tools.")] = 2000,
    seed: Annotated[int, typer.Option(help="Of the subsets.")] = 0,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Is every tool mapped, and is no tool ever named that is not exposed? Tried on random subsets of the tools."""
    from runtime.config import load_settings
    from runtime.wiring import every_tool, open_desk, planner_tokens

    found = open_desk().check(every_tool(load_settings({}, assignments or ())), planner_tokens, subsets, seed)
    if json:
        print_json(found.model_dump(mode="json"))
    else:
        console = out()
        for name, value in found.model_dump().items():
            console.print(f"{name.replace('_', ' ')}: {_in_words(value)}", markup=False)
        if found.recompile:
            console.print("the guidance is not that of these Skills and tools: run `pocket skills compile`")
        faults = [name.replace("_", " ") for name in FAULTS if getattr(found, name)]
        console.print(f"not whole: {', '.join(faults)}" if faults else "all is whole")
    raise typer.Exit(0 if found.whole else NOT_DONE)


def _in_words(value: object) -> str:
    """A figure of the check as a person reads it; several texts stand below their name."""
    if isinstance(value, tuple):
        return "".join(f"\n  {one}" for one in value) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@app.command(epilog="Example: pocket skills install ./tea-time.zip --digest sha256:...")
def install(
    pack: Annotated[Path, typer.Argument(help="A folder, a .zip or a .tar archive with Skills.")],
    digest: Annotated[str, typer.Option(help="The digest that the pack must have.")] = "",
    json: JsonFlag = False,
) -> None:
    """Install the Skills of a pack, pinned by digest; nothing of it is ever run."""
    from runtime.wiring import open_desk

    desk = open_desk()
    done = desk.install(pack, digest)
    if json:
        print_json(done.model_dump(mode="json"))
        return
    for slug, pinned in done.skills.items():
        out().print(f"installed {slug}, {pinned}", markup=False)
    for name in done.left_out:
        err().print(f"left out {name}: it belongs to no Skill", markup=False)
    for slug in done.skills:
        _say_of_tools(slug, desk.named(slug).skill.tools)
    err().print("`skills.use=true` offers it; `pocket skills compile` draws its guidance.", markup=False)


def _say_of_tools(slug: str, tools: Sequence[str]) -> None:
    """What a pack's author may have missed: a Skill opens the tools of its metadata, and only those that there are."""
    from runtime.config import Settings
    from runtime.wiring import every_tool

    known = {spec.name for spec in every_tool(Settings())}
    if unknown := [name for name in tools if name not in known]:
        named = ", ".join(f"`{name}`" for name in unknown)
        err().print(
            f"{slug} names what is no tool here: {named}; correct `metadata.tools`, install it again", markup=False
        )
    if not tools:
        err().print(f"{slug} opens no tools: they are named in its `metadata`, as `tools: NAME NAME`", markup=False)


@app.command(epilog="Example: pocket skills remove tea-time")
def remove(name: Slug) -> None:
    """Take an installed Skill out."""
    from runtime.wiring import open_desk

    open_desk().remove(name)
    out().print(f"removed {name}", markup=False)


@app.command(epilog="Example: pocket skills export skills.zip smart-home notes-lists-lookups")
def export(
    target: Annotated[Path, typer.Argument(help="A folder, or a file that ends in .zip and is replaced.")],
    names: Annotated[list[str] | None, typer.Argument(help="Skills; none: all.")] = None,
    json: JsonFlag = False,
) -> None:
    """Write Skills for other runtimes, in the Agent Skills format."""
    from runtime.wiring import open_desk

    packed = target.suffix == ".zip"
    place = output_file(target) if packed else target
    if not packed and target.is_file():
        raise UserError(f"`{target}` is a file. Name a folder, or a file that ends in .zip.")
    done = open_desk().export(names or [], place)
    if json:
        print_json({"target": str(place), "skills": done})
    else:
        out().print(f"{len(done)} Skills in {place}", markup=False)
