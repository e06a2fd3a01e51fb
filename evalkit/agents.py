"""Agents that need no model: the oracle, and the floors that no task may let pass.

    null         finishes at once               random       three seeded calls of exposed tools, then finishes
    read_only    exposed reads, then finishes   extra_write  the gold and one more write
    drop_one     the gold without one call      do_twice     every write of the gold twice
    refuser      declines at once               asker        asks at once

All are `Planner`s and see what a planner sees: a later argument of the gold is read from the result as it is shown.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Literal

from evalkit.gold import UnreachableError, action_of, is_call
from runtime.contract import (
    ContextView,
    Deadline,
    Decision,
    Effect,
    Json,
    Refuse,
    TaskSpec,
    ToolSpec,
)
from runtime.dialect import render_action

EXTRA_WRITES: tuple[Json, ...] = (
    {"name": "control_flashlight", "arguments": {"action": "enable"}},
    {"name": "manage_note", "arguments": {"action": "create", "content": "left behind by an extra write"}},
)
"""Writes that no request asks for; the first whose tool is exposed and not used by the gold is taken."""
CALLS = 3
"""Calls of the random and the read-only agent."""


class Agent:
    """A planner that follows a plan of gold-like steps, made anew for each episode."""

    def __init__(self, name: str, plan: Callable[[ContextView], Sequence[Json]]) -> None:
        self._name, self._plan = name, plan
        self._steps: Iterator[Json] | None = None
        self._at = 0

    @property
    def identity(self) -> str:
        """The agent's name."""
        return self._name

    @property
    def context_tokens(self) -> int:
        """More than any context needs."""
        return 32_768

    @property
    def accepts(self) -> frozenset[Literal["text", "image"]]:
        """Text."""
        return frozenset(("text",))

    def count_tokens(self, text: str) -> int:
        """A token for every four characters."""
        return len(text) // 4 + 1

    def decide(self, context: ContextView, deadline: Deadline) -> Decision:
        """The next step of the plan; after its end, finish."""
        if self._steps is None:
            self._steps = iter(self._plan(context))
        step = next(self._steps, {"finish": ""})
        self._at += 1
        try:
            action = action_of(step, f"s{self._at}", shown_results(context))
        except UnreachableError as error:
            action = Refuse(reason=str(error))
        return Decision(actions=(action,), raw=render_action(action, context.exposed))

    def close(self) -> None:
        """Nothing is held."""


def shown_results(context: ContextView) -> list[Json]:
    """The results of the calls so far as the planner sees them; one that was cut is no JSON and stays empty."""
    return [_object(message["content"]) for message in context.messages if message.get("role") == "tool"]


def _object(text: str) -> Json:
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def oracle(task: TaskSpec) -> Agent:
    """Plays the gold."""
    return Agent("oracle", lambda _: task.gold)


def null(task: TaskSpec) -> Agent:
    """Does nothing and says that it is done."""
    return Agent("null", lambda _: ({"finish": "Done."},))


def refuser(task: TaskSpec) -> Agent:
    """Declines everything."""
    return Agent("refuser", lambda _: ({"refuse": "I can't do that."},))


def asker(task: TaskSpec) -> Agent:
    """Asks whatever the request."""
    return Agent("asker", lambda _: ({"ask": "Could you say that again?"},))


def random_calls(task: TaskSpec) -> Agent:
    """Exposed tools with arguments at random, seeded by the task."""
    return Agent("random", lambda context: [*_some(context.exposed, task.id), {"finish": "Done."}])


def read_only(task: TaskSpec) -> Agent:
    """Exposed reads with arguments at random, seeded by the task; it changes nothing."""
    return Agent("read_only", lambda context: [*_some(_readers(context.exposed), task.id), {"finish": "Done."}])


def extra_write(task: TaskSpec) -> Agent:
    """The gold, with a write before its end that nobody asked for."""
    used = {step.get("name") for step in task.gold}
    calls = [step for step in task.gold if is_call(step)]
    return Agent("extra_write", lambda context: [*calls, *_extra(context.exposed, used), *task.gold[len(calls) :]])


def drop_one(task: TaskSpec, place: int = 0) -> Agent:
    """The gold without its call at `place`; what needs that call's result is left out too."""
    gone = {place}
    for number, step in enumerate(task.gold):
        if any(_points_to(value, gone) for value in step.get("arguments", {}).values()):
            gone.add(number)
    kept = [step for number, step in enumerate(task.gold) if number not in gone]
    return Agent(f"drop_{place}", lambda _: kept if not _any_reference(kept) else kept[-1:])


def do_twice(task: TaskSpec) -> Agent:
    """Every call of the gold twice in a row; references follow."""
    steps: list[Json] = []
    for step in task.gold:
        steps += [_shifted(step)] * 2 if is_call(step) else [step]
    return Agent("do_twice", lambda _: steps)


FLOORS: dict[str, Callable[[TaskSpec], Agent]] = {
    "oracle": oracle,
    "null": null,
    "random": random_calls,
    "read_only": read_only,
    "extra_write": extra_write,
    "drop_one": drop_one,
    "do_twice": do_twice,
    "refuser": refuser,
    "asker": asker,
}
"""By name, for `pocket eval run --planner NAME`."""


def _points_to(value: Any, places: set[int]) -> bool:
    return isinstance(value, str) and any(value.startswith(f"${place + 1}.") for place in places)


def _any_reference(steps: Sequence[Json]) -> bool:
    return any(str(value).startswith("$") for step in steps for value in step.get("arguments", {}).values())


def _shifted(step: Json) -> Json:
    """References of a gold whose calls all stand twice: the second call's result is now the third."""
    arguments = {name: _twice(value) for name, value in step["arguments"].items()}
    return {**step, "arguments": arguments}


def _twice(value: Any) -> Any:
    if not (isinstance(value, str) and value.startswith("$") and value[1:2].isdigit()):
        return value
    number, _, path = value[1:].partition(".")
    return f"${2 * int(number) - 1}.{path}"


def _extra(exposed: Sequence[ToolSpec], used: set[Any]) -> list[Json]:
    """One write beside the gold's: of `EXTRA_WRITES`, or an exposed switch turned."""
    names = {tool.name for tool in exposed} - used
    if known := [step for step in EXTRA_WRITES if step["name"] in names]:
        return known[:1]
    switches = [tool for tool in exposed if tool.name in names and tool.parameters.get("required") == ["action"]]
    for tool in switches:
        actions = tool.parameters["properties"]["action"].get("enum", [])
        if writes := [action for action in actions if Effect.READ not in tool.effects_of({"action": action})]:
            return [{"name": tool.name, "arguments": {"action": action}} for action in writes[:1]]
    return []


def _readers(tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    return [tool for tool in tools if tool.effects <= {Effect.READ}]


def _some(tools: Sequence[ToolSpec], seed: str) -> list[Json]:
    rng = Random(seed)
    chosen = rng.sample(list(tools), min(CALLS, len(tools)))
    return [{"name": tool.name, "arguments": _arguments(tool, rng)} for tool in chosen]


_WORDS = ("blue", "seven", "tomorrow", "5", "london", "20 minutes")


def _arguments(tool: ToolSpec, rng: Random) -> Json:
    """Required arguments and half of the others: a member of the enumeration, or some word."""
    required = tool.parameters.get("required", [])
    return {
        name: rng.choice(schema.get("enum", _WORDS))
        for name, schema in tool.parameters.get("properties", {}).items()
        if name in required or rng.random() < 0.5
    }
