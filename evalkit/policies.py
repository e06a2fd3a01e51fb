"""From a gold solution to what the verifier checks: the gold is run on a phone, and its effects become the policy.

1. Writes become a *state change*: every row of the net diff is required; ids of new rows, moments and values derived
   from wording are left open, all other columns are pinned.
2. Reads become a *tool call* check with the arguments as the phone normalised them, besides an unchanged phone.
   Leaving a day out where the gold says today (and the other way round) is the same call.
3. A gold that asks, or refuses, becomes a *behaviour* check.

Derived values are found, not listed: the gold is run again with its free text in capitals, and a column that then
differs by more than its case depends on wording.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from evalkit.compare import CONTAINS, ONE_OF, same
from evalkit.gold import is_call, play, resolved
from runtime.contract import (
    BehaviourCheck,
    CallCheck,
    Json,
    Observation,
    Outcome,
    Phone,
    Policy,
    RowChange,
    RowPattern,
    StateCheck,
    StateDiff,
    ToolSpec,
    WorldSpec,
)
from runtime.contract.tasks import Check

_ID = re.compile(r"[a-z][a-z_]*_\d{3,}")
DAY_ARGUMENTS = ("date", "when")
"""Optional arguments of a read that mean today where they are left out."""
CANNOT = (
    "can't",
    "cannot",
    "unable",
    "not available",
    "unavailable",
    "not possible",
    "no tool",
    "couldn't",
    "could not",
)
"""Words of an answer that says that something can't be done."""
WRITTEN = frozenset(("content", "text", "message"))
"""Arguments that a planner words itself: what a result must bring into them may stand among other words."""
FINISHED = BehaviourCheck(ends=frozenset(("finished",)), unchanged=False)
"""The planner said that it is done."""


class BadGoldError(Exception):
    """The gold does not work on the phone: the draft makes no task."""


def policy_of(gold: Sequence[Json], world: WorldSpec, phone: Phone, mentions: Sequence[tuple[str, ...]] = ()) -> Policy:
    """The policy of a gold in a world; leaves the phone in some later state. Raises `BadGoldError`."""
    end = gold[-1]
    calls = [step for step in gold if is_call(step)]
    if "finish" not in end:
        return _behaviour(end, calls, tuple(mentions))
    seen, diff = _run(gold, world, phone)
    if failed := next((one for one in seen if one.failure is not None), None):
        assert failed.failure is not None
        raise BadGoldError(f"{failed.failure.code}: {failed.failure.message}")
    checks: list[Check] = []
    specs = {spec.name: spec for spec in phone.tools()}
    reads = [one for one in seen if one.call and _reads(one, specs) and not _feeds(one, seen, gold)]
    if reads:
        checks.append(CallCheck(calls=tuple(_expected(one, specs, world) for one in reads), ordered=False))
    if not reads and diff.empty:
        raise BadGoldError("the gold changes nothing")
    patterns = _patterns(diff, _derived(gold, world, phone, diff, specs), _passed_on(gold, seen))
    checks.append(StateCheck(required=tuple(patterns)))
    checks.append(FINISHED)
    return Policy(outcomes=(Outcome(checks=tuple(checks), note="the state and reads of the gold"),))


def _run(gold: Sequence[Json], world: WorldSpec, phone: Phone) -> tuple[list[Observation], StateDiff]:
    phone.reset(world)
    start = phone.snapshot()
    seen = play(gold, phone)
    return seen, phone.diff(start)


# Behaviour


def _behaviour(end: Json, calls: Sequence[Json], mentions: tuple[tuple[str, ...], ...]) -> Policy:
    if "ask" in end:
        asked = BehaviourCheck(ends=frozenset(("asked",)), mentions=mentions)
        return Policy(outcomes=(Outcome(checks=(asked,), note="the missing value is asked for"),))
    tried = tuple(call["name"] for call in calls)
    declined = BehaviourCheck(ends=frozenset(("asked", "refused")), tried=tried)
    told = BehaviourCheck(ends=frozenset(("finished",)), tried=tried, mentions=mentions or (CANNOT,))
    block = "the block was met" if tried else "no tool of this phone can do it"
    return Policy(
        outcomes=(
            Outcome(checks=(declined,), note=f"{block}, and the planner declines"),
            Outcome(checks=(told,), note=f"{block}, and the answer says so"),
        )
    )


