"""What one memory is: a short text with its kind, origin, trust and times. Fixed when it is written.

1. *Transaction time* is `created_at`: when the store learned it. *Valid time* is from `valid_from` until `valid_to`:
   when it holds. A record whose `valid_to` is set was superseded; its successor names it in `supersedes`.
2. `trust` says who stands behind a record and is never raised later. What a planner writes is `agent`.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import Field, ValidationError, field_validator

from runtime.contract import Json, Record, UserError, WorldSpec

MAX_CONTENT = 1000
"""Characters of one memory."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Kind(StrEnum):
    """The types of records."""

    USER_MODEL = "user_model"
    EPISODIC = "episodic"
    LONG_TERM = "long_term"
    PROSPECTIVE = "prospective"
    REVIEW = "review"


class Category(StrEnum):
    """What a memory is about, as the tools name it."""

    ROUTINES = "routines_habits"
    INFO = "important_info"
    EVENT = "important_event"
    PREFERENCE = "preference"


class Trust(StrEnum):
    """Who stands behind a record."""

    USER = "user"
    AGENT = "agent"
    EXTERNAL = "external"
    SYSTEM = "system"


def kind_for(category: str) -> Kind:
    """The kind of a record that came with a category alone: an event is an episode, all else models the user."""
    return Kind.EPISODIC if category == Category.EVENT else Kind.USER_MODEL


class MemoryRecord(Record):
    """One memory."""

    id: str = Field(min_length=1, max_length=80)
    """Unique in its store, never given twice."""
    kind: Kind
    """Its type."""
    category: Category
    """What it is about."""
    content: str
    """The memory in plain words."""
    source: str = ""
    """Where it came from: a run, a dialogue, a document."""
    speaker: str = "user"
    """Who said it."""
    trust: Trust = Trust.USER
    """Who stands behind it."""
    importance: float = Field(default=0.5, ge=0.0, le=1.0)
    """From 0 to 1."""
    created_at: str
    """Transaction time: local, ISO 8601."""
    valid_from: str
    """Since when it holds."""
    valid_to: str | None = None
    """Until when it held; None: it holds now."""
    supersedes: str | None = None
    """Id of the record that it replaced."""

    @field_validator("content")
    @classmethod
    def _plain(cls, value: str) -> str:
        return plain_text(value)

    @field_validator("created_at", "valid_from", "valid_to")
    @classmethod
    def _a_moment(cls, value: str | None) -> str | None:
        if value is not None:
            datetime.fromisoformat(value)
        return value


def plain_text(value: str) -> str:
    """The text with single spaces; a `ValueError` says what is wrong with one that can't be a memory."""
    text = " ".join(value.split())
    if not text:
        raise ValueError("the text is empty")
    if len(text) > MAX_CONTENT:
        raise ValueError(f"the text has {len(text):,} characters; the limit is {MAX_CONTENT:,}")
    if _CONTROL.search(text):
        raise ValueError("the text holds control characters")
    return text


def planted(world: WorldSpec) -> list[MemoryRecord]:
    """The records of a world. What a row leaves out follows from the rest; a wrong row is a `UserError`."""
    records = [_from_row(number, row, world.clock) for number, row in enumerate(world.memories)]
    _distinct([record.id for record in records])
    return records


def _from_row(number: int, row: Json, clock: str) -> MemoryRecord:
    category = row.get("category", Category.INFO)
    created = row.get("created_at", clock)
    implied: Json = {"category": category, "created_at": created, "valid_from": created, "kind": kind_for(category)}
    given = {**implied, **row}
    try:
        return MemoryRecord.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise UserError(
            f"memory {number} of the world (`{row.get('id', '?')}`): field `{field}` is "
            f"`{str(row.get(field, ''))[:80]}`: {first['msg']}. Correct `world.memories`."
        ) from None


def _distinct(ids: Sequence[str]) -> None:
    for number, name in enumerate(ids):
        if name in ids[:number]:
            raise UserError(f"two memories of the world have the id `{name}`. Give each its own in `world.memories`.")
