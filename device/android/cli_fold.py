"""`pocket phone fold`: any dump file, folded as a planner would see it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from runtime.contract import UserError


def fold_file(
    file: Annotated[Path, typer.Argument(help="A dump of `uiautomator dump`, uiautomator2 or Appium.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    """A dump file as the short list of labelled elements that a planner sees."""
    import json as encoder

    folded = folded_file(file)
    typer.echo(encoder.dumps(as_json(folded), ensure_ascii=False, indent=2) if json else folded.text())


def folded_file(file: Path) -> Any:
    """The folded screen of a file; what is no dump is a `UserError`."""
    from device.android.screen import DumpProblem, fold, read_dump
    from device.android.screen.dump import MAX_BYTES

    try:
        size = file.stat().st_size
        if file.is_file() and size > MAX_BYTES:
            raise DumpProblem(f"it has {size:,} bytes; a dump may have {MAX_BYTES:,}. Dump a single screen")
        with file.open("rb") as opened:  # a device or a pipe has no size, and may never end
            data = opened.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise DumpProblem(f"it has more than {MAX_BYTES:,} bytes; a dump may have so many. Dump a single screen")
        return fold(read_dump(data))
    except OSError as error:
        raise UserError(f"`{file}` can't be read: {error.strerror or error}. Name a dump file.") from None
    except DumpProblem as problem:
        raise UserError(f"`{file}` can't be folded: {problem}.") from None


def as_json(folded: Any) -> dict[str, Any]:
    """The folded screen as plain data, with its text and how long that is."""
    text = folded.text()
    elements = [
        {
            "id": one.id,
            "role": one.role,
            "label": one.label,
            "value": one.value,
            "actions": list(one.actions),
            "states": list(one.states),
            "bounds": list(one.box),
            "class": one.kind,
            "resource_id": one.rid,
            "package": one.package,
        }
        for one in folded.elements
    ]
    return {
        "package": folded.package,
        "rotation": folded.rotation,
        "width": folded.width,
        "height": folded.height,
        "nodes": folded.nodes,
        "tappable": sum(1 for one in folded.elements if one.role not in ("text", "list")),
        "hidden_texts": folded.hidden_texts,
        "characters": len(text),
        "text": text,
        "elements": elements,
    }
