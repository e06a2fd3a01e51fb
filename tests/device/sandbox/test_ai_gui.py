"""The agent on the screens of apps: complete handoffs, work with evidence, sessions that are done once."""

import pytest

from runtime.contract import WorldSpec


def start(phone, app, instruction):
    return phone.call("control_gui_agent", action="start", appName=app, instruction=instruction)


def run(phone, session="gui_agent_001"):
    return phone.call("control_gui_agent", action="execute", sessionId=session)


def test_a_setting_is_toggled_in_two_steps(phone):
    seen = start(phone, "whatsapp", "turn off the read receipts please")
    assert seen.data == {
        "sessionId": "gui_agent_001", "appName": "WhatsApp", "plan": "set `read receipts` to off",
        "status": "active", "executionStatus": "pending",
    }  # fmt: skip
    assert list(phone.diff_since_last_call()) == ["gui_sessions/gui_agent_001"]
    done = run(phone)
    assert phone.diff_since_last_call()["app_settings/whatsapp/read receipts"] == {"value": ("on", "off")}
    assert (done.data["status"], done.data["deliverable"]) == ("completed", "read receipts: on -> off")
    assert [step["action"] for step in done.data["steps"]] == ["launch_app", "operate_ui"]


@pytest.mark.parametrize(
    ("app", "instruction", "plan"),
    [
        ("WhatsApp", "let only contacts see when I was last seen", "set `last seen` to contacts"),
        ("WhatsApp", "messages should be disappearing after 7 days", "set `disappearing messages` to 7 days"),
        ("Instagram", "make my account private", "set `private account` to on"),
        ("YouTube", "don't use autoplay on this phone", "set `autoplay` to off"),
        ("Netflix", "set data usage to save data", "set `data usage` to save data"),
        ("Gmail", "change the signature to Best, Anna", "set `signature` to Best, Anna"),
        ("the spotify app", "streaming quality high, explicit content off",
         "set `streaming quality` to high, set `explicit content` to off"),
        ("Amazon", "fill in the return request: item desk lamp, reason too dim",
         "send `return request`: desk lamp, too dim"),
        ("Uber", "lost property report, the trip was to the airport and the object is a red umbrella",
         "send `lost property report`: a red umbrella, the airport"),
        ("Netflix", "read me my watch list", "collect `watch list`"),
    ],
)  # fmt: skip
def test_what_an_instruction_means(phone, app, instruction, plan):
    assert start(phone, app, instruction).data["plan"] == plan


def test_a_form_is_sent_and_a_page_collected(phone):
    start(phone, "PayPal", "send an invoice, customer: Chloe Martin, amount: 25 dollars")
    run(phone)
    entry = {"id": "form_entry_001", "app": "PayPal", "form": "invoice", "values": ["Chloe Martin", "25 dollars"]}
    assert phone.diff_since_last_call()["form_entries/form_entry_001"] == entry
    start(phone, "Uber", "collect my past trips")
    assert run(phone, "gui_agent_002").data["deliverable"] == (
        "past trips: Airport, 31.40; City hall, 9.80; Riverside Gym, 7.20"
    )


def test_of_two_settings_one_may_fail(phone):
    start(phone, "Instagram", "turn activity status off and follower approval on")
    done = run(phone)
    assert done.data["status"] == "partial"
    assert "follower approval can't change while private account is off" in done.data["deliverable"]
    start(phone, "Instagram", "follower approval on")
    assert run(phone, "gui_agent_002").failure.status == 409


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        ({"action": "start"}, ["appName", "instruction"]),
        ({"action": "start", "appName": "Amazon"}, ["instruction"]),
        ({"action": "start", "appName": "Amazon", "instruction": "send a return request, item: lamp"}, ["reason"]),
        ({"action": "start", "appName": "WhatsApp", "instruction": "change last seen"}, ["last seen"]),
    ],
)
def test_a_handoff_must_be_complete(phone, arguments, missing):
    seen = phone.call("control_gui_agent", **arguments)
    assert (seen.failure.status, seen.failure.details["missing"]) == (400, missing)


def test_an_app_without_screens_names_those_that_have_some(phone):
    seen = start(phone, "Candy Crush", "win the level")
    assert (seen.failure.status, seen.failure.details["valid"][:3]) == (404, ["Amazon", "Facebook", "Gmail"])
    assert start(phone, "Gmail", "dance").failure.details["valid"] == [
        "vacation responder", "vacation text", "signature", "mail filter",
    ]  # fmt: skip


def test_sessions_are_found_and_done_once(phone):
    assert run(phone, "gui_agent_009").failure.status == 404
    assert phone.call("control_gui_agent", action="execute").failure.status == 400
    start(phone, "Netflix", "read the watch list")
    assert start(phone, "Netflix", "what is on the watch list").failure.status == 409
    run(phone)
    assert run(phone).failure.status == 409
    sessions = phone.call("control_gui_agent", action="query").data["sessions"]
    assert [(row["sessionId"], row["status"]) for row in sessions] == [("gui_agent_001", "completed")]


def test_the_app_must_be_ready(phone):
    start(phone, "Netflix", "read the watch list")
    phone.call("manage_app_lock", action="enable", appName="Netflix")
    assert "`manage_app_lock`" in run(phone).failure.message
    phone.call("manage_app_lock", action="disable", appName="Netflix")
    phone.call("uninstall_app", appName="Netflix")
    assert "`install_app`" in run(phone).failure.message
    start(phone, "PayPal", "invoice, customer Tom, amount 5")
    phone.call("manage_airplane_mode", action="enable")
    assert run(phone, "gui_agent_002").failure.status == 409


def test_screens_need_the_permission(phone):
    phone.reset(WorldSpec(denied=frozenset({"screen_control"})))
    assert start(phone, "Netflix", "read the watch list").failure.status == 403
