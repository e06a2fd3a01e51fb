"""Vectors in memory and in their file: what a filter leaves out is not scored, what does not fit is read anew."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import vectors
from memory.records import Category, NewRecord, kind_for
from memory.store import Embedded, Filter, MemoryStore
from memory.vectors import VectorIndex, cache, space
from tests.memory.conftest import NOW

AXES = np.eye(4, dtype=np.float32)
NEAR = np.array([0.8, 0.6, 0, 0], np.float32)


def new(text, **more):
    return NewRecord(kind=kind_for("preference"), category=Category.PREFERENCE, content=text, **more)


def put(store, text, vector, identity="e", **more):
    return store.insert(new(text, **more), Embedded(identity, vector)).id


@pytest.fixture
def store(tmp_path):
    opened = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    yield opened
    opened.close()


@pytest.fixture
def index(store):
    return VectorIndex(store, "e", 4)


def found(index, query=AXES[0], which=Filter(), limit=9):
    seqs, cosines = index.search(query, which, limit)
    return [(int(seq), round(float(one), 3)) for seq, one in zip(seqs, cosines, strict=True)]


def test_the_nearest_come_first(store, index):
    for vector in (AXES[1], NEAR, AXES[0], AXES[2]):
        put(store, "x", vector)
    assert found(index) == [(3, 1.0), (2, 0.8), (4, 0.0), (1, 0.0)]
    assert found(index, limit=2) == [(3, 1.0), (2, 0.8)]


def test_nothing_to_find(index):
    assert found(index) == []


def test_a_user_with_one_memory_behind_sixty_nearer_ones_of_another_gets_it(store, index):
    for number in range(60):
        put(store, f"hers {number}", AXES[0], user="ann")
    put(store, "his", NEAR, user="bob")
    assert found(index, which=Filter(user="bob"), limit=3) == [(61, 0.8)]
    assert len(found(index, which=Filter(user="ann"), limit=100)) == 60


def test_vectors_of_another_model_are_not_compared(store, index):
    put(store, "old", AXES[0], identity="other")
    put(store, "new", NEAR)
    assert found(index) == [(2, 0.8)]
    assert index.lacking == {1}


def test_what_another_process_wrote_is_seen(store, index, tmp_path):
    first = put(store, "one", AXES[0])
    assert found(index) == [(1, 1.0)]
    other = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    put(other, "two", NEAR)
    other.archive([first])
    assert found(index) == [(2, 0.8)]
    other.remove(["mem_0002"])
    other.put_vectors("e", {1: AXES[3]})
    assert found(index, which=Filter(standing=())) == [(1, 0.0)]
    assert index.source == "store"
    other.close()


def test_a_fact_that_was_replaced_is_left_out_now_and_found_as_of_then(store, index):
    put(store, "Lives in Rome", AXES[0], valid_from="2026-01-01")
    heir = new("Lives in Oslo", valid_from="2026-02-01")
    store.supersede("mem_0001", heir, Embedded("e", NEAR))
    assert found(index) == [(2, 0.8)]
    assert found(index, which=Filter(as_of="2026-01-15")) == [(1, 1.0)]
    assert found(index, which=Filter(as_of="2026-02-01")) == [(2, 0.8)]


def test_what_held_for_a_time_is_left_out_after_it(store, index):
    put(store, "Is in Rome until Sunday", AXES[0], valid_to="2026-03-01T18:00")
    put(store, "Is in Oslo until Tuesday", AXES[0], valid_to="2026-03-03T18:00")
    assert found(index) == [(2, 1.0)]
    assert found(index, which=Filter(expired=True)) == [(2, 1.0), (1, 1.0)]


def test_what_begins_later_is_left_out_until_then(store, index):
    put(store, "Is in Rome from Tuesday on", AXES[0], valid_from="2026-03-03")
    put(store, "Is in Oslo", AXES[0])
    assert found(index) == [(2, 1.0)]
    assert found(index, which=Filter(expired=True)) == [(2, 1.0), (1, 1.0)]
    assert found(index, which=Filter(as_of="2026-03-03")) == [(2, 1.0), (1, 1.0)]


def test_a_cache_that_must_wait_for_a_writer_is_no_warning(store, index, tmp_path, caplog):
    put(store, "one", AXES[0])
    other = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    with other.writing(), store.impatient():
        assert not index.save()
    assert [record.levelname for record in caplog.records] in ([], ["INFO"])
    assert index.save()
    other.close()


def test_faiss_and_numpy_score_alike(store, index, monkeypatch):
    for row in np.random.default_rng(0).standard_normal((60, 4)).astype(np.float32):
        put(store, "x", row / np.linalg.norm(row))
    few = found(index, limit=60)
    monkeypatch.setattr(space, "FAISS_FROM", 1)
    assert [seq for seq, _ in found(index, limit=60)] == [seq for seq, _ in few]
    assert np.allclose([one for _, one in found(index, limit=60)], [one for _, one in few], atol=2e-3)


def test_the_file_is_read_by_the_next_process(store, index, tmp_path):
    put(store, "one", AXES[0])
    put(store, "two", NEAR)
    found(index)
    assert index.save()
    assert store.cache_path.stat().st_mode & 0o777 == 0o600
    put(store, "three", AXES[0])
    store.remove(["mem_0002"])
    again = VectorIndex(store, "e", 4)
    assert found(again) == [(3, 1.0), (1, 1.0)]
    assert again.source == "file"
    assert {path.name for path in tmp_path.glob("*vectors*")} == {"memory.sqlite3.vectors"}


def test_a_file_of_another_model_or_store_is_not_read(store, index, tmp_path):
    put(store, "one", AXES[0])
    assert index.save()
    assert VectorIndex(store, "f", 4).cosines(AXES[0], Filter())[0].tolist() == []
    other = MemoryStore(tmp_path / "other.sqlite3", lambda: NOW)
    put(other, "not one", NEAR)
    other.cache_path.write_bytes(store.cache_path.read_bytes())
    fresh = VectorIndex(other, "e", 4)
    assert (found(fresh), fresh.source) == ([(1, 0.8)], "store")
    other.close()


def test_a_file_that_is_newer_than_a_store_put_back_is_not_read(store, index, tmp_path):
    put(store, "one", AXES[0])
    store.scrub()
    backup = (tmp_path / "memory.sqlite3").read_bytes()
    put(store, "two", NEAR)
    found(index)
    assert index.save()
    kept = store.cache_path.read_bytes()
    store.close()
    (tmp_path / "memory.sqlite3").write_bytes(backup)
    back = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    put(back, "another two", AXES[1])
    back.cache_path.write_bytes(kept)
    fresh = VectorIndex(back, "e", 4)
    assert (found(fresh), fresh.source) == ([(1, 1.0), (2, 0.0)], "store")
    back.close()


def test_no_corrupted_file_is_accepted(store, index):
    for number in range(20):
        put(store, f"fact {number}", AXES[number % 4])
    assert index.save()
    path, right = store.cache_path, store.cache_path.read_bytes()
    before = found(VectorIndex(store, "e", 4), limit=20)
    chance = random.Random(4)
    accepted = 0
    for number in range(300):
        data = bytearray(right)
        place = chance.randrange(len(data))
        if number % 3 == 0:
            data[place] ^= 1 << chance.randrange(8)
        elif number % 3 == 1:
            del data[place:]
        else:
            data[place : place + 16] = chance.randbytes(16)
        path.write_bytes(data)
        fresh = VectorIndex(store, "e", 4)
        assert found(fresh, limit=20) == before
        accepted += fresh.source == "file" and bytes(data) != right
    assert accepted == 0
    path.write_bytes(right)
    assert found(VectorIndex(store, "e", 4), limit=20) == before


def test_a_file_that_can_not_be_written_costs_nothing_but_itself(store, index, caplog):
    put(store, "one", AXES[0])
    store.cache_path.mkdir()
    assert not index.save()
    assert "are not cached" in caplog.text
    assert found(index) == [(1, 1.0)]
    assert put(store, "two", NEAR) == "mem_0002"


def test_what_was_read_of_a_write_that_was_taken_back_is_read_anew(store, index):
    put(store, "kept", AXES[1])
    with pytest.raises(KeyboardInterrupt), store.writing():
        put(store, "taken back", AXES[0])
        assert found(index) == [(2, 1.0), (1, 0.0)]
        raise KeyboardInterrupt
    put(store, "another at the same place", NEAR)
    assert found(index) == [(2, 0.8), (1, 0.0)]
    assert index.save()
    assert found(VectorIndex(store, "e", 4)) == [(2, 0.8), (1, 0.0)]
    store.archive(["mem_0002"])
    assert found(index) == [(1, 0.0)]


def test_a_search_waits_for_no_writer(store, index, tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "SAVE_FROM", 1)
    for number in range(3):
        put(store, f"fact {number}", AXES[0])
    other = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    with other.writing():
        other.add("not yet committed", Category.INFO)
        assert len(found(index)) == 3
    assert not store.cache_path.exists()
    assert store.database.execute("PRAGMA busy_timeout").fetchone()[0] == 5000
    other.close()


def test_within_one_moment_nothing_is_written(store, index, monkeypatch):
    monkeypatch.setattr(vectors, "SAVE_FROM", 0)
    put(store, "one", AXES[0])
    with store.reading():
        assert found(index) == [(1, 1.0)]
    assert not store.cache_path.exists()
    put(store, "two", NEAR)
    assert len(found(index)) == 2
    assert store.cache_path.exists()


def test_a_store_in_memory_has_no_file():
    store = MemoryStore(None, lambda: NOW)
    index = VectorIndex(store, "e", 4)
    put(store, "one", AXES[0])
    assert (found(index), index.save()) == ([(1, 1.0)], False)
    store.close()


def test_removal_takes_the_file(store, index, tmp_path):
    gone = put(store, "one", AXES[0])
    put(store, "two", NEAR)
    assert index.save()
    store.remove([gone])
    assert store.scrub()
    assert [path.name for path in tmp_path.glob("*vectors*")] == []
    assert found(index) == [(2, 0.8)]


change = st.tuples(
    st.sampled_from(["add", "remove", "archive", "revive", "vector", "bare", "reset"]), st.integers(0, 7), st.booleans()
)


@settings(max_examples=60, deadline=None)
@given(st.lists(change, max_size=12))
def test_following_gives_what_reading_anew_gives(changes):
    store = MemoryStore(None, lambda: NOW)
    store.snapshot()
    index = VectorIndex(store, "e", 4)
    which = Filter(user="ann")
    for action, number, look in changes:
        name = f"mem_{number + 1:04d}"
        if action == "add":
            put(store, "x", AXES[number % 4], user=("ann", "bob")[number % 2])
        elif action == "bare":
            store.insert(new("y", user="ann"))
        elif action == "remove":
            store.remove([name])
        elif action == "archive":
            store.archive([name])
        elif action == "revive":
            store.mark([name], "active")
        elif action == "vector":
            store.put_vectors("e", {number + 1: NEAR})
        else:
            store.restore("memory_1")
        if look:
            found(index)
    fresh = VectorIndex(store, "e", 4)
    assert found(index, which=which, limit=99) == found(fresh, which=which, limit=99)
    assert index.lacking == fresh.lacking
    allowed = store.by_seq(store.seqs(which))
    assert {seq for seq, _ in found(index, which=which, limit=99)} <= set(allowed)
    store.close()


def test_a_file_without_a_mark_is_not_read(tmp_path):
    path = tmp_path / "x.vectors"
    path.write_bytes(b"anything")
    assert cache.read(path, 0) is None
    assert cache.read(tmp_path / "none", 1) is None
