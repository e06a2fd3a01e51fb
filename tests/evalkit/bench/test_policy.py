from dataclasses import replace

import pytest

from evalkit.admission import admit
from evalkit.policies import BadGoldError
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.lookups import shifted, without_calls
from evalkit.suites.bench.program import PROGRAMS, load_programs
from evalkit.suites.bench.suite import task_of
from evalkit.whole import Whole
from runtime.contract import BehaviourCheck, CallCheck, Domain, MemoryGate, Split, StateCheck, TaskView, WorldSpec
from tests.evalkit.conftest import call

PLANES = ({"table": "radios", "airplane_mode": True, "wifi": False, "wifi_network": "", "bluetooth": False},)
DONE = {"finish": "Done."}


def draft(*gold, facts=(), denied=(), memories=(), **more):
    world = WorldSpec(facts=tuple(facts), denied=frozenset(denied), memories=tuple(memories))
    return Draft(pattern="p", family="f", domain=Domain.NETWORK, subcategory="radios", split=Split.DEV,
                 view=TaskView(request="do it"), world=world, gold=gold, **more)  # fmt: skip


def made(one, phone, program="conflict"):
    return task_of(one, load_programs()[program], "bench/dev/p/f/1", phone)


def kinds(task):
    return [[type(check) for check in outcome.checks] for outcome in task.policy.outcomes]


def test_a_conflict_is_part_of_the_way_and_not_of_the_end(phone):
    radio = call("manage_bluetooth", action="enable")
    task = made(draft(radio, call("manage_airplane_mode", action="disable"), radio, DONE, facts=PLANES), phone)
    assert kinds(task) == [[StateCheck, BehaviourCheck]]
    assert {row.table for row in task.policy.outcomes[0].checks[0].required} == {"radios"}
    assert admit(task, phone).faults == ()


def test_a_failure_that_nothing_makes_good_is_a_bad_gold(phone):
    with pytest.raises(BadGoldError, match="call 1 fails: airplane mode is on"):
        made(draft(call("manage_bluetooth", action="enable"), DONE, facts=PLANES), phone)


def test_what_is_denied_must_be_tried_and_said_while_the_rest_is_done(phone):
    note, alarm = (
        call("manage_note", action="create", content="milk"),
        call("manage_alarm", action="create", time="7 am"),
    )
    one = draft(note, alarm, {"finish": "The alarm permission is denied."}, denied=["alarms"], partly=True,
                mentions=(("permission",),))  # fmt: skip
    task = made(one, phone)
    said, declined = (outcome.checks[-1] for outcome in task.policy.outcomes)
    assert said.tried == declined.tried == ("manage_alarm",)
    assert (said.mentions, said.ends, declined.ends) == ((("permission",),), {"finished", "asked"}, {"refused"})
    assert admit(task, phone).faults == ()


def test_another_look_up_of_the_same_standing_is_accepted(phone):
    charge = call("manage_battery", action="query")
    other = (call("manage_device_info", item="battery"), DONE)
    task = made(draft(charge, DONE, accepted=(other,)), phone)
    names = [outcome.checks[0].calls[0]["name"] for outcome in task.policy.outcomes]
    assert names == ["manage_battery", "manage_device_info"]


def test_a_state_is_looked_up_after_it_was_changed(phone):
    on, look = call("control_flashlight", action="enable"), call("control_flashlight", action="query")
    task = made(draft(on, look, DONE, ordered=True), phone)
    (check,) = [one for one in task.policy.outcomes[0].checks if isinstance(one, CallCheck)]
    assert [one["arguments"] for one in check.calls] == [{"action": "enable"}, {"action": "query"}]
    assert check.ordered


def test_a_memory_may_be_written_in_any_words_that_hold_its_value():
    whole = Whole()
    memory = {"id": "memory_007", "content": "Drinks flat white.", "category": "preference"}
    gold = (
        call("search_user_memory", query="coffee"),
        call("replace_user_memory", memoryId="memory_007", content="The coffee is mocha."),
        DONE,
    )
    one = draft(*gold, memories=[memory], remembers=("mocha",), checks=(MemoryGate(ids=frozenset(["memory_007"])),))
    task = made(one, whole, "corrected_memory")
    gate, state, _ = task.policy.outcomes[0].checks
    assert gate.ids == {"memory_007"}
    assert sorted((row.change, str(row.where), str(row.values)) for row in state.required) == [
        ("insert", "{}", "{'content': {'$contains': 'mocha'}}"),
        ("update", "{'id': 'memory_007'}", "{}"),
    ]
    assert admit(task, whole).faults == ()
    assert admit(replace_gold(task, 1, content="It is now mocha, as of today."), whole).faults == ()
    whole.close()


def replace_gold(task, place, **arguments):
    step = {**task.gold[place], "arguments": {**task.gold[place]["arguments"], **arguments}}
    return task.model_copy(update={"gold": (*task.gold[:place], step, *task.gold[place + 1 :])})


def test_references_are_counted_anew():
    gold = [call("a"), call("b", x="$1.data.y"), DONE]
    assert shifted(gold[1], 2)["arguments"] == {"x": "$3.data.y"}
    assert without_calls([call("l"), call("a"), call("b", x="$2.data.y")], {0})[-1]["arguments"] == {"x": "$1.data.y"}
    with pytest.raises(KeyError):
        without_calls(gold, {0})


def test_a_question_in_the_middle_is_answered_from_the_script(phone):
    people = [
        {"table": "contacts", "id": "contact_391", "name": "Anika Keller", "phone": "+15550001"},
        {"table": "contacts", "id": "contact_392", "name": "Anika Salgado", "phone": "+15550002"},
    ]
    gold = (call("make_call", contact="Anika"), {"ask": "Which one?"}, call("make_call", contact="Anika Keller"), DONE)
    task = made(draft(*gold, facts=people, user_answers=("Keller",)), phone)
    assert task.policy.user_answers == ("Keller",)
    assert admit(task, phone).faults == ()
    assert "told_which" in PROGRAMS
    assert replace(draft(*gold), partly=True).partly
