"""The front door and the house: whose memories are seen, what a person's wishes change, what forgetting reaches."""

import os
import shutil
import subprocess
from datetime import timedelta

import pytest

from memory.access.access import device_access
from memory.house import House
from memory.manager import UserMemory
from memory.records import Category, Kind, NewRecord, Trust
from memory.service import MemoryService
from runtime.contract import Deadline, ErrorCode, InfrastructureError, ToolCall
from tests.memory.conftest import NOW, found, refused


def test_what_others_share_is_not_exported_and_nothing_that_is_imported_is_shared(service):
    service.store.add("Seats go first", Category.INFO, user="", shared=True)
    own = service.add("Parks on level two", Category.ROUTINES)
    (line,) = service.exported()
    assert own.id in line
    shared = line.replace('"shared":false', '"shared":true').replace("level two", "level nine")
    done = service.imported([shared, shared.replace('"user":"user"', '"user":""')], "m.jsonl")
    assert (done.added, done.others) == (1, 1)
    assert [record.content for _, record in service.store.records() if record.shared] == ["Seats go first"]


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


def linked(store, name, **more):
    new = NewRecord(id=name, kind=Kind.USER_MODEL, category=Category.INFO, content=f"says {name}", **more)
    return store.insert(new)


def test_a_link_to_another_users_record_leads_nowhere(service, words):
    mine = service.add("Parks on level two", Category.ROUTINES)
    other = MemoryService(service.store.path, words, lambda: NOW, access=device_access("bela"))
    thief = linked(other.store, "thief", user="bela", supersedes=mine.id, derived_from=(mine.id,))
    assert other.shown("thief") == (thief, [], [])
    assert service.shown(mine.id) == (mine, [], [])
    assert [record.id for record in service.doomed([mine.id])] == [mine.id]
    assert other.forget(["thief"]).records == ("thief",)
    assert service.store.get(mine.id) == mine
    other.store.remove(linked(other.store, "again", user="bela", supersedes=mine.id).id)
    assert service.store.get(mine.id) == mine
    other.close()


def test_a_chain_in_a_circle_ends(service):
    one, two = linked(service.store, "one", supersedes="two"), linked(service.store, "two", supersedes="one")
    assert service.shown("one") == (one, [two], [two])
    assert set(service.forget(["one"]).records) == {"one", "two"}


def test_what_is_announced_is_what_goes(service):
    old = service.add("Parks on level two", Category.ROUTINES)
    heir = service.correct(old.id, "Parks on level three")
    fact = service.store.add("Has a car", Category.INFO, kind=Kind.LONG_TERM, derived_from=(old.id,))
    service.store.add("Said: Parks on level two", Category.INFO)
    announced = {record.id for record in service.doomed([heir.id])}
    assert {old.id, heir.id, fact.id} < announced
    assert set(service.forget([heir.id]).records) == announced


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


def test_an_intention_beyond_the_limit_is_not_lost(service):
    for name, hour in (("Call the vet", 8), ("Call the bank", 7), ("Call Ann", 6)):
        service.intend(name, at=f"2026-03-02T0{hour}:00")
    memory = UserMemory(service=service)
    asked = [memory.recall("what is new", 2, Deadline.never()) for _ in range(3)]
    assert [[item["content"] for item in items if item.get("due")] for items in asked] == [
        ["Call Ann", "Call the bank"],
        ["Call the vet"],
        [],
    ]
    assert service.due() == []


def test_a_request_is_an_event_that_an_intention_may_wait_for(service):
    service.intend("Check me in early", event="I fly")
    service.intend("Ask about the boat", event="I sail")
    memory = UserMemory(service=service)
    asked = [memory.recall(words, 5, Deadline.never()) for words in ("set an alarm", "I fly to Rome, set an alarm")]
    due = [[item["content"] for item in items if item.get("due")] for items in asked]
    assert due == [[], ["Check me in early"]]


def test_what_an_agent_noted_later_stands_below_the_users_word(service):
    own = service.add("I live in Ulm", Category.INFO, created_at="2026-01-05T08:00", valid_from="2026-01-05T08:00")
    memory = UserMemory(service=service)
    call = ToolCall(
        id="a", name="add_user_memory", arguments={"content": "The user lives where? The user lives in Jena"}
    )
    memory.execute(call, Deadline.never())
    assert found(service, "where does the user live") == [own.content, "The user lives where? The user lives in Jena"]
    assert found(service, "where does the user live", mode="recent")[0].endswith("Jena")
    later = service.add("I live in Bremen", Category.INFO)
    assert service.shown(own.id)[0].standing == "superseded"
    assert found(service, "where does the user live") == [later.content]


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


