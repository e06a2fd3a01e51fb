"""The shipped embedder: shape, meaning, determinism, the cut that is counted, and damage that is refused."""

import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.embedder import MODEL_FOLDER, MiniLmEmbedder, problems, read_manifest
from runtime.contract.errors import SetupError, UserError
from runtime.contract.protocols import Embedder

EMBEDDER = MiniLmEmbedder()


def similarity(one: str, other: str) -> float:
    a, b = EMBEDDER.embed([one, other])
    return float(a @ b)


def test_it_is_the_contracts_embedder():
    embedder: Embedder = MiniLmEmbedder()
    assert embedder.dimension == 384
    assert embedder.identity == read_manifest().identity
    assert embedder.identity.startswith("minilm-l6-v2-int8@")


def test_vectors_are_float32_of_384_with_norm_1():
    vectors = EMBEDDER.embed(["turn the bluetooth off", "", "wake me at seven"])
    assert (vectors.shape, vectors.dtype) == ((3, 384), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)


def test_no_texts_give_no_vectors():
    assert EMBEDDER.embed([]).shape == (0, 384)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("wake me at seven tomorrow", "set an alarm for 7 am", "play some jazz in the kitchen"),
        ("turn the torch on", "switch on the flashlight", "cancel my dentist appointment"),
        ("how do I get to the station", "navigation to the train stop", "mute the phone"),
        ("Anna moved to Lisbon", "which city does Anna live in", "the battery is almost empty"),
        ("send a text to my brother", "message my sibling", "what is the weather on sunday"),
    ],
)
def test_what_means_the_same_is_nearer(text, near, far):
    assert similarity(text, near) > similarity(text, far) + 0.15


def test_the_fp32_models_similarity_is_kept():
    # sentence-transformers gives .755 for this pair with the published fp32 weights
    assert similarity("A man is eating food.", "A man is eating a piece of bread.") == pytest.approx(0.755, abs=0.03)


def test_a_vector_does_not_depend_on_its_neighbours():
    texts = ["mute", "remind me to call the landlord about the heating on thursday", "what's the time in Tokyo"]
    together = EMBEDDER.embed(texts)
    alone = np.vstack([EMBEDDER.embed([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-6


def test_another_object_and_two_threads_give_the_same_vector():
    again = MiniLmEmbedder(threads=2).embed(["book a table for four"])
    assert np.abs(again - EMBEDDER.embed(["book a table for four"])).max() < 1e-3


def test_a_cut_is_counted_and_a_text_at_the_limit_is_not():
    embedder = MiniLmEmbedder()
    embedder.embed(["word " * 254, "short"])  # 254 words and two markers: 256 tokens
    assert embedder.truncated == 0
    embedder.embed(["word " * 255, "short", " " * 20_000 + "unread"])
    assert embedder.truncated == 2


def test_what_stands_behind_the_limit_changes_nothing():
    start = "word " * 254
    a, b = EMBEDDER.embed([start + "alarm", start + "music"])
    assert (a == b).all()


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(), max_size=60))
def test_any_text_has_a_unit_vector(text):
    vector = EMBEDDER.embed([text])[0]
    assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-5)


def test_it_travels_to_another_process_as_its_settings():
    EMBEDDER.embed(["opened"])
    data = pickle.dumps(EMBEDDER)
    assert len(data) < 1_000
    assert pickle.loads(data).identity == EMBEDDER.identity


def test_wrong_use_is_told():
    with pytest.raises(UserError, match="got 8 threads; it takes 1 to 2"):
        MiniLmEmbedder(threads=8)
    with pytest.raises(UserError, match="got one string"):
        EMBEDDER.embed("one string")


def test_shipped_files_are_those_of_the_manifest():
    assert problems(read_manifest()) == []


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MODEL_FOLDER, tmp_path / "model"))


def test_a_flipped_byte_is_refused(copy):
    path = copy / "minilm-l6-v2-int8.onnx.data"
    data = bytearray(path.read_bytes())
    data[1_000_000] ^= 1
    path.write_bytes(data)
    with pytest.raises(SetupError, match="differs from its digest"):
        MiniLmEmbedder(copy).embed(["hello"])


def test_a_short_and_a_missing_file_are_both_named(copy):
    (copy / "tokenizer.json").write_bytes(b"{}")
    (copy / "minilm-l6-v2-int8.onnx").unlink()
    found = problems(read_manifest(copy), copy)
    assert len(found) == 2
    assert "is missing" in found[0]
    assert "has 2 bytes instead of 466,247" in found[1]


@pytest.mark.parametrize("content", [None, b"", b'{"name": "x"}', b"\xff\xfe"])
def test_a_damaged_manifest_says_what_to_do(tmp_path, content):
    if content is not None:
        (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(SetupError, match="Reinstall pocketplanner"):
        MiniLmEmbedder(tmp_path)


def test_neither_torch_nor_the_model_is_loaded_by_the_import():
    code = (
        "import sys, memory.embedder; early = 'onnxruntime' in sys.modules\n"
        "memory.embedder.MiniLmEmbedder().embed(['a'])\n"
        "print(early, [m for m in ('torch', 'transformers', 'sentence_transformers') if m in sys.modules])"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False []"
