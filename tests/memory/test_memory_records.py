"""Records: what is refused, with the field and the reason; what comes back is what was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.records import Category, Intention, Kind, MemoryRecord, NewRecord, Trust, row
from memory.store import Embedded, MemoryStore
from runtime.contract import ErrorCode, ToolFailure
from tests.memory.conftest import NOW


def of(**more):
    return NewRecord.of(**{"kind": "user_model", "category": "preference", "content": "Likes tea", **more})


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("content", "", "`content` is ``: the text is empty"),
        ("content", " \n\t ", "the text is empty"),
        ("content", "a\x07b", "the text holds control characters"),
        ("content", "a\x00b", "the text holds control characters"),
        ("content", "x" * 1_000_000, "the text has 1,000,000 characters; the limit is 1,000"),
        ("content", "x" * 1001, "the text has 1,001 characters; the limit is 1,000"),
        ("content", "half \ud83d", "half a character (a lone surrogate)"),
        ("original", "\u00e9" * 32_769, "the text has 65,538 bytes; the limit is 65,536. Split it"),
        ("user", "\ud83d", "half a character"),
        ("valid_from", "2026-02-30", "`valid_from` is `2026-02-30`: day"),
        ("valid_to", "yesterday", "`valid_to` is `yesterday`: Invalid isoformat string"),
        ("importance", 2, "`importance` is `2`: Input should be less than or equal to 1"),
        ("kind", "dream", "`kind` is `dream`"),
        ("colour", "red", "`colour` is `red`"),
    ],
)
def test_a_wrong_record_names_its_field(field, value, says):
    with pytest.raises(ToolFailure) as error:
        of(**{field: value})
    assert error.value.code is ErrorCode.BAD_ARGUMENT
    assert says in error.value.message
    assert len(error.value.message) < 300


@pytest.mark.parametrize(
    ("given_as", "kept"),
    [
        ("2026-03-02", "2026-03-02"),
        ("2026-03-02T09:00", "2026-03-02T09:00"),
        ("2026-03-02 09:00", "2026-03-02T09:00:00"),
        ("20260302T0900", "2026-03-02T09:00:00"),
        ("2026-W10-1", "2026-03-02T00:00:00"),
        ("2026-03-02T09:00+02:00", "2026-03-02T09:00:00"),
        ("2026-03-02T09:00:00Z", "2026-03-02T09:00:00"),
    ],
)
def test_times_are_kept_in_the_one_form_that_compares_as_text(given_as, kept):
    assert of(valid_from=given_as).valid_from == kept


def test_a_row_shows_the_columns_that_the_table_always_had():
    record = MemoryRecord(id="m", kind="episodic", category="important_event", content="x", created_at="2026-03-02",
                          valid_from="2026-03-01", original="long", session="s", user="ann")  # fmt: skip
    assert row(record) == {
        "id": "m", "kind": "episodic", "category": "important_event", "content": "x", "source": "", "speaker": "user",
        "trust": "user", "importance": 0.5, "created_at": "2026-03-02", "valid_from": "2026-03-01", "valid_to": None,
        "supersedes": None,
    }  # fmt: skip


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
plain = text.map(lambda one: " ".join("".join(c for c in one if c.isprintable()).split())).filter(bool)


@given(
    st.builds(
        NewRecord,
        kind=st.sampled_from(Kind),
        category=st.sampled_from(Category),
        content=plain,
        source=text,
        speaker=text,
        trust=st.sampled_from(Trust),
        importance=st.floats(0, 1),
        original=text,
        session=text,
        turn=text,
        order=st.integers(-1000, 1000),
        workspace=text,
        user=text,
        agent=text,
        shared=st.booleans(),
        subject=text,
        derived_from=st.lists(text, max_size=3).map(tuple),
        standing=st.sampled_from(["active", "superseded", "archived", "pending"]),
        intention=st.none() | st.builds(Intention, condition=text, event=text, at=st.just("2026-03-02")),
    )
)
def test_what_is_read_is_what_was_written(new):
    store = MemoryStore(None, lambda: NOW)
    record = store.insert(new)
    assert record.model_dump(exclude={"id", "created_at", "valid_from"}) == new.model_dump(
        exclude={"id", "created_at", "valid_from"}
    )
    assert (record.id, record.created_at, record.valid_from) == ("mem_0001", NOW.isoformat(), NOW.isoformat())
    assert store.get("mem_0001") == record
    assert MemoryRecord.model_validate(record.model_dump()) == record
    assert store.check() == []
    store.close()


def test_many_are_written_in_one_transaction():
    store = MemoryStore(None, lambda: NOW)
    with pytest.raises(AttributeError):
        store.insert_many([(of(), None), (of(), Embedded("e", "no vector"))])
    assert store.count() == 0
    made = store.insert_many([(of(content=f"fact {number}"), None) for number in range(3)])
    assert [record.id for record in made] == ["mem_0001", "mem_0002", "mem_0003"]
    assert store.same_content("FACT 2") == made[2]
    store.close()


def test_an_imported_record_keeps_its_id_and_times_unless_they_are_taken():
    store = MemoryStore(None, lambda: NOW)
    first = store.insert(of(id="mem_0002", created_at="2025-01-01"))
    again = store.insert(of(id="mem_0002"))
    assert (first.id, first.created_at, first.valid_from) == ("mem_0002", "2025-01-01", "2025-01-01")
    assert again.id == "mem_0003"
    store.close()