# Reads


def _reads(seen: Observation, specs: dict[str, ToolSpec]) -> bool:
    assert seen.call is not None
    effects = specs[seen.call.name].effects_of(seen.call.arguments)
    return {effect.value for effect in effects} <= {"read"}


def _feeds(seen: Observation, every: Sequence[Observation], gold: Sequence[Json]) -> bool:
    """Whether a later call takes a value from this one: then what matters is that call, however its value was found."""
    reference = f"${list(every).index(seen) + 1}."
    return any(
        isinstance(value, str) and value.startswith(reference)
        for step in gold
        for value in step.get("arguments", {}).values()
    )


def _expected(seen: Observation, specs: dict[str, ToolSpec], world: WorldSpec) -> Json:
    assert seen.call is not None
    today = world.clock[:10]
    arguments = dict(seen.call.arguments)
    optional = specs[seen.call.name].parameters.get("properties", {})
    for name in DAY_ARGUMENTS:
        if name in optional and arguments.get(name, today) == today:
            arguments[name] = {ONE_OF: [None, today]}
    return {"name": seen.call.name, "arguments": arguments}


# Writes


def _passed_on(gold: Sequence[Json], seen: Sequence[Observation]) -> list[str]:
    """Texts that a later call took out of an earlier result into words of its own."""
    results, steps = [one.data for one in seen], [step for step in gold if is_call(step)]
    return [
        str(resolved(step["arguments"], results)[name])
        for step in steps
        for name, value in step["arguments"].items()
        if name in WRITTEN and isinstance(value, str) and value.startswith("$")
    ]


def _patterns(diff: StateDiff, open_columns: dict[str, set[str]], passed_on: Sequence[str]) -> Iterable[RowPattern]:
    fresh = {change.key for change in diff.changes if change.before is None}
    for change in diff.changes:
        left_open = open_columns.get(_place(change), set())
        row = {
            name: {CONTAINS: value} if name in WRITTEN and value in passed_on else value
            for name, value in (change.after or {}).items()
            if name not in left_open and not (isinstance(value, str) and value in fresh and _ID.fullmatch(value))
        }
        if change.before is None:
            yield RowPattern(table=change.table, change="insert", values=row)
        elif change.after is None:
            yield RowPattern(table=change.table, change="delete", where=change.before)
        else:
            yield RowPattern(table=change.table, change="update", where=change.before, values=row)


def _place(change: RowChange) -> str:
    return f"{change.table}:{change.key}"


def _derived(gold: Sequence[Json], world: WorldSpec, phone: Phone, diff: StateDiff,
             specs: dict[str, ToolSpec]) -> dict[str, set[str]]:  # fmt: skip
    """Columns by row that depend on how free text is written."""
    loud = [_loud(step, specs) for step in gold]
    seen, other = _run(loud, world, phone)
    if any(one.failure for one in seen):
        return {}
    again = {_place(change): change.after or {} for change in other.changes}
    derived: dict[str, set[str]] = {}
    for change in diff.changes:
        row = again.get(_place(change))
        if row is not None and change.after is not None:
            derived[_place(change)] = {name for name, value in change.after.items() if not same(value, row.get(name))}
    return derived


def _loud(step: Json, specs: dict[str, ToolSpec]) -> Json:
    if not is_call(step):
        return step
    properties = specs[step["name"]].parameters.get("properties", {})
    return {**step, "arguments": {name: _capitals(value, properties.get(name, {}))
                                  for name, value in step["arguments"].items()}}  # fmt: skip


def _capitals(value: Any, schema: Json) -> Any:
    free = isinstance(value, str) and "enum" not in schema and schema.get("x-spoken", "text") == "text"
    return value.upper() if free and not value.startswith("$") else value
