"""What came back: content, the call as executed, what changed, or why not."""

from typing import Annotated, Any, Literal

from pydantic import Field

from runtime.contract.base import Json, Record
from runtime.contract.errors import Failure


class TextPart(Record):
    """Text content."""

    kind: Literal["text"] = "text"
    text: str
    """The text."""


class ImagePart(Record):
    """An image, by digest; a planner declares whether it takes images."""

    kind: Literal["image"] = "image"
    digest: str
    """SHA-256 of the bytes in the trace's blob table."""
    media_type: str = "image/png"
    """MIME type."""


Part = Annotated[TextPart | ImagePart, Field(discriminator="kind")]
"""One piece of content."""


class RowChange(Record):
    """One row of one table, before and after."""

    table: str
    """Table name."""
    key: str
    """Primary key of the row."""
    before: Json | None
    """None: the row was inserted."""
    after: Json | None
    """None: the row was deleted."""


class StateDiff(Record):
    """What changed on the phone, as far as it can be observed. A record, not a handle."""

    changes: tuple[RowChange, ...] = ()
    """Net changes, ordered by table and key; a row that came back to its old value is not in it."""

    @property
    def empty(self) -> bool:
        """Nothing changed."""
        return not self.changes

    def plus(self, other: "StateDiff") -> "StateDiff":
        """The changes of both, in order; for diffs over different tables."""
        changes = sorted((*self.changes, *other.changes), key=lambda change: (change.table, change.key))
        return StateDiff(changes=tuple(changes))


class Evidence(Record):
    """A read-back: what the phone says its state is, after the call."""

    source: str
    """Which read gave it (a tool name, a table, a dump)."""
    facts: Json
    """What was read."""


class ExecutedCall(Record):
    """The call as the provider normalised and ran it."""

    name: str
    """The tool."""
    arguments: Json
    """Normalised arguments ("half past seven" is "07:30" here)."""
    idempotency_key: str
    """The same key is never applied twice."""
    landed: Literal["yes", "no", "unknown"]
    """Whether the effect is known to have reached the phone."""


class Cut(Record):
    """What was left out of a text, and by which limit."""

    what: str
    """Name of the part."""
    left_out: int
    """How much."""
    unit: Literal["characters", "tokens", "items"]
    """Unit of `left_out`."""
    limit: str
    """The limit that applied, with its configuration key."""


class Observation(Record):
    """The answer to one call."""

    call_id: str
    """The call it answers; empty for what no call asked for (a user's answer)."""
    parts: tuple[Part, ...] = ()
    """Content for the planner."""
    data: dict[str, Any] = Field(default_factory=dict)
    """The tool's return value as JSON; the text part shows it, cut if long."""
    call: ExecutedCall | None = None
    """None when the call never ran."""
    diff: StateDiff = StateDiff()
    """What changed."""
    evidence: Evidence | None = None
    """The read-back after a write, where the phone can."""
    failure: Failure | None = None
    """Why the call failed."""
    cuts: tuple[Cut, ...] = ()
    """What was left out of the parts."""
    seconds: float = 0.0
    """Wall time at the provider."""

    @property
    def ok(self) -> bool:
        """No failure."""
        return self.failure is None
