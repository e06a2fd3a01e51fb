"""Times, days and stretches, said at nine on Monday, the 2nd of March 2026."""

from datetime import datetime

import pytest

from device.spoken import Unreadable, When, read_date, read_dates, read_moment, read_time, read_when

NOW = datetime(2026, 3, 2, 9, 0)

WHEN = {
    # clock phrases
    "half past seven tomorrow": "2026-03-03T07:30",
    "quarter to six": "05:45",
    "half seven": "07:30",
    "ten to nine": "08:50",
    "twenty past six this evening": "2026-03-02T18:20",
    "7 o'clock in the morning": "07:00",
    "at six in the evening": "18:00",
    "five thirty pm": "17:30",
    "7.30pm": "19:30",
    "0730 hours": "07:30",
    "nineteen hundred hours": "19:00",
    "oh seven thirty": "07:30",
    "19:30": "19:30",
    "7p": "19:00",
    "noon": "12:00",
    "twelve midnight": "00:00",
    "quarter to one": "12:45",
    "5 minutes to midnight": "23:55",
    "an hour before noon": "11:00",
    # parts of the day
    "morning": "08:00",
    "tomorrow evening": "2026-03-03T18:00",
    "7 tomorrow morning": "2026-03-03T07:00",
    "tonight at 8": "2026-03-02T20:00",
    "tonight at midnight": "2026-03-03T00:00",
    "tomorrow night at 1": "2026-03-04T01:00",
    "12 at night": "00:00",
    "wednesday at quarter past 4 in the afternoon": "2026-03-04T16:15",
    # a bare hour today that has passed is its second strike
    "today at five": "2026-03-02T17:00",
    "today at ten": "2026-03-02T10:00",
    # days
    "the day after tomorrow": "2026-03-04",
    "monday": "2026-03-09",
    "this monday": "2026-03-02",
    "next friday": "2026-03-13",
    "this coming tuesday": "2026-03-03",
    "last friday": "2026-02-27",
    "friday the 13th": "2026-03-13",
    "saturday the 4th at 7pm": "2026-04-04T19:00",
    "next month on the 5th": "2026-04-05",
    "march 5th's": "2026-03-05",
    "the next day": "2026-03-03",
    "march 3rd": "2026-03-03",
    "the 15th": "2026-03-15",
    "first of the month": "2026-04-01",
    "3/14": "2026-03-14",
    "14/3": "2026-03-14",
    "14.3.2027": "2027-03-14",
    "march twenty four two thousand and seventeen": "2017-03-24",
    "first of february twenty seventeen": "2017-02-01",
    "Sunday, March 8, 2026": "2026-03-08",
    "the last friday of the month": "2026-03-27",
    "the second tuesday of next month": "2026-04-14",
    "end of the month": "2026-03-31",
    "christmas eve at 6pm": "2026-12-24T18:00",
    "easter": "2026-04-05",
    "easter 2027": "2027-03-28",
    "thanksgiving": "2026-11-26",
    # offsets
    "in twenty minutes": "2026-03-02T09:20",
    "two hours from now": "2026-03-02T11:00",
    "in an hour and a half": "2026-03-02T10:30",
    "in two days at 8am": "2026-03-04T08:00",
    "in 1 month": "2026-04-02",
    "a week from tomorrow": "2026-03-10",
    "two weeks from friday": "2026-03-20",
    "three days ago": "2026-02-27",
    # stretches
    "this weekend": "2026-03-07/2026-03-08",
    "next week": "2026-03-09/2026-03-15",
    "last month": "2026-02-01/2026-02-28",
    "next winter": "2026-12-01/2027-02-28",
    "first week of march": "2026-03-01/2026-03-07",
    "march 3 to 7": "2026-03-03/2026-03-07",
    "twenty to twenty five june": "2026-06-20/2026-06-25",
    "monday to friday": "2026-03-09/2026-03-13",
    "june to july": "2026-06-01/2026-07-31",
    "from this friday for a week": "2026-03-06/2026-03-13",
    "tomorrow at 3 pm for two hours": "2026-03-03T15:00/2026-03-03T17:00",
    "between 8-3": "08:00/15:00",
    "eight to ten pm": "20:00/22:00",
    "eleven to one pm": "11:00/13:00",
    "9 to 5": "09:00/17:00",
    "between three and four pm": "15:00/16:00",
    "from three to five pm tomorrow": "2026-03-03T15:00/2026-03-03T17:00",
    "10pm till 6am tomorrow": "2026-03-02T22:00/2026-03-03T06:00",
    "the next three hours": "2026-03-02T09:00/2026-03-02T12:00",
    "until friday": "../2026-03-06",
    "after 7pm": "19:00/..",
    # with a recurrence
    "7am on weekdays": "07:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "every night at ten": "22:00 FREQ=DAILY",
}