def test_what_is_not_reused_is_not_shown_as_a_predecessor_either(house):
    old = house.add("Plays the cello in a band", Category.EVENT, session="s1")
    house.store.replace(old.id, "Plays the harp in a band")
    item = house.search("harp band").items[0]
    assert [record.content for record in item.supersedes] == [old.content]
    house.wish(Kind.EPISODIC, reuse=False)
    assert [item.supersedes for item in house.search("harp band").items] == [()]


def test_what_outlived_its_retention_is_hidden_and_then_forgotten(house):
    long_ago = (NOW - timedelta(days=100)).isoformat()
    house.add("Went to the zoo", Category.EVENT, created_at=long_ago, valid_from=long_ago)
    house.add("Went to the lake", Category.EVENT)
    house.wish(Kind.EPISODIC, retention_days=90)
    assert found(house, "went to") == ["Went to the lake"]
    house.maintain()
    assert b"Went to the zoo" not in house.store.path.read_bytes()
    assert [record.content for record in house.listed()] == ["Went to the lake"]


def test_retention_takes_no_more_than_is_due(house):
    long_ago = (NOW - timedelta(days=100)).isoformat()
    old = house.add("Went to the zoo", Category.EVENT, created_at=long_ago, valid_from=long_ago)
    fact = house.store.add("Likes animals", Category.INFO, kind=Kind.LONG_TERM, derived_from=(old.id,))
    same = house.add("Says that she Went to the zoo", Category.INFO)
    house.wish(Kind.EPISODIC, retention_days=90)
    house.maintain()
    assert [house.store.standing(one.id) for one in (old, fact, same)] == [None, "active", "active"]


def test_a_house_with_a_damaged_journal_of_erasures_can_still_be_read(tmp_path, words, caplog):
    (tmp_path / "erasures.sqlite3").write_bytes(b"no database at all, whatever it is called" * 50)
    house = House(tmp_path / "memory.sqlite3", words, lambda: NOW)
    assert house.listed() == []
    assert "is not finished yet" in caplog.text
    house.close()


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="needs a disk of its own")
def test_a_house_on_a_disk_that_can_only_be_read_is_read(tmp_path, words):
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "small", tmp_path], check=False).returncode:
        pytest.skip("this system mounts no disk")
    try:
        house = House(tmp_path / "memory.sqlite3", words, lambda: NOW)
        record = house.add("Parks on level two", Category.ROUTINES)
        house.wish(Kind.EPISODIC, retention_days=90)
        house.forget([house.add("Plays the cello", Category.INFO).id])
        house.close()
        subprocess.run(["mount", "-o", "remount,ro", tmp_path], check=True)
        again = House(tmp_path / "memory.sqlite3", words, lambda: NOW)
        assert found(again, "parks level two") == ["Parks on level two"]
        assert (again.shown(record.id)[0], len(list(again.exported()))) == (record, 1)
        assert again.stats()["problems"] == []
        with pytest.raises(InfrastructureError):
            again.add("Plays the harp", Category.INFO)
        again.close()
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_what_was_shared_of_a_corrected_memory_is_shown_no_longer(house):
    record = house.add("Choose the seat first", Category.PREFERENCE)
    house.wish(Kind.USER_MODEL, sharing=True)
    shared = house.share(record.id)
    house.correct(record.id, "Choose the meal first")
    assert house.store.standing(shared.id) == "archived"


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


def test_the_newest_word_holds_though_the_clock_went_back(tmp_path, words):
    times = iter([NOW.replace(hour=2, minute=50)] * 3 + [NOW.replace(hour=2, minute=10)] * 9)
    service = MemoryService(tmp_path / "back.sqlite3", words, lambda: next(times))
    old = service.add("I live in Ulm", Category.INFO)
    new = service.add("I live in Bremen", Category.INFO)
    assert (new.supersedes, new.standing) == (old.id, "active")
    assert new.valid_from >= old.valid_from
    service.close()


def test_a_corrected_intention_waits_anew_and_keeps_its_end(service):
    first = service.intend("Call the dentist", at="2026-03-02T08:00", expires_at="2026-03-09")
    assert [record.id for record in service.due()] == [first.id]
    new = service.correct(first.id, "Call the dentist about Tuesday")
    assert (new.intention.at, new.intention.expires_at) == (first.intention.at, first.intention.expires_at)
    assert new.intention.status == "pending"
    assert [record.id for record in service.due()] == [new.id]
    assert service.due() == []


def test_a_correction_keeps_how_long_a_fact_holds(service):
    fact = service.add("Staying at the Harbour Inn", Category.INFO, valid_to="2026-07-01")
    assert service.correct(fact.id, "Staying at the Quay Inn").valid_to == fact.valid_to
