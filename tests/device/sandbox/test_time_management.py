"""Alarms, calendar and reminders on Monday 2026-03-02, 09:00."""

from typing import Any

import pytest

WORKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"


def data(seen: Any) -> dict[str, Any]:
    assert seen.failure is None, seen.failure
    return dict(seen.data)


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_alarm_is_set_for_the_next_such_time(phone: Any) -> None:
    phone.call("manage_alarm", action="create", time="half past seven", title="Morning run")
    # 07:30 has passed today, so it rings on Tuesday
    assert phone.diff_since_last_call() == {
        "alarms/alarm_003": {
            "id": "alarm_003",
            "time": "07:30",
            "date": "2026-03-03",
            "title": "Morning run",
            "repeat": "",
        }
    }


def test_alarm_said_with_its_days(phone: Any) -> None:
    alarm = data(phone.call("manage_alarm", action="create", time="7:15", repeat="every weekday"))["alarm"]
    assert (alarm["time"], alarm["repeat"], alarm["date"]) == ("07:15", WORKDAYS, "2026-03-03")


def test_alarm_needs_a_time(phone: Any) -> None:
    seen = phone.call("manage_alarm", action="create", title="Run")
    assert (code(seen), seen.failure.details["argument"]) == (400, "time")


def test_alarm_twice_is_a_conflict(phone: Any) -> None:
    phone.call("manage_alarm", action="create", time="10:00")
    seen = phone.call("manage_alarm", action="create", time="10 am")
    assert (code(seen), phone.diff_since_last_call()) == (409, {})


def test_alarm_in_the_past_is_refused(phone: Any) -> None:
    assert code(phone.call("manage_alarm", action="create", time="08:00", date="today")) == 400


def test_alarm_found_by_its_time_is_moved(phone: Any) -> None:
    phone.call("manage_alarm", action="update", time="6:30", newTime="quarter to six")
    assert phone.diff_since_last_call() == {"alarms/alarm_001": {"time": ("06:30", "05:45")}}


def test_alarm_found_by_its_title_gets_other_days(phone: Any) -> None:
    phone.call("manage_alarm", action="update", title="wake up", repeat="every day")
    assert phone.diff_since_last_call() == {"alarms/alarm_001": {"repeat": (WORKDAYS, "FREQ=DAILY")}}


def test_alarm_of_a_day_is_listed(phone: Any) -> None:
    seen = data(phone.call("manage_alarm", action="query", date="saturday"))
    assert [row["title"] for row in seen["alarms"]] == ["Weekend lie-in"]


def test_alarm_deleted_by_title(phone: Any) -> None:
    phone.call("manage_alarm", action="delete", title="the weekend alarm")
    assert list(phone.diff_since_last_call()) == ["alarms/alarm_002"]


def test_alarm_to_delete_must_be_one(phone: Any) -> None:
    seen = phone.call("manage_alarm", action="delete")
    assert (code(seen), len(seen.failure.details["candidates"])) == (409, 2)
    assert code(phone.call("manage_alarm", action="delete", time="04:00")) == 404


def test_all_alarms_are_deleted_at_once(phone: Any) -> None:
    assert data(phone.call("manage_alarm", action="delete", title="all my alarms"))["count"] == 2


def test_event_is_created_and_overlap_named(phone: Any) -> None:
    seen = data(
        phone.call(
            "manage_schedule", action="create", event="Call with Ana", date="today", time="3:30 pm", person="Ana"
        )
    )
    assert seen["event"]["id"] == "event_009"
    assert (seen["event"]["date"], seen["event"]["time"], seen["event"]["person"]) == ("2026-03-02", "15:30", "Ana")
    assert seen["overlaps"] == ["Team meeting 2026-03-02 15:00"]


@pytest.mark.parametrize(
    ("given", "missing"),
    [({"date": "tomorrow"}, "event"), ({"event": "Lunch"}, "date"), ({"event": "Lunch", "person": "Bo"}, "date")],
)
def test_event_needs_title_and_day(phone: Any, given: dict[str, str], missing: str) -> None:
    seen = phone.call("manage_schedule", action="create", **given)
    assert (code(seen), seen.failure.details["argument"]) == (400, missing)


def test_equal_event_is_a_conflict(phone: Any) -> None:
    seen = phone.call("manage_schedule", action="create", event="dentist appointment", date="tomorrow", time="9:30")
    assert (code(seen), seen.failure.details["candidates"]) == (409, ["event_002"])


