"""The generated questions about facts that changed."""

from collections import Counter

import pytest

from evalkit.bench.memory.prose import words
from evalkit.bench.memory.recall import _held, _outcome
from evalkit.bench.memory.updates import FACTS, KINDS, MORE, TUNING, Update, attributes, users


@pytest.mark.parametrize(("file", "facts"), [(FACTS, 20), (MORE, 12), (TUNING, 12)])
def test_every_fact_meets_every_kind(file, facts):
    pairs = Counter((one.attribute, one.kind) for user in users(file=file) for one in user.updates)
    assert len(pairs) == facts * 12
    assert set(pairs.values()) == {1}


@pytest.mark.parametrize("file", [FACTS, MORE, TUNING])
def test_a_value_stands_in_no_other_value_and_in_no_small_talk(file):
    every = [value for fact in attributes(file) for value in fact.values]
    talk = str(words()).lower()
    for one in every:
        assert [other for other in every if one.lower() in other.lower()] == [one]
        assert one.lower() not in talk


def test_the_same_seed_gives_the_same_dialogues():
    assert users(1) == users(1)
    assert users(1, seed=1) != users(1)


@pytest.mark.parametrize(
    "user", [*users(), *users(file=MORE), *users(file=TUNING)], ids=lambda user: user.updates[0].kind
)
def test_a_dialogue_says_the_old_value_before_the_new_one(user):
    for one in user.updates:
        old = [said.order for said in user.turns if one.is_stale(said.text)]
        new = [said.order for said in user.turns if one.new in said.text]
        assert old, one
        assert new, one
        assert max(old) < min(new), one
        assert one.new not in one.question
        if one.foreign:
            assert max(new) < min(said.order for said in user.turns if one.foreign in said.text), one


def test_turns_are_in_order_and_each_in_its_session():
    (user,) = users(1)
    assert [said.order for said in user.turns] == list(range(288))
    assert [said.at for said in user.turns] == sorted(said.at for said in user.turns)
    assert [said.session for said in user.turns[23:25]] == ["s000000", "s000001"]
    assert set(KINDS) == {one.kind for one in user.updates}


UPDATE = Update("chain", "gym", "Which gym is mine?", "Iron Dock", ("The Granary", "Studio Nine"))


@pytest.mark.parametrize(
    ("texts", "stale_above", "found"),
    [
        (["My gym is Iron Dock.", "My gym is The Granary."], False, True),
        (["My gym is The Granary.", "My gym is Iron Dock."], True, True),
        (["I left The Granary for Iron Dock."], False, True),
        (["My gym is Studio Nine."], True, False),
        ([], False, False),
    ],
)
def test_places_decide_what_stands_above(texts, stale_above, found):
    outcome = _outcome(UPDATE, texts)
    assert (outcome.stale_above, outcome.found) == (stale_above, found)


@pytest.mark.parametrize(
    ("texts", "right"),
    [
        (["My gym is Studio Nine."], True),
        (["My gym is Studio Nine.", "My gym is Iron Dock."], True),
        (["My gym is Iron Dock.", "My gym is Studio Nine."], False),
        ([], False),
    ],
)
def test_a_look_back_wants_the_first_value(texts, right):
    assert _held(UPDATE, texts) is right
