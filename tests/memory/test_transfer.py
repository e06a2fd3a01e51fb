"""Export and import: nothing is lost, nothing half taken, and a newer file is refused with line and field."""

import json
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.records import Category, Kind, MemoryRecord, NewRecord, Trust
from memory.store import Filter, MemoryStore
from memory.transfer import lines, read_lines, take
from runtime.contract import UserError

NOW = datetime(2026, 3, 2, 9, 0)
EVERY = Filter(standing=(), expired=True)


def no_vectors(texts):
    return [None] * len(texts)


def records(store):
    return [record for _, record in store.records(EVERY)]


@pytest.fixture
def store():
    made = MemoryStore(None, lambda: NOW)
    old = made.add("Parks on level two", Category.ROUTINES)
    made.replace(old.id, "Parks on level three", trust=Trust.AGENT)
    made.add("Ran a marathon", Category.EVENT, original="I ran a marathon, my first!", session="s1", importance=0.9)
    yield made
    made.close()


def test_what_was_exported_comes_back_as_it_was(store):
    other = MemoryStore(None, lambda: NOW)
    done = take(other, read_lines(lines(records(store)), "m.jsonl"), no_vectors)
    assert (done.added, done.known, done.renamed) == (3, 0, {})
    assert records(other) == records(store)
    again = take(other, read_lines(lines(records(store)), "m.jsonl"), no_vectors)
    assert (again.added, again.known) == (0, 3)
    assert other.check() == []


def test_an_id_that_is_taken_is_given_anew_and_its_successor_follows(store):
    other = MemoryStore(None, lambda: NOW)
    other.add("Plays the cello", Category.INFO)
    done = take(other, records(store), no_vectors)
    assert done.renamed == {"mem_0001": "mem_0004"}
    heir = other.get("mem_0002")
    assert (heir.content, heir.supersedes) == ("Parks on level three", "mem_0004")
    assert other.get("mem_0004").standing == "superseded"


def test_a_link_follows_also_where_the_successor_stands_first(store):
    other = MemoryStore(None, lambda: NOW)
    other.add("Plays the cello", Category.INFO)
    take(other, records(store)[::-1], no_vectors)
    assert [one.content for one in (other.heir("mem_0004"), other.get("mem_0004"))] == [
        "Parks on level three", "Parks on level two"]  # fmt: skip


def made(name, content="something that was said", **more):
    return MemoryRecord(
        id=name, kind=Kind.USER_MODEL, category=Category.INFO, content=content, created_at="2026-03-02T09:00:00",
        valid_from="2026-03-02", **more,
    )  # fmt: skip


@pytest.mark.parametrize("owner", [{"user": "bob"}, {"workspace": "work"}])
def test_a_link_never_leads_to_another_owner(store, owner):
    """A file is no way to another's records: neither to see them nor to take them along."""
    thief = made("thief", supersedes="mem_0002", derived_from=("mem_0002", "mem_9999"), **owner)
    take(store, [thief], no_vectors)
    kept = store.get("thief")
    assert (kept.supersedes, kept.derived_from, kept.shared) == (None, (), False)
    assert store.get("mem_0002").standing == "active"


