"""Priming: a phone on which the gold has something to do.

"Turn on the Wi-Fi" is no task on a phone whose Wi-Fi is on. Where a gold write leaves the state as it was, the same
tool is first called with another member of one of its enumerations, and the rows that this leaves are planted.
"""

from collections.abc import Iterator, Sequence

from evalkit.gold import is_call, play
from runtime.contract import Deadline, Effect, Json, Phone, StateDiff, ToolCall, ToolSpec, WorldSpec


def primed(gold: Sequence[Json], world: WorldSpec, phone: Phone) -> WorldSpec:
    """The world with facts added until each write of the gold changes something; unchanged where none helps."""
    specs = {spec.name: spec for spec in phone.tools()}
    for place, step in enumerate(gold):
        if not is_call(step) or world.denied or _reads(step, specs) or _changes(gold[: place + 1], world, phone):
            continue
        for other in _opposites(step, specs[step["name"]]):
            candidate = _after(other, world, phone)
            if candidate is not None and _changes(gold[: place + 1], candidate, phone):
                world = candidate
                break
    return world


def _reads(step: Json, specs: dict[str, ToolSpec]) -> bool:
    spec = specs.get(step["name"])
    return spec is None or spec.effects_of(step["arguments"]) <= {Effect.READ}


def _changes(gold: Sequence[Json], world: WorldSpec, phone: Phone) -> bool:
    """Whether the last call of these changes the phone; a failure is no reason to prime."""
    phone.reset(world)
    seen = play(gold, phone)
    return not seen[-1].ok or not seen[-1].diff.empty


def _opposites(step: Json, spec: ToolSpec) -> Iterator[Json]:
    properties = spec.parameters.get("properties", {})
    for name, value in step["arguments"].items():
        for option in properties.get(name, {}).get("enum", ()):
            if option != value and option not in ("query", "check"):
                yield {"name": step["name"], "arguments": {**step["arguments"], name: option}}


def _after(step: Json, world: WorldSpec, phone: Phone) -> WorldSpec | None:
    """The world with the rows that a call leaves; None where it fails, changes nothing or deletes."""
    phone.reset(world)
    start = phone.snapshot()
    if not phone.execute(ToolCall(id="prime", name=step["name"], arguments=step["arguments"]), Deadline.never()).ok:
        return None
    diff: StateDiff = phone.diff(start)
    if diff.empty or any(change.after is None for change in diff.changes):
        return None
    facts = tuple({"table": change.table, **(change.after or {})} for change in diff.changes)
    return world.model_copy(update={"facts": (*world.facts, *facts)})
