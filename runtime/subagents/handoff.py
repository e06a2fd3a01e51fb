"""What passes between a planner and a sub-agent: a typed handoff there, the deliverable itself back.

    arguments with {a1} -> artifacts that were delivered before -> Handoff -> agent -> Delivered: a2, a3, ...

An artifact is a value that an agent brought back: file names, an answer, a rule. The next handoff names it by its id
and gets the value, not a planner's retelling; what was not delivered can't be handed on, so a parent waits for results.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from runtime.contract import Budget, ErrorCode, Json, Record, ToolFailure

REFERENCE = re.compile(r"\{(a\d+)\}")
Status = Literal["done", "blocked", "failed"]


class Artifact(Record):
    """One value that an agent brought back."""

    id: str
    """`a1`, `a2`, ... in one episode."""
    kind: str
    """What it is: lines, entry, answer, rule, picture, report, ..."""
    value: Any
    """The value as JSON."""
    by: str
    """The agent."""

    @property
    def words(self) -> str:
        """As it stands in a text that refers to it."""
        return "; ".join(map(str, self.value)) if isinstance(self.value, list | tuple) else str(self.value)


class Handoff(Record):
    """What an agent is given."""

    agent: str
    """Its tool."""
    arguments: Json
    """Its task, references replaced by what they stand for."""
    artifacts: tuple[Artifact, ...] = ()
    """Those that were referred to."""
    budget: Budget
    """Its own limits."""
    parent: str
    """Idempotency key of the call: run and call that it belongs to."""

    @property
    def sentence(self) -> str:
        """In words, for its trace."""
        said = ", ".join(f"{name}: {value}" for name, value in self.arguments.items())
        return f"{self.agent} ({said})"


class Cost(Record):
    """What a handoff took."""

    steps: int = 0
    """Decisions."""
    calls: int = 0
    """Calls."""
    tokens: int = 0
    """Generated tokens."""
    seconds: float = 0.0
    """Wall time."""


class Delivered(Record):
    """What comes back."""

    status: Status
    """`blocked`: the agent says why it can't; `failed`: a limit or the phone ended it."""
    message: str = ""
    """Why not; a sentence about what was done otherwise."""
    artifacts: tuple[Artifact, ...] = ()
    """The deliverable."""
    evidence: tuple[Json, ...] = ()
    """What the phone said about each write, and what was read."""
    cost: Cost = Field(default_factory=Cost)
    """Of the whole."""
    trace: str = ""
    """Run id of the agent's own episode."""


def resolved(arguments: Json, known: Mapping[str, Artifact]) -> tuple[Json, tuple[Artifact, ...]]:
    """Arguments with every reference replaced, and what was referred to; raises `ToolFailure` for what is not there."""
    used: dict[str, Artifact] = {}

    def value_of(found: re.Match[str]) -> str:
        artifact = known.get(found[1])
        if artifact is None:
            there = ", ".join(known) or "none"
            raise ToolFailure(
                ErrorCode.CONFLICT,
                f"no artifact `{found[1]}` was delivered; there is {there}. Wait for the result that brings it.",
                valid=list(known),
            )
        used[artifact.id] = artifact
        return artifact.words

    filled = {
        name: REFERENCE.sub(value_of, value) if isinstance(value, str) else value for name, value in arguments.items()
    }
    return filled, tuple(used.values())
