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


def held(texts):
    """Those that no training sees."""
    return {text for text in texts if Utterance(source="clinc150", intent="flip_coin", text=text).held_out}


def test_rows_that_are_held_out_say_nothing(rows):
    assert 0 < len(held(FLIPS)) < len(FLIPS)
    said = {one.text for one in phrasings(rows)} - {one.text for one in phrasings(None)}
    assert said == set(FLIPS) - held(FLIPS)


def test_no_tool_is_there_that_training_may_not_see_and_nothing_that_dev_or_test_say():
    said = phrasings(None)
    apart = {plain(text) for entry in load_phrases().one_call for text in (*entry.dev, *entry.test) if "{" not in text}
    assert len(said) > 10_000
    assert not UNSEEN.intersection(one.tool for one in said)
    assert not apart.intersection(plain(one.text) for one in said)


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
    real, ours = made.data
    assert (real["name"], real["licence"], real["phrasings"]) == (
        "clinc150",
        "CC BY 3.0",
        len(FLIPS) - len(held(FLIPS)),
    )
    assert (ours["name"], ours["phrasings"]) == ("pocketplanner", made.phrasings - real["phrasings"])
    assert batches[:2] == [0, 64]
    kept = load_prototypes(embedder.identity, tmp_path / "made")
    assert sum(len(one) > 0 for one in kept.values()) == made.tools
    assert set(kept) == set(made.there) >= UNSEEN
    assert max(map(len, kept.values())) == 2


def test_a_folder_that_is_not_there(capsys, tmp_path):
    code = main(["train", "prototypes", "--utterances", str(tmp_path / "none"), "--folder", str(tmp_path / "made")])
    said = capsys.readouterr().err
    assert (code, str(tmp_path / "none") in said, "Traceback" in said) == (2, True, False)
    assert not (tmp_path / "made").exists()


def test_a_folder_that_can_not_be_written_is_said_before_the_work(monkeypatch, capsys, rows, tmp_path):
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr("runtime.wiring.open_embedder", WordEmbedder)
    monkeypatch.setattr(WordEmbedder, "embed", lambda *_: pytest.fail("nothing may be embedded"))
    code = main(["train", "prototypes", "--utterances", str(rows), "--folder", str(tmp_path / "file")])
    said = capsys.readouterr().err
    assert (code, "can't be written (File exists)" in said, "--folder DIR" in said) == (2, True, True)
    assert (tmp_path / "file").read_text() == "mine"


def test_the_installed_ones_are_not_replaced_by_less(capsys):
    code = main(["train", "prototypes"])
    assert (code, "would lose what real utterances say" in capsys.readouterr().err) == (2, True)


def test_what_was_made_is_told_in_words_and_as_json(monkeypatch, capsys, rows, tmp_path):
    monkeypatch.setattr("runtime.wiring.open_embedder", WordEmbedder)
    order = ["train", "prototypes", "--utterances", str(rows), "--folder", str(tmp_path / "[made]")]
    assert main(order) == 0
    assert f"phrasings in `{tmp_path}/[made]`" in "".join(capsys.readouterr().out.splitlines())
    assert main([*order, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == read_manifest(tmp_path / "[made]").digest
