"""Every kind of tool on a software phone through the real adb: what it says, what the phone's own tables say."""

import pytest

from device.android.tools import offers
from runtime.contract import Deadline, ErrorCode, ToolCall

SWITCHES = [
    ("manage_bluetooth", "radios", "bluetooth"),
    ("manage_nfc", "radios", "nfc"),
    ("manage_mobile_data", "radios", "mobile_data"),
    ("manage_roaming", "roaming", "enabled"),
    ("manage_location_services", "location_services", "enabled"),
    ("manage_dark_mode", "display", "dark_mode"),
    ("manage_auto_rotate", "display", "auto_rotate"),
    ("manage_eye_comfort", "display", "eye_comfort"),
    ("manage_dnd", "sound", "dnd"),
    ("manage_aod", "always_on_display", "enabled"),
    ("manage_one_handed_mode", "navigation", "one_handed"),
]
VALUES = [
    ("adjust_brightness", {"action": "set", "level": "30%"}, "display", {"brightness": 30}),
    ("set_font_size", {"size": "huge"}, "display", {"font_size": "huge"}),
    ("manage_screen_timeout", {"action": "set", "duration": "2 minutes"}, "panel", {"timeout_s": 120}),
    ("manage_refresh_rate", {"action": "set", "rate": "120"}, "panel", {"rate": "120"}),
    ("manage_magnification", {"action": "enable", "zoom": "3"}, "magnifier", {"enabled": True}),
    ("set_private_dns", {"mode": "custom", "host": "dns.example.com"}, "private_dns", {"host": "dns.example.com"}),
    ("set_sound_mode", {"mode": "vibrate"}, "sound", {"mode": "vibrate"}),
    ("set_ringtone", {"ringtone": "Marimba"}, "tone_settings", {"ringtone": "Marimba"}),
    ("manage_battery", {"action": "set", "mode": "power_saving"}, "battery", {"mode": "power_saving"}),
    ("manage_date_time", {"action": "set", "hourFormat": "24h"}, "clock_settings", {"hour_format": "24h"}),
    ("manage_color_correction", {"action": "enable", "mode": "grayscale"}, "color_correction", {"mode": "grayscale"}),
    ("set_navigation_mode", {"mode": "gestures"}, "navigation", {"mode": "gestures"}),
    (
        "manage_status_bar_display",
        {"action": "show", "item": "battery_percent"},
        "status_bar",
        {"battery_percent": True},
    ),
    ("set_device_name", {"name": "Bob's $(reboot); `x`\nü😀"}, "device", {"name": "Bob's $(reboot); `x`\nü😀"}),
]


def test_at_least_seventy_tools_and_each_is_the_sandboxs_own(phone):
    assert len(phone.tools()) >= 70
    assert {offer.proof for offer in offers().values()} == {"software phone", "calculation"}
    assert all(offer.spec is offer.tool.spec for offer in offers().values())


@pytest.mark.parametrize(("tool", "table", "column"), SWITCHES)
def test_a_switch_changes_the_phone_and_says_what_it_read(phone, rows, tool, table, column):
    was = getattr(rows(table)[0], column)
    seen = phone.call(tool, action="disable" if was else "enable")
    assert (seen.failure, seen.data, seen.call.landed) == (None, {"enabled": not was}, "yes")
    assert getattr(rows(table)[0], column) is not was
    (change,) = [one for one in seen.diff.changes if one.table == table]
    assert (change.before[column], change.after[column]) == (was, not was)
    assert seen.evidence.facts["matches"] is True
    back = phone.call(tool, action="enable" if was else "disable")
    assert (back.failure, getattr(rows(table)[0], column)) == (None, was)


@pytest.mark.parametrize(("tool", "arguments", "table", "columns"), VALUES)
def test_a_value_reaches_the_phone_as_it_was_said(phone, rows, tool, arguments, table, columns):
    seen = phone.call(tool, **arguments)
    assert seen.failure is None
    (row,) = rows(table)
    assert {name: getattr(row, name) for name in columns} == columns
    assert seen.evidence.facts["differs"] == []


