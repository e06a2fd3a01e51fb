"""Screen, volume, silence, scheduled power."""

import pytest


@pytest.mark.parametrize(
    ("action", "level", "after"),
    [
        ("set", "sixty percent", 60),
        ("up", None, 60),
        ("down", "twenty", 30),
        ("up", "by 5 percent", 55),
        ("set", "100", 100),
    ],
)
def test_media_volume(phone, action, level, after):
    phone.call("adjust_volume", action=action, level=level)
    assert phone.diff_since_last_call() == {"volumes/media": {"percent": (50, after)}}


def test_volume_stays_within_its_limits(phone):
    assert phone.call("adjust_volume", action="up", level="80").data["volumes"][0]["percent"] == 100
    assert phone.call("adjust_volume", action="set", level="180 percent").failure.status == 400


def test_another_stream(phone):
    phone.call("adjust_volume", action="set", level="30", stream="alarm volume")
    assert phone.diff_since_last_call() == {"volumes/alarm": {"percent": (80, 30)}}


def test_mute_for_an_hour(phone):
    phone.call("adjust_volume", action="mute", duration="one hour")
    changed = {"muted": (False, True), "muted_until": ("", "2026-03-02T10:00")}
    assert phone.diff_since_last_call() == {"volumes/media": changed}
    phone.call("adjust_volume", action="unmute")
    assert phone.call("adjust_volume", action="query", stream="music").data["volumes"][0]["muted"] is False


def test_volume_errors(phone):
    assert phone.call("adjust_volume", action="set").failure.details["argument"] == "level"
    assert phone.call("adjust_volume", action="up", stream="toaster").failure.details["argument"] == "stream"
    assert phone.call("adjust_volume", action="up", stream="☂").failure.details["argument"] == "stream"


def test_a_silent_phone_must_ring_first(phone):
    phone.call("set_sound_mode", mode="silent")
    seen = phone.call("adjust_volume", action="up", stream="ringtone")
    assert (seen.failure.status, "`set_sound_mode`" in seen.failure.message) == (409, True)


def test_sound_mode(phone):
    phone.call("set_sound_mode", mode="vibrate")
    assert phone.diff_since_last_call() == {"sound/phone": {"mode": ("ring", "vibrate")}}
    assert phone.call("set_sound_mode", mode="loud").failure.status == 400


def test_dnd_for_two_hours(phone):
    seen = phone.call("manage_dnd", action="enable", duration="2 hours")
    assert seen.data == {"enabled": True, "until": "2026-03-02T11:00"}
    assert phone.call("manage_dnd", action="disable").data == {"enabled": False, "until": ""}


def test_dnd_ends_at_once(phone):
    seen = phone.call("manage_dnd", action="disable", duration="2 hours")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "duration")


@pytest.mark.parametrize(
    ("action", "level", "after"), [("set", "40%", 40), ("down", None, 40), ("up", "by 15 percent", 65)]
)
def test_brightness(phone, action, level, after):
    phone.call("adjust_brightness", action=action, level=level)
    assert phone.diff_since_last_call() == {"display/phone": {"brightness": (50, after)}}


def test_brightness_needs_a_level_to_be_set(phone):
    assert phone.call("adjust_brightness", action="set").failure.details["argument"] == "level"
    assert phone.call("adjust_brightness", action="query").data == {"brightness": 50}


@pytest.mark.parametrize(
    ("tool", "column", "action", "change"),
    [
        ("manage_dark_mode", "dark_mode", "enable", (False, True)),
        ("manage_auto_rotate", "auto_rotate", "disable", (True, False)),
        ("manage_eye_comfort", "eye_comfort", "enable", (False, True)),
    ],
)
def test_switches_of_the_screen(phone, tool, column, action, change):
    phone.call(tool, action=action)
    assert phone.diff_since_last_call() == {"display/phone": {column: change}}
    assert phone.call(tool, action="query").data == {"enabled": change[1]}


@pytest.mark.parametrize("tool", ["manage_dark_mode", "manage_auto_rotate", "manage_eye_comfort"])
def test_switches_know_three_actions(phone, tool):
    assert phone.call(tool, action="toggle").failure.status == 400
    assert phone.call(tool).failure.details["argument"] == "action"


def test_font_size(phone):
    phone.call("set_font_size", size="huge")
    assert phone.diff_since_last_call() == {"display/phone": {"font_size": ("medium", "huge")}}
    assert phone.call("set_font_size", size="giant").failure.status == 400


def test_scheduled_power(phone):
    phone.call("manage_scheduled_power", action="create", powerAction="power_off", time="eleven pm")
    made = {"power_action": "power_off", "time": "23:00"}
    assert phone.diff_since_last_call() == {"scheduled_power/power_off": made}
    assert phone.call("manage_scheduled_power", action="query").data == {"schedules": [made]}
    phone.call("manage_scheduled_power", action="delete", powerAction="power_off")
    assert phone.diff_since_last_call() == {"scheduled_power/power_off": None}


def test_scheduled_power_errors(phone):
    assert (
        phone.call("manage_scheduled_power", action="create", time="7am").failure.details["argument"] == "powerAction"
    )
    seen = phone.call("manage_scheduled_power", action="create", powerAction="power_on")
    assert seen.failure.details["argument"] == "time"
    assert phone.call("manage_scheduled_power", action="delete", powerAction="power_on").failure.status == 404
