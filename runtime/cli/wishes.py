"""What a user wants of their memory: how long each type is kept, whether other sessions may use it, what is shared."""

from typing import Annotated

import typer
from rich.table import Table

from runtime.cli.common import JsonFlag, SetOption, out, print_json
from runtime.cli.house import Kind, MemoryId, opened, show_receipt, tell


def settings(
    kind: Annotated[Kind | None, typer.Argument(help="A type of record to change; none: show all.")] = None,
    days: Annotated[int | None, typer.Option(min=0, max=36_500, help="Forget after so many days.")] = None,
    forever: Annotated[bool, typer.Option("--forever", help="Keep for good.")] = False,
    reuse: Annotated[bool | None, typer.Option(help="Let other sessions use it.")] = None,
    sharing: Annotated[bool | None, typer.Option(help="Let its experiences be shared, less personal details.")] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """How long each type is kept, whether it is reused across sessions and shared; or change that for one."""
    change: dict[str, object] = {"retention_days": days, "reuse": reuse, "sharing": sharing}
    change = {name: value for name, value in change.items() if value is not None}
    if forever:
        change["retention_days"] = None
    if change and kind is None:
        raise typer.BadParameter("name the type that is to change: pocket memory settings episodic --days 90.")
    with opened(assignments) as house:
        if kind is not None and change:
            house.wish(kind, **change)
        wishes = house.settings()
    if json:
        print_json([one.model_dump(mode="json") for one in wishes])
        return
    table = Table(box=None, header_style="dim")
    for heading in ("type", "kept", "reused", "shared"):
        table.add_column(heading)
    for one in wishes:
        kept = "for good" if one.retention_days is None else f"{one.retention_days} days"
        table.add_row(one.kind.value, kept, "yes" if one.reuse else "no", "yes" if one.sharing else "no")
    out().print(table)


def share(memory_id: MemoryId, assignments: SetOption = None, json: JsonFlag = False) -> None:
    """Share one memory with the workspace, less personal details, where the settings allow it."""
    with opened(assignments) as house:
        made = house.share(memory_id)
    tell(made, f"{made.id}: {made.content}", json)


def withdraw(memory_id: MemoryId, assignments: SetOption = None, json: JsonFlag = False) -> None:
    """Delete what was shared of a memory for good; the memory itself stays."""
    with opened(assignments) as house:
        done = house.withdraw(memory_id)
    show_receipt(done, json)
