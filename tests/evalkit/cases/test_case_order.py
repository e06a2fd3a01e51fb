from evalkit.cases.order import Call, Most, Waits, attempts, judge_order
from runtime.contract import (
    Decision,
    Episode,
    ErrorCode,
    ExecutedCall,
    Failure,
    Observation,
    Segment,
    Step,
    Stop,
    TaskView,
    ToolCall,
)

NOTE, POWER = Call(name="manage_note", arguments={"action": "create"}), Call(name="control_device_power")
OFF = {"name": "control_device_power", "arguments": {"action": "power_off"}}
KEPT = {"name": "manage_note", "arguments": {"action": "create", "content": "milk"}}
REFUSED = {**KEPT, "fails": True}


def episode(*steps):
    """Steps of calls, each answered as it was run."""
    made = []
    for index, calls in enumerate(steps):
        actions = tuple(ToolCall(id=f"{index}{n}", name=one["name"], arguments=one["arguments"])
                        for n, one in enumerate(calls))  # fmt: skip
        seen = tuple(answer(action, one.get("fails", False)) for action, one in zip(actions, calls, strict=True))
        made.append(Step(index=index, decision=Decision(actions=actions), observations=seen))
    return Episode(id="e", view=TaskView(request="r"), segments=(Segment(prefix="", steps=tuple(made)),),
                   stop=Stop.FINISHED)  # fmt: skip


def answer(action, fails):
    if fails:
        return Observation(call_id=action.id, failure=Failure(code=ErrorCode.CONFLICT, message="no"))
    run = ExecutedCall(name=action.name, arguments=action.arguments, idempotency_key="", landed="yes")
    return Observation(call_id=action.id, call=run)


def holds(demand, *steps):
    waits, most = ([demand], []) if isinstance(demand, Waits) else ([], [demand])
    (check,) = judge_order(waits, most, episode(*steps))
    return check.passed


def test_a_call_waits_for_one_that_was_seen_in_an_earlier_step():
    wait = Waits(first=NOTE, then=POWER)
    assert holds(wait, [KEPT], [OFF])
    assert not holds(wait, [OFF], [KEPT])
    assert not holds(wait, [KEPT, OFF])  # chosen together: nothing was seen yet


def test_what_failed_was_not_done_and_what_was_not_tried_did_not_wait():
    wait = Waits(first=NOTE, then=POWER)
    assert not holds(wait, [REFUSED], [OFF])
    assert holds(wait, [REFUSED], [KEPT], [OFF])
    assert not holds(wait, [KEPT])


def test_an_early_try_counts_though_a_later_one_is_right():
    assert not holds(Waits(first=NOTE, then=POWER), [{**OFF, "fails": True}], [KEPT], [OFF])


def test_failed_tries_count_too():
    twice = Most(call=NOTE, times=2)
    assert holds(twice, [REFUSED], [REFUSED])
    assert not holds(twice, [REFUSED, REFUSED], [KEPT])


def test_arguments_that_are_named_must_be_there():
    buy = Most(call=Call(name="manage_note", arguments={"content": {"$contains": "milk"}}), times=0)
    assert not holds(buy, [KEPT])
    assert holds(buy, [{"name": "manage_note", "arguments": {"action": "create"}}])


def test_a_call_that_got_no_answer_is_a_try_that_did_not_work():
    call = ToolCall(id="x", name="manage_note", arguments={"action": "create"})
    step = Step(index=0, decision=Decision(actions=(call,)), observations=())
    lost = Episode(id="e", view=TaskView(request="r"), segments=(Segment(prefix="", steps=(step,)),), stop=Stop.BUDGET)
    (tried,) = attempts(lost)
    assert (tried.step, tried.worked, tried.arguments) == (0, False, {"action": "create"})
