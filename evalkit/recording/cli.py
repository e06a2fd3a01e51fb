"""Record: keep what happens on a phone, take out what is personal, and make a task's candidate of it.

A recording is a folder. `pocket phone replay FOLDER` makes a software phone of it, `pocket trace show FOLDER` shows it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runtime.cli.common import JsonFlag, err, interruptible, out, output_file, print_json
from runtime.contract import CancelToken, Deadline, InfrastructureError, Json, UserError
from runtime.visible import visible

if TYPE_CHECKING:
    from device.android.phone import AndroidPhone
    from device.android.record import Folder, Redaction

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Keep what happens on a phone as a folder.",
    epilog='Example: pocket record watch night-light --request "turn the night light on"; then pocket trace show '
    "night-light",
)
FolderArgument = Annotated[Path, typer.Argument(help="The recording's folder.")]
SerialOption = Annotated[str, typer.Option(help="Which connected phone; see `pocket devices`.")]
NameOption = Annotated[list[str] | None, typer.Option("--name", help="A person's name to take out; may be repeated.")]
TextOption = Annotated[list[str] | None, typer.Option("--text", help="Another text to take out; may be repeated.")]
FormsOption = Annotated[bool, typer.Option("--forms/--no-forms", help="Take out e-mails, numbers and codes.")]
ContactsOption = Annotated[bool, typer.Option("--contacts", help="Take out the names of the phone's contacts, too.")]
RequestOption = Annotated[str, typer.Option(help="What is done, in plain words.")]
LONGEST = 3600.0


@app.command(epilog='Example: pocket record watch night-light --request "turn the night light on" --contacts')
def watch(
    folder: FolderArgument, request: RequestOption = "", serial: SerialOption = "",
    seconds: Annotated[float, typer.Option(min=1, max=LONGEST, help="Longest time; Ctrl-C ends it earlier.")] = 600.0,
    every: Annotated[float, typer.Option(min=0.05, max=10, help="Seconds between two looks.")] = 0.3,
    name: NameOption = None, text: TextOption = None, forms: FormsOption = True, contacts: ContactsOption = False,
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """You act on the phone, and it is kept: screens, pictures, what was probably done. Ctrl-C ends it.

    What was done between two looks is guessed from the difference, and marked as such.

    Two quick changes look like one, and what no difference explains is a gap. A phone that is unplugged is waited for.
    """
    from device.android.record import Watching

    with _recording(folder, request, serial, _rules(name, text, forms), contacts, "person") as (phone, made, cancel):
        err().print(f"recording in {made.path}; act on the phone now, Ctrl-C ends it", markup=False)
        Watching(phone, made, every, lambda said: err().print(said, markup=False)).watch(Deadline(seconds, cancel))
    _say(made, json)


@app.command(epilog="Example: pocket record agent dark-theme --app Settings --goal turn_on --target 'Dark theme'")
def agent(
    folder: FolderArgument,
    app_name: Annotated[str, typer.Option("--app", help="The app.")],
    goal: Annotated[str, typer.Option(help="turn_on, turn_off, choose, open, read, add, change, delete, send, call.")],
    target: Annotated[str, typer.Option(help="With what, in words of the screen.")] = "",
    where: Annotated[str, typer.Option(help="The page that it is on.")] = "",
    value: Annotated[list[str] | None, typer.Option(help="The choice, or `Field: text`; may be repeated.")] = None,
    request: RequestOption = "", serial: SerialOption = "", name: NameOption = None, text: TextOption = None,
    forms: FormsOption = True, contacts: ContactsOption = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Agree to what is asked; never to pay, delete, grant or install.")
    ] = False,
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """The screen agent works on a goal, and every act of it is kept with its screens."""
    from device.android.record import RecordedScreen
    from runtime.contract import ToolCall
    from runtime.subagents import SPEC, ScreenAgent
    from runtime.subagents.goal import goal_of

    arguments: Json = {"app": app_name, "goal": goal, "target": target, "where": where, "values": value or []}
    try:
        said = request or goal_of(arguments).sentence
    except Exception as error:
        raise UserError(f"the goal can't be taken: {error}. See `pocket record agent --help`.") from None
    with _recording(folder, said, serial, _rules(name, text, forms), contacts, "agent", yes) as (phone, made, cancel):
        screen = RecordedScreen(phone, made)
        seen = ScreenAgent(screen).execute(
            ToolCall(id="r1", name=SPEC.name, arguments=arguments), Deadline(300.0, cancel)
        )
        screen.close()
        why = seen.failure.message if seen.failure else ""
        made.outcome(seen.ok, why or "done")
    if not seen.ok:
        err().print(visible(f"not done: {why}"), markup=False, style="red")
    _say(made, json)
    raise typer.Exit(0 if seen.ok else 1)


@app.command(epilog="Example: pocket record redact night-light --name 'Anna Keller' --dry-run")
def redact(
    folder: FolderArgument, name: NameOption = None, text: TextOption = None, forms: FormsOption = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be taken out.")] = False,
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """Take what is personal out of a saved recording: out of its trees, its inputs and its pictures."""
    from evalkit.recording.saved import redact as redacted

    done = redacted(folder, _rules(name, text, forms), dry_run)
    if json:
        print_json(done.as_json())
        return
    for one in done.findings:
        out().print(f"{one.kind:<9}{one.said}  ->  {one.placeholder or 'nothing'}   ({one.where})", markup=False)
    words = "taken out" if done.written else "would be taken out; nothing was changed"
    out().print(f"{len(done.findings)} things {words}; painted over: {', '.join(done.painted) or 'no picture'}")


@app.command("to-task", epilog='Example: pocket record to-task night-light --request "turn the night light on"')
def to_task(
    folder: FolderArgument, request: RequestOption,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; else standard output.")] = None,
) -> None:  # fmt: skip
    """A candidate of a task, as JSON, for a person's review."""
    from evalkit.recording.to_task import to_task as candidate

    made = candidate(folder, request)
    text = made.task.model_dump_json(indent=2)
    if output is None:
        typer.echo(text)
    else:
        _write(output, text)
    for note in (*made.notes, "read request, gold and policy before it becomes a task"):
        err().print(f"to review: {note}", markup=False)