def test_airplane_mode_takes_the_radios_along_and_back(phone):
    seen = phone.call("manage_airplane_mode", action="enable")
    (change,) = seen.diff.changes
    assert (change.after["airplane_mode"], change.after["wifi"], change.after["mobile_data"]) == (True, False, False)
    refused = phone.call("manage_mobile_data", action="enable")
    assert (refused.failure.code, refused.call.landed) == (ErrorCode.CONFLICT, "no")
    assert phone.call("manage_airplane_mode", action="disable").ok


def test_contacts_messages_and_events_keep_any_text(phone, rows, approver):
    hostile = "Zoë, data1=x\nRow: 3 _id=9, data1=y"
    made = phone.call("add_contact", name=hostile, phoneNumber="+1 555 0199")
    assert made.data["contact"]["name"] == hostile
    assert hostile in {row.name for row in rows("contacts")}
    sent = phone.call("send_message", phoneNumber="+15550199", content="it's $5; `ok` ü😀")
    assert (sent.failure, [one.table for one in sent.diff.changes]) == (None, ["messages"])
    assert [row.content for row in rows("messages")].count("it's $5; `ok` ü😀") == 1
    event = phone.call("manage_schedule", action="create", event="Tea, title=x", date="tomorrow", time="3pm")
    assert event.data["event"]["event"] == "Tea, title=x"
    gone = phone.call("delete_contact", name=hostile)
    assert (gone.failure, hostile in {row.name for row in rows("contacts")}) == (None, False)
    assert [sorted(one.effects) for one in approver.asked] == [["send"], ["delete"]]
    assert approver.asked[1].facts.startswith("`delete_contact` on the phone `127.0.0.1:")


def test_what_is_not_agreed_to_never_reaches_the_phone(phone, rows, approver):
    approver.answer = False
    seen = phone.call("delete_contact", name="Samir Haddad")
    assert (seen.failure.code, seen.call.landed) == (ErrorCode.REFUSED_BY_GUARD, "no")
    phone.approver = None
    assert phone.call("make_call", phoneNumber="+15550199").failure.code is ErrorCode.REFUSED_BY_GUARD
    assert "Samir Haddad" in {row.name for row in rows("contacts")}


def test_apps_open_close_and_change_what_they_may(phone):
    opened = phone.call("open_app", appName="WhatsApp")
    assert (opened.failure, opened.data["view"]) == (None, "com.whatsapp/.HomeActivity")
    assert phone.call("close_app", appName="WhatsApp").diff.changes[0].after == {"name": "WhatsApp", "running": False}
    revoked = phone.call("manage_app_permission", action="revoke", appName="Uber", permission="location")
    assert revoked.data["permissions"] == ["notifications"]
    assert phone.call("uninstall_app", appName="Clock").failure.code is ErrorCode.CONFLICT
    assert phone.call("open_app", appName="No Such App").failure.code is ErrorCode.NOT_FOUND


def test_files_are_renamed_copied_and_deleted_by_any_name(phone, rows):
    seen = phone.call("manage_file", action="rename", fileName="Budget_2026", newName="it's $x; y")
    assert seen.data["file"]["name"] == "it's $x; y.xlsx"
    assert "it's $x; y.xlsx" in {row.name for row in rows("files")}
    assert phone.call("delete_file", fileName="it's $x; y").ok
    assert "it's $x; y.xlsx" not in {row.name for row in rows("files")}
    escape = phone.call("manage_file", action="rename", fileName="Lease_Contract", newName="../../x")
    assert escape.failure.code is ErrorCode.BAD_ARGUMENT


def test_an_alarm_rings_when_it_should(phone, rows):
    seen = phone.call("manage_alarm", action="create", time="6:45", title="it's early", repeat="every weekday")
    assert (seen.failure, seen.data["alarm"]["time"]) == (None, "06:45")
    assert ("06:45", "it's early") in {(row.time, row.title) for row in rows("alarms")}
    again = phone.call("manage_alarm", action="create", time="6:45", repeat="every weekday")
    assert again.failure.code is ErrorCode.CONFLICT
    assert phone.call("manage_alarm", action="delete", time="6:45").failure.code is ErrorCode.UNSUPPORTED


