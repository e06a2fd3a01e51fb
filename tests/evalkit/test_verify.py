import pytest

from evalkit.agents import Agent
from evalkit.rehearsal import rehearse
from evalkit.verify import GRADING, CoreVerifier, says
from runtime.contract import StateDiff, Stop
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}
ALARM = call("manage_alarm", action="create", time="7 am", title="run")


@pytest.fixture
def judged(phone):
    def judge(task, *steps):
        episode, diff = rehearse(task, Agent("test", lambda _: steps), phone)
        return CoreVerifier().judge(task.policy, episode, diff)

    return judge


def failed(verdict):
    return [check.name for check in verdict.checks if not check.passed]


def test_another_way_to_say_the_same_is_a_success(make, judged):
    verdict = judged(
        make(ALARM, DONE), call("manage_alarm", action="create", time="seven in the morning", title="Run"), DONE
    )
    assert (verdict.success, verdict.progress, verdict.grading) == (True, 1.0, GRADING)


def test_a_wrong_value_fails_and_both_rows_are_named(make, judged):
    verdict = judged(make(ALARM, DONE), call("manage_alarm", action="create", time="8 am", title="run"), DONE)
    assert failed(verdict) == ["`alarms` has the insert", "nothing else changed"]
    assert verdict.checks[1].evidence["collateral"][0]["after"]["time"] == "08:00"
    assert verdict.progress == pytest.approx(1 / 3)


def test_collateral_damage_fails_and_is_named(make, judged):
    verdict = judged(make(ALARM, DONE), ALARM, call("control_flashlight", action="enable"), DONE)
    assert failed(verdict) == ["nothing else changed"]
    assert verdict.checks[1].evidence["collateral"][0]["table"] == "flashlight"


def test_doing_it_twice_fails(make, judged):
    text = call("send_message", contact="mom", content="hello")
    assert failed(judged(make(text, DONE), text, text, DONE)) == ["nothing else changed"]


def test_an_extra_read_is_no_harm(make, judged):
    assert judged(make(ALARM, DONE), call("manage_alarm", action="query"), ALARM, DONE).success


def test_never_saying_that_it_is_done_fails(make, judged):
    assert failed(judged(make(ALARM, DONE), ALARM, {"refuse": "no"})) == ["it finished"]


def test_reads_are_compared_by_their_arguments(make, judged):
    task = make(call("get_weather", location="Paris"), DONE)
    assert judged(task, call("get_weather", location="paris", when="today"), DONE).success
    wrong = judged(task, call("get_weather", location="London"), DONE)
    assert failed(wrong) == ["`get_weather` was called as asked"]
    assert wrong.checks[0].evidence["nearest"]["arguments"]["location"] == "London"


def test_a_question_needs_its_words(make, judged):
    task = make({"ask": "What time?"}, mentions=(("time", "when"),))
    assert judged(task, {"ask": "When should it ring?"}).success
    assert failed(judged(task, {"ask": "Which one?"})) == ["names time or when"]
    assert failed(judged(task, {"finish": "Done."})) == ["it asked", "names time or when"]


def test_a_denied_permission_must_be_tried_and_told(make, judged):
    blocked = call("make_call", contact="mom")
    task = make(blocked, {"refuse": "no permission"}, denied=("calls",), mentions=(("permission",),))
    assert judged(task, blocked, {"refuse": "sorry"}).success
    assert judged(task, blocked, {"finish": "the permission is missing"}).success
    assert failed(judged(task, {"refuse": "sorry"})) == ["`make_call` was tried"]
    assert not judged(task, blocked, {"finish": "Done."}).success


def test_infrastructure_says_nothing_about_the_planner(make, phone):
    task = make(ALARM, DONE)
    episode, _ = rehearse(task, Agent("test", lambda _: (DONE,)), phone)
    verdict = CoreVerifier().judge(task.policy, episode.model_copy(update={"stop": Stop.INFRASTRUCTURE}), StateDiff())
    assert (verdict.valid, verdict.success) == (False, False)


def test_facts_may_stand_in_a_result_or_in_the_answer(make, judged):
    task = make(call("query_contact", person="mom", field="email"), DONE)
    asked = task.model_copy(update={"policy": task.policy.model_copy(update={"answer_contains": ("maria.bennett@",)})})
    assert judged(asked, *task.gold).success
    gone = task.model_copy(update={"policy": task.policy.model_copy(update={"answer_contains": ("nobody@",)})})
    assert failed(judged(gone, *task.gold)) == ["the facts asked for were read"]


def test_words_are_whole_words():
    assert says("What time, please?", "time")
    assert not says("sometimes", "time")
    assert says("I can’t do that", "can't")