def test_events_of_a_day(phone: Any) -> None:
    seen = data(phone.call("manage_schedule", action="query", date="tomorrow"))
    assert [row["event"] for row in seen["events"]] == ["Dentist appointment"]


def test_events_are_listed_in_order(phone: Any) -> None:
    seen = data(phone.call("manage_schedule", action="query"))
    assert (seen["count"], seen["events"][0]["event"], seen["events"][-1]["event"]) == (
        8,
        "Team meeting",
        "Mom's birthday",
    )


def test_next_meetings_are_found_by_word(phone: Any) -> None:
    seen = data(phone.call("manage_schedule", action="query", event="meeting"))
    assert [row["id"] for row in seen["events"]] == ["event_001", "event_004"]


def test_event_is_moved(phone: Any) -> None:
    phone.call("manage_schedule", action="update", event="project review", date="friday", time="4 pm")
    assert phone.diff_since_last_call() == {
        "events/event_003": {"date": ("2026-03-04", "2026-03-06"), "time": ("10:00", "16:00")}
    }


def test_date_picks_one_of_two_meetings(phone: Any) -> None:
    phone.call("manage_schedule", action="update", event="team meeting", date="thursday", time="16:00")
    assert phone.diff_since_last_call() == {"events/event_004": {"time": ("15:00", "16:00")}}


def test_ambiguous_event_names_the_candidates(phone: Any) -> None:
    seen = phone.call("manage_schedule", action="delete", event="team meeting")
    assert code(seen) == 409
    assert seen.failure.details["candidates"] == ["Team meeting 2026-03-02 15:00", "Team meeting 2026-03-05 15:00"]


def test_team_dinner_is_no_team_meeting(phone: Any) -> None:
    assert code(phone.call("manage_schedule", action="delete", event="team dinner")) == 404


def test_event_deleted_by_person(phone: Any) -> None:
    phone.call("manage_schedule", action="delete", person="Tom")
    assert list(phone.diff_since_last_call()) == ["events/event_005"]


def test_a_day_is_cleared(phone: Any) -> None:
    seen = data(phone.call("manage_schedule", action="delete", event="everything", date="today"))
    assert seen == {"deleted": ["event_001"], "count": 1}


def test_weekly_class_happens_next_week_too(phone: Any) -> None:
    # the class starts on Saturday 2026-03-07; the 14th is a Saturday
    seen = data(phone.call("manage_schedule", action="query", date="2026-03-14"))
    assert [row["event"] for row in seen["events"]] == ["Yoga class"]


def test_reminder_is_created(phone: Any) -> None:
    phone.call("manage_reminder", action="create", text="call grandma", time="six in the evening")
    assert phone.diff_since_last_call() == {
        "reminders/reminder_005": {
            "id": "reminder_005", "text": "call grandma", "date": "2026-03-02", "time": "18:00", "repeat": ""
        }
    }  # fmt: skip


def test_reminder_needs_text(phone: Any) -> None:
    seen = phone.call("manage_reminder", action="create", time="18:00")
    assert (code(seen), seen.failure.details["argument"]) == (400, "text")


def test_reminder_is_moved_and_found_by_words(phone: Any) -> None:
    phone.call("manage_reminder", action="update", text="the bank", date="thursday")
    assert phone.diff_since_last_call() == {"reminders/reminder_001": {"date": ("2026-03-02", "2026-03-05")}}


def test_undated_reminder_gets_a_day_with_its_time(phone: Any) -> None:
    phone.call("manage_reminder", action="update", text="passport", time="10:00")
    assert phone.diff_since_last_call() == {
        "reminders/reminder_004": {"date": ("", "2026-03-02"), "time": ("", "10:00")}
    }


def test_reminders_of_today(phone: Any) -> None:
    seen = data(phone.call("manage_reminder", action="query", date="today"))
    assert [row["text"] for row in seen["reminders"]] == ["Call the bank"]


def test_reminder_deleted_or_not_found(phone: Any) -> None:
    phone.call("manage_reminder", action="delete", text="plants")
    assert list(phone.diff_since_last_call()) == ["reminders/reminder_002"]
    assert code(phone.call("manage_reminder", action="delete", text="plants")) == 404
