"""Timeout, resolution, refresh rate, magnifier, split screen, eye comfort by the clock."""

import pytest


def test_screen_timeout(phone):
    phone.call("manage_screen_timeout", action="set", duration="five minutes")
    assert phone.diff_since_last_call() == {"panel/phone": {"timeout_s": (60, 300)}}
    assert phone.call("manage_screen_timeout", action="query").data == {"timeout": "5 minutes"}


def test_screen_timeout_errors(phone):
    assert phone.call("manage_screen_timeout", action="set").failure.details["argument"] == "duration"
    assert "2 minutes" in phone.call("manage_screen_timeout", action="set", duration="45 seconds").failure.message
    phone.call("manage_battery", action="set", mode="power_saving")
    failure = phone.call("manage_screen_timeout", action="set", duration="10 minutes").failure
    assert (failure.status, "`manage_battery`" in failure.message) == (409, True)
    assert phone.call("manage_screen_timeout", action="set", duration="30 seconds").failure is None


def test_resolution_and_refresh_rate_limit_each_other(phone):
    phone.call("manage_refresh_rate", action="set", rate="120")
    assert phone.diff_since_last_call() == {"panel/phone": {"rate": ("60", "120")}}
    failure = phone.call("manage_screen_resolution", action="set", resolution="quad_hd").failure
    assert (failure.status, "`manage_refresh_rate`" in failure.message) == (409, True)
    phone.call("manage_refresh_rate", action="set", rate="90")
    assert phone.call("manage_screen_resolution", action="set", resolution="quad_hd").data == {"resolution": "quad_hd"}
    failure = phone.call("manage_refresh_rate", action="set", rate="120").failure
    assert "`manage_screen_resolution`" in failure.message


def test_resolution_errors(phone):
    assert phone.call("manage_screen_resolution", action="set").failure.details["argument"] == "resolution"
    phone.call(
        "control_screen_casting", action="start", castDirection="cast_out", connectionMethod="wireless",
        targetDeviceType="tv",
    )  # fmt: skip
    failure = phone.call("manage_screen_resolution", action="set", resolution="hd").failure
    assert "`control_screen_casting`" in failure.message


def test_refresh_rate_errors(phone):
    assert phone.call("manage_refresh_rate", action="set").failure.details["argument"] == "rate"
    assert phone.call("manage_refresh_rate", action="set", rate="144").failure.status == 400
    phone.call("manage_battery", action="set", mode="power_saving")
    assert "`manage_battery`" in phone.call("manage_refresh_rate", action="set", rate="adaptive").failure.message


def test_magnifier(phone):
    phone.call("manage_magnification", action="enable", zoom="three")
    assert phone.diff_since_last_call() == {"magnifier/phone": {"enabled": (False, True), "zoom": (2.0, 3.0)}}
    assert phone.call("manage_magnification", action="disable").data == {"enabled": False, "zoom": 3.0}


@pytest.mark.parametrize(("action", "zoom"), [("enable", "20"), ("enable", "1"), ("disable", "2")])
def test_magnifier_errors(phone, action, zoom):
    assert phone.call("manage_magnification", action=action, zoom=zoom).failure.details["argument"] == "zoom"


def test_split_screen(phone):
    seen = phone.call("manage_split_screen", action="start", firstApp="whatsapp", secondApp="browser")
    assert seen.data["apps"] == ["WhatsApp", "Browser"]
    assert phone.diff_since_last_call()["apps/Browser"] == {"running": (False, True)}
    assert phone.call("manage_split_screen", action="swap").data == {"apps": ["Browser", "WhatsApp"]}
    phone.call("manage_split_screen", action="stop")
    assert phone.call("manage_split_screen", action="query").data == {"active": False, "apps": []}


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("Notes", None, 400),
        ("Notes", "notes", 400),
        ("Notes", "Zoom", 409),
        ("Notes", "Candy Crush", 501),
        ("Notes", "Nowhere", 404),
    ],
)
def test_apps_that_can_not_share_the_screen(phone, first, second, status):
    seen = phone.call("manage_split_screen", action="start", firstApp=first, secondApp=second)
    assert seen.failure.status == status
    assert phone.call("manage_split_screen", action="swap").failure.status == 409


def test_eye_comfort_by_the_clock(phone):
    phone.call("manage_eye_comfort_schedule", action="set", startTime="10 pm", endTime="half past six")
    changed = {"start_time": ("", "22:00"), "end_time": ("", "06:30")}
    assert phone.diff_since_last_call() == {"eye_comfort_schedule/phone": changed}
    assert phone.call("manage_eye_comfort_schedule", action="cancel").data["scheduled"] is False


def test_eye_comfort_schedule_errors(phone):
    assert phone.call("manage_eye_comfort_schedule", action="cancel").failure.status == 409
    wrong = phone.call("manage_eye_comfort_schedule", action="set", startTime="10 pm").failure
    assert wrong.details["argument"] == "endTime"
    same = phone.call("manage_eye_comfort_schedule", action="set", startTime="10 pm", endTime="22:00").failure
    assert same.details["argument"] == "endTime"


def test_a_reset_of_the_display_brings_the_panel_back(phone):
    phone.call("manage_refresh_rate", action="set", rate="90")
    phone.call("manage_magnification", action="enable", zoom="4")
    phone.call("reset_settings", scope="display")
    assert phone.call("manage_refresh_rate", action="query").data == {"rate": "60"}
    assert phone.call("manage_magnification", action="query").data == {"enabled": False, "zoom": 2.0}
