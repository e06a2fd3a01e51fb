"""A draft of a task of this suite: what a program made, before its policy is known."""

from dataclasses import dataclass, field
from typing import Literal

from runtime.contract import Domain, Json, Split, TaskView, WorldSpec
from runtime.contract.tasks import Check

Part = Literal["tool_use", "memory", "skill", "sub_agent"]
"""A part of the Overall score."""
CAPABILITIES = (
    "information_acquisition",
    "tool_routing",
    "argument_grounding",
    "dependency_handling",
    "state_tracking",
    "recovery",
    "verified_completion",
)
"""The paper's seven; `long_context` and `personalised_planning` stand beside them where a program asks for them."""
BESIDE = ("long_context", "personalised_planning")


@dataclass(frozen=True, slots=True)
class Draft:
    """A task without a policy."""

    pattern: str
    """The program that made it: the interaction pattern."""
    family: str
    """Cluster of the confidence interval."""
    domain: Domain
    """Main domain."""
    subcategory: str
    """What it is about, finer than the domain."""
    split: Split
    """Where it may be used."""
    view: TaskView
    """For the planner."""
    world: WorldSpec
    """For the phone."""
    gold: tuple[Json, ...]
    """One solution."""
    capabilities: frozenset[str] = frozenset()
    """What it asks for beside what its program says."""
    composition: str = ""
    """What stands in one split alone; empty where only templates and values keep splits apart."""
    templates: tuple[str, ...] = ()
    """What the request was made of."""
    values: tuple[tuple[str, str], ...] = ()
    """(pool, value) of what was drawn."""
    mentions: tuple[tuple[str, ...], ...] = ()
    """Groups of words that a question, refusal or answer must name."""
    user_answers: tuple[str, ...] = ()
    """What the user replies when asked."""
    accepted: tuple[tuple[Json, ...], ...] = ()
    """Other solutions of the same standing."""
    loose: frozenset[str] = frozenset()
    """Arguments of reads that may be left out."""
    ordered: bool = False
    """Whether the reads must come after the writes (a state is looked up to be certain)."""
    partly: bool = False
    """The end reports what could not be done; the rest is done."""
    remembers: tuple[str, ...] = ()
    """What each memory written must hold, in the order of the gold's writes; its other words are free."""
    checks: tuple[Check, ...] = field(default=())
    """Checks beside those of the gold: memory and Skill gates."""
    hand_written: bool = False
    """Written one by one."""
