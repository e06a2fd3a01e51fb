import pytest

from evalkit.policies import BadGoldError, policy_of
from runtime.contract import BehaviourCheck, CallCheck, StateCheck, WorldSpec
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}


def checks(policy):
    return policy.outcomes[0].checks


def test_a_write_becomes_a_required_row_without_its_id(phone):
    gold = (call("manage_alarm", action="create", time="half past seven", title="Run"), DONE)
    state, end = checks(policy_of(gold, WorldSpec(), phone))
    assert isinstance(state, StateCheck)
    assert state.required[0].model_dump() == {
        "table": "alarms",
        "change": "insert",
        "where": {},
        "values": {"time": "07:30", "date": "2026-03-03", "title": "Run", "repeat": ""},
    }
    assert end == BehaviourCheck(ends=frozenset(("finished",)), unchanged=False)


def test_an_update_pins_every_column_of_its_row(phone):
    gold = (call("adjust_volume", action="set", level="40 percent"), DONE)
    state, _ = checks(policy_of(gold, WorldSpec(), phone))
    row = state.required[0]
    assert (row.table, row.change) == ("volumes", "update")
    assert row.values["percent"] == 40
    assert set(row.values) == set(row.where) == {"stream", "percent", "muted", "muted_until"}


def test_a_read_becomes_a_call_check_and_an_unchanged_phone(phone):
    gold = (call("get_weather", location="Paris"), {"finish": ""})
    calls, state, _ = checks(policy_of(gold, WorldSpec(), phone))
    assert isinstance(calls, CallCheck)
    assert calls.calls[0]["name"] == "get_weather"
    assert calls.calls[0]["arguments"]["location"] == "Paris"
    assert calls.calls[0]["arguments"]["when"] == {"$one_of": [None, "2026-03-02"]}
    assert state.required == ()


def test_a_read_that_only_feeds_a_later_call_is_not_required(phone):
    gold = (
        call("query_contact", person="mom", field="email"),
        call("send_email", recipient="$1.data.value", content="hello"),
        DONE,
    )
    kinds = [check.kind for check in checks(policy_of(gold, WorldSpec(), phone))]
    assert kinds == ["state", "behaviour"]


def test_what_a_result_brings_into_a_text_may_stand_among_other_words(phone):
    gold = (
        call("query_contact", person="dad", field="phone"),
        call("send_message", contact="mom", content="$1.data.value"),
        DONE,
    )
    state, _ = checks(policy_of(gold, WorldSpec(), phone))
    assert state.required[0].values["content"] == {"$contains": "+15550102"}


def test_a_question_must_name_what_is_missing(phone):
    policy = policy_of(({"ask": "What time?"},), WorldSpec(), phone, (("time", "when"),))
    assert checks(policy) == (BehaviourCheck(ends=frozenset(("asked",)), mentions=(("time", "when"),)),)


def test_a_permission_block_must_be_met_first(phone):
    gold = (call("make_call", contact="mom"), {"refuse": "the calls permission is missing"})
    policy = policy_of(gold, WorldSpec(denied=frozenset(("calls",))), phone, (("permission",),))
    declined, told = policy.outcomes
    assert declined.checks[0].tried == ("make_call",)
    assert declined.checks[0].ends == frozenset(("asked", "refused"))
    assert told.checks[0].mentions == (("permission",),)


@pytest.mark.parametrize(
    ("gold", "why"),
    [
        ((call("make_call", contact="Nobody Atall"), DONE), "not_found"),
        ((call("manage_airplane_mode", action="disable"), DONE), "changes nothing"),
    ],
)
def test_a_gold_that_does_not_work_makes_no_task(phone, gold, why):
    with pytest.raises(BadGoldError, match=why):
        policy_of(gold, WorldSpec(), phone)
