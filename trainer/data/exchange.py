"""The unit of training data: what a user said, and the turns that answer it.

An exchange is independent of any tool list; `dialogue.py` puts several under one list. Text of a turn that must not be
learned (arguments that a source does not annotate, an erroneous turn) is masked by character spans.
"""

from dataclasses import dataclass, field
from typing import Literal

from runtime.contract import Turn

Beside = Literal["", "memory", "skill", "skill_only"]
"""What stands beside the phone where a request is answered: nothing, the user's memory, the Skills' loaders with the
phone's tools or alone (they open the tools then)."""


@dataclass(frozen=True)
class Move:
    """One turn of the planner."""

    raw: str
    """The whole text of the action."""
    learned: int | None = None
    """Only so many first characters are learned; None: all, with the end of the turn; 0: none (an erroneous turn)."""
    response: str | None = None
    """The tool's response as it was shown; None where the next turn is the user's."""
    opens: tuple[str, ...] = ()
    """Tools that the response opens: those that were not exposed yet are shown after it."""
    reply: str | None = None
    """What the user answered to a question; None where the next turn is another one."""


@dataclass(frozen=True)
class Exchange:
    """A request and its moves."""

    said: str
    """The request."""
    moves: tuple[Move, ...]
    """In order."""
    tools: frozenset[str] = field(default_factory=frozenset)
    """Tools that must be exposed. Empty: the exchange fits any list that `absent` does not meet."""
    absent: frozenset[str] = field(default_factory=frozenset)
    """Tools that must not be exposed (the refusal is right only then)."""
    source: str = "pocketplanner"
    """Where the phrasing comes from."""
    turns: tuple[Turn, ...] = ()
    """Earlier turns of the dialogue."""
    beside: Beside = ""
    """Which tools are offered."""
    kind: str = "call"
    """call, decline, ask, several, ... for balance and reports."""
