"""Which records count: the filter as SQL and over facets are one, and it is applied before anything is scored."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from memory.records import Category, Intention, Kind, NewRecord
from memory.store import Filter, MemoryStore
from tests.memory.conftest import NOW

USERS, PLACES, AGENTS = ("ann", "bob"), ("home", "work"), ("", "cook", "guide")
STANDINGS = ("active", "superseded", "archived", "pending")


def new(text="likes tea", **more):
    return NewRecord(**{"kind": Kind.USER_MODEL, "category": Category.PREFERENCE, "content": text, **more})


@pytest.fixture
def store():
    opened = MemoryStore(None, lambda: NOW)
    yield opened
    opened.close()


def ids(store, **which):
    return [record.id for _, record in store.records(Filter(**which))]


def test_each_limit(store):
    store.insert(new(user="ann", workspace="home"))
    store.insert(new(user="ann", workspace="work", shared=True, agent="cook"))
    store.insert(new(user="bob", workspace="work", kind=Kind.EPISODIC, category=Category.EVENT, session="s1"))
    store.insert(new(user="bob", workspace="work", standing="pending", subject="tea"))
    assert ids(store) == ["mem_0001", "mem_0002", "mem_0003"]
    assert ids(store, user="ann") == ["mem_0001", "mem_0002"]
    assert ids(store, workspace="work") == ["mem_0002", "mem_0003"]
    assert ids(store, user="bob", workspace="work") == ["mem_0003"]
    assert ids(store, user="bob", workspace="work", or_shared=True) == ["mem_0002", "mem_0003"]
    assert ids(store, shared=True) == ["mem_0002"]
    assert ids(store, shared=False) == ["mem_0001", "mem_0003"]
    assert ids(store, agent="guide") == ["mem_0001", "mem_0003"]
    assert ids(store, agent="cook") == ["mem_0001", "mem_0002", "mem_0003"]
    assert ids(store, kinds=(Kind.EPISODIC,)) == ["mem_0003"]
    assert ids(store, categories=(Category.EVENT,)) == ["mem_0003"]
    assert ids(store, session="s1") == ["mem_0003"]
    assert ids(store, subject="tea", standing=("pending",)) == ["mem_0004"]
    assert ids(store, standing=()) == ["mem_0001", "mem_0002", "mem_0003", "mem_0004"]
    assert ids(store, since_seq=2) == ["mem_0003"]


def test_only_what_has_an_intention(store):
    store.insert(new())
    intention = Intention(condition="when at the shop", at=None, expires_at="2026-04-01")
    store.insert(new("buy milk", kind=Kind.PROSPECTIVE, intention=intention))
    assert ids(store, intending=True) == ["mem_0002"]
    done = intention.model_copy(update={"status": "done"})
    assert store.update_intention("mem_0002", done).intention == done
    assert store.get("mem_0002").intention == done


def test_looking_back_a_fact_counts_while_it_held_and_while_it_was_known(store):
    store.insert(new("lives in Rome", valid_from="2025-05-01", created_at="2025-06-01T12:00"))
    store.supersede("mem_0001", new("lives in Oslo", valid_from="2026-02-01"))
    assert ids(store) == ["mem_0002"]
    assert ids(store, as_of="2025-04-30") == []
    assert ids(store, as_of="2025-05-01") == ["mem_0001"]
    assert ids(store, as_of="2026-01-31") == ["mem_0001"]
    assert ids(store, as_of="2026-02-01") == ["mem_0002"]
    assert ids(store, known_at="2025-05-31") == []
    assert ids(store, known_at="2026-03-01") == ["mem_0001"]  # the store learned of Oslo on the second of March
    assert ids(store, known_at="2026-03-02") == ["mem_0002"]


@pytest.mark.parametrize("day", ["2026-02-30", "tomorrow", "2026-13-01"])
def test_a_day_that_does_not_exist(day):
    with pytest.raises(ValidationError):
        Filter(as_of=day)


def test_keywords_are_scored_among_what_counts(store):
    for number in range(60):
        store.insert(new(f"tea tea tea {number}", user="ann"))
    store.insert(new("a cup of tea in the garden", user="bob"))
    assert list(store.matching('"tea"', Filter(user="bob"), 3)) == [61]
    assert len(store.matching('"tea"', Filter(user="ann"), 100)) == 60


a_record = st.builds(
    lambda user, place, agent, shared, kind, category, standing, ends, since, session: new(
        user=user, workspace=place, agent=agent, shared=shared, kind=kind, category=category, standing=standing,
        valid_to=ends, valid_from=since, session=session,
    ),
    st.sampled_from(USERS), st.sampled_from(PLACES), st.sampled_from(AGENTS), st.booleans(), st.sampled_from(Kind),
    st.sampled_from(Category), st.sampled_from(STANDINGS), st.sampled_from([None, "2026-03-01", "2026-03-03"]),
    st.sampled_from(["", "2026-02-01", "2026-03-03"]), st.sampled_from(["", "s1"]),
)  # fmt: skip
a_filter = st.builds(
    Filter,
    user=st.sampled_from([None, *USERS]),
    or_shared=st.booleans(),
    workspace=st.sampled_from([None, *PLACES]),
    agent=st.sampled_from([None, "cook"]),
    shared=st.sampled_from([None, True, False]),
    kinds=st.lists(st.sampled_from(Kind), max_size=2).map(tuple),
    categories=st.lists(st.sampled_from(Category), max_size=2).map(tuple),
    standing=st.lists(st.sampled_from(STANDINGS), max_size=2).map(tuple),
    expired=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(a_record, min_size=1, max_size=12), a_filter)
def test_sql_and_facets_agree(news, which):
    store = MemoryStore(None, lambda: NOW)
    store.insert_many([(one, None) for one in news])
    coming = store.coming()
    assert coming == [
        seq
        for seq, one in enumerate(news, 1)
        if (one.valid_from, one.session, one.standing) == ("2026-03-03", "", "active")
    ]
    admitted = [
        seq
        for seq, facets, end in store.facets()
        if which.admits(facets)
        and (which.expired or facets.standing != "active" or ((end is None or end > store.now()) and seq not in coming))
    ]
    assert store.seqs(which) == admitted
    assert list(store.by_seq(range(1, 13), which)) == admitted
    assert sorted(store.matching('"tea"', which, 99)) == admitted
    assert store.count(which) == len(admitted)
    assert [seq for seq, _ in store.newest(99, which)] == admitted[::-1]
    roll = store.roll()
    laid = [(seq, roll.facets[code], roll.ends.get(seq)) for seq, code in zip(roll.seqs, roll.codes, strict=True)]
    assert laid == list(store.facets())
    store.close()
