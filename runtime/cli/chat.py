"""Chat: a dialogue with the phone: earlier turns, references, constraints that hold, questions and answers.

Each request is a run of its own, with its trace. Ctrl-C ends the request and not the dialogue; `--resume` goes on with
what was said, on the phone as it is then. Exit code 0 when the dialogue ended, whatever came of its requests.
"""

import json as jsons
import uuid
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, SetOption, err, out, print_json
from runtime.contract import Json, UserError

if TYPE_CHECKING:
    from runtime.cli.talk import Talk
    from runtime.config import Settings
    from runtime.dialogue import Conversation
    from runtime.wiring import Opened

app = typer.Typer(add_completion=False)


@app.command(epilog="Examples: pocket chat; pocket chat --resume last; pocket chat --list")
def chat(
    resume: Annotated[str | None, typer.Option(help="Go on with a dialogue: its id, or `last`.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="Show the dialogues that there are, and end.")] = False,
    planner: Annotated[
        str | None, typer.Option(help="embedded, keyword, scripted:FILE, a GGUF, an ONNX folder or a URL.")
    ] = None,
    backend: Annotated[str | None, typer.Option(help="The phone: sandbox.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seeds the phone's ids and choices.")] = None,
    clock: Annotated[str | None, typer.Option(help="The phone's local time, 2026-03-02T09:00; else now.")] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Agree to what is asked; never to pay, delete, grant or install.")
    ] = False,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """A dialogue with the phone: a line is a request, `/help` says what else can be typed."""
    if listed:
        _list(json)
        return
    from runtime.config import load_settings

    flags: Json = {"planner": {"use": planner}, "phone": {"backend": backend, "seed": seed, "clock": clock}}
    given = {name: {key: value for key, value in part.items() if value is not None} for name, part in flags.items()}
    settings = load_settings({name: part for name, part in given.items() if part}, assignments or ())
    _talk(settings, resume, yes, json)


def _talk(settings: "Settings", resume: str | None, agree: bool, json: bool) -> None:
    """Open the rooms once, then a request a line."""
    from runtime.cli.talk import ChatUser, Lines, Talk
    from runtime.config import approvals_file
    from runtime.guard import AgreeBeforehand, InteractiveApprover, Policy, RuleBook
    from runtime.wiring import open_rooms

    console = err() if json else out()
    lines, policy = Lines(console), Policy(RuleBook(approvals_file()))
    asks = InteractiveApprover(console, policy)
    approver = AgreeBeforehand(asks) if agree else asks
    with open_rooms(settings, approver=approver, user=ChatUser(lines, console), policy=policy) as opened:
        talk = Talk(opened, _conversation(opened, resume), policy, console)
        console.print(Text(f"dialogue {talk.conversation.name}; /help, Ctrl-D ends it", style="dim"))
        while (line := lines.next("you> ")) is not None:
            if not _answered(talk, line.strip(), json):
                break


def _answered(talk: "Talk", line: str, json: bool) -> bool:
    """One line; False when it ends the dialogue. A request that can't be taken is said, and the dialogue goes on."""
    from runtime.visible import visible

    if line.startswith("/"):
        return talk.command(line)
    if line:
        try:
            report = talk.turn(line)
        except UserError as error:
            talk.console.print(Text(visible(str(error)), style="red"))
            return True
        if json:
            print(jsons.dumps(report, ensure_ascii=False, default=str), flush=True)
    return True


def _conversation(opened: "Opened", resume: str | None) -> "Conversation":
    """A new dialogue, or the one that is resumed with what its traces hold."""
    from runtime.dialogue import Conversation
    from runtime.dialogue.conversation import resumed
    from runtime.dialogue.history import episodes, find
    from runtime.wiring import read_traces

    how = opened.settings.chat
    memory = opened.memory

    def made(name: str) -> Conversation:
        count = opened.rooms.planner.count_tokens
        return Conversation(name, count, turns_tokens=how.turns_tokens, recent=how.recent, notes=how.notes,
                            memory=memory)  # fmt: skip

    if resume is None:
        return made(uuid.uuid4().hex[:8])
    reader = read_traces()
    try:
        found = find(reader, resume)
        return resumed(made(found.name), episodes(reader, found))
    finally:
        reader.close()


def _list(json: bool) -> None:
    from runtime.dialogue.history import kept
    from runtime.visible import in_one_line
    from runtime.wiring import read_traces

    reader = read_traces()
    try:
        found = kept(reader)
    finally:
        reader.close()
    if json:
        print_json([{"id": one.name, "requests": len(one.runs), "first": one.first, "last_at": one.last_at,
                     "runs": list(one.runs)} for one in found])  # fmt: skip
        return
    table = Table(box=None, header_style="dim")
    for heading in ("id", "requests", "last", "first request"):
        table.add_column(heading)
    for one in found:
        table.add_row(one.name, str(len(one.runs)), one.last_at, Text(in_one_line(one.first[:200])))
    out().print(table)
