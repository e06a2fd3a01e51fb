"""Every record goes to JSON and back, is frozen, closed, and described."""

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from runtime import contract
from runtime.contract import (
    Annotation,
    Ask,
    CallCheck,
    Confirm,
    Confirmation,
    Cut,
    Decision,
    Digests,
    Domain,
    Effect,
    Element,
    Episode,
    Erased,
    Erasure,
    ErrorCode,
    Evidence,
    ExecutedCall,
    Failure,
    Finish,
    ImagePart,
    Observation,
    Outcome,
    ParseError,
    Policy,
    Record,
    Refuse,
    RowChange,
    RowPattern,
    Segment,
    Span,
    StateCheck,
    StateDiff,
    Step,
    Stop,
    TaskSpec,
    TaskView,
    TextPart,
    TokenTrace,
    ToolCall,
    ToolSpec,
    Turn,
    Verdict,
    WorldSpec,
)

TOOL = ToolSpec(
    name="manage_alarm",
    domain=Domain.TIME,
    description="Alarms.",
    parameters={"type": "object", "properties": {"action": {"type": "string"}}},
    effects=frozenset({Effect.WRITE, Effect.DELETE}),
    action_effects={"delete": frozenset({Effect.DELETE})},
    permissions=("alarms",),
    examples=("wake me",),
)
CALL = ToolCall(id="s0a", name="manage_alarm", arguments={"action": "create", "n": [1, {"x": None}]})
OBSERVATION = Observation(
    call_id="s0a",
    parts=(TextPart(text="é\u2028\U0001f600"), ImagePart(digest="ab")),
    data={"id": "alarm_001"},
    call=ExecutedCall(name="manage_alarm", arguments={"time": "07:30"}, idempotency_key="e:s0a", landed="unknown"),
    diff=StateDiff(changes=(RowChange(table="alarms", key="1", before=None, after={"time": "07:30"}),)),
    evidence=Evidence(source="table", facts={"rows": []}),
    failure=Failure(code=ErrorCode.CONFLICT, message="no", details={"a": 1}),
    cuts=(Cut(what="result", left_out=3, unit="characters", limit="l"),),
    seconds=0.5,
)
TOKENS = (TokenTrace(id=7, logprob=-0.25, sampled_logprob=0.0, forced=True),)
STEPS = (
    Step(index=0, decision=Decision(actions=(CALL,), prompt_ids=(1, 2), tokens=TOKENS), observations=(OBSERVATION,)),
    Step(index=1, decision=Decision(actions=(Ask(question="?"),))),
    Step(index=2, decision=Decision(actions=(Refuse(reason="no"),))),
    Step(index=3, decision=Decision(actions=(ParseError(message="m", raw="r"),))),
    Step(index=4, decision=Decision(actions=(Finish(answer="done"),))),
)
VIEW = TaskView(request="wake me", turns=(Turn(role="user", text="hi"),), tools=(TOOL,), unavailable=frozenset({"x"}))
EPISODE = Episode(
    id="e",
    view=VIEW,
    segments=(Segment(prefix="p", exposed=("manage_alarm",), sections={"tools": 3}, steps=STEPS),),
    stop=Stop.FINISHED,
    confirmation=Confirmation(confirmed=False, reasons=("r",)),
    digests=Digests(harness="h", sampling={"temperature": 0.0}),
    host="box",
)
POLICY = Policy(
    outcomes=(
        Outcome(checks=(CallCheck(calls=({"name": "a", "arguments": {}},)),)),
        Outcome(checks=(StateCheck(required=(RowPattern(table="t", change="insert", values={"a": 1}),)),)),
    )
)
TASK = TaskSpec(id="t", view=VIEW, world=WorldSpec(facts=({"table": "a", "x": 1},)), policy=POLICY, family="f",
                domain=Domain.TIME)  # fmt: skip
ANNOTATION = Annotation(id="a", target="d", span=Span(start=0, end=1), kind="tag", author="rule:x", value={"k": [1]})
ERASURE = Erasure(id="x", subject="s", targets=("e",), requested_at="2026-03-02")
OTHERS = (
    Erased(store="traces", looked_at=2, removed=("e",)),
    Verdict(success=True, progress=1.0),
    Confirm(call=CALL, effects=("pay",), facts="f"),
    Element(id="1", role="button", label="OK"),
)
RECORDS = (TOOL, OBSERVATION, VIEW, EPISODE, POLICY, TASK, ANNOTATION, ERASURE, *OTHERS)


def classes() -> list[type[Record]]:
    found = [getattr(contract, name) for name in contract.__all__]
    return [one for one in found if inspect.isclass(one) and issubclass(one, Record) and one is not Record]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_to_json_and_back(record):
    assert type(record).model_validate_json(record.model_dump_json()) == record


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_field_that_is_not_known_is_refused(record):
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        type(record).model_validate({**record.model_dump(), "surplus": 1})


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_records_are_frozen(record):
    name = next(iter(type(record).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(record, name, None)


@pytest.mark.parametrize("cls", classes(), ids=lambda cls: cls.__name__)
def test_every_record_and_field_is_described(cls):
    assert cls.__doc__
    source = inspect.getsource(cls)
    for name in cls.__annotations__:
        if name not in {"kind", "model_config"} or "Annotation(" in source:
            after = source.partition(f"    {name}: ")[2]
            assert '"""' in after[: after.find("\n\n")] if "\n\n" in after else '"""' in after, f"{cls.__name__}.{name}"


def test_token_traces_survive_to_the_last_bit():
    for value in (-1e-300, -0.1, -float("inf")):
        trace = TokenTrace(id=0, logprob=value, sampled_logprob=0.0, forced=False)
        assert TokenTrace.model_validate_json(trace.model_dump_json()).logprob == value


json_values: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), json_values, max_size=4))
def test_any_arguments_survive(arguments):
    call = ToolCall(id="a", name="b", arguments=arguments)
    assert ToolCall.model_validate_json(call.model_dump_json()) == call
