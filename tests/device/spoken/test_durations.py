"""Lengths of time."""

import pytest

from device.spoken import Unreadable, read_duration

SECONDS = {
    "ten minutes": 600, "an hour and a half": 5_400, "one and a half hours": 5_400, "two and a half hours": 9_000,
    "90 sec": 90, "1h30": 5_400, "1h 20m": 4_800, "5m": 300, "half an hour": 1_800, "quarter of an hour": 900,
    "three quarters of an hour": 2_700, "a couple of hours": 7_200, "a minute and thirty seconds": 90,
    "1 hour 30 minutes": 5_400, "for about twenty minutes please": 1_200, "another hour": 3_600, "PT20M": 1_200,
    "P1DT1H": 90_000, "1:30:00": 5_400, "2 weeks": 1_209_600, "a hundred seconds": 100, "45": 45, "a second": 1,
    "thirty second": 30, "0.5 hours": 1_800,
}  # fmt: skip


@pytest.mark.parametrize(("said", "seconds"), SECONDS.items())
def test_read_duration(said, seconds):
    assert read_duration(said) == seconds


@pytest.mark.parametrize(
    "said", ["", "ten", "1:30", "hour", "a few minutes", "ten minutes past", "minutes", "seven am"]
)
def test_no_length(said):
    with pytest.raises(Unreadable):
        read_duration(said)


def test_a_number_is_seconds_already():
    assert read_duration(90) == 90
