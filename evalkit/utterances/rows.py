"""Rows of an utterance set, and which of them are kept back.

A row is `{"source", "intent", "text", "slots": [{"name", "value", "start", "end"}]}`, one JSON object a line. A fifth
of the rows is held out: chosen by a hash of the text with its slot values masked, so that two rows that differ in a
value alone fall on the same side, on every machine and in every release.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from runtime.contract import Record, UserError

HELD_OUT_FIFTH = 5
"""One row in this many is held out."""


class Slot(Record):
    """One annotated value."""

    name: str
    """Slot name of the source."""
    value: str
    """As said."""
    start: int
    """First character."""
    end: int
    """One past the last character."""


class Utterance(Record):
    """One row."""

    source: str
    """Name of the set."""
    intent: str
    """Intent of the source."""
    text: str
    """What was said."""
    slots: tuple[Slot, ...] = Field(default=())
    """Annotated values, in no promised order."""

    def masked(self) -> str:
        """The text in lower case with each slot value replaced by its slot's name."""
        text = self.text
        for slot in sorted(self.slots, key=lambda slot: -slot.start):
            text = f"{text[: slot.start]}<{slot.name}>{text[slot.end :]}"
        return " ".join(text.lower().split())

    @property
    def held_out(self) -> bool:
        """Whether the row is in the fifth that no training sees."""
        digest = hashlib.sha256(self.masked().encode()).digest()
        return int.from_bytes(digest[:8], "big") % HELD_OUT_FIFTH == 0


def read_utterances(folder: Path) -> list[Utterance]:
    """All rows of the `*.jsonl` files of a folder, in order of file name and line."""
    files = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    if not files:
        raise UserError(
            f"`{folder}` holds no .jsonl file; give the folder of an utterance set (one JSON object a line)"
        )
    return [row for file in files for row in _rows(file)]


def _rows(file: Path) -> Iterator[Utterance]:
    try:
        lines = file.read_text(encoding="utf-8").split("\n")  # what else breaks a line may stand in a text
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"`{file}` can't be read: {error}. Take it out of the folder, or write it as UTF-8.") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield Utterance.model_validate(json.loads(line))
        except ValidationError as error:
            wrong = "; ".join(f"`{'.'.join(map(str, one['loc']))}`: {one['msg']}" for one in error.errors()[:3])
            raise UserError(f"`{file}` line {number} is no utterance row: {wrong}. Correct or remove it.") from None
        except (json.JSONDecodeError, RecursionError) as error:
            raise UserError(f"`{file}` line {number} is no JSON: {error}. Correct or remove it.") from None


def select(rows: Sequence[Utterance], part: str) -> list[Utterance]:
    """The rows of a part: `dev` (held out), `train` (the rest) or `all`."""
    if part == "all":
        return list(rows)
    if part not in ("dev", "train"):
        raise UserError(f"`{part}` is no part of an utterance set; valid: dev, train, all")
    return [row for row in rows if row.held_out == (part == "dev")]
