"""Export and import: nothing is lost, nothing half taken, and a newer file is refused with line and field."""

import json
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.records import Category, Kind, NewRecord, Trust
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
    assert done.renamed == {"mem_0001": "mem_0002", "mem_0002": "mem_0003", "mem_0003": "mem_0004"}
    heir = other.get("mem_0003")
    assert (heir.content, heir.supersedes) == ("Parks on level three", "mem_0002")
    assert other.get("mem_0002").standing == "superseded"


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
