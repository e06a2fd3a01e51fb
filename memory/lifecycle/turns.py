"""What capture reads and what it reports: turns as they were said, their owner, what became of them."""

from typing import Literal, TypeAlias

from pydantic import Field

from memory.records import Kind, Trust
from memory.store import Filter
from runtime.contract import Record

Reason: TypeAlias = Literal["recalled", "boot", "echo", "junk", "duplicate", "known"]
"""Why a turn was not kept: memory's own words, standing instructions, an agent that only repeats the user, nothing
said, said already, captured already."""


class SourceTurn(Record):
    """One turn of a dialogue, or one observation."""

    session: str = ""
    """The dialogue or run."""
    turn: str = ""
    """Id of the turn in it."""
    order: int = 0
    """Its place in the session."""
    speaker: str = "user"
    """Who said it; for external text the application or document."""
    text: str
    """The words, as they were said."""
    at: str = ""
    """When; local, ISO 8601. Empty: now."""
    trust: Trust = Trust.USER
    """Who stands behind it. External text keeps `external` for good."""
    recalled: bool = False
    """The text came out of memory; it is never captured again."""
    summary: str = ""
    """A summary that somebody made; empty: by rule. An invalid one fails the turn."""
    source: str = ""
    """A document or application beside the session."""


class Scope(Record):
    """Whose memories are written or maintained."""

    workspace: str = "default"
    """The workspace."""
    user: str = "user"
    """The user."""
    agent: str = ""
    """The agent; empty: all of the user's."""

    def own(self, kinds: tuple[Kind, ...] = (), **more: object) -> Filter:
        """A filter for the private records of this scope."""
        given = {"workspace": self.workspace, "user": self.user, "agent": self.agent, "shared": False, "kinds": kinds}
        return Filter.model_validate({**given, **more})


class Skipped(Record):
    """A turn that was not kept, on purpose."""

    session: str
    turn: str
    reason: Reason
    """Why."""
    stands: str = ""
    """The record that says it already."""


class Failed(Record):
    """A turn that should have been kept and could not be."""

    session: str
    turn: str
    problem: str
    """The value, the limit and the next step."""


class Superseded(Record):
    """A record that a new statement closed."""

    old: str
    """Its id."""
    new: str
    """Id of the record that holds now."""


class CaptureReport(Record):
    """What became of the turns. Ingestion, quality of summaries and fidelity to the source are counted apart."""

    ingested: tuple[str, ...] = ()
    """Ids of new records."""
    skipped: tuple[Skipped, ...] = ()
    """Turns left out on purpose."""
    failures: tuple[Failed, ...] = ()
    """Turns that failed: nothing of them was stored."""
    superseded: tuple[Superseded, ...] = ()
    """What the new records closed."""
    turns: int = Field(default=0, ge=0)
    """Turns read."""
    faithful: int = 0
    """New records whose summary says nothing that the original doesn't."""
    quality: float = 1.0
    """Mean share of numbers, names and statements of the originals that the summaries keep."""
    unembedded: int = 0
    """New records that wait for a vector; keywords find them."""
    note: str = ""
    """What was postponed, in plain words."""
