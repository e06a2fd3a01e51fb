import json

import pytest

from runtime.contract import CancelToken, Deadline, ErrorCode, ToolCall, WorldSpec

NEVER = Deadline.never()


def test_a_write_is_observed_whole(lab):
    seen = lab.call("manage_box", action="create", name=" blue ", level="40 percent", time="half past seven tomorrow")
    box = {"id": "box_002", "name": "blue", "level": 40, "date": "2026-03-03", "time": "07:30", "tags": []}
    assert seen.failure is None
    assert seen.data == {"made": [box]}
    assert seen.parts[0].text == json.dumps({"made": [box]}, separators=(",", ":"))
    assert seen.call.model_dump() == {
        "name": "manage_box",
        "arguments": {"action": "create", "name": "blue", "level": 40, "time": "07:30", "date": "2026-03-03"},
        "idempotency_key": "",
        "landed": "yes",
    }
    assert seen.diff.model_dump() == {"changes": ({"table": "boxes", "key": "box_002", "before": None, "after": box},)}
    assert lab.diff_since_last_call() == {"boxes/box_002": box}


def test_observations_are_valid_records(lab):
    for seen in (lab.call("manage_box", action="create", name="x"), lab.call("manage_box", action="jump")):
        assert type(seen).model_validate_json(seen.model_dump_json()) == seen


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "`manage_box` needs `action`"),
        ({"action": "jump"}, "`action` is `jump`; it must be one of `create`, `query`, `update`, `delete`"),
        ({"action": "query", "colour": "red"},
         "`manage_box` has no argument `colour`; "
         "it takes `action`, `name`, `level`, `date`, `time`, `repeat`, `copies`"),
        ({"action": "create", "copies": "two"}, "`copies` is `two`; it must be a whole number"),
        ({"action": "create", "copies": True}, "`copies` is `true`; it must be a whole number"),
        ({"action": "create", "name": ["a"]}, "`name` is `['a']`; it must be text"),
        ({"action": "create", "name": "  "}, "`name` is empty; say a value or leave it out"),
        ({"action": "create", "time": "blue o'clock"},
         "`time`: can't read `blue o'clock` as a time; say a time of day such as `07:30` or `half past seven`"),
        ({"action": "create", "time": "7 am tomorrow", "date": "2026-03-09"},
         "`time` is `7 am tomorrow`, which is 2026-03-03, but `date` is 2026-03-09; say one of them"),
    ],
)  # fmt: skip
def test_bad_arguments_name_what_is_valid(lab, arguments, message):
    seen = lab.call("manage_box", **arguments)
    assert (seen.failure.code, seen.failure.status, seen.failure.message) == (ErrorCode.BAD_ARGUMENT, 400, message)
    assert seen.call is None
    assert lab.diff_since_last_call() == {}


def test_an_unknown_tool_names_its_neighbours(lab):
    seen = lab.call("manage_boxes")
    assert (seen.failure.code, seen.failure.status) == (ErrorCode.UNKNOWN_TOOL, 404)
    assert seen.failure.message == "this phone has no tool `manage_boxes`; did you mean `manage_box`?"


