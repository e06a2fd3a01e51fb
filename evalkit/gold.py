"""Gold solutions: played on a phone, and read from what a planner sees.

A gold step is `{"name", "arguments"}`, `{"ask"}`, `{"refuse"}` or `{"finish"}`. An argument `"$2.data.path.to.value"`
is read from the result of the second call; numbers in the path count from 0 in lists.
"""

import re
from collections.abc import Sequence
from typing import Any

from runtime.contract import Action, Ask, Deadline, Finish, Json, Observation, Phone, Refuse, ToolCall

REFERENCE = re.compile(r"\$(\d+)\.data\.(.+)")


class UnreachableError(Exception):
    """A later argument of the gold is not in the results that it points to."""


def is_call(step: Json) -> bool:
    """Whether a gold step is a tool call."""
    return "name" in step


def resolved(arguments: Json, results: Sequence[Json]) -> Json:
    """Arguments with references replaced by what the results say; raises `UnreachableError`."""
    return {name: _value(value, results) for name, value in arguments.items()}


def _value(value: Any, results: Sequence[Json]) -> Any:
    found = REFERENCE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return value
    place, path = int(found[1]) - 1, found[2]
    try:
        here: Any = results[place]
        for part in path.split("."):
            here = here[int(part)] if isinstance(here, list) else here[part]
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise UnreachableError(f"`{value}` is not in the results so far ({error!r})") from error
    if here in ("", None):
        raise UnreachableError(f"`{value}` is empty in the results so far")
    return f"{here:.10g}" if isinstance(here, int | float) and not isinstance(here, bool) else here


def action_of(step: Json, call_id: str, results: Sequence[Json]) -> Action:
    """The action of one gold step."""
    if is_call(step):
        return ToolCall(id=call_id, name=step["name"], arguments=resolved(step["arguments"], results))
    if "ask" in step:
        return Ask(question=step["ask"])
    return Refuse(reason=step["refuse"]) if "refuse" in step else Finish(answer=step["finish"])


def play(gold: Sequence[Json], phone: Phone) -> list[Observation]:
    """Run the calls of a gold one after another; what each gave."""
    seen: list[Observation] = []
    for step in gold:
        if is_call(step):
            action = action_of(step, f"g{len(seen)}", [one.data for one in seen])
            assert isinstance(action, ToolCall)
            seen.append(phone.execute(action, Deadline.never(), f"gold:{len(seen)}"))
    return seen
