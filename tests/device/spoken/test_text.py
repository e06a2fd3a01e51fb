"""Plain text, number words and the form in which free text is compared."""

import pytest

from device.spoken import fold_text, plain

PLAIN = {
    "A quarter past seven p.m., on Tues.": "a quarter past 7 pm on tuesday",
    "seven forty five": "7 45",
    "seven hundred and forty five": "745",
    "twenty second of march": "22nd of march",
    "in twenty seconds": "in 20 sec",
    "one second from now": "1 sec from now",
    "twenty seventeen": "20 17",
    "five o’clock": "5 oclock",
    "8-10pm": "8 to 10 pm",
    "may the twenty-fourth, 2020": "may the 24th 2020",
    "two thousand and seventeen": "2017",
    "three and four": "3 and 4",
}


@pytest.mark.parametrize(("said", "expected"), PLAIN.items())
def test_plain(said, expected):
    assert plain(said) == expected


FOLDED = {
    "  Morning Run! ": "morning run",
    "the morning-run, please": "morning run",
    "Café “Zoë”": "cafe zoe",
    "Don’t forget": "dont forget",
    "Buy milk and a bread": "buy milk and bread",
    "The The": "the the",
    "ﬁne": "fine",
    "": "",
}


@pytest.mark.parametrize(("said", "folded"), FOLDED.items())
def test_fold_text(said, folded):
    assert fold_text(said) == folded
