"""Which turns speak for a part of a question, and whom the question names."""

import numpy as np
import pytest

from memory.retrieval.ledger import speaking
from memory.retrieval.scoring import Scored


def scored(words, near):
    every, ones = np.ones(len(words), np.bool_), np.ones(len(words))
    return Scored(every, ones, ones, np.array(words), np.array(near), every, {})


@pytest.mark.parametrize(
    ("words", "near", "turns"),
    [
        ([0.9, 0.4, 0.3], [0.0, 0.0, 0.0], [0, 1]),  # a third of the part is enough
        ([0.2, 0.16, 0.1], [0.0, 0.0, 0.0], [0, 1]),  # nobody says more: three quarters of the most
        ([0.9, 0.0, 0.0], [0.0, 0.5, 0.4], [0, 1]),  # or near
        ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], []),
    ],
)
def test_what_speaks_for_a_part(words, near, turns):
    assert speaking(scored(words, near), [0, 1, 2]) == turns


def test_a_name_counts_in_its_turn_and_fades_beside_it(book):
    book.told(
        ("user", "Olan came by."), ("user", "He has a new job."), ("user", "It rained."), ("user", "We had soup.")
    )
    book.put("Mira has a new job.")
    signs = book.retriever.scored("Which job has Olan got?").signs
    assert signs["named"].tolist() == pytest.approx([1.0, 0.7, 0.49, 0.0, 0.0])
    found = book.found("Which job has Olan got?")
    assert found.index("He has a new job.") < found.index("Mira has a new job.")
    assert "named" not in book.retriever.scored("Which job has he got?").signs


def test_of_two_names_one_is_half(book):
    book.put("Olan came by.")
    book.put("Mira and Olan came by.")
    book.put("It rained.")
    assert book.retriever.scored("When did Mira and Olan come?").signs["named"].tolist() == [0.5, 1.0, 0.0]
    assert book.retriever.scored("When did Olan and Xerxes come?").signs["named"].tolist() == [1.0, 1.0, 0.0]
    named = [item.record.content for item in book.retriever.search("When did Olan come?").items if "name" in item.via]
    assert sorted(named) == ["Mira and Olan came by.", "Olan came by."]
