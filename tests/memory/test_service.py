"""The front door and the house: whose memories are seen, what a person's wishes change, what forgetting reaches."""

from datetime import datetime, timedelta

import pytest

from memory.access.access import device_access
from memory.house import House
from memory.manager import UserMemory
from memory.records import Category, Kind, Trust
from memory.service import MemoryService
from runtime.contract import Deadline, ErrorCode, ToolCall, ToolFailure

NOW = datetime(2026, 3, 2, 9, 0)


@pytest.fixture
def service(tmp_path, words):
    made = MemoryService(tmp_path / "memory.sqlite3", words, lambda: NOW)
    yield made
    made.close()


def found(service, query, **how):
    return [item.record.content for item in service.search(query, **how).items]


def refused(work, *args, **more):
    with pytest.raises(ToolFailure) as failure:
        work(*args, **more)
    return failure.value.code


def test_another_users_record_is_not_there_at_all(service, words):
    mine = service.add("Parks on level two", Category.ROUTINES)
    other = MemoryService(service.store.path, words, lambda: NOW, access=device_access("bela"))
    theirs = other.add("Parks on level two too", Category.ROUTINES)
    assert found(other, "parks level two", limit=50) == ["Parks on level two too"]
    for work, given in ((other.shown, mine.id), (other.forget, [mine.id]), (other.doomed, [mine.id])):
        assert refused(work, given) is ErrorCode.NOT_FOUND
    assert refused(other.correct, mine.id, "Parks outside") is ErrorCode.NOT_FOUND
    assert [record.id for record in service.listed(every=True)] == [mine.id]
    assert [record.id for record in other.listed(every=True)] == [theirs.id]
    assert [line for line in other.exported() if mine.content + '"' in line] == []
    other.close()


def test_the_tools_keep_to_their_user_too(service, words):
    mine = service.add("Parks on level two", Category.ROUTINES)
    other = UserMemory(service=MemoryService(service.store.path, words, lambda: NOW, access=device_access("bela")))

    def call(name, **arguments):
        return other.execute(ToolCall(id="a", name=name, arguments=arguments), Deadline.never())

    assert call("search_user_memory", query="parks").data["items"] == []
    assert call("remove_user_memory", memoryId=mine.id).failure.code is ErrorCode.NOT_FOUND
    assert call("replace_user_memory", memoryId=mine.id, content="x y z").failure.code is ErrorCode.NOT_FOUND
    assert call("add_user_memory", content="Parks on level two").ok  # what another knows is no conflict
    other.close()


def test_a_look_back_shows_what_held_then(service):
    old = service.add("Parks on level two", Category.ROUTINES, valid_from="2026-01-01", created_at="2026-01-01")
    service.correct(old.id, "Parks on level three")
    assert found(service, "parks level") == ["Parks on level three"]
    assert found(service, "parks level", as_of="2026-02-01") == ["Parks on level two"]
    assert [record.content for record in service.listed(as_of="2026-02-01")] == ["Parks on level two"]
    assert refused(service.search, "parks", as_of="2026-02-30") is ErrorCode.BAD_ARGUMENT


def test_an_embedder_that_fails_hides_nothing(service, words):
    words.broken = True
    record = service.add("Plays the cello", Category.INFO)
    assert found(service, "cello") == ["Plays the cello"]
    assert service.stats()["without_vector"] == 1
    words.broken = False
    service.maintain()
    assert service.stats()["without_vector"] == 0
    assert found(service, "cello") == [record.content]


def test_an_intention_comes_into_the_evidence_once(service):
    service.intend("Call the vet", at="2026-03-02T08:00")
    memory = UserMemory(service=service)
    first = memory.recall("what is new", 5, Deadline.never())
    assert [(item["content"], item["due"]) for item in first] == [("Call the vet", True)]
    assert [item.get("due") for item in memory.recall("what is new", 5, Deadline.never())] in ([], [None])


@pytest.fixture
def house(tmp_path, words):
    made = House(tmp_path / "memory.sqlite3", words, lambda: NOW)
    yield made
    made.close()


def test_a_house_has_the_store_alone_until_more_is_asked_of_it(house, tmp_path):
    house.add("Parks on level two", Category.ROUTINES)
    assert {file.name.partition("-")[0] for file in tmp_path.iterdir()} == {"memory.sqlite3"}


def test_what_is_not_reused_stays_in_its_session(house, tmp_path, words):
    house.add("Talked about the cello", Category.EVENT, session="s1")
    assert found(house, "cello") == ["Talked about the cello"]
    house.wish(Kind.EPISODIC, reuse=False)
    assert found(house, "cello") == []
    again = House(tmp_path / "memory.sqlite3", words, lambda: NOW)
    assert found(again, "cello") == []
    again.close()


def test_what_outlived_its_retention_is_hidden_and_then_forgotten(house):
    long_ago = (NOW - timedelta(days=100)).isoformat()
    house.add("Went to the zoo", Category.EVENT, created_at=long_ago, valid_from=long_ago)
    house.add("Went to the lake", Category.EVENT)
    house.wish(Kind.EPISODIC, retention_days=90)
    assert found(house, "went to") == ["Went to the lake"]
    house.maintain()
    assert b"Went to the zoo" not in house.store.path.read_bytes()
    assert [record.content for record in house.listed()] == ["Went to the lake"]


def test_the_log_tells_of_corrections_exports_and_refusals(house, tmp_path, words):
    record = house.add("Parks on level two", Category.ROUTINES)
    house.correct(record.id, "Parks on level three")
    lines = list(house.exported())
    house.imported(lines, "m.jsonl")
    other = House(tmp_path / "memory.sqlite3", words, lambda: NOW, user="bela")
    assert refused(other.shown, record.id) is ErrorCode.NOT_FOUND
    assert refused(other.shown, "mem_none") is ErrorCode.NOT_FOUND
    other.close()
    assert [(entry.event.value, entry.counts) for entry in reversed(house.audit.entries())] == [
        ("corrected", {}),
        ("exported", {"records": 2}),
        ("imported", {"records": 0}),
        ("denied", {}),
    ]
    assert house.audit.verify() == []


def test_the_tool_forgets_in_every_file_of_the_house(house, tmp_path):
    memory = UserMemory(service=house)
    record = house.add("Is afraid of escalators", Category.INFO, trust=Trust.USER)
    house.contexts.write(house.access)
    (tmp_path / "notes.jsonl").write_text('{"text": "Is afraid of escalators"}\n{"text": "else"}\n')
    call = ToolCall(id="a", name="remove_user_memory", arguments={"memoryId": record.id})
    seen = memory.execute(call, Deadline.never(), "run:s0a")
    assert (seen.data, seen.failure) == ({"memory_id": record.id, "removed": 1}, None)
    assert [(change.key, change.after) for change in seen.diff.changes] == [(record.id, None)]
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or b"escalators" not in file.read_bytes(), file
    assert (tmp_path / "notes.jsonl").read_text() == '{"text": "else"}\n'
    again = memory.execute(call, Deadline.never(), "run:s0a")
    assert again.data == seen.data
    assert refused(house.contexts.read, house.access) is ErrorCode.NOT_FOUND
    assert house.audit.verify() == []


def test_the_users_word_closes_what_it_says_otherwise_about(service):
    old = service.add("I live in Ulm", Category.INFO)
    new = service.add("I live in Bremen", Category.INFO)
    assert new.supersedes == old.id
    assert service.shown(old.id)[0].standing == "superseded"
    beside = service.add("I live in Jena", Category.INFO, trust=Trust.AGENT)
    assert (beside.supersedes, service.shown(new.id)[0].standing) == (None, "active")
