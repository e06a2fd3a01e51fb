"""A recorded case as a scenario: a world in which its calls can happen, the calls of earlier turns, and a script.

The initial states of recordings are not published; they follow from what the recordings tell. A call that worked had
what the map says it needs, a first look at a setting shows how it was set, every memory that a search found is there.
What an earlier call of the same case wrote is never laid under it. Calls that failed must fail here too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from device.sandbox.row import RowKind
from device.sandbox.sandbox import Sandbox
from evalkit.cases.recorded.form import Called, RecordedCall, RecordedCase, Said
from evalkit.cases.recorded.mapping import MISSING, Map, at, rows_of
from evalkit.cases.recorded.translate import Translated, Translator
from evalkit.cases.refusing import Refusal
from memory.records import MAX_CONTENT, Category
from runtime.contract import (
    STATUS,
    Budget,
    Deadline,
    Domain,
    ErrorCode,
    Json,
    Policy,
    TaskSpec,
    TaskView,
    ToolCall,
    ToolSpec,
    Turn,
    WorldSpec,
    canonical_json,
)

_MOMENT = re.compile(r"\b(20\d{2}-\d{2}-\d{2}T\d{2}:\d{2})")
CODES = {ErrorCode.BAD_ARGUMENT, ErrorCode.PERMISSION_DENIED, ErrorCode.NOT_FOUND, ErrorCode.CONFLICT,
         ErrorCode.TIMEOUT, ErrorCode.UNSUPPORTED, ErrorCode.OFFLINE}  # fmt: skip
"""Codes that a tool's own failure may have."""


@dataclass(frozen=True)
class Scenario:
    """One case, ready to be played."""

    name: str
    """The case's."""
    task: TaskSpec
    """What is asked, on which phone."""
    before: tuple[ToolCall, ...]
    """Calls of earlier turns."""
    calls: tuple[Translated, ...]
    """The case's own calls."""
    script: tuple[Json, ...]
    """For the planner: the calls by step, then the end."""
    refusals: tuple[Refusal, ...]
    """What must fail, earlier turns first."""


def scenario_of(path: Path, where: str, case: RecordedCase, specs: Mapping[str, ToolSpec], book: Map) -> Scenario:
    """The scenario of one case; `UnknownFormError` for what the map does not know."""
    clock = _clock(case)
    translator = Translator(path, book, specs)
    history = [(place, turn) for place, turn in enumerate(case.history) if isinstance(turn, Called)]
    plain = [translator.call(one, f"{where}.history.{place}", {}) for place, one in history]
    own = [translator.call(one, f"{where}.tool_calls.{place}", {}) for place, one in enumerate(case.tool_calls)]
    world = WorldSpec(
        clock=clock, facts=tuple(_facts([*plain, *own], clock)), memories=tuple(_memories([*plain, *own]))
    )
    before, refer = _earlier([one for _, one in history], plain, translator, world)
    calls: list[Translated] = []
    for place, one in enumerate(case.tool_calls):
        calls.append(translator.call(one, own[place].where, refer))
        refer |= {said: f"${place + 1}.data.{ours}" for said, ours in _ids(calls[-1])}
    return Scenario(
        name=case.name,
        task=_task(case, calls, world),
        before=tuple(before),
        calls=tuple(calls),
        script=_script(case, calls),
        refusals=tuple(_refusal(one) for one in (*plain, *calls) if one.recorded.failed),
    )


def _clock(case: RecordedCase) -> str:
    """The first moment that a result tells."""
    for call in (*case.tool_calls, *(turn for turn in case.history if isinstance(turn, Called))):
        if found := _MOMENT.search(canonical_json(call.response or {})):
            return found[1]
    return WorldSpec().clock


def _earlier(calls: Sequence[RecordedCall], plain: Sequence[Translated], translator: Translator,
             world: WorldSpec) -> tuple[list[ToolCall], dict[str, str]]:  # fmt: skip
    """The calls of earlier turns, and the ids that they will give: ids are seeded, so a rehearsal tells them."""
    phone, refer, made = Sandbox(world), dict[str, str](), list[ToolCall]()
    for number, (call, first) in enumerate(zip(calls, plain, strict=True)):
        one = translator.call(call, first.where, refer)
        made.append(ToolCall(id=f"earlier{number}", name=one.spec.name, arguments=one.arguments))
        if call.failed:
            continue
        seen = phone.execute(made[-1], Deadline.never())
        refer |= {said: str(ours) for said, path in _ids(one) if (ours := at(seen.data, path)) is not MISSING}
    return made, refer