def test_a_screenshot_is_a_file_of_the_screens_size(phone):
    seen = phone.call("take_screenshot")
    assert (seen.failure, seen.data["width"], seen.data["height"]) == (None, 1080, 2400)
    (change,) = seen.diff.changes
    assert change.after["folder"] == "Pictures/Screenshots"


def test_what_a_phone_can_not_do_is_unsupported_and_says_so(phone):
    for tool, arguments in (
        ("get_weather", {}),
        ("manage_usb_debug", {"action": "disable"}),
        ("manage_bluetooth", {"action": "connect", "device": "Buds"}),
        ("adjust_volume", {"action": "mute", "stream": "alarm"}),
    ):
        seen = phone.call(tool, **arguments)
        assert (seen.ok, seen.failure.code) == (False, ErrorCode.UNSUPPORTED), tool
    assert phone.call("nonsense").failure.code is ErrorCode.UNKNOWN_TOOL
    assert phone.call("manage_wifi", action="fly").failure.code is ErrorCode.BAD_ARGUMENT


def test_an_older_android_lacks_newer_tools(phone):
    phone.release = 10
    names = {spec.name for spec in phone.tools()}
    assert {"manage_wifi", "set_sound_mode"}.isdisjoint(names)
    assert phone.call("manage_wifi", action="query").failure.details["since"] == 11


def test_a_key_is_applied_once(phone, served):
    call = ToolCall(id="a", name="manage_roaming", arguments={"action": "enable"})
    first = phone.execute(call, Deadline(60), "k1")
    ran = len(served[0].phone.commands)
    again = phone.execute(call.model_copy(update={"id": "b"}), Deadline(60), "k1")
    assert (again.call_id, again.model_copy(update={"call_id": "a"})) == ("b", first)
    assert len(served[0].phone.commands) == ran


def test_a_snapshot_is_compared_and_put_back(phone, rows):
    before = phone.snapshot()
    phone.call("adjust_brightness", action="set", level="77%")
    phone.call("manage_dark_mode", action="disable" if rows("display")[0].dark_mode else "enable")
    (change,) = phone.diff(before).changes
    assert (change.table, change.after["brightness"]) == ("display", 77)
    phone.restore(before)
    assert phone.diff(before).empty


def test_a_contacts_field_is_answered_as_the_sandbox_does(phone):
    phone.call("add_contact", name="Ines Roth", phoneNumber="+1 555 0177")
    assert phone.call("query_contact", person="Ines Roth", field="phone number").data == {
        "name": "Ines Roth",
        "field": "phone",
        "value": "+15550177",
    }
    assert phone.call("query_contact", person="Ines Roth", field="email").failure.code is ErrorCode.NOT_FOUND
    assert phone.call("query_contact", person="Ines Roth", field="birthday").failure.code is ErrorCode.NOT_FOUND
    seen = phone.call("query_contact").data
    assert "Ines Roth" in seen["contacts"]
    assert seen["total"] == len(seen["contacts"])


def test_a_host_that_is_none_and_a_profile_of_two_lines_never_reach_the_phone(phone, served):
    handset = served[0].phone
    for tool, arguments in (
        ("set_private_dns", {"mode": "custom", "host": "dns.example.com; reboot"}),
        ("manage_user_profile", {"action": "create", "profileName": "Guest\nUserInfo{7:x:13}"}),
        ("manage_user_profile", {"action": "create", "profileName": "--restricted"}),
    ):
        handset.commands.clear()
        seen = phone.call(tool, **arguments)
        assert (seen.failure.code, seen.call.landed) == (ErrorCode.BAD_ARGUMENT, "no")
        assert {words[0] for words in handset.commands} <= {"settings", "date", "pm", "am", "getprop"}
        assert not [words for words in handset.commands if "put" in words or "create-user" in words]
