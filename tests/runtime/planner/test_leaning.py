"""Names lose or keep their likelihood where they begin, and nowhere else."""

import numpy as np
import pytest

from runtime.planner.leaning import Leaning

WORDS = ["<", "tool", '{"', "name", '":', ' "', "ask", "ref", "use", "manage", '"', "x"]
IDS = {word: number for number, word in enumerate(WORDS)}


def decode(ids):
    return "".join(WORDS[one] for one in ids)


def encode(text):
    """Greedy over the made-up vocabulary."""
    ids = []
    while text:
        word = max((one for one in WORDS if text.startswith(one)), key=len, default=text[0])
        ids.append(IDS.get(word, IDS["x"]))
        text = text[len(word) :]
    return ids


OPENED = [IDS[word] for word in ("<", "tool", '{"', "name", '":', ' "')]


def test_questions_and_refusals_lose_where_a_name_begins():
    row = np.zeros(len(WORDS), np.float32)
    leaned = Leaning(encode, decode, 2.0).lean(row, OPENED)
    assert {WORDS[place]: float(leaned[place]) for place in np.flatnonzero(leaned)} == {"ask": -2.0, "ref": -2.0}
    assert not row.any()  # the planner's own logits are traced as they were


@pytest.mark.parametrize("written", [[], OPENED[:-1], [*OPENED, IDS["manage"]]])
def test_elsewhere_nothing_changes(written):
    row = np.ones(len(WORDS), np.float32)
    assert Leaning(encode, decode, 2.0).lean(row, written) is row
