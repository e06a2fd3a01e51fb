"""How memories look at the terminal."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from runtime.contract import Json

SHOWN_CHARS = 200
"""Of a record, in a list."""


def table(records: Sequence[Any]) -> Table:
    """A line for each record."""
    made = Table(box=None, header_style="dim")
    for heading in ("id", "type", "about", "since", "", "memory"):
        made.add_column(heading, no_wrap=heading != "memory")
    for one in records:
        standing = "" if one.standing == "active" else one.standing
        made.add_row(one.id, one.kind.value, one.category.value, one.valid_from, standing, _cut(one.content))
    return made


def details(record: Any, before: Sequence[Any], after: Sequence[Any]) -> Table:
    """Every field that says something, and the chain."""
    made = Table(box=None, show_header=False)
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in record.model_dump(mode="json").items():
        if value not in (None, "", [], False):
            made.add_row(name, Text(str(value)))
    for heading, chain in (("replaced", before), ("replaced by", after)):
        for one in chain:
            made.add_row(heading, Text(f"{one.id}  {one.valid_from}  {one.content}"))
    return made


def evidence(found: Any) -> Iterator[RenderableType]:
    """The items, then what the set says about itself."""
    made = Table(box=None, header_style="dim")
    for heading in ("score", "id", "who", "since", "", "memory"):
        made.add_column(heading, no_wrap=heading != "memory")
    for item in found.items:
        one, mark = item.record, "stale" if item.stale else ""
        made.add_row(
            f"{item.score:.3f}", one.id, f"{one.speaker}/{one.trust.value}", one.valid_from, mark, _cut(one.content)
        )
    yield made
    if found.note:
        yield Text(found.note, style="yellow")
    if found.left_out:
        yield Text(f"{found.left_out} more were left out", style="dim")


def receipt(done: Any) -> Iterator[RenderableType]:
    """What was deleted where, what was looked at, and what is left to do."""
    yield Text(f"deleted {', '.join(done.records) or 'nothing'}")
    if done.others:
        yield Text(f"without their words now: {', '.join(done.others)}")
    made = Table(box=None, header_style="dim")
    for heading in ("store", "files", "bytes", "from which", "how"):
        made.add_column(heading, justify="right" if heading in ("files", "bytes", "from which") else "left")
    for one in done.stores:
        made.add_row(one.store, str(one.files), f"{one.size:,}", str(one.removed or ""), "; ".join(one.how))
    yield made
    for left in (*done.left, *done.opaque):
        yield Text(f"left: {left.path}: {left.why}", style="red")
    for one in done.trained:
        yield Text(f"checkpoint {one.checkpoint} had used {', '.join(one.used)}: train it again", style="yellow")
    yield from (Text(note, style="dim") for note in done.notes)
    yield Text("nothing is left" if done.complete else "not all is gone; see above", style="bold")


def figures(report: Json) -> Table:
    """Names and values, nested ones indented."""
    made = Table(box=None, show_header=False)
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in _flat(report):
        made.add_row(name, Text(value))
    return made


def _flat(report: Json, indent: str = "") -> Iterator[tuple[str, str]]:
    for name, value in report.items():
        words = indent + name.replace("_", " ")
        if isinstance(value, dict):
            yield words, ""
            yield from _flat(value, indent + "  ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield words, ""
            for one in value:
                yield (
                    indent + "  -",
                    ", ".join(f"{key} {part}" for key, part in one.items() if part not in (None, "", [])),
                )
        else:
            yield words, ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _cut(text: str) -> Text:
    more = len(text) - SHOWN_CHARS
    return Text(text if more <= 0 else f"{text[:SHOWN_CHARS]} (and {more} characters)")
