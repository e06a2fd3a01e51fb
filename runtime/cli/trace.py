"""Trace: list, show, export and replay the episodes that were run.

Reading never waits for a run in progress; an episode whose process was killed shows every step it had finished.
"""

import sys
from collections.abc import Iterator
from enum import StrEnum
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from runtime.cli.common import JsonFlag, err, out, output_file, print_json
from runtime.contract import UserError
from runtime.visible import in_one_line, visible

if TYPE_CHECKING:
    from runtime.contract import Episode
    from runtime.trace import TraceReader
    from runtime.trace.read import Summary

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="List, show, export and replay the episodes that were run."
)
RunId = Annotated[str, typer.Argument(help="Run id or its beginning; `last` is the newest.")]
ShownId = Annotated[str, typer.Argument(help="Run id or its beginning, `last`, or the folder of a recording.")]
RECORDED = "episode.json"
"""In the folder of a recording."""


@app.command("list", epilog="Example: pocket trace list --limit 5")
def list_episodes(
    limit: Annotated[int, typer.Option(min=1, max=10**9, help="Episodes a page.")] = 20,
    before: Annotated[int | None, typer.Option(min=0, max=10**15, help="Only numbers below this.")] = None,
    json: JsonFlag = False,
) -> None:
    """Newest first, a page at a time."""
    page = _reader().page(limit, before)
    if json:
        print_json([one.as_json() for one in page])
        return
    table = Table(box=None, header_style="dim")
    for heading in ("no", "id", "stop", "confirmed", "steps", "request"):
        table.add_column(heading, no_wrap=heading != "request")
    for one in page:
        word = "" if one.confirmed is None else "yes" if one.confirmed else "no"
        table.add_row(str(one.number), one.id, one.stop, word, str(one.steps), _said(one))
    out().print(table)
    if len(page) == limit and page[-1].number > 1:
        err().print(Text(f"older ones: pocket trace list --before {page[-1].number}", style="dim"))


def _said(one: "Summary") -> Text:
    """The request; of a sub-agent's part also whose it is."""
    whose = f"  part of {one.part_of}" if one.part_of else ""
    return Text.assemble(in_one_line(one.request[:200]), (whose, "dim"))


@app.command(epilog="Example: pocket trace show last")
def show(
    run_id: ShownId = "last",
    context: Annotated[bool, typer.Option("--context", help="Also print the context that the planner read.")] = False,
    json: JsonFlag = False,
) -> None:
    """One episode, step by step."""
    from runtime.cli.live import end_lines, step_lines

    episode, whose = _recorded(run_id), ""
    if episode is None:
        episode, whose = _kept(run_id)
    if json:
        print_json(episode.model_dump(mode="json"))
        return
    console = out()
    console.print(Text(f"{episode.id}  {episode.timing.started_at}  {episode.digests.planner}", style="dim"))
    console.print(Text(visible(episode.view.request), style="bold"))
    if whose:
        console.print(Text(f"a sub-agent's part of the run {whose}", style="dim"))
    for segment in episode.segments:
        if context:
            console.print(Text(visible(segment.prefix), style="dim"))
        for step in segment.steps:
            for line in step_lines(step):
                console.print(line)
    for line in end_lines(episode):
        console.print(line)


def _kept(run_id: str) -> "tuple[Episode, str]":
    """An episode of the traces, and the run whose part it is."""
    reader = _reader()
    found = reader.find(run_id)
    return reader.episode(found), reader.part_of(found)


def _recorded(folder: str) -> "Episode | None":
    """The episode of a recording; None for what is no folder of one."""
    from pydantic import ValidationError

    from runtime.contract import Episode

    file = Path(folder) / RECORDED
    if not file.is_file():
        return None
    try:
        return Episode.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        reason = " ".join(str(error).split())[:120]
        raise UserError(f"`{file}` is no episode: {reason}. Record again, or name another folder.") from None


class Form(StrEnum):
    """What an export is."""

    JSONL = "jsonl"
    OTEL = "otel"
    HTML = "html"


@app.command(epilog="Example: pocket trace export --format html --output traces.html")
def export(
    run_ids: Annotated[list[str] | None, typer.Argument(help="Run ids; none: all episodes.")] = None,
    form: Annotated[
        Form, typer.Option("--format", help="The contract's records; OpenTelemetry (GenAI, OTLP as JSON); one page.")
    ] = Form.JSONL,
    parts: Annotated[bool, typer.Option("--parts", help="Also what sub-agents did for these runs.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; else standard output.")] = None,
) -> None:
    """Episodes as JSONL (one a line), as OpenTelemetry spans, or as one page for a browser; secrets are masked."""
    reader = _reader()
    wanted = [reader.find(run_id) for run_id in run_ids] if run_ids else list(reader.ids())
    beside = {run: [part for part in reader.parts(run) if part not in wanted] for run in wanted} if run_ids else {}
    left = sum(map(len, beside.values()))
    if parts:
        wanted, left = [one for run in wanted for one in (run, *beside.get(run, ()))], 0
    pieces = _pieces(form, _masked(reader, wanted))
    if left:
        err().print(Text(f"sub-agents did {left} more for this, left out: `--parts` takes them too", style="dim"))
    if output is None:
        for piece in pieces:
            sys.stdout.write(piece)
        return
    output = output_file(output)
    part = output.with_name(output.name + ".part")
    try:
        with part.open("w", encoding="utf-8") as file:
            for piece in pieces:
                file.write(piece)
        part.replace(output)
    except OSError as error:
        raise UserError(f"`{output}` can't be written: {error.strerror}. Choose another `--output`.") from None
    err().print(Text(f"{len(wanted)} episode{'s' * (len(wanted) != 1)} in {output}"))


def _masked(reader: "TraceReader", wanted: list[str]) -> Iterator["Episode"]:
    """Episodes as they may be given away: those of older versions may hold what is masked today."""
    from runtime.trace.masking import Masking
    from runtime.trace.secrets import Secrets

    for run_id in wanted:
        yield Masking(Secrets(), reader.header(run_id).get("secret_fields")).episode(reader.episode(run_id))


def _pieces(form: Form, episodes: Iterator["Episode"]) -> Iterator[str]:
    if form is Form.HTML:
        from runtime.trace.page import page

        yield from page(episodes)
    elif form is Form.OTEL:
        from runtime.digests import code_version
        from runtime.trace.otel import traces_data

        version = code_version()
        yield from (dumps(traces_data(one, version), ensure_ascii=False) + "\n" for one in episodes)
    else:
        yield from (one.model_dump_json() + "\n" for one in episodes)


@app.command(epilog="Example: pocket trace replay last")
def replay(
    run_id: RunId = "last",
    planner: Annotated[
        str | None,
        typer.Option(help="Let a planner decide anew, as in `pocket run`; else what it decided then is done."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Run an episode again on the sandbox, from its first state, and say where it differs. Exit code 0: nowhere."""
    from runtime.cli.replayed import replayed
    from runtime.cli.root import NOT_DONE

    reader = _reader()
    found = replayed(reader, reader.find(run_id), planner)
    if json:
        print_json(found.as_json())
    else:
        for line in found.lines():
            out().print(line)
    raise typer.Exit(0 if found.same else NOT_DONE)


def _reader() -> "TraceReader":
    from runtime.wiring import read_traces

    return read_traces()
