"""Words about episodes and tasks, kept beside them; nothing is edited in place."""

from typing import Literal

from pydantic import Field

from runtime.contract.base import Json, Record, Version


class Span(Record):
    """A stretch of steps, or of tokens within one step."""

    start: int
    """First index."""
    end: int
    """One past the last index."""
    unit: Literal["step", "token"] = "step"
    """What is counted."""


class Annotation(Record):
    """One judgement: an erroneous turn, an attribution, a tag, a review, a quarantine, a release."""

    contract: Version = 1
    """Contract version."""
    id: str
    """Unique."""
    target: str
    """Digest of the episode or task."""
    span: Span | None = None
    """Where in it; None: all of it."""
    kind: Literal["erroneous_turn", "attribution", "tag", "review", "quarantine", "release"]
    """What is said."""
    value: Json = Field(default_factory=dict)
    """The judgement itself."""
    author: str
    """`rule:NAME`, `model:NAME` or `person:NAME`."""
    version: int = 1
    """Of this annotation."""
    supersedes: str | None = None
    """Id of the annotation that this one replaces."""


class Erasure(Record):
    """Makes every store, trace and dataset remove what a user had forgotten."""

    contract: Version = 1
    """Contract version."""
    id: str
    """Unique."""
    subject: str
    """Whose data, or which record."""
    targets: tuple[str, ...]
    """Ids of records, episodes and blobs."""
    requested_at: str
    """UTC, ISO 8601."""


class Erased(Record):
    """What one store did about an erasure."""

    store: str
    """Which store."""
    looked_at: int = 0
    """Items that were looked at."""
    removed: tuple[str, ...] = ()
    """Ids of the items that held something, which is gone."""
