"""Context: exactly what a planner would see for a request, with the tokens of each part.

Nothing is decided and nothing changes on the phone. Intentions that are due are shown as in a run, and stay due.
"""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, SetOption, out, print_json
from runtime.contract import Deadline, Json, TaskView, Turn

if TYPE_CHECKING:
    from runtime.context import Context

app = typer.Typer(add_completion=False)
MEANINGS = {
    "eta": "general instructions (`pocket eta`)",
    "domains": "instructions of domains",
    "tools": "recalled tools",
    "skills": "guidance of Skills",
    "memory": "evidence",
    "now": "the phone's time",
    "marks": "end of the system turn",
    "turns": "earlier turns",
    "request": "the request, and the mark after which the planner writes",
}
"""Parts of a prefix by name."""


@app.command(epilog='Example: pocket context "wake me at seven" --set memory.use=true --set memory.inject=true --json')
def context(
    request: Annotated[str, typer.Argument(help="The request, in plain words.")],
    turn: Annotated[
        list[str] | None, typer.Option("--turn", help="An earlier turn, the user's first; may be repeated.")
    ] = None,
    planner: Annotated[str | None, typer.Option(help="embedded, keyword, scripted:FILE, a GGUF or a URL.")] = None,
    clock: Annotated[str | None, typer.Option(help="The phone's local time, 2026-03-02T09:00; else now.")] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Exactly what a planner would see for a request, with the tokens of each part."""
    from runtime.config import load_settings
    from runtime.harness import refuse_bad_request
    from runtime.trace import Untraced
    from runtime.wiring import open_rooms

    flags: Json = {"planner": {"use": planner} if planner else {}, "phone": {"clock": clock} if clock else {}}
    settings = load_settings({name: part for name, part in flags.items() if part}, assignments or ())
    turns = tuple(Turn(role=_speaker(place), text=text) for place, text in enumerate(turn or ()))
    task = TaskView(request=request, turns=turns, budget=settings.budget)
    refuse_bad_request(task)
    with open_rooms(settings, trace=Untraced()) as opened:
        laid = opened.rooms.assembler.begin(task, opened.rooms.executor.offered(), Deadline.never())
        report = report_of(laid, opened.rooms.planner.identity)
    if json:
        print_json(report)
    else:
        _show(report)


def _speaker(place: int) -> Any:
    return "assistant" if place % 2 else "user"


def report_of(laid: "Context", planner: str) -> Json:
    """A context as data: its text and messages, tokens by part, what was left out."""
    return {
        "planner": planner,
        "text": laid.text,
        "messages": list(laid.messages),
        "tokens": laid.tokens,
        "window": laid.window,
        "sections": laid.section_tokens,
        "room": laid.room,
        "exposed": [tool.name for tool in laid.exposed],
        "recalled": [tool.name for tool in laid.recalled],
        "evidence": list(laid.evidence),
        "cuts": [cut.model_dump(mode="json") for cut in laid.cuts],
    }


def _show(report: Json) -> None:
    from runtime.visible import visible

    console = out()
    console.print(Text(visible(report["text"])))
    table = Table(box=None, header_style="dim", title=f"{report['planner']}", title_justify="left")
    for heading in ("part", "tokens", "meaning"):
        table.add_column(heading, justify="right" if heading == "tokens" else "left")
    for name, tokens in report["sections"].items():
        table.add_row(name, f"{tokens:,}", MEANINGS[name])
    table.add_row("all", f"{report['tokens']:,}", f"of {report['window']:,}; {report['room']:,} free for steps")
    console.print(table)
    for cut in report["cuts"]:
        console.print(Text(f"left out: {cut['left_out']} {cut['unit']} of {cut['what']} ({cut['limit']})", "yellow"))