def _write(output: Path, text: str) -> None:
    try:
        output_file(output).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UserError(f"`{output}` can't be written: {error.strerror}. Choose another `--output`.") from None


def _rules(names: list[str] | None, texts: list[str] | None, forms: bool) -> "Redaction":
    from device.android.record import Redaction

    return Redaction(names=tuple(names or ()), texts=tuple(texts or ()), forms=forms)


@contextmanager
def _recording(
    folder: Path, request: str, serial: str, rules: "Redaction", contacts: bool, by: str, yes: bool = False
) -> "Iterator[tuple[AndroidPhone, Folder, CancelToken]]":
    """An open phone and a folder that is whole at the end, however it ends."""
    from device.android.phone import AndroidPhone
    from device.android.record import Folder
    from runtime.guard import AgreeBeforehand, InteractiveApprover

    asks = InteractiveApprover(err())
    phone = AndroidPhone(serial, AgreeBeforehand(asks) if yes else asks)
    try:
        if contacts:
            rules.names += contact_names(phone)
        start = phone.snapshot()
        made = Folder(folder, request, rules, by)
        cancel = CancelToken()
        with interruptible(cancel):
            try:
                try:
                    yield phone, made, cancel
                finally:
                    made.close(_changes(phone, start))
            except OSError as error:
                raise InfrastructureError(
                    f"`{folder}` can't be written any more: {error.strerror}. It holds {made.kept} whole screens; free "
                    "the disk, then record again."
                ) from None
    finally:
        phone.close()


def contact_names(phone: "AndroidPhone") -> tuple[str, ...]:
    """The names in the phone's contacts."""
    from device.android.state import Reading, read_tables

    rows = read_tables(Reading(phone.shell, Deadline(60.0)), ["contacts"])["contacts"]
    return tuple(str(row["name"]) for row in rows.values() if row.get("name"))


def _changes(phone: "AndroidPhone", start: str) -> list[Json] | None:
    """What the phone says has changed; None where it is gone."""
    try:
        return [change.model_dump(mode="json") for change in phone.diff(start).changes]
    except InfrastructureError:
        return None


def _say(made: "Folder", json: bool) -> None:
    kinds: dict[str, int] = {}
    for one in made.found:
        kinds[one.kind] = kinds.get(one.kind, 0) + 1
    if json:
        print_json({"folder": str(made.path), "screens": made.screens, "gaps": made.gaps, "redacted": kinds})
        return
    taken = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "nothing"
    out().print(f"{made.path}: {made.screens} screens, {made.gaps} gaps; taken out: {taken}", markup=False)
    out().print(f"next: pocket trace show {made.path}; pocket phone replay {made.path}", markup=False)
