import pytest

from evalkit.admission import admit
from runtime.contract import BehaviourCheck, Outcome, Policy, RowPattern, StateCheck
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}
ALARM = call("manage_alarm", action="create", time="7 am")


def lax(task, *checks):
    return task.model_copy(update={"policy": Policy(outcomes=(Outcome(checks=checks),))})


ENDED = BehaviourCheck(ends=frozenset(("finished",)), unchanged=False)


def test_a_sound_task_is_admitted(make, phone):
    assert admit(make(ALARM, DONE), phone).faults == ()


def test_two_writes_must_both_be_needed(make, phone):
    task = make(ALARM, call("control_flashlight", action="enable"), DONE)
    assert admit(task, phone).admitted
    alarm = task.policy.outcomes[0].checks[0].required[0]
    anything = RowPattern(table="flashlight", change="update")
    forgetful = lax(task, StateCheck(required=(alarm,), allowed=(anything,)), ENDED)
    assert admit(forgetful, phone).faults == ("drop_one passes without call 2 (`control_flashlight`)",)


def test_a_policy_that_takes_everything_is_refused(make, phone):
    faults = admit(lax(make(call("send_message", contact="mom", content="hi"), DONE), ENDED), phone).faults
    assert faults[:2] == ("null passes", "random passes")
    assert "extra_write passes" in faults
    assert faults[-1] == "do_twice passes with another end state"


def test_a_gold_that_fails_is_refused(make, phone):
    task = make(ALARM, DONE)
    wrong = task.model_copy(update={"gold": (call("manage_alarm", action="create", time="8 am"), DONE)})
    assert admit(wrong, phone).faults[0].startswith("oracle fails: `alarms` has the insert")


def test_a_gold_that_points_past_its_results_is_refused(make, phone):
    task = make(ALARM, DONE)
    lost = task.model_copy(update={"gold": (call("manage_alarm", action="create", time="$1.data.time"), DONE)})
    assert admit(lost, phone).faults[0].startswith("oracle fails")


@pytest.mark.parametrize("action", ["enable", "disable"])
def test_an_idempotent_write_may_be_repeated(make, phone, action):
    facts = ({"table": "flashlight", "on": action == "disable"},)
    assert admit(make(call("control_flashlight", action=action), DONE, facts=facts), phone).admitted


def test_a_question_and_a_missing_tool_are_admitted(make, phone):
    assert admit(make({"ask": "What time?"}, mentions=(("time",),)), phone).admitted
    assert admit(make({"refuse": "no"}, unavailable=("make_call",)), phone).admitted
