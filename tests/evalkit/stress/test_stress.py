from random import Random

import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.results import ResultStore
from evalkit.runner import Plan, run_suite
from evalkit.score import score
from evalkit.stress import Stress, StressedPhone, Trouble
from evalkit.stress.data import with_wrong_value
from evalkit.stress.words import Words, other_word
from evalkit.suites import Suite
from runtime.config import load_settings
from runtime.contract import Deadline, ErrorCode, Split, TaskView, ToolCall
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}
NEVER = Deadline.never()


@pytest.fixture
def suite(make):
    tasks = (
        make(call("control_flashlight", action="enable"), DONE, request="turn on the flashlight", id="t/light"),
        make(
            call("query_contact", person="mom", field="email"),
            call("send_email", recipient="$1.data.value", content="hi"),
            DONE,
            request="look up mom's email address and send an email to it saying hi",
            id="t/mail",
        ),
        make(
            call("manage_camera", action="take_photo"),
            {"refuse": "I can't use the camera."},
            request="take a photo",
            id="t/denied",
            denied=("camera",),
            pattern="permission",
        )
        if "manage_camera" in {tool.name for tool in Sandbox().tools()}
        else make({"ask": "What time?"}, request="set an alarm", mentions=(("time",),), id="t/ask", pattern="ask"),
    )
    return Suite("tiny", Split.DEV, tasks, (), "abc")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    store = ResultStore(tmp_path / "eval.sqlite3")
    yield store
    store.close()


def run(suite, store, planner="oracle", **axes):
    settings = load_settings({"planner": {"use": planner}})
    return run_suite(suite, settings, store, plan=Plan(stress=Stress(**axes)))


def stressed(seed="t", **axes):
    phone = Sandbox()
    return StressedPhone(phone, Trouble(Stress(**axes), seed, phone.tools())), phone


def light(number=1, action="enable"):
    return ToolCall(id=f"c{number}", name="control_flashlight", arguments={"action": action})


def test_each_axis_is_part_of_the_runs_identity(suite, store):
    plain = run(suite, store)
    others = [run(suite, store, **axes) for axes in ({"distractors": 5}, {"scramble": True}, {"events": True})]
    assert len({plain.id, *(other.id for other in others)}) == 4
    assert others[0].header.stress.axes == ["distractors 5"]


def test_distractors_widen_what_is_exposed(suite, store):
    done = run(suite, store, distractors=5)
    episode, _ = store.episode(done.id, done.header.trials[0])
    assert len(episode.segments[0].exposed) == 20
    assert score(done.results)["success"] == 1.0


def test_distractors_join_tools_that_a_task_fixes():
    tools = Sandbox().tools()
    view = Stress(distractors=2).view(TaskView(request="x", tools=tools[:1]), tools)
    assert [tool.name for tool in view.tools] == [tool.name for tool in tools[:3]]


def test_the_same_word_is_always_the_same_other_word():
    assert other_word("Alarm") == other_word("alarm") != other_word("note")
    words = Words()
    first, second = words.name("manage_alarm").split("_"), words.name("manage_note").split("_")
    assert first[0] == second[0] == other_word("manage")
    assert "alarm" not in words.spec(next(t for t in Sandbox().tools() if t.name == "manage_alarm")).description.lower()


def test_under_scrambled_names_the_oracle_still_passes_and_the_episode_keeps_them(suite, store):
    done = run(suite, store, scramble=True)
    assert [result.verdict.success for result in done.results] == [True, True, True]
    assert [result.malformed for result in done.results] == [0, 0, 0]
    episode, _ = store.episode(done.id, done.header.trials[0])
    assert "control_flashlight" not in episode.segments[0].prefix
    assert episode.steps[0].decision.actions[0].name == Words().name("control_flashlight")
    assert episode.steps[0].observations[0].call.name == "control_flashlight"
    assert store.load(done.id).results == done.results


def test_a_message_under_scrambled_names_tells_no_old_name():
    phone, _ = stressed(scramble=True)
    names = phone._trouble.names
    assert names.hide("use `manage_alarm` first") == f"use `{Words().name('manage_alarm')}` first"
    assert names.hide({"tools": ["manage_alarm", "alarm"]}) == {"tools": [Words().name("manage_alarm"), "alarm"]}


def test_a_fault_leaves_the_phone_alone_and_is_drawn_alike_everywhere():
    phone, inner = stressed(faults=1.0)
    start = phone.snapshot()
    seen = phone.execute(light(), NEVER, "k1")
    assert seen.failure.code in (ErrorCode.TIMEOUT, ErrorCode.OFFLINE)
    assert (seen.call, inner.diff(start).empty) == (None, True)
    drawn = [[stressed(seed=seed, faults=0.3)[0].execute(light(), NEVER).ok for seed in "abcdefgh"] for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert 0 < sum(drawn[0]) < 8


def test_after_a_fault_the_same_call_is_drawn_anew():
    phone, _ = stressed(seed="again", faults=0.5)
    assert {phone.execute(light(n), NEVER, f"k{n}").ok for n in range(20)} == {True, False}


def test_a_wrong_value_is_shown_and_the_phone_stays_right():
    data = {"success": True, "data": {"id": "alarm_001", "time": "07:30", "on": True, "label": ""}}
    wrong = [with_wrong_value(data, Random(seed)) for seed in range(12)]
    assert {(one["data"]["time"], one["data"]["on"]) for one in wrong} == {("18:41", True), ("07:30", False)}
    assert all(one["success"] is True and one["data"]["id"] == "alarm_001" for one in wrong)
    assert data["data"]["time"] == "07:30"
    assert with_wrong_value({"success": True}, Random(1)) == {"success": True}


def test_wrong_data_changes_what_the_planner_reads(suite, store):
    done = run(suite, store, wrong_data=1.0)
    mail = next(result for result in done.results if result.task_id == "t/mail")
    assert not mail.verdict.success
    assert run(suite, store).results[1].verdict.success


def test_an_event_happens_and_is_nobodys_collateral(suite, store):
    phone, inner = stressed(seed="e", events=True)
    start = phone.snapshot()
    for number, action in enumerate(("enable", "disable")):
        phone.execute(light(number, action), NEVER, f"k{number}")
    assert [change.key for change in inner.diff(start).changes] in (["message_outside"], ["call_outside"])
    assert phone.diff(start).empty
    assert score(run(suite, store, events=True).results)["success"] == 1.0