@pytest.mark.parametrize(
    ("arguments", "canonical"),
    [
        ({"level": "50"}, {"level": 50}),
        ({"level": 50}, {"level": 50}),
        ({"level": "by 10 percent"}, {"level": "+10"}),
        ({"level": "up by 10 percent"}, {"level": "+10"}),
        ({"level": "-10"}, {"level": "-10"}),
        ({"repeat": "every weekday"}, {"repeat": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"}),
        ({"time": "7am on weekdays"}, {"time": "07:00", "repeat": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"}),
        ({"date": "tomorrow at 5 pm"}, {"date": "2026-03-03", "time": "17:00"}),
        ({"date": "tomorrow"}, {"date": "2026-03-03"}),
        ({"name": None, "copies": 2.0}, {"copies": 2}),
    ],
)
def test_spoken_values_are_normalised(lab, arguments, canonical):
    seen = lab.call("manage_box", action="query", **arguments)
    assert seen.call.arguments == {"action": "query"} | canonical


def test_money_and_contacts(lab):
    seen = lab.call("pay_box", amount="twenty dollars", to="my mum")
    assert seen.call.arguments == {"amount": {"amount": "20.00", "currency": "USD"}, "to": "my mum"}
    assert seen.data["to"] == "contact_001"
    again = lab.call("pay_box", amount={"amount": "20.00", "currency": "USD"}, to="Maria Bennett")
    assert again.data["paid"] == {"amount": "20.00", "currency": "USD"}


def test_a_first_name_of_two_is_a_conflict(lab):
    seen = lab.call("pay_box", amount="5 euros", to="anna")
    assert seen.failure.status == 409
    assert seen.failure.message == "`anna` could be `Anna Keller` or `Anna Petrova`; ask which one is meant"
    assert [person["id"] for person in seen.failure.details["candidates"]] == ["contact_004", "contact_005"]
    nobody = lab.call("pay_box", amount="5 euros", to="Zebediah")
    assert nobody.failure.status == 404


def test_permission_is_named(lab):
    lab.reset(WorldSpec(denied=frozenset({"boxes"})))
    seen = lab.call("manage_box", action="query")
    assert (seen.failure.code, seen.failure.status) == (ErrorCode.PERMISSION_DENIED, 403)
    assert seen.failure.details == {"permission": "boxes"}
    assert "needs the permission `boxes`" in seen.failure.message
    assert seen.call.landed == "no"
    assert lab.call("pay_box", amount="$5", to="dad").ok


@pytest.mark.parametrize(("how", "code", "status"), [("refused", "conflict", 409), ("broken", "internal", 500)])
def test_a_failure_in_the_middle_leaves_nothing(lab, how, code, status):
    before = lab.call("manage_box", action="query").data
    seen = lab.call("break_box", how=how, seconds="5 minutes")
    assert (seen.failure.code, seen.failure.status, seen.call.landed) == (code, status, "no")
    assert seen.diff.changes == ()
    assert lab.diff_since_last_call() == {}
    assert lab.call("manage_box", action="query").data == before
    assert lab.now.isoformat() == "2026-03-02T09:00:00"
    assert lab.call("manage_box", action="create", name="x").data["made"][0]["id"] == "box_002"


def test_an_internal_failure_names_the_exception_alone(lab):
    seen = lab.call("break_box", how="broken")
    assert seen.failure.message == "`break_box` failed inside with `IndexError`; nothing was changed"
    assert seen.failure.details == {"exception": "IndexError"}


def test_a_key_is_applied_once(lab):
    call = ToolCall(id="c1", name="manage_box", arguments={"action": "create", "name": "x"})
    first = lab.execute(call, NEVER, "k1")
    assert lab.execute(call, NEVER, "k1") is first
    renamed = lab.execute(call.model_copy(update={"id": "c2"}), NEVER, "k1")
    assert renamed == first.model_copy(update={"call_id": "c2"})
    assert first.call.idempotency_key == "k1"
    assert [box["id"] for box in lab.call("manage_box", action="query").data["boxes"]] == ["box_001", "box_002"]
    other = lab.execute(ToolCall(id="c3", name="manage_box", arguments={"action": "query"}), NEVER, "k1")
    assert (other.failure.status, other.call) == (409, None)


def test_a_key_of_a_call_that_failed_may_be_tried_again(lab):
    call = ToolCall(id="c1", name="break_box", arguments={"how": "refused"})
    assert lab.execute(call, NEVER, "k1").failure.code == "conflict"
    assert lab.execute(call, NEVER, "k1").failure.code == "conflict"
    assert [operation.status for operation in lab.log] == ["conflict", "conflict"]


def test_restore_forgets_keys_and_log(lab):
    start = lab.snapshot()
    call = ToolCall(id="c1", name="manage_box", arguments={"action": "create", "name": "x"})
    first = lab.execute(call, NEVER, "k1")
    lab.restore(start)
    assert lab.log == []
    assert lab.execute(call, NEVER, "k1") == first


def test_cancelled_and_late(lab):
    call = ToolCall(id="c1", name="manage_box", arguments={"action": "create", "name": "x"})
    token = CancelToken()
    token.cancel()
    assert lab.execute(call, Deadline(5, token)).failure.code == "cancelled"
    assert lab.execute(call, Deadline(0)).failure.status == 408
    assert lab.diff(lab.snapshot()).empty
    assert len(lab.call("manage_box", action="query").data["boxes"]) == 1


def test_every_call_is_logged(lab):
    lab.call("manage_box", action="create", name="x", level="half")
    lab.call("manage_box", action="jump")
    lab.call("nothing")
    log = [(entry.call_id, entry.tool, entry.arguments, entry.status) for entry in lab.log]
    assert log == [
        ("c1", "manage_box", {"action": "create", "name": "x", "level": 50}, "ok"),
        ("c2", "manage_box", {"action": "jump"}, "bad_argument"),
        ("c3", "nothing", {}, "unknown_tool"),
    ]
