"""Bedtime, focus sessions, the world clock."""

import pytest

from runtime.contract import WorldSpec


def test_saving_the_hours_does_not_switch_the_schedule_on(phone):
    assert phone.call("manage_bedtime", action="set", bedtime="11 pm", wakeTime="7 am").data["message"] == "saved"
    assert phone.diff_since_last_call() == {
        "bedtime/phone": {"bedtime": ("22:30", "23:00"), "wake_time": ("06:30", "07:00")}
    }
    assert phone.call("manage_bedtime", action="query").data["enabled"] is False
    phone.call("manage_bedtime", action="enable")
    assert phone.diff_since_last_call() == {"bedtime/phone": {"enabled": (False, True)}}


def test_an_alarm_in_the_night_is_named(phone):
    phone.call("manage_alarm", action="create", time="3 am")
    assert phone.call("manage_bedtime", action="query").data["alarmsWithin"] == ["03:00"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "set"},
        {"action": "set", "bedtime": "6 am"},
        {"action": "enable", "wakeTime": "23:00"},
        {"action": "disable", "bedtime": "22:00"},
    ],
)
def test_a_night_must_be_possible(phone, arguments):
    assert phone.call("manage_bedtime", **arguments).failure.status == 400


def test_a_focus_session_silences_and_lets_go(phone):
    phone.call("manage_focus_session", action="start", duration="45 minutes", label="thesis")
    assert phone.diff_since_last_call() == {
        "focus_sessions/focus_001": {
            "id": "focus_001", "label": "thesis", "seconds": 2700, "state": "running",
            "ends_at": "2026-03-02T09:45:00", "remaining": 0, "silenced": True,
        },
        "sound/phone": {"dnd": (False, True), "dnd_until": ("", "2026-03-02T09:45")},
    }  # fmt: skip
    phone.call("manage_focus_session", action="stop")
    assert phone.diff_since_last_call()["sound/phone"] == {"dnd": (True, False), "dnd_until": ("2026-03-02T09:45", "")}


def test_do_not_disturb_of_somebody_else_stays(phone):
    phone.call("manage_dnd", action="enable")
    phone.call("manage_focus_session", action="start")
    phone.call("manage_focus_session", action="stop")
    assert phone.call("manage_dnd", action="query").data["enabled"] is True


def test_a_focus_session_pauses_and_ends(phone):
    phone.call("manage_focus_session", action="start")
    phone.advance(600)
    assert phone.call("manage_focus_session", action="pause").data["remaining"] == "15 minutes"
    assert phone.call("manage_focus_session", action="pause").failure.status == 409
    assert phone.call("manage_focus_session", action="resume").data["state"] == "running"
    phone.advance(900)
    assert phone.call("manage_focus_session", action="query").data["state"] == "finished"
    assert phone.call("manage_focus_session", action="pause").failure.status == 409
    assert phone.call("manage_focus_session", action="start").data["id"] == "focus_002"


def test_what_a_focus_session_needs(phone):
    assert phone.call("manage_focus_session", action="start", duration="1 minute").failure.status == 400
    assert phone.call("manage_focus_session", action="stop").failure.status == 404
    phone.call("manage_focus_session", action="start")
    assert phone.call("manage_focus_session", action="start").failure.status == 409


def test_a_city_on_the_world_clock(phone):
    seen = phone.call("manage_world_clock", action="add", city="Tokyo")
    # 09:00 in Denver, seven hours behind UTC in early March, is 01:00 of the next day in Tokyo
    assert seen.data["added"] == {"city": "Tokyo", "time": "01:00", "zone": "Asia/Tokyo"}
    assert phone.diff_since_last_call() == {"world_clock/Tokyo": {"city": "Tokyo", "zone": "Asia/Tokyo"}}
    assert phone.call("manage_world_clock", action="query").data["count"] == 3


def test_a_city_off_the_world_clock(phone):
    phone.call("manage_world_clock", action="remove", city="honolulu")
    assert phone.diff_since_last_call() == {"world_clock/Honolulu": None}
    assert phone.call("manage_world_clock", action="remove", city="honolulu").failure.status == 404


def test_the_world_clock_is_full_at_six(phone):
    for city in ("Tokyo", "London", "Cairo", "Lima"):
        assert phone.call("manage_world_clock", action="add", city=city).ok
    assert phone.call("manage_world_clock", action="add", city="Oslo").failure.details["limit"] == 6


@pytest.mark.parametrize(("city", "status"), [(None, 400), ("reykjavik", 409), ("Zzyzzxville", 404)])
def test_what_the_world_clock_needs(phone, city, status):
    given = {} if city is None else {"city": city}
    assert phone.call("manage_world_clock", action="add", **given).failure.status == status


def test_bedtime_and_focus_need_their_permissions(phone):
    phone.reset(WorldSpec(denied=frozenset({"sleep_schedule", "focus"})))
    assert phone.call("manage_bedtime", action="query").failure.status == 403
    assert phone.call("manage_focus_session", action="query").failure.status == 403
