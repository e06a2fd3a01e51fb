"""Countdowns, stopwatch, rules, time zones and holidays on Monday 2026-03-02, 09:00 in Denver."""

from datetime import date
from typing import Any

import pytest

from device.sandbox.tools.recurring import happens_on, next_date


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_countdown_runs_pauses_and_resumes(phone: Any) -> None:
    started = phone.call("manage_countdown", action="start", duration="ten minutes", label="pasta").data["countdown"]
    assert started == {
        "id": "countdown_001",
        "label": "pasta",
        "state": "running",
        "remaining": "10 minutes",
        "ends_at": "2026-03-02T09:10:00",
    }
    phone.advance(240)
    assert phone.call("manage_countdown", action="pause").data["countdown"]["remaining"] == "6 minutes"
    phone.advance(3600)
    resumed = phone.call("manage_countdown", action="resume", label="pasta timer").data["countdown"]
    assert resumed["ends_at"] == "2026-03-02T10:10:00"


def test_countdown_rings_when_its_end_passes(phone: Any) -> None:
    phone.call("manage_countdown", action="start", duration="5 minutes")
    phone.advance(300)
    assert phone.call("manage_countdown", action="query").data["countdowns"][0]["state"] == "rung"
    assert code(phone.call("manage_countdown", action="pause")) == 409


def test_countdown_errors(phone: Any) -> None:
    assert phone.call("manage_countdown", action="start").failure.details == {"argument": "duration"}
    assert code(phone.call("manage_countdown", action="stop")) == 404
    assert code(phone.call("manage_countdown", action="start", duration="25 hours")) == 400
    phone.call("manage_countdown", action="start", duration="5 minutes")
    phone.call("manage_countdown", action="start", duration="8 minutes")
    assert phone.call("manage_countdown", action="stop").failure.details["candidates"] == ["5 minutes", "8 minutes"]
    assert code(phone.call("manage_countdown", action="start", duration="8 minutes")) == 409


def test_stopwatch_counts_and_laps(phone: Any) -> None:
    phone.call("manage_stopwatch", action="start")
    phone.advance(75)
    assert phone.call("manage_stopwatch", action="lap").data["laps"] == [75]
    phone.advance(15)
    assert phone.call("manage_stopwatch", action="stop").data["elapsed"] == "1 minute 30 seconds"
    phone.advance(60)
    assert phone.call("manage_stopwatch", action="query").data["seconds"] == 90


def test_stopwatch_refuses_what_its_state_does_not_allow(phone: Any) -> None:
    assert code(phone.call("manage_stopwatch", action="lap")) == 409
    phone.call("manage_stopwatch", action="start")
    assert code(phone.call("manage_stopwatch", action="start")) == 409


def test_rule_is_kept_with_its_due_time(phone: Any) -> None:
    phone.call("trigger_task", action="create", task="stop the music", delay="half an hour")
    assert phone.diff_since_last_call() == {
        "rules/rule_001": {"id": "rule_001", "task": "stop the music", "condition": "", "due": "2026-03-02T09:30:00"}
    }
    assert phone.call("trigger_task", action="query").data["rules"][0]["state"] == "waiting"
    phone.advance(1800)
    assert phone.call("trigger_task", action="query").data["rules"][0]["state"] == "due"


def test_rule_needs_task_and_condition(phone: Any) -> None:
    assert phone.call("trigger_task", action="create", condition="I get home").failure.details == {"argument": "task"}
    assert phone.call("trigger_task", action="create", task="turn on wifi").failure.details == {"argument": "condition"}


def test_rule_is_cancelled(phone: Any) -> None:
    phone.call("trigger_task", action="create", task="turn on wifi", condition="I get home")
    assert phone.call("trigger_task", action="cancel", task="wifi").data["cancelled"]["id"] == "rule_001"
    assert code(phone.call("trigger_task", action="cancel", task="wifi")) == 404


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ("2026-03-02", "09:00", "Monday")),
        ({"location": "Tokyo"}, ("2026-03-03", "01:00", "Tuesday")),  # 16 hours ahead of Denver in winter
        ({"location": "London, England"}, ("2026-03-02", "16:00", "Monday")),
        ({"location": "eastern time"}, ("2026-03-02", "11:00", "Monday")),
    ],
)
def test_clock_here_and_elsewhere(phone: Any, given: dict[str, str], expected: tuple[str, str, str]) -> None:
    seen = phone.call("query_datetime", **given).data
    assert (seen["date"], seen["time"], seen["weekday"]) == expected


