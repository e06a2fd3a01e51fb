"""Memory: what the agent remembers about its user: look at it, add to it, correct it, have it forgotten.

Every command works by record id. Exit codes: 0 done, 1 not done (a forgetting that left something, a store that is
damaged), 2 wrong use.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from runtime.cli import wishes
from runtime.cli.common import JsonFlag, SetOption, err, finite, out, output_file, print_json
from runtime.cli.house import AsOf, Category, Kind, KindOption, MemoryId, Text, opened, show_receipt, tell
from runtime.cli.root import NOT_DONE
from runtime.contract import Json, UserError
from runtime.visible import visible

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="What the agent remembers about its user: look at it, add to it, correct it, have it forgotten.",
)
app.command(epilog="Example: pocket memory settings episodic --days 90 --no-reuse")(wishes.settings)
app.command(epilog="Example: pocket memory share mem_0007")(wishes.share)
app.command(epilog="Example: pocket memory withdraw mem_0007")(wishes.withdraw)


@app.command("list", epilog="Example: pocket memory list --kind user_model --limit 20")
def list_records(
    kind: KindOption = None,
    every: Annotated[bool, typer.Option("--all", help="Also superseded, archived and pending ones.")] = False,
    as_of: AsOf = None,
    limit: Annotated[int, typer.Option(min=1, max=10**9, help="So many, newest first.")] = 50,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Records that hold now, newest first."""
    from runtime.cli.remembered import table

    with opened(assignments) as service:
        found = service.listed(kinds=kind or (), every=every, as_of=as_of, limit=limit)
    if json:
        print_json([record.model_dump(mode="json") for record in found])
    else:
        console = out()
        console.print(table(found, console.width)) if found else console.print("no memories", style="dim")


@app.command(epilog="Example: pocket memory show mem_0007")
def show(memory_id: MemoryId, assignments: SetOption = None, json: JsonFlag = False) -> None:
    """One record with its source, its times, what it replaced and what replaced it."""
    from runtime.cli.remembered import details

    with opened(assignments) as service:
        record, before, after = service.shown(memory_id)
    if json:
        chain = {"replaced": [one.id for one in before], "replaced_by": [one.id for one in after]}
        print_json({**record.model_dump(mode="json"), **chain})
    else:
        out().print(details(record, before, after))


@app.command(epilog='Example: pocket memory search "where do I park" --limit 3')
def search(
    query: Annotated[str, typer.Argument(help="A question in plain words.")],
    kind: KindOption = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="So many.")] = 10,
    budget: Annotated[int | None, typer.Option(min=1, help="At most so many tokens of evidence.")] = None,
    recent: Annotated[bool, typer.Option("--recent", help="Of the relevant ones, the newest first.")] = False,
    as_of: AsOf = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """The evidence for a question: records with scores, what was left out, and what is missing."""
    from runtime.cli.remembered import evidence

    if not query.strip():
        raise UserError(f"the question is `{query}`: nothing is asked. Write it in plain words.")
    with opened(assignments) as service:
        found = service.search(
            query, kinds=kind or (), limit=limit, budget=budget, as_of=as_of, mode="recent" if recent else "relevance"
        )
    if json:
        print_json(found.model_dump(mode="json"))
    else:
        console = out()
        for line in evidence(found, console.width):
            console.print(line)


@app.command(epilog='Example: pocket memory add "Parks on level two" --category routines_habits')
def add(
    content: Text,
    category: Annotated[
        Category | None, typer.Option(help="What it is about; else important_info.", show_default=False)
    ] = None,
    kind: Annotated[Kind | None, typer.Option(help="Its type; else as the category says.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Since when it holds; else now.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Until when it holds, that day included.")] = None,
    importance: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="From 0 to 1; else 0.5.", callback=finite)
    ] = None,
    at: Annotated[str | None, typer.Option(metavar="TIME", help="An intention: due at this time.")] = None,
    event: Annotated[str | None, typer.Option(help="An intention: due at this event.")] = None,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Remember something; it is the user's own word, and closes what it says otherwise about."""
    given = {"category": category, "kind": kind, "valid_from": since, "valid_to": until, "importance": importance}
    given = {name: value for name, value in given.items() if value is not None}
    other = None if category is Category.EVENT else category  # an intention is one
    beside = [f"`{flag}`" for flag, value in (("--category", other), ("--kind", kind), ("--since", since),
                                              ("--importance", importance)) if value is not None]  # fmt: skip
    intended = at is not None or event is not None
    if intended and beside:
        raise UserError(f"an intention has no {', '.join(beside)}. Leave that out, or leave out `--at` and `--event`.")
    with opened(assignments) as service:
        if intended:
            record = service.intend(content, at=at, event=event or "", expires_at=until)
        else:
            record = service.add(content, **given)
    instead = f", in place of {record.supersedes}" if record.supersedes else ""
    later = f", from {record.valid_from} on" if record.valid_from > record.created_at else ""
    tell(record, f"remembered as {record.id}{instead}{later}", json)


