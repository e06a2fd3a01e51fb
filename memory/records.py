"""What one memory is: a short text with its kind, origin, trust, times and standing. Fixed when it is written.

1. *Transaction time* is from `created_at`, when the store learned it, until `closed_at`, when it was superseded or
   archived. *Valid time* is from `valid_from` until `valid_to`: when it holds out there.
2. `trust` says who stands behind a record and is never raised later. What a planner writes is `agent`.
3. `content` is the concise summary, `original` the words it was made of, without loss. Both name where they came from.
4. `NewRecord` is what a writer gives; the store adds id and times and returns a `MemoryRecord`.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from pydantic import Field, ValidationError, field_validator

from runtime.contract import ErrorCode, Json, Record, ToolFailure, UserError, WorldSpec

MAX_CONTENT = 1000
"""Characters of one memory."""
MAX_ORIGINAL = 65_536
"""Bytes of the words that it was made of."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_HALF = re.compile(r"[\ud800-\udfff]")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?")

Standing: TypeAlias = Literal["active", "superseded", "archived", "pending"]
"""`pending` is a candidate that nobody has confirmed: never authoritative."""
IntentionStatus: TypeAlias = Literal["pending", "fired", "done", "expired", "cancelled"]


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


def moment(value: str) -> str:
    """A date or time, ISO 8601, in the one form that compares as text; a `ValueError` for a day that doesn't exist.

    An offset is dropped: a moment is what the clock of whoever spoke showed.
    """
    at = datetime.fromisoformat(value)
    return value if _MOMENT.fullmatch(value) else at.replace(tzinfo=None).isoformat(timespec="seconds")


class Intention(Record):
    """What a prospective record waits for. It fires once."""

    condition: str
    """When it becomes due, in plain words."""
    at: str | None = None
    """The time at which it becomes due."""
    event: str = ""
    """The event at which it becomes due."""
    scope: str = ""
    """Where it applies: a workspace, an application; empty: everywhere."""
    expires_at: str | None = None
    """When it is no longer wanted."""
    status: IntentionStatus = "pending"
    """Where it stands."""
    fired_at: str | None = None
    """When it fired."""

    @field_validator("at", "expires_at", "fired_at")
    @classmethod
    def _a_moment(cls, value: str | None) -> str | None:
        return value and moment(value)


class _Memory(Record):
    """The fields of a memory, in the order in which a diff shows the first twelve."""

    id: str = Field(default="", max_length=80)
    """Unique in its store, never given twice."""
    kind: Kind
    """Its type."""
    category: Category
    """What it is about."""
    content: str
    """The memory in plain words: the concise summary."""
    source: str = ""
    """Where it came from: a run, a dialogue, a document."""
    speaker: str = "user"
    """Who said it."""
    trust: Trust = Trust.USER
    """Who stands behind it."""
    importance: float = Field(default=0.5, ge=0.0, le=1.0)
    """From 0 to 1."""
    created_at: str = ""
    """Transaction time: local, ISO 8601."""
    valid_from: str = ""
    """Since when it holds."""
    valid_to: str | None = None
    """Until when it holds; None: no end is known."""
    supersedes: str | None = None
    """Id of the record that it replaced."""
    original: str = ""
    """The words it was made of, without loss; empty: `content` is all there was."""
    session: str = ""
    """The dialogue or run it came from."""
    turn: str = ""
    """Id of the turn it came from."""
    order: int = 0
    """Place of that turn in its session."""
    workspace: str = "default"
    """The workspace it belongs to."""
    user: str = "user"
    """The user it belongs to."""
    agent: str = ""
    """The agent it belongs to; empty: all of the user's."""
    shared: bool = False
    """Others of the workspace may see it."""
    closed_at: str | None = None
    """Transaction time at which it was superseded or archived."""
    subject: str = ""
    """What it is about, as a normalised key: two records of one subject may contradict each other."""
    derived_from: tuple[str, ...] = ()
    """Ids of the records that it was made of."""
    standing: Standing = "active"
    """Whether it counts."""
    intention: Intention | None = None
    """Of a prospective record."""

    @field_validator("content")
    @classmethod
    def _plain(cls, value: str) -> str:
        return plain_text(value)

    @field_validator("original")
    @classmethod
    def _lossless(cls, value: str) -> str:
        size = len(_whole(value).encode())
        if size > MAX_ORIGINAL:
            raise ValueError(f"the text has {size:,} bytes; the limit is {MAX_ORIGINAL:,}. Split it")
        return value

    @field_validator("source", "speaker", "session", "turn", "workspace", "user", "agent", "subject")
    @classmethod
    def _name(cls, value: str) -> str:
        return _whole(value)

    @field_validator("created_at", "valid_from", "valid_to", "closed_at")
    @classmethod
    def _a_moment(cls, value: str | None) -> str | None:
        return value and moment(value)


class NewRecord(_Memory):
    """A memory that is not in a store yet: without an id, and without times where the store's clock gives them."""

    @classmethod
    def of(cls, **given: Any) -> "NewRecord":
        """A new record; a 400 names the field that is wrong, its value and why."""
        try:
            return cls(**given)
        except ValidationError as error:
            field, value, why = _first(error, given)
            raise ToolFailure(ErrorCode.BAD_ARGUMENT, f"`{field}` is `{value}`: {why}", argument=field) from None


class MemoryRecord(_Memory):
    """One memory of a store."""

    id: str = Field(min_length=1, max_length=80)
    """Unique in its store, never given twice."""
    created_at: str = Field(min_length=1)
    """Transaction time: local, ISO 8601."""
    valid_from: str = Field(min_length=1)
    """Since when it holds."""


ROW_FIELDS = tuple(MemoryRecord.model_fields)[:12]
"""The columns of the table `memories`, as a diff shows them."""


def row(record: MemoryRecord) -> Json:
    """The record as a row of the table `memories`."""
    return record.model_dump(mode="json", include=set(ROW_FIELDS))


def plain_text(value: str) -> str:
    """The text with single spaces; a `ValueError` says what is wrong with one that can't be a memory."""
    if len(value) > MAX_ORIGINAL:
        raise ValueError(f"the text has {len(value):,} characters; the limit is {MAX_CONTENT:,}")
    text = " ".join(_whole(value).split())
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
    over = {"standing": "superseded", "closed_at": row["valid_to"]} if row.get("valid_to") else {}
    implied: Json = {"category": category, "created_at": created, "valid_from": created, "kind": kind_for(category)}
    try:
        return MemoryRecord.model_validate({**implied, **over, **row})
    except ValidationError as error:
        field, value, why = _first(error, row)
        raise UserError(
            f"memory {number} of the world (`{row.get('id', '?')}`): field `{field}` is "
            f"`{value}`: {why}. Correct `world.memories`."
        ) from None


def _first(error: ValidationError, given: Json) -> tuple[str, str, str]:
    """Field, value and reason of the first thing that is wrong."""
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    return field, str(given.get(field, ""))[:80], str(first["msg"]).removeprefix("Value error, ")


def _whole(value: str) -> str:
    if _HALF.search(value):
        raise ValueError("the text holds half a character (a lone surrogate)")
    return value


def _distinct(ids: Sequence[str]) -> None:
    for number, name in enumerate(ids):
        if name in ids[:number]:
            raise UserError(f"two memories of the world have the id `{name}`. Give each its own in `world.memories`.")
