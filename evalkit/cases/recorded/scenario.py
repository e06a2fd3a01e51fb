"""A recorded case as a scenario: a world in which its calls can happen, the calls of earlier turns, and a script.

The world is that of `world.py`. Calls that failed must fail here too; ids are followed from a result to the arguments
of later calls.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from device.sandbox.sandbox import Sandbox
from evalkit.cases.recorded.form import Called, RecordedCall, RecordedCase, Said
from evalkit.cases.recorded.mapping import MISSING, Map, at
from evalkit.cases.recorded.translate import Translated, Translator
from evalkit.cases.recorded.world import world_of
from evalkit.cases.refusing import Refusal
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
    world = world_of([*plain, *own], clock, book)
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
        if found := _MOMENT.search(canonical_json(call.result)):
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
        if not call.recorded.failed and isinstance(value := at(call.recorded.result, said), str):
            yield value, ours


def _refusal(call: Translated) -> Refusal:
    said = call.recorded.result
    code = next((one for one in CODES if STATUS[one] == said.get("code")), ErrorCode.BAD_ARGUMENT)
    message = str(said.get("error") or said.get("message") or "refused, as it was recorded")
    return Refusal(call.spec.name, call.arguments, code, message)


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
    return (*script, {"finish": case.final_answer or ""})
