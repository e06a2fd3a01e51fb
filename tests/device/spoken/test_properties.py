"""What holds for every text: canonical forms come back, and nothing but `Unreadable` is raised."""

from datetime import date, datetime, time

from hypothesis import example, given, settings
from hypothesis import strategies as st

from device.spoken import (
    Unreadable,
    fold_text,
    match_contact,
    read_amount,
    read_date,
    read_dates,
    read_duration,
    read_moment,
    read_money,
    read_number,
    read_percent,
    read_phone_number,
    read_recurrence,
    read_time,
    read_when,
)
from device.spoken.recurrence import CODES, weekly

NOWS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1))
WORDS = """
at on the in for half quarter past to from until between and after before next last this coming every
other each day days week weekend month year hour hours minute minutes seconds second third first twenty
two five twelve oh hundred thousand am pm a.m. o'clock noon midnight morning evening night tonight today
tomorrow yesterday monday fridays weekdays march february 3rd 31st 29 0 7 07:30 2026-03-03 3/14 13/13
2027 99999999 1,200 $ % dollars cents dozen point minus - a an now ago later easter christmas end rest of
spring winter once daily monthly 1h30 7pm 24:00 double
""".split()  # noqa: SIM905
PHRASES = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
TEXTS = st.one_of(st.text(max_size=40), PHRASES)


@settings(max_examples=300, deadline=None)
@given(TEXTS, NOWS)
@example("between\u2014and", datetime(2026, 3, 2))
@example("next 9999 years", datetime(2026, 3, 2))
@example("9999-12-31 for 2 weeks", datetime(2026, 3, 2))
@example("9999-12-31 night at 1", datetime(2026, 3, 2))
@example("\u0663 pm", datetime(2026, 3, 2))
def test_readers_raise_nothing_but_unreadable(said, now):
    dated = [read_time, read_date, read_dates, read_moment, read_when, read_recurrence]
    alone = [read_duration, read_number, read_amount, read_percent, read_money, read_phone_number]
    for call in [*(lambda r=r: r(said, now) for r in dated), *(lambda r=r: r(said) for r in alone)]:
        try:
            call()
        except Unreadable as error:
            assert error.said == said
    match_contact(said, [said, "Anna Klein"])


@settings(max_examples=300, deadline=None)
@given(PHRASES, NOWS)
def test_reading_what_was_read_changes_nothing(said, now):
    try:
        found = read_when(said, now)
    except Unreadable:
        return
    assert str(read_when(str(found), now)) == str(found)


@given(st.times())
def test_times_come_back(moment: time):
    assert read_time(f"{moment:%H:%M}", datetime(2026, 3, 2, 9)) == f"{moment:%H:%M}"


@given(st.dates())
def test_dates_come_back(day: date):
    assert read_date(day.isoformat(), datetime(2026, 3, 2, 9)) == day.isoformat()
    assert read_dates(day.isoformat(), datetime(2026, 3, 2, 9)) == (day.isoformat(), day.isoformat())


@given(st.datetimes())
def test_moments_come_back(moment: datetime):
    said = moment.isoformat(timespec="minutes")
    assert read_moment(said, datetime(2026, 3, 2, 9)) == said


@given(st.times(), st.dates(date(2000, 1, 1), date(2099, 12, 31)))
def test_spoken_days_and_times_mean_themselves(moment: time, day: date):
    said = f"{day:%B} {day.day} {day.year} at {moment:%I:%M %p}"
    assert read_moment(said, datetime(2026, 3, 2, 9)) == f"{day.isoformat()}T{moment:%H:%M}"


@given(st.integers(0, 10**9))
def test_seconds_come_back(seconds):
    assert read_duration(str(seconds)) == seconds


@given(st.sets(st.sampled_from(CODES), min_size=1))
def test_recurrences_come_back(codes):
    assert read_recurrence(weekly(codes)) == weekly(codes)
    assert read_recurrence("FREQ=WEEKLY;BYDAY=" + ",".join(codes)) == weekly(codes)


@given(st.decimals(-(10**9), 10**9, places=3))
def test_numbers_come_back(value):
    assert read_number(f"{value:f}") == value
    assert read_number(f"{read_number(f'{value:f}'):f}") == value


@given(st.integers(0, 999_999))
def test_grouped_numbers_come_back(value):
    assert read_number(f"{value:,}") == value


@given(st.text(max_size=60))
def test_folding_a_folded_text_changes_nothing(said):
    assert fold_text(fold_text(said)) == fold_text(said)
