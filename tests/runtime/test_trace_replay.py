"""`pocket trace replay`: an episode again on the sandbox, and where it differs."""

import json

import pytest

from memory.sqlite import open_database
from runtime.cli.replayed import RecordedTools
from runtime.cli.root import main
from runtime.config import load_settings
from runtime.contract import (
    Confirmation,
    Deadline,
    Decision,
    Episode,
    ErrorCode,
    Failure,
    Finish,
    Observation,
    Segment,
    Step,
    Stop,
    TaskView,
    ToolCall,
)
from runtime.harness import run_episode
from runtime.planner.scripted import ScriptedPlanner
from runtime.trace.difference import compare
from runtime.trace.schema import SCHEMA
from runtime.wiring import open_rooms

ALARM = {"name": "manage_alarm", "arguments": {"action": "create", "time": "7:30", "title": "morning"}}
DELETE = {"name": "manage_alarm", "arguments": {"action": "delete", "title": "morning"}}
JOIN = {"name": "manage_wifi", "arguments": {"action": "connect", "ssid": "CoffeeHouse", "password": "sunshine22"}}
ASK = {"ask": "Which one?"}


@pytest.fixture
def pocket(tmp_path, monkeypatch, capsys):
    """Exit code and output of a command, in a fresh home."""
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = main(list(words))
        return code, capsys.readouterr().out

    def ran(request, *script):
        path = tmp_path / "script.json"
        path.write_text(json.dumps(script))
        return json.loads(run("run", request, "--planner", f"scripted:{path}", "--json")[1])["id"]

    run.ran = ran
    run.database = tmp_path / "home" / "data" / "traces.sqlite3"
    return run


def test_an_episode_runs_again_and_is_the_same(pocket):
    pocket.ran("alarm at 7:30 called morning, delete it, join the wifi", ALARM, DELETE, JOIN, ASK)
    code, out = pocket("trace", "replay", "last", "--json")
    found = json.loads(out)
    assert (code, found["same"], found["steps"], found["differences"]) == (0, True, 4, [])
    assert found["notes"] == ["secrets are masked in the trace: the replay used the mask in their place"]


def test_a_phone_that_answers_otherwise_now_is_named_step_and_field(pocket):
    run = pocket.ran("alarm at 7:30 called morning", ALARM)
    database = open_database(pocket.database, SCHEMA)
    with database.writing() as db:
        db.execute("UPDATE steps SET record = replace(record, '07:30', '07:45')")
    database.close()
    code, out = pocket("trace", "replay", run, "--json")
    found = json.loads(out)
    assert (code, found["same"]) == (1, False)
    places = {(one["step"], one["where"]): (one["then"], one["now"]) for one in found["differences"]}
    assert places[0, "observations.0.call.arguments.time"] == ("07:45", "07:30")


def test_a_later_request_of_a_dialogue_finds_what_the_earlier_ones_did(pocket):
    planner = ScriptedPlanner([ALARM, {"finish": ""}, DELETE, {"finish": ""}])
    with open_rooms(load_settings(), planner=planner) as opened:
        runs = [run_episode(TaskView(request=f"{word} the alarm morning"), opened.rooms, Deadline.never()).id
                for word in ("set", "delete")]  # fmt: skip
    code, out = pocket("trace", "replay", runs[1], "--json")
    found = json.loads(out)
    assert (code, found["same"], found["steps"]) == (0, True, 2)


def test_another_planner_is_compared_by_what_it_decides(pocket):
    pocket.ran("turn on the torch", ALARM)
    code, out = pocket("trace", "replay", "last", "--planner", "keyword", "--json")
    found = json.loads(out)
    assert code == 1
    assert any(one["where"].startswith("actions.0") for one in found["differences"])


def test_one_that_does_not_say_where_it_began_is_wrong_use(pocket, capsys):
    run = pocket.ran("turn on the torch", ALARM)
    database = open_database(pocket.database, SCHEMA)
    with database.writing() as db:
        db.execute("UPDATE episodes SET header = json_remove(header, '$.world')")
    database.close()
    assert main(["trace", "replay", run]) == 2
    assert "does not say in which world it began" in capsys.readouterr().err


