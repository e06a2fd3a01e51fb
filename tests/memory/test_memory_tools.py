"""The four tools: what they answer, what they change, and what they say when they can't."""

import pytest

from memory.manager import UserMemory
from runtime.contract import CancelToken, Deadline, Effect, ErrorCode, ToolCall, WorldSpec


def failure(seen):
    return seen.failure.code, seen.failure.message


def test_a_search_gives_ids_contents_and_scores(call):
    seen = call("search_user_memory", query="peanuts allergy", maxResults=1)
    assert seen.data == {
        "items": [
            {
                "memory_id": "mem_b",
                "category": "important_info",
                "content": "Is allergic to peanuts",
                "created_at": "2026-02-01T08:00",
                "relevance_score": 1.0,
            }
        ],
        "total": 1,
    }
    assert seen.diff.empty


def test_a_search_keeps_to_its_category(call):
    seen = call("search_user_memory", query="peanuts", memoryCategory="preference")
    assert [item["memory_id"] for item in seen.data["items"]] == ["mem_d"]


def test_recent_is_newest_first(call):
    seen = call("search_user_memory", query="anything", searchMode="recent", maxResults=4)
    assert [item["memory_id"] for item in seen.data["items"]] == ["mem_d", "mem_a", "mem_b", "mem_c"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": " "}, "`query` of `search_user_memory` is ` `: the text is empty"),
        ({}, "`query` of `search_user_memory` is missing: field required"),
        (
            {"query": "x", "maxResults": 21},
            "`maxResults` of `search_user_memory` is `21`: input should be less than or equal to 20",
        ),
        (
            {"query": "x", "memoryCategory": "habits"},
            "`memoryCategory` of `search_user_memory` is `habits`: input should be 'routines_habits', "
            "'important_info', 'important_event' or 'preference'",
        ),
    ],
)
def test_a_search_refuses_what_it_can_not_use(call, arguments, message):
    assert failure(call("search_user_memory", **arguments)) == (ErrorCode.BAD_ARGUMENT, message)


def test_adding_is_a_row_read_back_and_found(call, memory):
    start = memory.snapshot()
    seen = call("add_user_memory", content="  Parks on   level two ", category="routines_habits")
    row = {
        "id": "mem_0005",
        "kind": "user_model",
        "category": "routines_habits",
        "content": "Parks on level two",
        "source": "",
        "speaker": "user",
        "trust": "agent",
        "importance": 0.5,
        "created_at": "2026-03-02T09:00",
        "valid_from": "2026-03-02T09:00",
        "valid_to": None,
        "supersedes": None,
    }
    assert [(c.table, c.key, c.before, c.after) for c in memory.diff(start).changes] == [
        ("memories", "mem_0005", None, row)
    ]
    assert seen.diff == memory.diff(start)
    assert seen.evidence.facts == {"rows": [{"table": "memories", "key": "mem_0005", "row": row}], "differs": []}
    found = call("search_user_memory", query="where do I park", maxResults=1)
    assert found.data["items"][0]["memory_id"] == "mem_0005"


def test_what_is_known_already_is_a_conflict(call, memory):
    start = memory.snapshot()
    seen = call("add_user_memory", content="is ALLERGIC to peanuts")
    assert failure(seen) == (ErrorCode.CONFLICT, "`mem_b` says this already")
    assert memory.diff(start).empty


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "``: the text is empty"),
        ("x" * 1001, f"`{'x' * 60}`: the text has 1,001 characters; the limit is 1,000"),
        ("bell \x07 rings", "`bell \x07 rings`: the text holds control characters"),
    ],
)
def test_a_text_that_is_no_memory_is_refused(call, content, why):
    message = f"`content` of `add_user_memory` is {why}"
    assert failure(call("add_user_memory", content=content)) == (ErrorCode.BAD_ARGUMENT, message)


