"""Keywords and meaning: how scores are joined, and what happens when a part is missing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.manager import UserMemory
from memory.records import Category
from memory.search import Finder, match_expression, scaled
from runtime.contract import WorldSpec
from tests.memory.conftest import MEMORIES, Words


def ids(finder, query, limit=4, **more):
    return [found.record.id for found in finder.search(query, limit, **more)]


@pytest.fixture
def finder(memory, words):
    return Finder(memory.store, words)


def test_common_words_are_left_out_unless_there_is_nothing_else():
    assert match_expression("what did I do on the Boston marathon?") == '"boston" OR "marathon"'
    assert match_expression("what is it") == '"what" OR "is" OR "it"'
    assert match_expression("?!") == ""


def test_scores_are_scaled_to_the_span_of_the_candidates():
    assert scaled(np.array([2.0, 4.0, 3.0])).tolist() == [0.0, 1.0, 0.5]
    assert scaled(np.array([2.0, 2.0])).tolist() == [1.0, 1.0]
    assert scaled(np.array([0.0])).tolist() == [0.0]


def test_both_scores_are_added(finder, words):
    # the question has two of the five words of mem_d, and no other record has one: first in both, (1 + 1) / 2
    best = finder.search("window seats", 4)
    assert (best[0].record.id, best[0].score) == ("mem_d", 1.0)
    assert all(found.score < 0.6 for found in best[1:])


def test_stems_match(finder):
    finder.embedder = None
    assert ids(finder, "does she run marathons") == ["mem_c"]
    assert ids(finder, "a seat on some train") == ["mem_d"]


def test_keywords_serve_when_the_embedder_fails(finder, words):
    words.broken = True
    assert ids(finder, "peanuts") == ["mem_b"]
    assert ids(finder, "nothing of this") == []


def test_a_record_whose_embedding_failed_is_found_and_embedded_later(memory, words):
    finder = Finder(memory.store, words)
    words.broken = True
    memory.store.add("Plays the cello", Category.INFO, embedded=finder.embed("Plays the cello"))
    assert ids(finder, "cello") == ["mem_0005"]
    words.broken = False
    assert ids(finder, "cello", 1) == ["mem_0005"]
    assert memory.store.without_vector("words", 10) == []


def test_vectors_of_another_model_are_made_anew(memory, words):
    assert ids(Finder(memory.store, words), "peanuts", 1) == ["mem_b"]
    other = Words("other words")
    assert len(memory.store.without_vector("other words", 10)) == 4
    assert ids(Finder(memory.store, other), "peanuts", 1) == ["mem_b"]
    assert memory.store.without_vector("other words", 10) == []


def test_the_same_world_is_embedded_once(memory, words):
    finder = Finder(memory.store, words)
    ids(finder, "peanuts")
    before = len(words.texts)
    memory.store.add("Likes tea", Category.PREFERENCE)
    memory.reset(WorldSpec(memories=MEMORIES))
    assert ids(finder, "peanuts", 1) == ["mem_b"]
    assert len(words.texts) == before


def test_what_changed_is_seen_at_the_next_search(memory, finder):
    assert ids(finder, "seats", 1) == ["mem_d"]
    memory.store.remove("mem_d")
    assert "mem_d" not in ids(finder, "seats", 10)


@pytest.mark.parametrize("query", ['"', "a AND", "NEAR(", "col:x", "*", 'it\'s "50%" (off)!', "ü ß 東京", "-", "\x00"])
def test_no_question_is_syntax(finder, query):
    assert isinstance(ids(finder, query), list)


@given(st.text(max_size=80))
def test_any_question_can_be_asked(query):
    memory = SHARED
    assert len(Finder(memory.store, WORDS).search(query, 3)) <= 3


WORDS = Words()
SHARED = UserMemory(None, WORDS)
SHARED.reset(WorldSpec(memories=MEMORIES))