def test_weekday_of_a_date(phone: Any) -> None:
    seen = phone.call("query_datetime", date="may 3rd").data
    assert seen == {"date": "2026-05-03", "weekday": "Sunday", "days_from_today": 62}


def test_clock_of_an_unknown_place(phone: Any) -> None:
    assert code(phone.call("query_datetime", location="Atlantis")) == 404


def test_time_is_converted(phone: Any) -> None:
    seen = phone.call("convert_timezone", time="5 pm", fromLocation="London", toLocation="Chicago").data
    assert (seen["fromTime"], seen["toTime"], seen["hoursAhead"], seen["dayShift"]) == ("17:00", "11:00", -6.0, 0)


def test_time_difference_from_here(phone: Any) -> None:
    assert phone.call("convert_timezone", toLocation="India").data["hoursAhead"] == 12.5


def test_conversion_needs_a_place(phone: Any) -> None:
    assert phone.call("convert_timezone", time="5 pm").failure.details == {"argument": "toLocation"}


def test_holiday_is_found_by_name(phone: Any) -> None:
    seen = phone.call("calendar_service", holiday="Mother's Day").data
    assert seen == {"holiday": "mother day", "date": "2026-05-10", "weekday": "Sunday", "daysAway": 69}


def test_almanac_of_a_day(phone: Any) -> None:
    seen = phone.call("calendar_service", date="july 4th").data
    assert (seen["holidays"], seen["weekday"], seen["week"], seen["dayOfYear"]) == (
        ["independence day"],
        "Saturday",
        27,
        185,
    )
    assert seen["nextHoliday"]["date"] == "2026-07-04"


def test_moon_of_march_2026(phone: Any) -> None:
    # full moon on 3 March 2026, new moon on 19 March 2026
    assert phone.call("calendar_service", date="2026-03-03").data["moon"] == "full moon"
    assert phone.call("calendar_service", date="2026-03-19").data["moon"] == "new moon"


def test_unknown_holiday(phone: Any) -> None:
    assert code(phone.call("calendar_service", holiday="Festivus")) == 404


@pytest.mark.parametrize(
    ("repeat", "day", "happens"),
    [
        ("", date(2026, 3, 2), True),
        ("", date(2026, 3, 3), False),
        ("FREQ=DAILY;INTERVAL=2", date(2026, 3, 4), True),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", date(2026, 3, 9), False),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", date(2026, 3, 16), True),
        ("FREQ=WEEKLY", date(2026, 3, 9), True),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", date(2026, 3, 31), True),
        ("FREQ=MONTHLY;BYDAY=-1FR", date(2026, 3, 27), True),
        ("FREQ=MONTHLY;BYDAY=-1FR", date(2026, 3, 20), False),
        ("FREQ=MONTHLY;BYDAY=2TU", date(2026, 3, 10), True),
        ("FREQ=YEARLY;BYMONTHDAY=4;BYMONTH=7", date(2027, 7, 4), True),
        ("FREQ=YEARLY", date(2027, 3, 2), True),
        ("FREQ=DAILY", date(2026, 3, 1), False),
    ],
)
def test_recurrences_happen_on_their_days(repeat: str, day: date, happens: bool) -> None:
    assert happens_on(repeat, date(2026, 3, 2), day) is happens


def test_next_date_of_a_rule() -> None:
    assert next_date("FREQ=MONTHLY;BYMONTHDAY=1", date(2026, 3, 2), date(2026, 3, 2)) == date(2026, 4, 1)
    assert next_date("", date(2026, 3, 1), date(2026, 3, 2)) is None
