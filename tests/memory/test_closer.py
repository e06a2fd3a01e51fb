"""A closer look at the first turns of a long history: which sentences, and how much a nearer one counts."""

import numpy as np
import pytest

from memory.retrieval import DEFAULT, closer
from memory.retrieval.closer import Sentence, chosen, looked
from memory.retrieval.scoring import UNKNOWN, Scored

AXES = np.eye(2, dtype=np.float32)


def test_the_sentence_that_names_most_of_each_turn():
    texts = {
        3: "The harp is loud.",
        1: "It rained. The harp is loud. Who plays?",
        2: "A dog barked. A cat slept.",
        4: "Harps again. Bela plays the harp.",
    }
    found = chosen([3, 1, 2, 4, 9], texts, ["bela", "harp"])
    assert found == [Sentence(1, "The harp is loud."), Sentence(4, "Bela plays the harp.")]
    assert chosen([1, 4], texts, ["harp"], most=1) == [Sentence(1, "The harp is loud.")]


def test_a_sentence_of_another_length_than_a_persons_is_not_looked_at():
    assert chosen([0], {0: f"The harp {'is very ' * 60}loud. It rained."}, ["harp"]) == []


def test_where_somebody_is_named_no_sentence_is_spent_on_others():
    texts = {
        1: "It rained. Mira plays the harp.",
        2: "Bela came by. The harp was out of tune.",
        3: "The harp is loud. Who plays?",
    }
    found = chosen([1, 2, 3], texts, ["bela", "harp"], names=["bela"])
    assert found == [Sentence(2, "Bela came by.")]
    assert [one.turn for one in chosen([1, 2, 3], texts, ["bela", "harp"])] == [1, 2, 3]


def scored(*near):
    turns = len(near)
    every, ones = np.ones(turns, np.bool_), np.ones(turns)
    return Scored(every, ones.copy(), ones, ones, np.array(near), every, {})


def test_a_turn_rises_by_what_its_nearest_sentence_counts():
    """The nearest stands .2 out of the mean, less than the .45 from which meaning counts in full."""
    weights = DEFAULT.model_copy(update={"meaning": 0.9, "apart": 0.45})
    found = [Sentence(0, "near"), Sentence(1, "far"), Sentence(2, "near")]
    made = [AXES[0], AXES[1], AXES[0]]
    total = looked(scored(0.2, 0.6, UNKNOWN), found, AXES[0], lambda texts: made, weights)
    assert total.tolist() == pytest.approx([1 + 0.9 * 0.8 / 0.45, 1.0, 1.0])


def test_without_an_embedder_all_stays_as_it_was():
    assert looked(scored(0.2), [Sentence(0, "near")], AXES[0], lambda texts: None, DEFAULT).tolist() == [1.0]
    assert looked(scored(0.2), [], AXES[0], lambda texts: [], DEFAULT).tolist() == [1.0]


@pytest.mark.parametrize("long", [1, 10**9])
def test_a_long_history_is_looked_at_closer_and_a_short_one_is_not(book, monkeypatch, long):
    monkeypatch.setattr(closer, "LONG", long)
    book.put("It rained all day. We cooked soup for nine people. Bela mastered the flute.")
    book.embedder.texts.clear()
    assert len(book.found("Which flute has Bela mastered?")) == 1
    assert ("Bela mastered the flute." in book.embedder.texts) == (long == 1)
