"""An oracle some of whose calls are wrong: it tries the instrument, not a planner.

Each call of a gold has one number in [0, 1), by hash of the task and its place; at a share of 0.3 the calls below 0.3
are corrupted, so that what is wrong at 10% is wrong at 30% too. A corrupted call has one argument changed (another
member of its enumeration, another number, other words), or goes to another tool where it has none.
"""

from random import Random
from typing import Any

from evalkit.agents import Agent
from evalkit.gold import is_call
from runtime.contract import ContextView, Json, TaskSpec, ToolSpec, digest_of

SHARES = (0.1, 0.3, 0.6)
"""At which the instrument is tried."""


def corrupted(task: TaskSpec, share: float) -> Agent:
    """The oracle with that share of its calls wrong."""

    def plan(context: ContextView) -> list[Json]:
        tools = {tool.name: tool for tool in context.exposed}
        return [
            wrong(step, tools, Random(f"{task.id}:{place}")) if is_call(step) and luck(task.id, place) < share else step
            for place, step in enumerate(task.gold)
        ]

    return Agent(f"corrupted_{share:g}", plan)


def luck(task_id: str, place: int) -> float:
    """A call's number in [0, 1)."""
    return int(digest_of(["corrupted", task_id, place])[:8], 16) / 16**8


def wrong(step: Json, tools: dict[str, ToolSpec], dice: Random) -> Json:
    """The call with one thing wrong."""
    arguments: Json = dict(step["arguments"])
    spec = tools.get(step["name"])
    if not arguments or spec is None:
        others = sorted(set(tools) - {step["name"]})
        return {"name": dice.choice(others), "arguments": arguments} if others else {"finish": ""}
    name = dice.choice(sorted(arguments))
    schema = spec.parameters.get("properties", {}).get(name, {})
    arguments[name] = _other(arguments[name], schema, dice)
    return {**step, "arguments": arguments}


def _other(value: Any, schema: Json, dice: Random) -> Any:
    if members := [member for member in schema.get("enum", ()) if member != value]:
        return dice.choice(members)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 7
    return "something else entirely"