def test_replacing_closes_the_old_record_and_adds_its_successor(call, memory):
    start = memory.snapshot()
    seen = call("replace_user_memory", memoryId="mem_d", content="Prefers aisle seats on trains")
    assert (seen.data["memory_id"], seen.data["replaced"]) == ("mem_0005", "mem_d")
    new, old = memory.diff(start).changes
    assert (new.key, new.before, new.after["supersedes"], new.after["category"]) == (
        "mem_0005",
        None,
        "mem_d",
        "preference",
    )
    assert (old.key, old.before["valid_to"], old.after["valid_to"]) == ("mem_d", None, "2026-03-02T09:00")
    found = call("search_user_memory", query="seats on trains", maxResults=20)
    ids = [item["memory_id"] for item in found.data["items"]]
    assert ids[0] == "mem_0005"
    assert "mem_d" not in ids


def test_a_superseded_record_names_its_successor(call):
    call("replace_user_memory", memoryId="mem_d", content="Prefers aisle seats")
    seen = call("remove_user_memory", memoryId="mem_d")
    assert failure(seen) == (ErrorCode.CONFLICT, "memory `mem_d` no longer holds; use `mem_0005`, which replaced it")


def test_removing_forgets_the_record_and_what_it_replaced(call, memory):
    start = memory.snapshot()
    call("replace_user_memory", memoryId="mem_d", content="Prefers aisle seats")
    seen = call("remove_user_memory", memoryId="mem_0005")
    assert seen.data == {"memory_id": "mem_0005", "removed": 2}
    assert [(c.key, c.after) for c in memory.diff(start).changes] == [("mem_d", None)]
    assert [(row["key"], row["row"]) for row in seen.evidence.facts["rows"]] == [("mem_0005", None), ("mem_d", None)]
    assert memory.store.count() == 3


@pytest.mark.parametrize("name", ["replace_user_memory", "remove_user_memory"])
def test_an_unknown_id_says_where_ids_come_from(call, name):
    more = {"content": "New"} if name.startswith("replace") else {}
    seen = call(name, memoryId="mem_x", **more)
    assert failure(seen) == (
        ErrorCode.NOT_FOUND,
        "there is no memory `mem_x`; use an id that `search_user_memory` gave",
    )


def test_a_key_is_applied_once(call, memory):
    first = call("add_user_memory", key="run:s0a", content="Likes jazz")
    again = call("add_user_memory", key="run:s0a", content="Likes jazz")
    assert again.data == first.data
    assert again.diff.empty
    assert memory.store.count() == 5
    other = call("add_user_memory", key="run:s0a", content="Likes rock")
    assert failure(other)[0] is ErrorCode.CONFLICT
    assert memory.store.count() == 5


def test_only_removing_deletes_and_only_searching_reads(memory):
    effects = {spec.name: set(spec.effects) for spec in memory.tools()}
    assert effects == {
        "add_user_memory": {Effect.WRITE},
        "remove_user_memory": {Effect.DELETE},
        "replace_user_memory": {Effect.WRITE},
        "search_user_memory": {Effect.READ},
    }
    assert {spec.domain.value for spec in memory.tools()} == {"AI Assistant"}


def test_a_cancelled_call_changes_nothing(memory):
    cancel = CancelToken()
    cancel.cancel()
    adding = ToolCall(id="s0a", name="add_user_memory", arguments={"content": "Likes jazz"})
    seen = memory.execute(adding, Deadline(None, cancel))
    assert seen.failure.code is ErrorCode.CANCELLED
    assert memory.execute(adding, Deadline(0.0)).failure.code is ErrorCode.TIMEOUT
    assert memory.store.count() == 4


def test_a_tool_of_somebody_else_is_unknown(call):
    assert call("manage_alarm").failure.code is ErrorCode.UNKNOWN_TOOL


def test_recall_gives_evidence_with_its_origin(call, memory):
    call("add_user_memory", content="Likes jazz music")
    (item,) = memory.recall("which music: jazz?", 1, Deadline.never())
    assert (item["memory_id"], item["trust"], item["content"]) == ("mem_0005", "agent", "Likes jazz music")
    assert memory.recall("jazz", 0, Deadline.never()) == []
    assert memory.recall("jazz", 3, Deadline(0.0)) == []


def test_a_memory_without_records_finds_nothing(words):
    empty = UserMemory(None, words)
    empty.reset(WorldSpec())
    seen = empty.execute(ToolCall(id="a", name="search_user_memory", arguments={"query": "x"}), Deadline.never())
    assert seen.data == {"items": [], "total": 0}
