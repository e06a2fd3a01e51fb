"""What a chooser sees and answers: one choice at a time, ids of the look that it was shown, no coordinates."""

from dataclasses import dataclass
from typing import Literal, Protocol

from runtime.contract import Deadline, Decision, Element, Json
from runtime.subagents.goal import Goal

ALONE = ("back", "home", "enter", "open", "wait")
"""Actions that take no element."""
Reason = Literal[
    "permission_dialog", "sign_in", "secure_window", "not_agreed",
    "not_found", "not_accepted", "no_effect", "unclear", "unproved", "steps", "time", "phone",
]  # fmt: skip
"""Why a goal is blocked; the first four are for a person."""
FOR_A_PERSON = frozenset(("permission_dialog", "sign_in", "secure_window", "not_agreed"))


@dataclass(frozen=True, slots=True)
class Act:
    """Do one thing."""

    action: str
    """tap, long_press, type, scroll, back, home, enter, open or wait."""
    element: str = ""
    """Id of an element of the look; empty for actions that take none."""
    text: str = ""
    """What to type, where to scroll, which app to open."""


@dataclass(frozen=True, slots=True)
class Done:
    """The goal is reached; one of the two shows it."""

    shown: str = ""
    """Id of the element that shows it."""
    gone: str = ""
    """What was on the screen before and is not any more."""
    read: tuple[str, ...] = ()
    """What was asked to be read."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """The goal can't be reached from here."""

    reason: Reason
    """Why."""
    message: str
    """In a sentence, with the next step."""


Move = Act | Done | Blocked


@dataclass(frozen=True, slots=True)
class Event:
    """One choice and what came of it."""

    action: str
    """As chosen."""
    element: str
    """The element as it was shown, without its id; empty for none."""
    text: str
    """As chosen."""
    ok: bool
    """Whether it did what it says."""
    landed: Literal["yes", "no", "unknown"]
    """Whether it reached the phone."""
    code: str = ""
    """Error code of a failure."""
    said: str = ""
    """What the screen said about a failure."""
    changed: bool = False
    """Whether the screen differed afterwards."""
    obstacle: str = ""
    """What stands in the way after it."""

    def as_json(self) -> Json:
        """What says something."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if value != ""}


@dataclass(frozen=True, slots=True)
class View:
    """What a chooser sees."""

    goal: Goal
    """What shall be reached."""
    elements: tuple[Element, ...]
    """What is on the screen now."""
    events: tuple[Event, ...] = ()
    """What was done so far, in order."""

    @property
    def last(self) -> Event | None:
        """The last event."""
        return self.events[-1] if self.events else None


class Chooser(Protocol):
    """Chooses the next move."""

    @property
    def identity(self) -> str:
        """Its name, with a digest where it has one."""
        ...

    def begin(self, goal: Goal) -> None:
        """A new goal."""
        ...

    def choose(self, view: View, deadline: Deadline) -> Move:
        """The next move."""
        ...

    def decision(self, move: Move, view: View) -> Decision:
        """The same as the contract's record, for the trace."""
        ...

    def close(self) -> None:
        """Free what is held."""
        ...