@pytest.mark.parametrize(("said", "expected"), WHEN.items())
def test_read_when(said, expected):
    assert str(read_when(said, NOW)) == expected


NONSENSE = [
    "", " ", "soon", "in a while", "clear", "25:00", "7:75", "0 pm", "15 am", "feb 30", "31st of april", "13/13",
    "tomorrow yesterday", "7 am in the evening", "noon at 5", "monday march 10th", "quarter past", "half past",
    "this week at five", "sunset", "i am", "four score and seven", "1990", "x" * 100_000, "7" * 5_000,
]  # fmt: skip


@pytest.mark.parametrize("said", NONSENSE, ids=lambda said: said[:20])
def test_what_is_no_time_is_unreadable(said):
    with pytest.raises(Unreadable):
        read_when(said, NOW)


def test_a_phrase_fills_date_and_time():
    assert read_when("half past seven tomorrow", NOW) == When(date="2026-03-03", time="07:30")
    assert read_when("half past seven tomorrow", NOW).bare
    assert not read_when("7:30 am tomorrow", NOW).bare


def test_a_moment_without_a_date_is_the_next_strike():
    assert read_moment("10 am", NOW) == "2026-03-02T10:00"
    assert read_moment("9 am", NOW) == "2026-03-03T09:00"
    assert read_moment("seven", NOW) == "2026-03-03T07:00"


@pytest.mark.parametrize("said", ["tomorrow", "this weekend", "7am on weekdays", "until five pm"])
def test_no_moment(said):
    with pytest.raises(Unreadable) as caught:
        read_moment(said, NOW)
    assert (caught.value.said, caught.value.kind) == (said, "moment")


def test_what_was_asked_for_decides_a_lone_number():
    assert read_time("fourteen", NOW) == "14:00"
    assert read_date("fourteen", NOW) == "2026-03-14"
    assert read_time("one thousand three hundred", NOW) == "13:00"
    assert read_date("tomorrow at 7", NOW) == "2026-03-03"


def test_a_stretch_is_no_day_but_has_two_ends():
    assert read_dates("this weekend", NOW) == ("2026-03-07", "2026-03-08")
    assert read_dates("tomorrow", NOW) == ("2026-03-03", "2026-03-03")
    assert read_dates("until friday", NOW) == ("2026-03-02", "2026-03-06")
    with pytest.raises(Unreadable):
        read_date("this weekend", NOW)
    with pytest.raises(Unreadable):
        read_time("eight to ten pm", NOW)


def test_offsets_move_up_to_the_whole_minute():
    assert read_moment("in 15 seconds", datetime(2026, 3, 2, 9, 0, 50)) == "2026-03-02T09:02"
    assert read_moment("in ten minutes", datetime(2026, 3, 2, 23, 55)) == "2026-03-03T00:05"


def test_short_months_and_leap_days():
    assert read_date("in one month", datetime(2026, 1, 31)) == "2026-02-28"
    assert read_date("february 29", NOW) == "2028-02-29"
    assert read_date("the 31st", datetime(2026, 4, 1)) == "2026-05-31"


def test_the_error_carries_its_data_and_cuts_visibly():
    error = Unreadable("y" * 100, "time", "say a time")
    assert str(error) == f"can't read `{'y' * 57}... (100 characters)` as a time; say a time"