@app.command(epilog='Example: pocket memory correct mem_0007 "Parks on level three"')
def correct(memory_id: MemoryId, content: Text, assignments: SetOption = None, json: JsonFlag = False) -> None:
    """Put a new record in the place of one; the old one stays, closed."""
    with opened(assignments) as service:
        record = service.correct(memory_id, content)
    tell(record, f"{record.id} replaces {memory_id}", json)


@app.command(epilog="Example: pocket memory forget mem_0007 --yes")
def forget(
    memory_ids: Annotated[list[str], typer.Argument(help="Ids of records.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False,
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Delete records for good, with all that they replaced or that was made of them, and print the receipt."""
    with opened(assignments) as service:
        doomed = service.doomed(memory_ids)
        if not yes:
            for record in doomed:
                err().print(visible(f"{record.id}  {record.content}"), markup=False)
            typer.confirm(f"Delete {len(doomed)} record{'s' * (len(doomed) != 1)} for good?", abort=True, err=True)
        done = service.forget(memory_ids)
    show_receipt(done, json)


@app.command(epilog="Example: pocket memory export --output memories.jsonl")
def export(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; else standard output.")] = None,
    assignments: SetOption = None,
) -> None:
    """All records as JSONL, superseded ones too, oldest first."""
    with opened(assignments) as service:
        if output is None:
            sys.stdout.writelines(service.exported())
            return
        target = output_file(output)
        part = target.with_name(target.name + ".part")
        try:
            with part.open("w", encoding="utf-8") as file:
                part.chmod(0o600)
                count = sum(1 for line in service.exported() if file.write(line))
            part.replace(target)
        except BaseException as error:
            part.unlink(missing_ok=True)
            if not isinstance(error, OSError):
                raise
            raise UserError(f"`{output}` can't be written: {error.strerror}. Choose another `--output`.") from None
    err().print(f"{count} records in {target}", markup=False)


@app.command("import", epilog="Example: pocket memory import memories.jsonl")
def import_records(
    file: Annotated[Path, typer.Argument(help="What `pocket memory export` wrote.")],
    assignments: SetOption = None,
    json: JsonFlag = False,
) -> None:
    """Take records from JSONL: all of a file or none. Known ones are left out."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"`{file}` can't be read: {why}. Name a file that `pocket memory export` wrote.") from None
    with opened(assignments) as service:
        done = service.imported(text.split("\n"), file.name)
    if json:
        print_json(done._asdict())
    else:
        renamed = f", {len(done.renamed)} under new ids" if done.renamed else ""
        others = f"; {done.others} that others share left out" if done.others else ""
        out().print(f"{done.added} records imported{renamed}; {done.known} known already{others}")


@app.command(epilog="Example: pocket memory maintain --json")
def maintain(assignments: SetOption = None, json: JsonFlag = False) -> None:
    """Consolidate, supersede, archive, embed what lacks a vector; print what was done."""
    from runtime.cli.common import interruptible
    from runtime.cli.remembered import figures
    from runtime.contract import CancelToken

    cancel = CancelToken()
    with opened(assignments) as service, interruptible(cancel):
        report: Json = service.maintain(cancel).model_dump(mode="json")
    print_json(report) if json else out().print(figures(report))


@app.command(epilog="Example: pocket memory stats --json")
def stats(assignments: SetOption = None, json: JsonFlag = False) -> None:
    """How many records of which type, the files, the embedder, and whether all is whole."""
    from runtime.cli.remembered import figures

    with opened(assignments) as service:
        report = service.stats()
    print_json(report) if json else out().print(figures(report))
    if report["problems"]:
        raise typer.Exit(NOT_DONE)
