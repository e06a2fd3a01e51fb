"""Each kind of loop, and its nearest neighbour that is none."""

from runtime.contract import (
    Ask,
    Decision,
    ErrorCode,
    Failure,
    Observation,
    ParseError,
    RowChange,
    StateDiff,
    Step,
    TextPart,
    ToolCall,
)
from runtime.stuck import stuck


def act(name="a", data=None, error=None, changed=False, **arguments):
    failure = Failure(code=ErrorCode.CONFLICT, message=error) if error else None
    diff = StateDiff(changes=(RowChange(table="t", key="1", before=None, after={}),)) if changed else StateDiff()
    seen = Observation(call_id="x", data=data or {}, failure=failure, diff=diff)
    return Step(
        index=0, decision=Decision(actions=(ToolCall(id="x", name=name, arguments=arguments),)), observations=(seen,)
    )


def garbled(raw):
    seen = Observation(call_id="", failure=Failure(code=ErrorCode.MALFORMED_CALL, message=raw))
    return Step(index=0, decision=Decision(actions=(ParseError(message=raw, raw=raw),)), observations=(seen,))


def test_the_same_action_and_observation_four_times():
    assert stuck([act(data={"n": 1})] * 3) is None
    assert stuck([act(data={"n": 1})] * 4) == "the same action with the same result 4 times running"


def test_the_same_action_with_new_results_is_polling():
    assert stuck([act(data={"n": n}) for n in range(1, 8)]) is None


def test_the_same_action_with_an_error_three_times():
    assert stuck([act(error="no")] * 2) is None
    assert stuck([act(error="no")] * 3) == "the same action failed 3 times running"


def test_a_success_between_breaks_it():
    assert stuck([act(error="no"), act(error="no"), act(data={"n": 1}), act(error="no")]) is None


def test_two_steps_taking_turns():
    pair = [act("a", {"n": 1}), act("b", {"n": 2})]
    assert stuck(pair * 2 + pair[:1]) is None
    assert stuck(pair * 3) == "two steps took turns 6 steps long"


def test_malformed_actions_count_however_they_differ():
    assert stuck([garbled("x"), garbled("y")]) is None
    assert stuck([garbled("x"), garbled("y"), garbled("z")]) == "3 malformed actions running"


def test_errors_and_empty_results_across_names():
    fruitless = [act("a", error="1"), act("b"), act("c", {"found": []}), act("d", error="2"), act("e")]
    assert stuck(fruitless[:4]) is None
    assert stuck(fruitless) == "5 steps running gave only errors or empty results"


def test_a_change_is_no_empty_result():
    assert stuck([act("a"), act("b"), act("c", changed=True), act("d"), act("e")]) is None


def test_answers_of_the_user_are_not_empty_results():
    asked = Step(
        index=0,
        decision=Decision(actions=(Ask(question="which?"),)),
        observations=(Observation(call_id="", parts=(TextPart(text="that"),)),),
    )
    assert stuck([act("a"), act("b"), asked, act("c"), act("d")]) is None
