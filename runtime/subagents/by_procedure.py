"""A planner that follows a procedure: a generator that yields actions and is sent what came of them.

At each decision the procedure is played from its beginning over the results so far, so it keeps no state of its own: a
run that goes on after a kill comes to the same place. Its return value is the outcome.
"""

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from runtime.contract import Action, ContextView, Deadline, Decision, Finish, Json, Refuse, Step, ToolCall, digest_of
from runtime.dialect import render_action
from runtime.planner.plain import ModelFree
from runtime.shown import text_of_observation

Result = Json | str
"""Of a call the object that was shown (`{"error": ...}` for a failure); of a question the answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a procedure ended."""

    done: bool
    """Whether its task is done."""
    message: str
    """In a sentence: what was done, or why it can't be."""
    artifacts: tuple[tuple[str, object], ...] = field(default=())
    """(kind, value) of each."""


Procedure = Generator[Action, Result, Outcome]


def call(name: str, **arguments: object) -> ToolCall:
    """A call; arguments that are None are left out."""
    return ToolCall(id="", name=name, arguments={key: value for key, value in arguments.items() if value is not None})


def failed(result: Result) -> str:
    """The failure's message; empty where it worked."""
    return str(result.get("message", "it failed")) if isinstance(result, dict) and "error" in result else ""


def blocked(result: Result) -> Outcome:
    """The outcome where a call failed: its own words."""
    return Outcome(False, failed(result))


class ProcedurePlanner(ModelFree):
    """Plays one procedure."""

    def __init__(self, name: str, begin: Callable[[], Procedure]) -> None:
        self.identity = f"procedure-{name}@{digest_of(name)}"
        self._begin = begin

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """The next action; `finish` or `refuse` with the outcome's message at the end."""
        action = self.played(_shown(context.messages))
        if isinstance(action, Outcome):
            action = Finish(answer=action.message) if action.done else Refuse(reason=action.message)
        return Decision(actions=(action,), raw=render_action(action, context.exposed))

    def played(self, results: Sequence[Result]) -> Action | Outcome:
        """What comes after these results."""
        procedure = self._begin()
        try:
            action = next(procedure)
            for result in results:
                action = procedure.send(result)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        return action


def results_of(steps: Sequence[Step]) -> list[Result]:
    """What came of each step that has a result."""
    heard = [step.observations[0] for step in steps if step.observations]
    return [_object(text_of_observation(seen)) if seen.call_id else text_of_observation(seen) for seen in heard]


def _shown(messages: Sequence[Json]) -> list[Result]:
    """The same, from a context: the first message after each decision."""
    pairs = [(heard.get("role"), str(heard.get("content", ""))) for said, heard in pairwise(messages)
             if said.get("role") == "assistant"]  # fmt: skip
    return [_object(text) if role == "tool" else text for role, text in pairs]


def _object(text: str) -> Json:
    value = json.loads(text)
    return value if isinstance(value, dict) else {}
