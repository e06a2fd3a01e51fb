"""Prototypes of tool recall: of which phrasings they are made, and of what they are the means."""

import json

import numpy as np
import pytest

from evalkit.suites.core.drafts import UNSEEN
from evalkit.suites.core.phrases import load_phrases
from evalkit.utterances.rows import Utterance
from runtime.cli.root import main
from runtime.prototypes import load_prototypes, read_manifest
from tests.runtime.conftest import WordEmbedder
from trainer.data.further import plain
from trainer.prototypes import make_prototypes, means, phrasings

FLIPS = [
    "flip a coin for me",
    "toss a coin now",
    "heads or tails, flip it",
    "please do spin a coin round",
    "flip me a coin",
]


@pytest.fixture
def rows(tmp_path):
    """A folder of utterances that ask for a coin."""
    lines = [json.dumps({"source": "clinc150", "intent": "flip_coin", "text": text, "slots": []}) for text in FLIPS]
    (tmp_path / "set.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_rows_that_are_held_out_say_nothing(rows):
    held = [text for text in FLIPS if Utterance(source="clinc150", intent="flip_coin", text=text).held_out]
    assert 0 < len(held) < len(FLIPS)
    said = {text for text, _ in phrasings(rows)} - {text for text, _ in phrasings(None)}
    assert said == set(FLIPS) - set(held)


def test_no_tool_is_there_that_training_may_not_see_and_nothing_that_dev_or_test_say():
    said = phrasings(None)
    held = {plain(text) for entry in load_phrases().one_call for text in (*entry.dev, *entry.test) if "{" not in text}
    assert len(said) > 10_000
    assert not UNSEEN.intersection(tool for _, tool in said)
    assert not held.intersection(plain(text) for text, _ in said)


def test_few_vectors_stay_as_they_are_and_many_become_the_means_of_their_groups():
    few = np.eye(3, dtype=np.float32)
    assert means(few, 3) is few
    near, far = [[0.96, 0.28], [0.96, -0.28]], [[0.28, 0.96], [-0.28, 0.96]]
    found = means(np.array(near + far, np.float32), 2)
    assert sorted(found.round(3).tolist()) == [[0.0, 1.0], [1.0, 0.0]]


def test_the_files_say_what_they_were_made_of(rows, tmp_path):
    embedder, batches = WordEmbedder(), []

    def watch(items):
        batches.extend(items)
        return items

    made = make_prototypes(rows, embedder, tmp_path / "made", each=2, watch=watch)
    assert (read_manifest(tmp_path / "made"), made.embedder, made.recipe["each"]) == (made, embedder.identity, 2)
    assert made.phrasings == len(phrasings(rows))
    assert batches[:2] == [0, 64]
    kept = load_prototypes(embedder.identity, tmp_path / "made")
    assert len(kept) == made.tools
    assert max(map(len, kept.values())) == 2


def test_a_folder_that_is_not_there(capsys, tmp_path):
    code = main(["train", "prototypes", "--utterances", str(tmp_path / "none"), "--folder", str(tmp_path / "made")])
    said = capsys.readouterr().err
    assert (code, str(tmp_path / "none") in said, "Traceback" in said) == (2, True, False)
    assert not (tmp_path / "made").exists()
