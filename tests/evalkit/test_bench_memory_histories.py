"""Generated histories: their length, their evidence, and that no other turn answers a question."""

import pytest

from evalkit.bench.memory.histories import History, _planted, facts, planted, shown
from evalkit.bench.memory.length import _short


def test_a_history_has_its_length_whatever_it_is():
    for tokens in (20_000, 60_000):
        characters = sum(len(said.text) for said in History(tokens, questions=20).turns())
        assert 1.0 <= characters / 4 / tokens < 1.05


def test_a_history_is_made_again_as_it_was():
    assert list(History(20_000, questions=10).turns()) == list(History(20_000, questions=10).turns())


def test_questions_do_not_depend_on_the_length():
    assert History(20_000).planted() == History(1_000_000).planted() == planted()
    assert len({one.question for one in planted()}) == 160


def test_each_statement_stands_in_one_turn_and_in_order():
    history = History(100_000)
    turns = list(history.turns())
    for one in history.planted():
        places = [[said.order for said in turns if statement in said.text] for statement in one.statements]
        assert [len(found) for found in places] == [1] * len(places), one
        assert places == sorted(places), one


def test_no_other_turn_states_what_is_asked_for():
    history = History(100_000, questions=40)
    turns = [said.text for said in history.turns()]
    for question, pairs in _planted(40, 0):
        for person, name in pairs:
            for frame in (facts()[name].stated, facts()[name].retold):
                start = frame.format(p=person, v="|").partition("|")[0]
                others = [text for text in turns if start in text and not shown(question.statements, [text])]
                assert others == [], (question, start)


@pytest.mark.parametrize(("statements", "found"), [(("a b", "c"), 2), (("a b", "d"), 1), ((), 0)])
def test_evidence_is_counted_word_for_word(statements, found):
    assert shown(statements, ["x a b y", "c"]) == found


@pytest.mark.parametrize(("tokens", "name"), [(100_000, "100k"), (10_000_000, "10m"), (1_500, "1500")])
def test_lengths_have_short_names(tokens, name):
    assert _short(tokens) == name
