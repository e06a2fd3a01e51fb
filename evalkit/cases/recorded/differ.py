"""What a played scenario shows otherwise than its recording, a line each; nothing where all is as recorded.

1. Each call works or fails as recorded; where a failure has another status, `notes` says so.
2. The values that both results hold are the same, and the rows that were read back after a write are in the recorded
   state, which the last call on each table left at the end too.
3. The first memory of each recorded search was found by one of the searches.
4. Nothing else changed.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from device.sandbox.sandbox import Sandbox
from evalkit.cases.recorded.mapping import MISSING, applies, at, rows_of
from evalkit.cases.recorded.scenario import Scenario
from evalkit.cases.recorded.translate import Translated
from evalkit.cases.stage import Played
from evalkit.compare import same
from evalkit.gates import searched_ids
from runtime.contract import Effect, Json, Observation, Stop

LONG_NUMBER = 7
"""Digits from which a text without letters is a number that may be written in groups."""


def differences(scenario: Scenario, played: Played, phone: Sandbox) -> Iterator[str]:
    """All lines of one case."""
    if played.episode.stop is not Stop.FINISHED:
        yield f"the episode ended as {played.episode.stop.value}: {played.episode.stop_detail}"
    today, seen = scenario.task.world.clock[:10], _answers(played)
    for number, call in enumerate(scenario.calls):
        if number >= len(seen):
            yield f"{_named(number, call)} was not made"
            continue
        for line in _call(call, seen[number], today):
            yield f"{_named(number, call)}: {line}"
    yield from _end(scenario.calls, phone, today)
    yield from _searches(scenario.calls, played)
    yield from _collateral(scenario.calls, played, today)


def notes(scenario: Scenario, played: Played) -> Iterator[str]:
    """Failures with another status than the recorded one: nothing was changed either way."""
    for number, (call, seen) in enumerate(zip(scenario.calls, _answers(played), strict=False)):
        status = call.recorded.result.get("code")
        if call.recorded.failed and seen.failure is not None and status not in (None, seen.failure.status):
            here = f"here with {seen.failure.status}: {seen.failure.message}"
            yield f"{_named(number, call)}: recorded as failed with {status}, {here}"


def _answers(played: Played) -> list[Observation]:
    """What came back for each call, in order."""
    return [one for step in played.episode.steps for one in step.observations if one.call_id]


def _named(number: int, call: Translated) -> str:
    return f"call {number + 1} `{call.recorded.name}`"


def _call(call: Translated, seen: Observation, today: str) -> Iterator[str]:
    if call.recorded.failed:
        if seen.failure is None:
            yield "recorded as failed, here it works"
        return
    if seen.failure is not None:
        yield f"recorded as done, here {seen.failure.status} {seen.failure.code}: {seen.failure.message}"
        return
    for pair in call.map.same:
        recorded = at(call.recorded.result, pair.recorded)
        if applies(pair.when, call.known) and recorded is not MISSING and recorded != "":
            ours = at(seen.data, pair.ours)
            if not alike(recorded, ours):
                yield f"`{pair.recorded}` is {recorded!r}, here {None if ours is MISSING else ours!r}"
    facts = seen.evidence.facts if seen.evidence is not None else {}
    if facts.get("differs"):
        yield f"read back otherwise than said: {', '.join(facts['differs'])}"
    rows = [(row["table"], row["row"] or {}) for row in facts.get("rows", ())]
    for table, columns in _expected(call, today):
        if not any(name == table and _holds(columns, row) for name, row in rows):
            yield f"no row of `{table}` was read back with {columns}"


def _expected(call: Translated, today: str) -> Iterator[tuple[str, Json]]:
    for rows in call.map.state:
        for _, columns in rows_of(rows, call.known, call.recorded.result, today):
            yield rows.table, columns


def _end(calls: Sequence[Translated], phone: Sandbox, today: str) -> Iterator[str]:
    """What the last call on each table left must be there at the end."""
    last = {table: columns for call in calls if not call.recorded.failed for table, columns in _expected(call, today)}
    for table, columns in last.items():
        kind = phone.catalogue.kinds.get(table)  # the memory's own table is read back by its calls
        if kind is not None and not any(_holds(columns, kind.to_json(row)) for row in phone.table(kind.cls).all()):
            yield f"at the end no row of `{table}` has {columns}"


def _searches(calls: Sequence[Translated], played: Played) -> Iterator[str]:
    found = searched_ids(played.episode)
    for call in calls:
        first = at(call.recorded.result, f"{call.map.memories}.0.memory_id") if call.map.memories else MISSING
        if first is not MISSING and first not in found:
            yield f"no search found `{first}`"


def _collateral(calls: Sequence[Translated], played: Played, today: str) -> Iterator[str]:
    """Rows of tables that no call accounts for; nothing is said where the map leaves a write open."""
    if any(not call.map.state and not call.map.beside and _writes(call) for call in calls):
        return
    known = {table for call in calls for table in (*call.map.beside, *(rows.table for rows in call.map.state))}
    for table in sorted({change.table for change in played.diff.changes} - known):
        yield f"`{table}` changed too"


def _writes(call: Translated) -> bool:
    return not call.spec.effects_of(call.arguments) <= {Effect.READ}


def _holds(columns: Json, row: Json) -> bool:
    return all(name in row and alike(value, row[name]) for name, value in columns.items())


def alike(recorded: Any, ours: Any) -> bool:
    """Whether two values say the same; numbers of phones may be grouped in another way."""
    if same(recorded, ours):
        return True
    texts = isinstance(recorded, str) and isinstance(ours, str)
    digits = [[sign for sign in str(one) if sign.isdigit()] for one in (recorded, ours)]
    lettered = any(sign.isalpha() for sign in f"{recorded}{ours}")
    return texts and not lettered and digits[0] == digits[1] and len(digits[0]) >= LONG_NUMBER