@pytest.mark.parametrize("links", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b", "b": "c", "c": "b"}])
def test_what_replaces_itself_is_refused_and_nothing_is_taken(store, links):
    before = records(store)
    with pytest.raises(UserError, match="replaces itself"):
        take(store, [made(one, one, supersedes=other) for one, other in links.items()], no_vectors)
    assert records(store) == before


def test_what_the_file_replaces_is_closed(store):
    take(store, [made("late", supersedes="mem_0002")], no_vectors)
    assert (store.get("mem_0002").standing, store.heir("mem_0002").id, store.check()) == ("superseded", "late", [])


def test_a_line_that_stands_twice_is_taken_once_also_by_two_at_once(store, monkeypatch):
    assert take(store, [made("d1"), made("d1")], no_vectors)[:2] == (1, 1)

    def slow(texts):
        take(store, [made("d2")], no_vectors)  # another process, meanwhile
        return no_vectors(texts)

    assert take(store, [made("d2")], slow)[:2] == (0, 1)


def test_no_number_is_given_twice_after_an_import(store):
    take(store, [made("mem_0006", "six"), made("mem_99999999999999999999", "more than the store counts")], no_vectors)
    assert [one.id for one in records(store)][3:] == ["mem_0006", "mem_0007"]
    store.remove("mem_0006")
    store.remove("mem_0007")
    assert store.add("Plays the cello", Category.INFO).id == "mem_0008"


LINE = json.dumps(
    {
        "contract": 1,
        "memory": {
            "id": "a",
            "kind": "episodic",
            "category": "important_info",
            "content": "Likes tea",
            "created_at": "2026-03-02T09:00:00",
            "valid_from": "2026-03-02",
        },
    }
)


def changed(**fields):
    value = json.loads(LINE)
    value["memory"] |= fields
    return json.dumps(value)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("{", "line 2 of `m.jsonl` is not JSON: "),
        (LINE.replace('"contract": 1', '"contract": 2'),
         "line 2 of `m.jsonl`: `contract` is `2`; this program knows 1. Update pocketplanner."),
        (changed(valid_from="2026-02-30"),
         "line 2 of `m.jsonl`: `memory.valid_from` is `2026-02-30`: day is out of range for month. "
         "Correct it; nothing was imported."),
        (changed(content=" "), "line 2 of `m.jsonl`: `memory.content` is ` `: the text is empty. "),
        (changed(content="x" * 1001), "the text has 1,001 characters; the limit is 1,000"),
        (changed(content="a\x07b"), "the text holds control characters"),
        (changed(mood="good"), "line 2 of `m.jsonl`: `memory.mood` is `good`: Extra inputs are not permitted."),
        ('{"contract": 1}', "line 2 of `m.jsonl`: `memory` is missing: "),
        ("[]", "line 2 of `m.jsonl`: `the whole line` is `[]`"),
        (changed(id="[/red]"), "line 2 of `m.jsonl`: the id '[/red]' has other signs than letters"),
        (changed(derived_from=["\ud800"]), "line 2 of `m.jsonl`: `memory.derived_from` is "),
        (changed(supersedes="a b"), "line 2 of `m.jsonl`: the id 'a b' has other signs than letters"),
        (changed(order=2**70), "line 2 of `m.jsonl`: `memory.order` is "),
        (changed(intention={"condition": "\ud800"}), "line 2 of `m.jsonl`: `memory.intention.condition` is "),
        ("[" * 100_000, "line 2 of `m.jsonl` is not JSON: "),
        (LINE[:-1] + ', "x": ' + "[" * 3000 + "]" * 3000 + "}", "line 2 of `m.jsonl`"),
    ],
)  # fmt: skip
def test_a_line_that_is_wrong_is_named_and_nothing_is_taken(second, message):
    with pytest.raises(UserError) as refused:
        read_lines([LINE, second], "m.jsonl")
    assert message in str(refused.value)


def test_an_empty_file_is_refused():
    with pytest.raises(UserError, match="holds no memories"):
        read_lines(["\n"], "m.jsonl")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=4))
def test_whatever_stands_in_a_file_it_is_records_or_one_line(given):
    try:
        assert read_lines(given, "m.jsonl")
    except UserError as error:
        assert "m.jsonl" in str(error)


def test_kinds_and_trust_survive():
    store = MemoryStore(None, lambda: NOW)
    new = [
        NewRecord(kind=kind, category=Category.INFO, content=f"a {kind}", trust=trust)
        for kind in Kind
        for trust in Trust
    ]
    store.insert_many((one, None) for one in new)
    assert [(one.kind, one.trust) for one in read_lines(lines(records(store)), "x")] == [
        (one.kind, one.trust) for one in new
    ]
