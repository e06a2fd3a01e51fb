"""The cache of a fixed text list: computed once, keyed by model and texts, never believed when damaged."""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.embedder import cached_embeddings


class Letters:
    """A real, tiny embedder: the share of a, b and c in a text; it counts its calls."""

    dimension = 3

    def __init__(self, identity: str = "letters@1") -> None:
        self.identity = identity
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.calls += 1
        counts = np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=np.float32)
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


TEXTS = ["aaa", "bc"]
EXPECTED = pytest.approx(np.array([[1, 0, 0], [0, 0.70710678, 0.70710678]]), abs=1e-6)


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_texts_are_embedded_once(tmp_path):
    letters = Letters()
    first, second = (cached_embeddings(letters, TEXTS, tmp_path / "cache") for _ in range(2))
    assert first == EXPECTED
    assert (first == second).all()
    assert letters.calls == 1


def test_the_file_is_a_plain_npy_for_its_owner(tmp_path):
    cached_embeddings(Letters(), TEXTS, tmp_path)
    path = only_file(tmp_path)
    assert np.load(path) == EXPECTED
    assert path.stat().st_mode & 0o777 == 0o600


def test_another_model_order_or_text_is_another_entry(tmp_path):
    cached_embeddings(Letters(), TEXTS, tmp_path)
    for letters, texts in [(Letters("letters@2"), TEXTS), (Letters(), TEXTS[::-1]), (Letters(), ["aa", "abc"])]:
        cached_embeddings(letters, texts, tmp_path)
        assert letters.calls == 1
    assert len(list(tmp_path.iterdir())) == 4


def test_a_list_is_not_its_joined_text(tmp_path):
    cached_embeddings(Letters(), ["a", "b"], tmp_path)
    assert cached_embeddings(Letters(), ['a","b'], tmp_path).shape == (1, 3)


@settings(max_examples=60, deadline=None)
@given(position=st.integers(0, 10_000), flip=st.integers(1, 255))
def test_a_flipped_byte_is_never_believed(tmp_path_factory, position, flip):
    folder = tmp_path_factory.mktemp("cache")
    letters = Letters()
    cached_embeddings(letters, TEXTS, folder)
    data = bytearray(only_file(folder).read_bytes())
    data[position % len(data)] ^= flip
    only_file(folder).write_bytes(data)
    assert cached_embeddings(letters, TEXTS, folder) == EXPECTED
    assert letters.calls == 2
    cached_embeddings(letters, TEXTS, folder)
    assert letters.calls == 2  # the damaged file was replaced


@pytest.mark.parametrize("kept", [0, 1, 31, 32, 100, 183])
def test_a_torn_file_is_made_anew(tmp_path, kept):
    letters = Letters()
    cached_embeddings(letters, TEXTS, tmp_path)
    whole = only_file(tmp_path).read_bytes()
    assert len(whole) == 128 + 2 * 3 * 4 + 32  # npy header, six floats, seal
    only_file(tmp_path).write_bytes(whole[:kept])
    assert cached_embeddings(letters, TEXTS, tmp_path) == EXPECTED
    assert only_file(tmp_path).read_bytes() == whole


def test_a_file_of_other_texts_under_this_name_is_refused(tmp_path):
    cached_embeddings(Letters(), TEXTS, tmp_path / "a")
    cached_embeddings(Letters(), ["b", "c"], tmp_path / "b")
    only_file(tmp_path / "a").write_bytes(only_file(tmp_path / "b").read_bytes())
    assert cached_embeddings(Letters(), TEXTS, tmp_path / "a") == EXPECTED


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path, caplog):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with caplog.at_level(logging.WARNING):
        assert cached_embeddings(Letters(), TEXTS, blocked) == EXPECTED
    assert "embeddings are not cached" in caplog.text
