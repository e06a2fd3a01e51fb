import pytest

from evalkit.suites.bench.text import spoken, stands_free, tidy


@pytest.mark.parametrize(
    ("template", "free"),
    [
        ("wake me at {time}", True),
        ("call {time}, please", True),
        ("directions to {time} now", True),
        ("the saved wifi {time}", False),
        ("open the {time} app", False),
        ("{time} alarm please", False),
        ("text {time} {news}", False),
        ("{time}'s number", False),
    ],
)
def test_a_phrase_stands_only_where_no_noun_leans_on_it(template, free):
    assert stands_free(template, "time") is free


def test_determiners_that_meet_are_mended():
    assert tidy("close the that app , please") == "close that app, please"
    assert tidy("open the my usual app") == "open my usual app"
    assert tidy("a the north one") == "the north one"


def test_an_article_fits_the_word_that_replaced_a_slot():
    assert tidy("a airport role and an hotel") == "an airport role and a hotel"
    assert tidy("a hour, a one way trip, a used car") == "an hour, a one way trip, a used car"


def test_on_falls_away_before_days_that_need_none():
    assert spoken("book it on tomorrow") == "book it tomorrow"
    assert spoken("a hotel on in two days") == "a hotel in two days"
    assert spoken("what is on this phone") == "what is on this phone"
    assert spoken("on monday at at 7") == "on monday at 7"
