"""Recurrences and their canonical form."""

import pytest

from device.spoken import Unreadable, read_recurrence, weekdays_of

RULES = {
    "every weekday": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "7am on weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "every business day": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "monday through friday": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "every other monday": "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
    "every 2 weeks on monday and friday": "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR",
    "daily": "FREQ=DAILY",
    "everyday": "FREQ=DAILY",
    "seven days a week": "FREQ=DAILY",
    "every morning": "FREQ=DAILY",
    "weekends": "FREQ=WEEKLY;BYDAY=SA,SU",
    "mon wed and fri": "FREQ=WEEKLY;BYDAY=MO,WE,FR",
    "fri, mon": "FREQ=WEEKLY;BYDAY=MO,FR",
    "weekdays and weekends": "FREQ=DAILY",
    "sunday": "FREQ=WEEKLY;BYDAY=SU",
    "monthly on the 3rd": "FREQ=MONTHLY;BYMONTHDAY=3",
    "the 15th of every month": "FREQ=MONTHLY;BYMONTHDAY=15",
    "the last friday of every month": "FREQ=MONTHLY;BYDAY=-1FR",
    "every second tuesday of the month": "FREQ=MONTHLY;BYDAY=2TU",
    "every 3 hours": "FREQ=HOURLY;INTERVAL=3",
    "every year on march 3rd": "FREQ=YEARLY;BYMONTHDAY=3;BYMONTH=3",
    "once": "ONCE",
    "FREQ=WEEKLY;BYDAY=FR,MO": "FREQ=WEEKLY;BYDAY=MO,FR",
}


@pytest.mark.parametrize(("said", "rule"), RULES.items())
def test_read_recurrence(said, rule):
    assert read_recurrence(said) == rule
    assert read_recurrence(rule) == rule


@pytest.mark.parametrize(
    "said",
    [
        "",
        "recurring",
        "twice a week",
        "weekends and holidays",
        "every day except sunday",
        "tomorrow",
        "every 0 days",
        "FREQ=NEVER",
    ],
)
def test_no_recurrence(said):
    with pytest.raises(Unreadable):
        read_recurrence(said)


def test_days_of_the_week_of_a_rule():
    assert weekdays_of("FREQ=WEEKLY;BYDAY=MO,FR") == ("MO", "FR")
    assert weekdays_of("FREQ=DAILY") == ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
    assert weekdays_of("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO") == ()
    assert weekdays_of("FREQ=MONTHLY;BYMONTHDAY=3") == ()
    assert weekdays_of("ONCE") == ()
