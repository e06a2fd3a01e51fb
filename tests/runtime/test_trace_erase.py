"""What an erasure reaches in traces, and what is left of it."""

import json
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memory.sqlite import open_database
from runtime.contract import Decision, Erased, Erasure, Finish, Segment, Step, TaskView
from runtime.trace import TraceReader, TraceStore, Untraced
from runtime.trace.erase import FEW, Wanted


@pytest.fixture
def store(tmp_path):
    opened = TraceStore(tmp_path / "traces.sqlite3", open_database)
    yield opened
    opened.close()


def run(store, request, **header):
    with store.episode(TaskView(request=request), header) as writer:
        writer.segment(Segment(prefix=request))
        writer.step(Step(index=0, decision=Decision(actions=(Finish(answer="done"),))))
    return writer.id


def wish(*targets):
    return Erasure(id="e1", subject="user:user", targets=targets, requested_at="2026-03-02T09:00:00+00:00")


@pytest.mark.parametrize(
    ("record", "stands"),
    [
        ("the key is under the pot", True),
        ("THE KEY  IS\n UNDER the pot, you know", True),
        (json.dumps({"a": 'it\'s \n"the key is\tunder the pot"'}), True),
        (json.dumps(json.dumps({"a": "so: the key is\nunder the pot"})), True),
        ("the key is under the potato", False),
        ("the key under the pot", False),
        ("", False),
    ],
)
def test_a_text_is_found_by_its_words(record, stands):
    assert Wanted((), ["The key is under the pot."]).stands_in(record) is stands


@pytest.mark.parametrize(
    ("record", "stands"),
    [('{"memory_id":"mem_0007"}', True), ("mem_0007 mem_0008", True), ("mem_00071", False), ("xmem_0007", False)],
)
def test_an_id_is_found_as_a_whole(record, stands):
    assert Wanted(["mem_0007"], ()).stands_in(record) is stands


def test_texts_without_spaces_and_short_ones():
    assert Wanted((), ["我喜欢喝茶"]).stands_in('{"a":"记住我喜欢喝茶"}')
    assert not Wanted((), ["Tea"]).stands_in("tea for two")
    assert Wanted((), ["Quixzotl"]).stands_in("the quixzotl key")


texts_of_words = st.text('abcdé "\\\n', min_size=8, max_size=40).filter(lambda text: len(re.findall(r"\w+", text)) > 2)


@given(st.lists(texts_of_words, min_size=1), st.integers(0, 2), st.booleans())
def test_any_text_is_found_in_json_that_holds_it(texts, depth, ascii_only):
    assume(not (ascii_only and "\\" in texts[0]))  # a backslash before an escaped letter can't be told from its escape
    record = f"before {texts[0]} after"
    for _ in range(depth):
        record = json.dumps({"a": record}, ensure_ascii=ascii_only)
    assert Wanted((), texts).stands_in(record)


@pytest.mark.parametrize("more", [0, FEW + 1])
def test_only_what_is_reached_loses_its_words(store, more):
    """Few targets are looked for by SQLite first, many are not."""
    said, named, other = (
        run(store, "the Key is under the pot"),
        run(store, "x", digests={"memory": "mem_7"}),
        run(store, "y"),
    )
    before = TraceReader(store.path, open_database).episode(other)
    targets = ("mem_7", *(f"mem_9{number:03d}" for number in range(more)))
    erased = store.erase(wish(*targets), ["the key is under the pot"])
    assert erased == Erased(store="traces", looked_at=3, removed=(said, named))
    reader = TraceReader(store.path, open_database)
    assert [one.request for one in reader.page()] == ["y", "[erased]", "[erased]"]
    assert reader.episode(named).digests.memory == ""
    assert reader.episode(said).trainable == "none"
    assert reader.episode(other) == before
    assert store.erase(wish(*targets), ["the key is under the pot"]).removed == ()


def test_an_episode_can_be_named_and_shows_by_whom_it_was_erased(store):
    run_id = run(store, "anything")
    assert store.erase(wish(run_id)).removed == (run_id,)
    row = store._database.execute("SELECT erased, request FROM episodes").fetchone()
    assert tuple(row) == ("e1", "[erased]")


def test_a_record_of_another_version_goes_as_a_whole(store):
    run_id = run(store, "the key is under the pot")
    store._database.execute('UPDATE steps SET record = \'{"old": "the key is under the pot"}\'')
    store._database.execute('UPDATE segments SET record = \'{"old": "the key is under the pot"}\'')
    store._database.execute('UPDATE episodes SET view = \'{"old": "the key is under the pot"}\'')
    store.erase(wish(), ["the key is under the pot"])
    episode = TraceReader(store.path, open_database).episode(run_id)
    assert "under" not in episode.model_dump_json()
    assert [step.index for step in episode.steps] == [0]


def test_names_of_tools_stay_and_invented_ones_go(store):
    call = {"kind": "call", "id": "s0a", "arguments": {"a": "b"}}
    actions = [{**call, "name": "control_lamp"}, {**call, "name": "under_the_pot"}]
    with store.episode(TaskView(request="r"), {}) as writer:
        writer.segment(Segment(prefix="", exposed=("control_lamp",)))
        writer.step(Step.model_validate({"index": 0, "decision": {"actions": actions}}))
    store.erase(wish(writer.id))
    (step,) = TraceReader(store.path, open_database).episode(writer.id).steps
    assert [(one.name, one.arguments) for one in step.decision.actions] == [("control_lamp", {}), ("[erased]", {})]


def test_a_sink_that_keeps_nothing_has_nothing_to_erase():
    assert Untraced().erase(wish("mem_1")) == Erased(store="traces")


def test_a_file_of_the_version_before_can_be_erased_from(tmp_path):
    from dataclasses import replace

    from runtime.trace.schema import SCHEMA

    old = open_database(tmp_path / "t.db", replace(SCHEMA, steps=SCHEMA.steps[:1]))
    old.execute(
        "INSERT INTO episodes (id, started_at, request, view, header, pid) VALUES ('r1', '', 'x', '{}', '{}', 1)"
    )
    old.close()
    store = TraceStore(tmp_path / "t.db", open_database)
    assert store.erase(wish("r1")).removed == ("r1",)
    store.close()
