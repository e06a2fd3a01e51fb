"""What a question asks for, by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval import shape_of
from memory.retrieval.query import Day, in_own_words

SPEAKERS = ("caroline", "mel jones", "user", "assistant")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What is my wifi password?", "lookup"),
        ("When did Caroline paint the sunrise?", "time"),
        ("How long have I had the car?", "time"),
        ("In which order did I mention the cities?", "order"),
        ("How many bikes do I own?", "collection"),
        ("What do Tom and Ann have in common?", "collection"),
        ("What is my current address?", "change"),
        ("What did I use to drive previously?", "change"),
    ],
)
def test_kind(text, kind):
    assert shape_of(text).kind == kind


def test_common_words_and_names_of_speakers_tell_nothing():
    shape = shape_of("What did Caroline's grandma give to Caroline?", SPEAKERS)
    assert shape.words == ("grandma", "give")
    assert shape.people == ("caroline",)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Where will Olan's wedding be held?", ("olan",)),
        ("What did Caroline give to Jean-Luc in March?", ("jean", "luc")),
        ("what does olan work as?", ()),
        ("Olan works as what?", ()),
    ],
)
def test_names_of_those_who_do_not_speak(text, names):
    assert shape_of(text, SPEAKERS).names == names


def test_a_question_of_common_words_keeps_them():
    assert shape_of("What is it?").words == ("what", "is", "it")


def test_the_question_in_the_speakers_own_words():
    assert in_own_words("When did Caroline see Caroline's mother?", ["caroline"]) == "When did I see my mother?"
    assert in_own_words("Does Mel  Jones swim?", ["mel jones"]) == "Does I swim?"
    assert shape_of("Where is Rome?", SPEAKERS).spoken == "Where is Rome?"


def test_a_speaker_of_two_names_is_meant_when_both_stand_there():
    assert shape_of("Does Mel Jones swim?", SPEAKERS).people == ("mel jones",)
    assert shape_of("Does Mel swim?", SPEAKERS).people == ()


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("What did I say about my car?", ("user",)),
        ("What did you recommend?", ("agent", "assistant")),
        ("Can you tell me what I said?", ("user",)),
        ("Did you like my idea?", ()),
        ("Who rang?", ()),
    ],
)
def test_whom_a_pronoun_means(text, people):
    assert shape_of(text, SPEAKERS).people == people


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("What happened on 2026-03-02?", (Day(2026, 3, 2),)),
        ("What happened on 1 February, 2023?", (Day(2023, 2, 1),)),
        ("the party of March 3rd", (Day(0, 3, 3),)),
        ("What did I do in May 2023?", (Day(2023, 5, 0),)),
        ("What did I do in May?", (Day(0, 5, 0),)),
        ("What may I do?", ()),
        ("What happened on 31 February 2023?", ()),
    ],
)
def test_days(text, days):
    assert shape_of(text).days == days


def test_parts_of_a_question():
    shape = shape_of("Where does Tom work? Which train does he take to the office?")
    assert shape.clauses == ("Where does Tom work?", "Which train does he take to the office?")
    assert shape_of("Where does Tom work?").clauses == ()


@given(st.text(max_size=300))
def test_any_text_has_a_shape(text):
    shape = shape_of(text, SPEAKERS)
    assert shape.text == text and len(shape.words) <= 32
