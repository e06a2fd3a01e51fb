"""Saved states and remembered digests: lost or damaged ones cost time, never correctness."""

import hashlib

import pytest

from runtime.planner.states import KEPT_STATES, StateStore, file_digest, write_atomically


def test_a_state_comes_back(tmp_path):
    store = StateStore(tmp_path, "m")
    store.save([1, 2], b"state")
    assert store.load([1, 2]) == b"state"
    assert store.load([1, 2, 3]) is None
    assert StateStore(tmp_path, "other").load([1, 2]) is None


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 40])
def test_a_damaged_state_is_dropped(tmp_path, damage):
    store = StateStore(tmp_path, "m")
    store.save([1], b"state")
    store.path_of([1]).write_bytes(damage)
    assert store.load([1]) is None
    assert not store.path_of([1]).exists()


def test_a_flipped_bit_is_seen(tmp_path):
    store = StateStore(tmp_path, "m")
    store.save([1], b"state")
    data = bytearray(store.path_of([1]).read_bytes())
    data[-1] ^= 1
    store.path_of([1]).write_bytes(data)
    assert store.load([1]) is None


def test_only_the_newest_states_stay(tmp_path):
    store = StateStore(tmp_path, "m")
    for number in range(KEPT_STATES + 3):
        store.save([number], b"s")
    assert len(list((tmp_path / "prefix").glob("*.state"))) == KEPT_STATES


def test_files_are_private_and_leave_no_parts(tmp_path):
    write_atomically(tmp_path / "a" / "b", b"data")
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]


def test_a_folder_that_can_not_be_written_is_survived(tmp_path):
    (tmp_path / "file").write_text("in the way")
    StateStore(tmp_path / "file", "m").save([1], b"s")
    (tmp_path / "model").write_bytes(b"abc")
    assert file_digest(tmp_path / "model", tmp_path / "file") == hashlib.sha256(b"abc").hexdigest()[:16]


def test_a_digest_follows_the_file(tmp_path):
    model = tmp_path / "model"
    model.write_bytes(b"abc")
    assert file_digest(model, tmp_path / "c") == "ba7816bf8f01cfea"  # SHA-256 of "abc"
    model.write_bytes(b"abcd")
    assert file_digest(model, tmp_path / "c") == hashlib.sha256(b"abcd").hexdigest()[:16]
    (tmp_path / "c" / "digests.json").write_text("[not an object")
    assert file_digest(model, tmp_path / "c") == hashlib.sha256(b"abcd").hexdigest()[:16]
