"""The fast executor: words of the goal are matched to elements, step by step, without a model.

Each kind of goal is a short procedure (procedures.py) that yields an action and is sent the next view. What it can't
find or prove it says; a button that it does not know it leaves alone.
"""

from collections.abc import Generator

from runtime.contract import Deadline, Decision, ToolCall
from runtime.dialect import render_call
from runtime.subagents.goal import Goal
from runtime.subagents.moves import Act, Blocked, Done, Move, View
from runtime.subagents.procedures import Stopped, Work

Procedure = Generator[Act, View, Done | Blocked]


class WordsChooser:
    """Chooses by words."""

    identity = "words@1"

    def __init__(self) -> None:
        self._work: Procedure | None = None

    def begin(self, goal: Goal) -> None:
        """A new goal."""
        self._work = None

    def choose(self, view: View, deadline: Deadline) -> Move:
        """The next move."""
        try:
            if self._work is None:
                self._work = Work(view).procedure()
                return next(self._work)
            return self._work.send(view)
        except StopIteration as ended:
            found: Done | Blocked = ended.value
            return found
        except Stopped as stopped:
            return stopped.why

    def decision(self, move: Move, view: View) -> Decision:
        """The move as a decision."""
        return decision_of(move)

    def close(self) -> None:
        """Nothing is held."""


def decision_of(move: Move) -> Decision:
    """A move as the contract's record."""
    values = {name: getattr(move, name) for name in move.__slots__ if getattr(move, name)}
    name = values.pop("action") if isinstance(move, Act) else type(move).__name__.lower()
    arguments = {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
    raw = render_call(name, arguments)
    return Decision(actions=(ToolCall(id="", name=name, arguments=arguments),), raw=raw)
