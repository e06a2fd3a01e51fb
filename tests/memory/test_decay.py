"""Decay: what fades, what lasts, and that nothing is lost."""

from datetime import datetime

import pytest

from memory.lifecycle.decay import Decay, decay, lasts, strength
from memory.records import Category, Intention, Kind, NewRecord, Trust
from memory.store import Filter, MemoryStore
from runtime.contract import CancelToken

NOW = datetime(2026, 3, 2, 9, 0)


@pytest.fixture
def store():
    made = MemoryStore(None, lambda: NOW)
    yield made
    made.close()


def kept(store, content="It rained all day.", **given):
    fields = {"kind": Kind.EPISODIC, "category": Category.EVENT, "created_at": "2020-01-01T09:00", "importance": 0.3}
    return store.insert(NewRecord.of(content=content, **{**fields, **given}))


def test_strength_halves_with_each_half_life(store):
    record = kept(store, importance=0.4, created_at="2026-01-01T00:00")
    policy = Decay(user_days=30)
    assert strength(record, "2026-01-31T00:00", policy) == pytest.approx(0.2)
    assert strength(record, "2026-03-02T00:00", policy) == pytest.approx(0.1)
    assert strength(record, "2025-01-01T00:00", policy) == 0.4


def test_old_and_light_goes_to_the_archive_and_stays_readable(store):
    old, new = kept(store), kept(store, "It snowed.", created_at="2026-02-01T09:00")
    assert decay(store, "2026-03-02T09:00", Filter()) == [old.id]
    assert store.get(old.id).standing == "archived"
    assert store.get(old.id).content == "It rained all day."
    assert [record.id for _, record in store.records()] == [new.id]
    assert list(store.matching('"rained"', Filter(standing=("archived",)))) == [1]


def test_external_text_fades_first(store):
    external = kept(store, trust=Trust.EXTERNAL, importance=0.1, created_at="2025-12-01T09:00")
    kept(store, "It snowed.", created_at="2025-12-01T09:00")
    assert decay(store, "2026-03-02T09:00", Filter()) == [external.id]


@pytest.mark.parametrize(
    "given",
    [
        {"content": "I prefer window seats."},
        {"content": "I am allergic to peanuts."},
        {"content": "Lives in Berlin", "kind": Kind.USER_MODEL},
        {"kind": Kind.PROSPECTIVE, "intention": Intention(condition="then", event="fly")},
    ],
)
def test_what_lasts_does_not_decay(store, given):
    record = kept(store, **given)
    assert lasts(record)
    assert decay(store, "2056-01-01T00:00", Filter()) == []


def test_the_same_words_from_outside_do_not_last(store):
    assert not lasts(kept(store, "I prefer window seats.", trust=Trust.EXTERNAL))


def test_decay_is_of_one_owner_and_can_be_stopped(store):
    kept(store, user="ann")
    cancel = CancelToken()
    cancel.cancel()
    assert decay(store, "2026-03-02T09:00", Filter(user="bob")) == []
    assert decay(store, "2026-03-02T09:00", Filter(user="ann"), cancel) == []
    assert len(decay(store, "2026-03-02T09:00", Filter(user="ann"))) == 1
