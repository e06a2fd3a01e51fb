"""Recordings in the form of the public ones, written here: every kind of call and result that is known of them."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from device.sandbox.registry import catalogue
from evalkit.bench.calls import load_samples
from evalkit.cases.recorded.differ import alike, differences
from evalkit.cases.recorded.form import RecordedCall, read_cases
from evalkit.cases.recorded.mapping import load_map
from evalkit.cases.recorded.scenario import scenario_of
from evalkit.cases.recorded.score import run_recorded
from evalkit.cli import app
from evalkit.whole import MEMORY_TOOLS
from runtime.contract import UserError


def call(name, arguments, response, step=0, error=False, **more):
    return {"id": f"call_{step}", "name": name, "arguments": arguments, "response": response, "error": error,
            "step": step, "parallel_group": False, **more}  # fmt: skip


def earlier(name, arguments, response, error=False):
    return {"role": "assistant_tool_call", **call(name, arguments, response, error=error)}


def screen(name, **more):
    return {"success": True, "message": "ok", "data": {"target_device": {"device_id": "d", "device_name": name,
            "device_type": "tv"}, "castDirection": "cast_out", **more}}  # fmt: skip


LOUNGE = screen("Lounge TV", status="casting", connectionMethod="wireless")
ATTIC = screen("Attic TV", status="casting", connectionMethod="wireless")
BUSY = {"success": False, "error": "a cast is running", "code": 409}
TO_ATTIC = {"action": "start", "castDirection": "cast_out", "connectionMethod": "wireless", "targetDeviceType": "tv",
            "targetDeviceName": "Attic TV"}  # fmt: skip
CAST = {
    "id": "cast",
    "request": "now up to the attic screen",
    "history": [
        {"role": "user", "content": "put my screen on the telly in the lounge"},
        earlier("control_screen_casting", {"action": "start", "targetDeviceType": "tv"}, LOUNGE),
        {"role": "assistant", "content": "It is on."},
        earlier("control_screen_casting", TO_ATTIC, BUSY, error=True),
        earlier("manage_hotspot", {"action": "enable"}, {"success": True, "action": "enable", "hotspot_status": {
            "enabled": True, "ssid": "Old Barn", "password": "abcd1234"}}),
        earlier("configure_hotspot", {"settingItem": "hotspot_name", "settingValue": "New Barn"}, {"status": "success",
            "settingItem": "hotspot_name", "old_value": "Old Barn", "new_value": "New Barn", "code": 200}),
    ],
    "tool_calls": [
        call("control_screen_casting", {"action": "stop"}, {"success": True, "data": {"status": "idle",
             "previous_device": {"device_name": "Lounge TV"}, "previous_direction": "cast_out"}}),
        call("control_screen_casting", TO_ATTIC, ATTIC, step=1),
    ],
    "final_answer": "It is on the attic screen.",
}  # fmt: skip


def session(name, app_name, **more):
    return {"success": True, "data": {"sessionId": name, "appName": app_name, **more}}


HANDOFF = {
    "id": "handoff",
    "request": "fetch the recipes from the chat and file them",
    "tool_calls": [
        call("control_gui_agent", {"action": "start", "appName": "Chatter", "instruction": "Save both recipes; " * 30},
             session("gui_agent_0a1b2c3d", "Chatter", status="active", execution_status="pending")),
        call("control_gui_agent", {"action": "execute", "sessionId": "gui_agent_0a1b2c3d"},
             session("gui_agent_0a1b2c3d", "Chatter", status="completed", execution_status="completed"), step=1),
        call("control_gui_agent", {"action": "start", "appName": "Filer", "instruction": "Soup.pdf into Starters"},
             session("gui_agent_4e5f6a7b", "Filer", status="active", execution_status="pending"), step=2),
        call("control_gui_agent", {"action": "execute", "sessionId": "gui_agent_4e5f6a7b"},
             session("gui_agent_4e5f6a7b", "Filer", status="completed", execution_status="completed"), step=3),
    ],
}  # fmt: skip
AIDS = {
    "id": "aids",
    "request": "reading aids as I like them",
    "tool_calls": [
        call("search_user_memory", {"query": "reading aids", "searchMode": "relevance", "maxResults": 10},
             {"success": True, "data": {"items": [{"memory_id": "m1", "category": "unheard_of", "title": None,
              "content": "Reads with Select to Speak and without TalkBack."}], "total": 1}}),
        call("manage_talkback", {"action": "query"}, {"success": True, "data": {"enabled": True, "settings": {}}}, 1),
        call("manage_select_to_speak", {"action": "query"}, {"success": True, "data": {"enabled": False}}, 1),
        call("manage_select_to_speak", {"action": "enable"}, {"success": True, "data": {"enabled": True}}, 2),
        call("manage_talkback", {"action": "disable"}, {"success": True, "data": {"enabled": False}}, 2),
    ],
}  # fmt: skip
SUM = {"success": True, "data": {"expression": "82 * 2.2", "result": 180.4, "precision": 1}}
UNITS = {
    "id": "units",
    "request": "my weight in pounds to Otto",
    "history": [earlier("add_contact", {"name": "Otto", "phoneNumber": "170-5555-0199"}, {"success": True, "data": {
        "id": "contact_001", "name": "Otto", "phone": "170-5555-0199"}})],
    "tool_calls": [
        call("query_health_data", {"dataType": "weight", "date": "today"}, {"success": True, "data": {"items": [
             {"value": 82, "unit": "kilograms", "timestamp": "2025-03-04T06:50:00"}], "total": 1}}),
        call("convert_unit", {"category": "weight", "fromUnit": "kg", "toUnit": "lbs", "value": 82},
             {"success": False, "error": "no such unit", "code": 400}, 1, error=True),
        call("calculate_expression", {"expression": "82 * 2.2", "precision": 1}, SUM, 2),
        call("send_message", {"content": "180.4 pounds", "phoneNumber": "170-5555-0199"}, {"success": True, "data": {
             "id": "msg_1", "phone": "170-5555-0199", "name": "", "messageType": "text"}}, 3),
    ],
}  # fmt: skip
SKILLS = {
    "id": "skills",
    "request": "note it and switch off",
    "tool_calls": [
        call("skill__conflict_order_arbiter", {"reason": "order"}, {"status": "loaded", "skill": "x"}),
        call("skill__power_performance_battery", {"reason": "power"}, {"status": "loaded", "skill": "y"}),
        call("manage_note", {"action": "create", "content": "feed the cat"}, {"success": True, "data": {
             "noteId": "0f0f0f0f", "content": "feed the cat", "created_at": "2026-06-21T20:15:02.418000"}}, 1),
        call("control_device_power", {"action": "power_off"}, {"success": True, "action": "shutdown",
             "device_status": "off"}, 2),
    ],
}  # fmt: skip
EXAMPLE = {"id": "state", "request": "plan it", "tool_calls": [
    {"name": "(skill) travel-weather-navigation", "arguments": None, "response_text": "loaded"},
    {"name": "manage_schedule", "arguments": {"action": "create", "event": "Trip", "datetime": "Friday 19:05"},
     "response_text": "one more event"},
    {"name": "qa_task", "arguments": {"query": "what is the capital of Peru"}, "response_text": "Lima"},
]}  # fmt: skip
ALL = (CAST, HANDOFF, AIDS, UNITS, SKILLS, EXAMPLE)


@pytest.fixture
def play(stage, tmp_path):
    def lines(case):
        path = tmp_path / "cases.json"
        path.write_text(json.dumps({"cases": [case]}))
        scenario = scenario_of(path, "cases.0", read_cases(path).cases[0], stage.specs, load_map())
        stage.phone.expect(scenario.refusals)
        played = stage.play(scenario.task, scenario.script, scenario.before)
        stood_in = list(stage.phone.stood_in)
        return list(differences(scenario, played, stage.phone.sandbox)), stood_in, played

    return lines


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["id"])
def test_recorded_calls_reach_the_recorded_states(case, play):
    assert play(case)[0] == []


def test_a_refusal_that_only_the_recording_knows_is_named(play):
    differs, stood_in, played = play(UNITS)
    assert (differs, stood_in) == ([], ["convert_unit"])
    refused = played.episode.steps[1].observations[0]
    assert (refused.failure.status, refused.failure.message) == (400, "no such unit")


def test_a_refusal_of_the_sandbox_is_its_own(play):
    _, stood_in, played = play(CAST)
    assert stood_in == []
    assert [one.ok for one in played.before] == [True, False, True, True]


def test_a_refusal_with_another_status_is_a_note(stage, tmp_path):
    """The screens of an app that nobody knows: recorded as 400, here 404; the state is the same."""
    lost = call("control_gui_agent", {"action": "start", "appName": "Nowhere", "instruction": "look"},
                {"error": "no such app", "code": 400}, error=None)  # fmt: skip
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": [{"request": "look", "tool_calls": [lost]}]}))
    (line,) = run_recorded(path)["cases"]
    assert (line["passed"], line["stood_in"]) == (True, [])
    assert [note[:78] for note in line["notes"]] == [
        "call 1 `control_gui_agent`: recorded as failed with 400, here with 404: the sc"
    ]


@pytest.mark.parametrize(
    ("more", "failed"),
    [
        ({"error": False, "response": {"success": False}}, True),
        ({"error": None, "response": {"status": "success"}}, False),
        ({"error": "it broke", "response": None}, True),
        ({"error": None, "response": "in words"}, False),
        ({"error": None, "response": {"success": True, "error": None}}, False),
    ],
)
def test_what_counts_as_failed(more, failed):
    assert RecordedCall(name="x", **more).failed is failed


def test_the_device_that_the_recording_resolved_is_meant(play):
    """Said in other words than the device is called, where another device is called so exactly."""
    smart = screen("Living Room Smart TV", status="casting", connectionMethod="wireless")
    said = {"action": "start", "targetDeviceType": "tv", "targetDeviceName": "living room tv"}
    case = {"request": "cast", "tool_calls": [call("control_screen_casting", said, smart)]}
    differs, _, played = play(case)
    assert differs == []
    assert played.diff.changes[0].after["target"] == "Living Room Smart TV"


def test_a_person_is_laid_into_the_world_once(play):
    sent = {"success": True, "data": {"id": "msg_1", "phone": "5550100"}}
    calls = [call("send_message", {"content": text, "contact": "Ottilie"}, sent, step)
             for step, text in enumerate(("on my way", "nearly there"))]  # fmt: skip
    differs, _, played = play({"request": "tell her", "tool_calls": calls})
    assert differs == []
    assert [change.after["who"] for change in played.diff.changes] == ["Ottilie", "Ottilie"]


def test_ids_are_followed_from_result_to_argument(play):
    sessions = [step.decision.actions[0].arguments.get("sessionId") for step in play(HANDOFF)[2].episode.steps[:-1]]
    assert sessions == [None, "gui_agent_001", None, "gui_agent_002"]


def changed(case, place, **fields):
    calls = [dict(one) for one in case["tool_calls"]]
    calls[place] |= fields
    return {**case, "tool_calls": calls}


@pytest.mark.parametrize(
    ("case", "line"),
    [
        (
            changed(CAST, 1, response={"data": {**ATTIC["data"], "connectionMethod": "AirView"}}),
            "`data.connectionMethod` is 'AirView', here 'wireless'",
        ),
        (changed(AIDS, 3, response={"data": {"enabled": False}}), "`data.enabled` is False, here True"),
        (changed(UNITS, 2, response={"data": {"result": 181.0}}), "`data.result` is 181.0, here 180.4"),
        (changed(UNITS, 3, arguments={"content": "hello", "phoneNumber": "12"}), "recorded as done, here 400"),
        (changed(CAST, 0, error=True, response=BUSY), "call 2 `control_screen_casting`: recorded as done, here 409"),
        (changed(AIDS, 0, arguments={"query": "x", "memoryCategory": "important_event"}), "no search found `m1`"),
    ],
)
def test_what_differs_is_said(case, line, play):
    assert line in "\n".join(play(case)[0])


def test_a_change_that_nobody_recorded_is_said(stage, tmp_path):
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": [SKILLS]}))
    scenario = scenario_of(path, "cases.0", read_cases(path).cases[0], stage.specs, load_map())
    played = stage.play(scenario.task, scenario.script)
    other = [
        replace(one, map=one.map.model_copy(update={"state": (), "beside": ("alarms",)})) for one in scenario.calls
    ]
    differs = differences(replace(scenario, calls=tuple(other)), played, stage.phone.sandbox)
    assert list(differs) == ["`notes` changed too", "`power` changed too"]


def test_every_tool_of_the_sandbox_is_known_by_its_own_name(stage, tmp_path):
    samples = {one.call.name: one.said.arguments for one in load_samples().values()}
    calls = [call(name, said, {"success": True}, step=number) for number, (name, said) in enumerate(samples.items())]
    assert len(calls) > 200
    path = tmp_path / "all.json"
    path.write_text(json.dumps({"cases": [{"request": "everything", "tool_calls": calls}]}))
    scenario = scenario_of(path, "cases.0", read_cases(path).cases[0], stage.specs, load_map())
    assert [step["calls"][0]["name"] for step in scenario.script[:-1]] == list(samples)


def test_the_map_names_tables_columns_and_tools_of_the_sandbox():
    kinds, tools = catalogue().kinds, {*catalogue().tools, *MEMORY_TOOLS}
    for recorded, entry in load_map().tools.items():
        assert recorded == "skill__" or (entry.tool or recorded) in tools
        for rows in (*entry.had, *entry.state):
            if rows.table != "memories":
                assert {*rows.columns, *rows.find} <= set(kinds[rows.table].columns), (recorded, rows.table)
        assert set(entry.beside) <= {*kinds, "memories"}


# Bad input

CALLS = r"field `cases\.0\.tool_calls\."


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ({}, r"field `cases`: it is missing"),
        ({"cases": []}, r"field `cases`"),
        ({"cases": [{"id": "a", "tool_calls": []}]}, r"field `cases\.0\.request`: it is missing"),
        ({"cases": [{"request": "x", "tool_calls": [{"arguments": {}}]}]}, CALLS + r"0\.name`"),
        ({"cases": [changed(SKILLS, 0, arguments="x")]}, CALLS + r"0\.arguments`: it is `x`"),
        ({"cases": [changed(SKILLS, 0, name="open_window")]}, CALLS + r"0\.name`: neither the map"),
        ({"cases": [changed(SKILLS, 2, arguments={"action": "create", "colour": "red"})]},
         CALLS + r"2\.arguments\.colour`: `manage_note` of the sandbox takes no such argument"),
        ({"cases": [changed(SKILLS, 3, arguments={"action": "explode"})]},
         CALLS + r"3\.arguments\.action`: it is `explode`; the sandbox knows `power_off`"),
        ({"cases": [{**SKILLS, "history": [{"role": "robot", "content": "x"}]}]}, r"field `cases\.0\.history\.0"),
        ({"cases": [{**SKILLS, "history": [earlier("open_window", {}, {})]}]}, r"field `cases\.0\.history\.0\.name`"),
        ({"cases": [SKILLS], "replay_examples": [changed(SKILLS, 0, name="nobody")]},
         r"field `replay_examples\.0\.tool_calls\.0\.name`"),
    ],
)  # fmt: skip
def test_an_unknown_form_names_file_and_field(data, said, stage, tmp_path):
    path = tmp_path / "odd.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    with pytest.raises(UserError, match=said) as raised:
        found = read_cases(path)
        for field, cases in (("cases", found.cases), ("replay_examples", found.replay_examples)):
            for place, case in enumerate(cases):
                scenario_of(path, f"{field}.{place}", case, stage.specs, load_map())
    assert "odd.json" in str(raised.value)


def test_a_file_that_is_none_or_too_large_is_said(tmp_path, monkeypatch):
    with pytest.raises(UserError, match="can't be read"):
        read_cases(tmp_path / "nothing.json")
    with pytest.raises(UserError, match="can't be read"):
        read_cases(tmp_path)
    monkeypatch.setattr("evalkit.cases.recorded.form.LARGEST", 3)
    (tmp_path / "large.json").write_text('{"cases": []}')
    with pytest.raises(UserError, match="has 13 bytes; the limit is 3"):
        read_cases(tmp_path / "large.json")


@pytest.mark.parametrize(
    ("recorded", "ours", "same"),
    [("138-1111-2222", "13811112222", True), ("138", "1-38", False), (70, 70.0, True), ("Trip", "trip", True),
     ("A1234567", "1234567", False), (True, 1, False)],
)  # fmt: skip
def test_when_two_values_say_the_same(recorded, ours, same):
    assert alike(recorded, ours) is same


def test_the_command_prints_figures_and_exits_1_where_a_case_differs(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
    path = tmp_path / "cases.json"
    wrong = changed(AIDS, 3, response={"data": {"enabled": False}})
    path.write_text(json.dumps({"cases": [UNITS, wrong], "replay_examples": [EXAMPLE]}))
    done = CliRunner().invoke(app, ["cases", str(path), "--json"], catch_exceptions=False)
    report = json.loads(done.stdout)
    assert done.exit_code == 1
    assert (report["file"], report["n"], report["passed"], report["stood_in"]) == ("cases.json", 2, 1, 1)
    assert (report["examples_n"], report["examples_passed"]) == (1, 1)
    assert report["cases"][1]["differs"] == ["call 4 `manage_select_to_speak`: `data.enabled` is False, here True"]
    shown = CliRunner().invoke(app, ["cases", str(path)], catch_exceptions=False).stdout
    assert "1 of 2 passed" in shown
    assert "`convert_unit` was made to fail as recorded" in shown
