"""The outermost records carry the contract's version; digests and replays compare what they should."""

import hashlib
import json

import pytest
from pydantic import ValidationError

from runtime import contract
from runtime.contract import (
    CONTRACT_VERSION,
    STATUS,
    Annotation,
    CancelToken,
    Deadline,
    Decision,
    Episode,
    Erasure,
    ErrorCode,
    ExecutedCall,
    Observation,
    Record,
    Segment,
    Step,
    Stop,
    TaskSpec,
    TaskView,
    Timing,
    ToolCall,
    Usage,
    canonical_json,
    digest_of,
)

VERSIONED = (TaskSpec, Episode, Annotation, Erasure)


@pytest.mark.parametrize("cls", VERSIONED, ids=lambda cls: cls.__name__)
def test_another_version_is_refused(cls):
    assert cls.model_fields["contract"].default == CONTRACT_VERSION
    with pytest.raises(ValidationError) as refusal:
        cls.model_validate({"contract": CONTRACT_VERSION + 1})
    assert ("contract",) in [error["loc"] for error in refusal.value.errors()]


def test_the_schema_is_pinned():
    """Changed on purpose? An older reader that can't ignore the change needs `CONTRACT_VERSION` raised."""
    schemas = {cls.__name__: cls.model_json_schema() for cls in VERSIONED}
    text = canonical_json(without_words(schemas))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "d44e892fa4b0a6b9"


def without_words(schema):
    """The schema less its descriptions, which may be reworded."""
    if isinstance(schema, dict):
        return {key: without_words(value) for key, value in schema.items() if key != "description"}
    return [without_words(value) for value in schema] if isinstance(schema, list) else schema


def test_equal_values_have_equal_digests():
    assert digest_of({"b": 1, "a": [1, 2]}) == digest_of({"a": [1, 2], "b": 1})
    assert digest_of({"a": 1}) != digest_of({"a": 2})
    assert canonical_json({"b": "é", "a": 1}) == '{"a":1,"b":"é"}'


def test_every_error_code_has_a_status():
    assert set(STATUS) == set(ErrorCode)
    known = {
        ErrorCode.BAD_ARGUMENT: 400,
        ErrorCode.PERMISSION_DENIED: 403,
        ErrorCode.NOT_FOUND: 404,
        ErrorCode.CONFLICT: 409,
    }
    assert {code: STATUS[code] for code in known} == known


def episode(run_id, host, seconds, cached):
    done = ExecutedCall(name="a", arguments={}, idempotency_key=f"{run_id}:s0a", landed="yes")
    decision = Decision(
        actions=(ToolCall(id="s0a", name="a", arguments={}),), usage=Usage(cached_tokens=cached), seconds=seconds
    )
    seen = Observation(call_id="s0a", call=done, seconds=seconds)
    steps = (Step(index=0, decision=decision, observations=(seen,), overhead_s=seconds),)
    return Episode(
        id=run_id,
        host=host,
        timing=Timing(seconds=seconds),
        view=TaskView(request="r"),
        stop=Stop.FINISHED,
        segments=(Segment(prefix="p", steps=steps),),
    )


def test_a_replay_differs_in_run_id_host_and_timing_alone():
    first, second = episode("one", "here", 0.1, 5), episode("two", "there", 0.9, 7)
    assert first.canonical() == second.canonical()
    assert "one" not in json.dumps(first.canonical())
    other = first.model_copy(update={"stop": Stop.STUCK})
    assert other.canonical() != first.canonical()


def test_every_name_of_the_contract_is_there():
    assert sorted(contract.__all__) == sorted(set(contract.__all__))
    assert all(hasattr(contract, name) for name in contract.__all__)
    assert issubclass(contract.Episode, Record)


def test_a_deadline_passes_its_cancel_token_on():
    cancel = CancelToken()
    inner = Deadline(60, cancel).within(5)
    cancel.cancel()
    assert inner.cancel.cancelled and not inner.expired
    assert Deadline(0).expired and Deadline.never().remaining() == float("inf")
    assert Deadline(None).within(0).expired