def _ids(call: Translated) -> Iterator[tuple[str, str]]:
    """(recorded id, its path in our result) of a call that worked."""
    for said, ours in call.map.ids.items():
        if not call.recorded.failed and isinstance(value := at(call.result, said), str):
            yield value, ours


def _refusal(call: Translated) -> Refusal:
    said = call.result
    code = next((one for one in CODES if STATUS[one] == said.get("code")), ErrorCode.BAD_ARGUMENT)
    message = str(said.get("error") or said.get("message") or "refused, as it was recorded")
    return Refusal(call.spec.name, call.arguments, code, message)


# The world


def _facts(calls: Sequence[Translated], clock: str) -> Iterator[Json]:
    """Rows that the phone had, by the calls that worked; nothing that an earlier call wrote."""
    start, written, laid = Sandbox(WorldSpec(clock=clock)), set[str](), dict[tuple[str, str], set[str]]()
    for call in calls:
        if call.recorded.failed:
            continue
        for rows in call.map.had:
            kind = start.catalogue.kinds[rows.table]
            for find, columns in rows_of(rows, call.known, call.result, clock[:10]):
                if rows.table not in written and (fact := _fact(start, kind, find, columns, len(laid))):
                    key = kind.table, str(fact.get(str(kind.key), ""))
                    new = {name: value for name, value in fact.items() if name not in laid.get(key, set())}
                    laid.setdefault(key, set()).update(columns)
                    yield {"table": kind.table, **new, **({} if kind.singleton else {str(kind.key): key[1]})}
        written |= {rows.table for rows in call.map.state if any(rows_of(rows, call.known, call.result, clock[:10]))}


def _fact(phone: Sandbox, kind: RowKind, find: Json, columns: Json, number: int) -> Json | None:
    """The columns with the key of the row that they change; None for a new row that is not whole."""
    if kind.singleton:
        return columns or None
    rows = [kind.to_json(row) for row in phone.table(kind.cls).all()]
    there = next((row for row in rows if find and all(row.get(name) == value for name, value in find.items())), None)
    if there is not None:
        return {**columns, str(kind.key): there[str(kind.key)]}
    whole = {str(kind.key): f"{kind.table}_recorded_{number}", **columns}
    return whole if all(name in whole for name in kind.required) else None


def _memories(calls: Sequence[Translated]) -> Iterator[Json]:
    """Every memory that a search showed, once."""
    known: set[str] = set()
    for call in calls:
        items = at(call.result, call.map.memories) if call.map.memories else []
        for item in items if isinstance(items, list) else ():
            if (name := str(at(item, "memory_id"))) not in known and isinstance(text := at(item, "content"), str):
                known.add(name)
                category = at(item, "category")
                kept = category if category in set(Category) else Category.INFO
                yield {"id": name, "content": text[:MAX_CONTENT], "category": str(kept)}


# What the harness is given


def _task(case: RecordedCase, calls: Sequence[Translated], world: WorldSpec) -> TaskSpec:
    turns = tuple(Turn(role=turn.role, text=turn.content) for turn in case.history if isinstance(turn, Said))
    tools = dict.fromkeys(call.spec.name for call in calls)
    chosen = {call.spec.name: call.spec for call in calls}
    budget = Budget(steps=max(Budget().steps, len(calls) + 1), request_chars=max(8000, len(case.request)))
    return TaskSpec(
        id=f"recorded/{case.name}",
        view=TaskView(request=case.request, turns=turns, tools=tuple(chosen[name] for name in tools), budget=budget),
        world=world,
        policy=Policy(outcomes=()),
        family="recorded",
        domain=next((call.spec.domain for call in calls), Domain.ASSISTANT),
    )


def _script(case: RecordedCase, calls: Sequence[Translated]) -> tuple[Json, ...]:
    """Calls of one recorded step together, then the end."""
    steps = [number if one.recorded.step is None else one.recorded.step for number, one in enumerate(calls)]
    together = groupby(zip(steps, calls, strict=True), key=lambda pair: pair[0])
    script: list[Json] = [{"calls": [call.step for _, call in group]} for _, group in together]
    return (*script, {"finish": case.final_answer})
