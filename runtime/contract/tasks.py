"""A task in three parts, so that nobody receives more than is theirs.

`TaskView` goes to harness and planner, `WorldSpec` to a phone or a pool, `Policy` to the verifier. `TaskSpec` holds all
three and crosses into none of those rooms. It says what must be accomplished, never one reference trajectory.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from runtime.contract.base import Json, Record, StableSet, Version, digest_of
from runtime.contract.tools import Domain, ToolSpec


class Turn(Record):
    """One earlier turn of the dialogue."""

    role: Literal["user", "assistant"]
    """Who spoke."""
    text: str
    """What was said."""


class Budget(Record):
    """Limits of one episode."""

    steps: int = 15
    """Planner decisions (T of the paper)."""
    tools: int = 15
    """Recalled tools (N of the paper)."""
    output_tokens: int = 2048
    """Generated tokens over the episode, thinking included."""
    seconds: float = 120.0
    """Wall time of the episode."""
    request_chars: int = 8000
    """Longest request that is taken."""


class TaskView(Record):
    """All that harness and planner ever receive."""

    request: str
    """x: the request in plain words."""
    turns: tuple[Turn, ...] = ()
    """Earlier turns, oldest first."""
    tools: tuple[ToolSpec, ...] | None = None
    """Exposed tools, fixed by the task; None: all of the phone's tools, recalled to `budget.tools`."""
    unavailable: StableSet[str] = frozenset()
    """Tools that this phone does not offer in this task."""
    budget: Budget = Budget()
    """Limits."""


class WorldSpec(Record):
    """All that a phone or a pool receives: backend-neutral facts."""

    clock: str = "2026-03-02T09:00"
    """Local time at the start, ISO 8601, minutes."""
    seed: int = 0
    """Seeds ids and every random choice of the phone."""
    facts: tuple[Json, ...] = ()
    """Rows to plant, each `{"table": ..., **columns}`; a row with the key of a default row replaces it."""
    denied: StableSet[str] = frozenset()
    """Permissions that are not granted."""
    memories: tuple[Json, ...] = ()
    """Records that the user's memory holds at the start, each `{"id": ..., "content": ..., "category": ...}`."""


class CallCheck(Record):
    """*Tool call* policy: these calls ran, in this order where `ordered`, with these normalised arguments."""

    kind: Literal["call"] = "call"
    calls: tuple[Json, ...]
    """Each `{"name": ..., "arguments": {...}}`; arguments are compared after the phone's normalisation."""
    ordered: bool = True
    """Whether the order matters."""


class RowPattern(Record):
    """A change that a diff must or may hold."""

    table: str
    """Table name."""
    change: Literal["insert", "update", "delete"]
    """Kind of change."""
    where: dict[str, Any] = Field(default_factory=dict)
    """Columns of the row before the change (after it, for an insert) that identify it."""
    values: dict[str, Any] = Field(default_factory=dict)
    """Columns after the change, normalised values."""


class StateCheck(Record):
    """*State change* policy: a typed diff with required, allowed and (all else) forbidden changes."""

    kind: Literal["state"] = "state"
    required: tuple[RowPattern, ...]
    """Each must be matched by its own row of the diff."""
    allowed: tuple[RowPattern, ...] = ()
    """May be there (bookkeeping, side effects); any other change fails the task and is named."""


class BehaviourCheck(Record):
    """*Agent behaviour* policy with positive evidence: how the episode ended and what was read or said before."""

    kind: Literal["behaviour"] = "behaviour"
    ends: StableSet[Literal["asked", "refused", "finished"]]
    """Accepted endings."""
    mentions: tuple[tuple[str, ...], ...] = ()
    """Groups of words: the question, reason or answer names at least one word of each group."""
    tried: tuple[str, ...] = ()
    """Tools of which at least one call must have been attempted first (a permission block is met, not guessed)."""
    unchanged: bool = True
    """The phone's state must be as it was."""


class MemoryGate(Record):
    """*Memory gate*: the union of what the planner's own searches returned holds these records."""

    kind: Literal["memory"] = "memory"
    ids: StableSet[str]
    """Gold records. What a harness put into the context by itself does not count; it is reported apart."""


class SkillGate(Record):
    """*Skill gate*: these Skills were loaded by the planner before the last call."""

    kind: Literal["skill"] = "skill"
    skills: StableSet[str]
    """Slugs."""


Check = Annotated[CallCheck | StateCheck | BehaviourCheck | MemoryGate | SkillGate, Field(discriminator="kind")]
"""One thing that a verifier checks."""


class Outcome(Record):
    """One accepted end: all of its checks hold."""

    checks: tuple[Check, ...]
    """Checked together."""
    note: str = ""
    """Why this end is acceptable."""


class Policy(Record):
    """What the verifier checks; several accepted end states."""

    outcomes: tuple[Outcome, ...]
    """Any one of them is success."""
    answer_contains: tuple[str, ...] = ()
    """Words that the final answer or an observation must hold (questions of fact)."""
    user_answers: tuple[str, ...] = ()
    """What the user replies when asked, in order; empty: an ask ends the episode."""


class Split(StrEnum):
    """Where a task may be used."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"
    EVOLVE = "evolve"


class TaskSpec(Record):
    """A task with its origin. Only evalkit and the trainer hold one whole."""

    contract: Version = 1
    """Contract version."""
    id: str
    """Unique in its suite."""
    revision: int = 1
    """Raised when anything but notes changes."""
    view: TaskView
    """For harness and planner."""
    world: WorldSpec
    """For the phone."""
    policy: Policy
    """For the verifier."""
    gold: tuple[Json, ...] = ()
    """One solution, for admission and as an oracle in training: `{"name", "arguments"}` or `{"ask": text}`, `{"refuse":
    text}`, `{"finish": text}`. An argument `"$2.data.path"` is read from the result of the second call."""
    family: str
    """Task family: clusters for confidence intervals."""
    domain: Domain
    """Main domain."""
    capabilities: StableSet[str] = frozenset()
    """Of the paper's seven capabilities."""
    pattern: str = "one_call"
    """one_call, multi_call, dependent_call, ask, permission, unavailable, ..."""
    part: Literal["tool_use", "memory", "skill", "sub_agent"] = "tool_use"
    """Part of the Overall score that it counts for."""
    kind: str = ""
    """Kind within its part: of Tool Use grounding, dependency, tracking, revision or boundary; of Memory single_turn or
    multi_turn."""
    subcategory: str = ""
    """What it is about, finer than the domain."""
    hand_written: bool = False
    """Its request was written one by one, not drawn from a template."""
    difficulty: int = 1
    """1 easy to 5 hard."""
    split: Split = Split.TRAIN
    """Where it may be used."""
    source: str = "pocketplanner"
    """Where its phrasing comes from."""
    licence: str = "Apache-2.0"
    """Licence of the source."""
    parents: tuple[str, ...] = ()
    """Tasks that it was derived from."""

    def digest(self) -> str:
        """Content digest."""
        return digest_of(self)