def episode(*steps, stop=Stop.FINISHED):
    return Episode(id="a", view=TaskView(request="x"), segments=(Segment(prefix="p", steps=steps),), stop=stop)


def step(index, data, name="look"):
    decision = Decision(actions=(ToolCall(id="a", name=name, arguments={}),), seconds=index)
    return Step(index=index, decision=decision, observations=(Observation(call_id="a", data=data, seconds=index),))


def test_differences_are_places_with_both_values():
    then, now = episode(step(0, {"a": [1, 2]}), step(1, {})), episode(step(0, {"a": [1, 3], "b": 1}), stop=Stop.STUCK)
    found = compare(then, now, decisions=False)
    assert [(one.step, one.where, one.then, one.now) for one in found.differences][:2] == [
        (0, "observations.0.data.a.1", 2, 3), (0, "observations.0.data.b", None, 1)]  # fmt: skip
    assert found.differences[-1].where == "stop"
    assert (found.same, found.count, found.steps) == (False, 4, 2)


def test_a_tool_of_an_mcp_server_answers_as_it_did_and_is_not_called():
    gone = Failure(code=ErrorCode.CONFLICT, message="it changed")
    refused = Failure(code=ErrorCode.REFUSED_BY_GUARD, message="no")
    call = ToolCall(id="a", name="mcp__files__read", arguments={})
    steps = [
        Step(index=number, decision=Decision(actions=(call,)), observations=(seen,))
        for number, seen in enumerate(
            [
                Observation(call_id="a", failure=refused),
                Observation(call_id="a", failure=gone),
                Observation(call_id="a", data={"text": "x"}),
            ]
        )
    ]
    tools = RecordedTools(episode(*steps), here=["manage_alarm"])
    assert [spec.name for spec in tools.tools()] == ["mcp__files__read"]
    assert tools.execute(call, Deadline.never()).failure == gone
    assert tools.execute(call, Deadline.never()).data == {"text": "x"}


def test_a_tool_of_an_mcp_server_that_wrote_is_not_confirmed_by_a_replay():
    steps = [
        Step(index=number, decision=Decision(actions=(ToolCall(id="a", name=f"mcp__files__{name}", arguments={}),)),
             observations=(Observation(call_id="a", data={"text": "x"}),))
        for number, name in enumerate(("read", "write"))
    ]  # fmt: skip
    word = Confirmation(confirmed=False, reasons=("`mcp__files__write` ran on the MCP server `files`",))
    then = episode(*steps).model_copy(update={"confirmation": word})
    effects = {spec.name: spec.effects for spec in RecordedTools(then, here=[]).tools()}
    assert effects == {"mcp__files__read": {"read"}, "mcp__files__write": {"write"}}


def test_a_tool_that_was_shown_and_not_called_is_offered_again():
    shown = Segment(prefix="p", exposed=("manage_alarm", "mcp__files__read", "mcp__files__drop"))
    tools = RecordedTools(episode().model_copy(update={"segments": (shown,)}), here=["manage_alarm"])
    assert [spec.name for spec in tools.tools()] == ["mcp__files__drop", "mcp__files__read"]


def test_what_was_masked_is_not_compared():
    then, now = episode(step(0, {"password": "[secret]"})), episode(step(0, {"password": "other"}))
    assert compare(then, now, decisions=True).same


def test_other_actions_count_where_a_planner_decided():
    then, now = episode(step(0, {})), episode(step(0, {}, name="other"))
    assert compare(then, now, decisions=False).same
    assert [one.where for one in compare(then, now, decisions=True).differences] == ["actions.0.name"]
    last = Step(index=0, decision=Decision(actions=(Finish(answer=""),)))
    assert compare(then, episode(last), decisions=True).count > 0
