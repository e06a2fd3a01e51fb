"""How memories look at the terminal."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from runtime.contract import Json
from runtime.visible import visible

SHOWN_CHARS = 200
"""Of a record, in a list."""
NARROW = 110
"""Columns below which a list leaves out what `show` tells, so that there is room for the words."""


def table(records: Sequence[Any], columns: int) -> Table:
    """A line for each record, an intention with what it waits for; `columns`: how many the terminal has."""
    narrow = columns < NARROW
    made = Table(box=None, header_style="dim")
    for heading in ("id", "type", *(() if narrow else ("about",)), "since", "", "memory"):
        made.add_column(heading, no_wrap=heading != "memory")
    for one in records:
        standing = "" if one.standing == "active" else one.standing
        about = () if narrow else (one.category.value,)
        words = Text.assemble(_cut(one.content), (_waits(one.intention), "dim"))
        made.add_row(_plain(one.id), one.kind.value, *about, _since(one, narrow), standing, words)
    return made


def details(record: Any, before: Sequence[Any], after: Sequence[Any]) -> Table:
    """Every field that says something, and the chain."""
    made = Table(box=None, show_header=False)
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in record.model_dump(mode="json").items():
        parts = _flat({name: value}) if isinstance(value, dict) else ((name, value),)
        for part, said in parts:
            if said not in (None, "", "None", [], False):
                made.add_row(part, _plain(str(said)))
    for heading, chain in (("replaced", before), ("replaced by", after)):
        for one in chain:
            made.add_row(heading, _plain(f"{one.id}  {one.valid_from}  {one.content}"))
    return made


def evidence(found: Any, columns: int) -> Iterator[RenderableType]:
    """The items, then what the set says about itself; `columns`: how many the terminal has."""
    narrow = columns < NARROW
    made = Table(box=None, header_style="dim")
    for heading in ("score", "id", "who", "since", "", "memory"):
        made.add_column(heading, no_wrap=heading != "memory")
    for item in found.items:
        one, mark = item.record, "stale" if item.stale else ""
        who = _plain(f"{one.speaker}/{one.trust.value}")
        made.add_row(f"{item.score:.3f}", _plain(one.id), who, _since(one, narrow), mark, _cut(one.content))
    if found.items:
        yield made
    if found.note:
        yield _plain(found.note, style="yellow")
    if found.left_out:
        yield Text(f"{found.left_out} more were left out", style="dim")


def receipt(done: Any) -> Iterator[RenderableType]:
    """What was deleted where, what was looked at, and what is left to do."""
    yield _plain(f"deleted {', '.join(done.records) or 'nothing'}")
    if done.others:
        yield _plain(f"without their words now: {', '.join(done.others)}")
    made = Table(box=None, header_style="dim")
    for heading in ("store", "files", "bytes", "from which", "how"):
        made.add_column(heading, justify="right" if heading in ("files", "bytes", "from which") else "left")
    for one in done.stores:
        how = _plain("; ".join(one.how))
        made.add_row(_plain(one.store), str(one.files), f"{one.size:,}", str(one.removed or ""), how)
    yield made
    for left in (*done.left, *done.opaque):
        yield _plain(f"left: {left.path}: {left.why}", style="red")
    for one in done.trained:
        yield _plain(f"checkpoint {one.checkpoint} had used {', '.join(one.used)}: train it again", style="yellow")
    yield from (_plain(note, style="dim") for note in done.notes)
    yield Text("nothing is left" if done.complete else "not all is gone; see above", style="bold")


def figures(report: Json) -> Table:
    """Names and values, nested ones indented."""
    made = Table(box=None, show_header=False)
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in _flat(report):
        made.add_row(_plain(name), _plain(value))
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
                    ", ".join(f"{key} {part}" for key, part in one.items() if part not in (None, "", [], False)),
                )
        else:
            yield words, ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def _since(record: Any, narrow: bool) -> str:
    """Since when a record holds: the day, where there is no room for the time."""
    return str(record.valid_from[:10] if narrow else record.valid_from)


def _waits(intention: Any) -> str:
    """What an intention waits for, and where it stands once it waits no more."""
    if intention is None:
        return ""
    when = [f"at {intention.at}"] * bool(intention.at) + [f"on: {intention.event}"] * bool(intention.event)
    status = [intention.status] * (intention.status != "pending")
    return visible(f"  ({', '.join(when + status)})")


def _plain(text: str, style: str = "") -> Text:
    """Words of others: no markup, and nothing that a terminal obeys."""
    return Text(visible(text), style=style)


def _cut(text: str) -> Text:
    more = len(text) - SHOWN_CHARS
    return _plain(text if more <= 0 else f"{text[:SHOWN_CHARS]} (and {more} characters)")
