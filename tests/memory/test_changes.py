"""What holds now stands above what held, where no rule reads the words of the change."""

import pytest

from memory.records import Trust
from memory.retrieval.query import shape_of

OLD = "The people I ring about a leak are Drainwell"
NEW = "The people I ring about a leak are Copperline by now"


def told(book, old=OLD, new=NEW, **more):
    book.put(old, valid_from="2026-01-01", speaker="user", trust=Trust.USER)
    book.put(new, **{"valid_from": "2026-02-01", "speaker": "user", "trust": Trust.USER, **more})


ASKED = "Who are the people I ring about a leak, Drainwell?"


def test_the_later_one_comes_first_and_the_earlier_one_follows(book):
    told(book)
    assert book.found(ASKED) == [NEW, OLD]
    scores = [item.score for item in book.retriever.search(ASKED).items]
    assert scores[0] >= scores[1]


@pytest.mark.parametrize(
    "more",
    [
        {"valid_from": "2025-12-01"},
        {"speaker": "assistant", "trust": Trust.AGENT},
        {"trust": Trust.EXTERNAL},
        {"new": "My garden has a swing under the tall oak now"},
        {"new": "The people that Carla rings about a leak are Copperline by now"},
        {"new": "My sister has people to ring about a leak, they are Copperline by now"},
    ],
)
def test_what_is_older_of_another_or_about_something_else_changes_nothing(book, more):
    told(book, **more)
    assert book.found(ASKED)[0] == OLD


@pytest.mark.parametrize("question", ["Whom did I ring about a leak, Drainwell?", "Whom did people ring, Drainwell?"])
def test_a_question_about_what_happened_is_answered_as_it_is_asked(book, question):
    told(book)
    assert book.found(question)[0] == OLD


def test_looking_back_it_is_as_it_was(book):
    told(book)
    assert book.found(ASKED, as_of="2026-01-15") == [OLD]


@pytest.mark.parametrize(
    ("text", "present"),
    [
        ("Who is my dentist?", True),
        ("Which good cause gets my free time?", True),
        ("When do I go to bed?", True),
        ("Where did I live?", False),
        ("What was my address?", False),
        ("What did I use to drive previously?", False),
        ("How many bikes do I own?", False),
    ],
)
def test_how_something_is_or_what_happened(text, present):
    assert shape_of(text).present == present
