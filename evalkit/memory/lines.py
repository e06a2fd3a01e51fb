"""What a line of each checkpoint file must hold, so that one which was damaged is done again and not believed.

A file is named after what its lines are: `ingestion`, `retrieval`, `shown-<budget>`, `answers-...`, `judgements-...`.
Further fields are free: no figure hangs on them.
"""

from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter, ValidationError


class Line(BaseModel):
    """Any of them."""

    key: str
    """The sample's number, and the question's id."""


class Ingested(Line):
    """The account of a sample."""

    sample: str
    """Its id."""
    fingerprint: str
    """Of all records and vectors."""
    turns: int
    """Turns of the sample."""
    records: int
    """Records that were made of them."""
    skipped: dict[str, str]
    """Reasons by turn."""
    failed: dict[str, str]
    """Problems by turn."""
    superseded: list[str]
    """Turns that were closed."""
    quality: float
    """Of the summaries."""
    faithful: int
    """Records that are faithful to their source."""
    unembedded: int
    """Records without a vector."""


class Item(BaseModel):
    """A record that a search showed."""

    turn: str
    """Where it was said."""
    rank: int
    """Its place."""
    stale: bool
    """Something newer holds."""
    text: str
    """What was said."""
    speaker: str
    """By whom."""
    at: str
    """When."""


class Found(Line):
    """A search that worked, at once or in the end."""

    status: Literal["ok", "recovered"]
    """Which of them."""
    tries: int
    """So many."""
    ranks: dict[str, int | None]
    """Places of the evidence."""
    shown: list[Item]
    """What was shown."""
    note: str
    """What the search said of it."""
    cpu_ms: float
    """What it cost."""


class Failed(Line):
    """A search or an answer that is to be tried again."""

    status: Literal["failed"]
    """It failed."""
    tries: int
    """So often."""


class Answered(Line):
    """An answer."""

    status: Literal["ok"]
    """It is there."""
    answer: str
    """Its words."""
    tries: int
    """How many it took."""
    prompt_tokens: int
    """What the answerer was shown."""


class Judged(Line):
    """A judgement."""

    status: Literal["ok"]
    """It is there."""
    score: float
    """From 0 to 1."""
    answer: str
    """Digest of what was judged."""


class Unjudged(Line):
    """A judgement that could not be had or read."""

    status: Literal["unreachable", "unreadable"]
    """Which of them."""
    answer: str
    """Digest of what was to be judged."""


FORMS: dict[str, Any] = {
    "ingestion": Ingested,
    "retrieval": Found | Failed,
    "shown": Found | Failed,
    "answers": Answered | Failed,
    "judgements": Judged | Unjudged,
}


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(FORMS.get(kind, Line))


def whole(name: str, value: Any) -> bool:
    """Whether a value is a line of the file `name`; of a file that isn't known here, whether it has a key."""
    try:
        _adapter(name.partition("-")[0]).validate_python(value)
    except ValidationError:
        return False
    return True
