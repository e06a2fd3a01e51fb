"""Memory and Skills in a run: off by default, and what they add when they are on."""

import pytest

from memory.sqlite import open_database
from runtime.config import load_settings, memory_file
from runtime.contract import Finish, InfrastructureError, TaskView, ToolCall, WorldSpec
from runtime.harness import run_episode
from runtime.recall import Recall
from runtime.trace import Untraced
from runtime.users import NoUser
from runtime.wiring import offered_tools, open_rooms
from tests.runtime.conftest import Script, SmallPhone, WordEmbedder

WORLD = WorldSpec(memories=({"id": "mem_a", "content": "Reads at night with the lamp on", "category": "preference"},))
SEARCH = ToolCall(id="x", name="search_user_memory", arguments={"query": "lamp at night"})
ADD = ToolCall(id="x", name="add_user_memory", arguments={"content": "Sleeps at ten", "category": "routines_habits"})
VIEW = TaskView(request="the lamp, please")


@pytest.fixture
def rooms(home):
    """Open rooms under some settings around a small phone and a script."""

    def opened(*assignments, steps=(SEARCH, ADD, Finish(answer="done"))):
        settings = load_settings({}, ["memory.file=:memory:", *assignments])
        parts = {"phone": SmallPhone(), "planner": Script(*steps), "recall": Recall(WordEmbedder(), open_database)}
        return open_rooms(settings, trace=Untraced(), **parts)

    return opened


def names(opened):
    return [tool.name for tool in opened.rooms.executor.offered()]


def test_by_default_only_the_phone_offers_tools(rooms, home):
    with rooms("memory.file=") as opened:
        assert names(opened) == ["control_lamp", "delete_note", "pay_bill", "read_notes"]
        assert (opened.memory, opened.skills, opened.beside) == (None, None, ())
    assert not (home / "home" / "memory.sqlite3").exists()


def test_the_digest_of_a_default_run_does_not_know_the_new_settings(rooms):
    with rooms() as one, rooms("memory.result_chars=500", "skills.result_chars=500") as other:
        assert one.rooms.digests == other.rooms.digests
    with rooms("memory.use=true") as used:
        assert used.rooms.digests != one.rooms.digests


def test_a_run_searches_and_writes_its_memory(rooms):
    with rooms("memory.use=true") as opened:
        opened.memory.reset(WORLD)
        before = opened.snapshot()
        episode = run_episode(VIEW, opened.rooms)
        changes = opened.diff(before).changes
    found, added, _ = episode.steps
    assert [item["memory_id"] for item in found.observations[0].data["items"]] == ["mem_a"]
    assert added.observations[0].evidence.facts["differs"] == []
    assert [(change.table, change.key) for change in changes] == [("memories", "mem_0002")]
    assert episode.confirmation.confirmed
    assert "<memory>" not in episode.segments[0].prefix
    assert episode.digests.memory == ""


def test_what_the_harness_recalls_by_itself_is_named(rooms):
    with rooms("memory.use=true", "memory.inject=true") as opened:
        opened.memory.reset(WORLD)
        episode = run_episode(VIEW, opened.rooms)
    assert '"memory_id": "mem_a"' in episode.segments[0].prefix
    assert episode.digests.memory == "mem_a"


def kept(opened):
    return [record.content for _, record in opened.memory.store.records()]


def test_what_happened_is_kept_only_where_that_is_wished(rooms):
    view = TaskView(request="My reading lamp stands in the kitchen, turn it on")
    script = (Finish(answer="The lamp is on."),)
    for wished, texts in (("true", [view.request]), ("false", [])):
        with rooms("memory.use=true", f"memory.capture={wished}", steps=script) as opened:
            opened.memory.reset(WorldSpec())
            run_episode(view, opened.rooms)
            assert kept(opened)[:1] == texts


def test_a_memory_that_fails_undoes_no_run(rooms, caplog):
    with rooms("memory.use=true", "memory.capture=true", steps=(Finish(answer="done"),)) as opened:
        opened.memory.reset(WorldSpec())
        opened.memory.capture = broken
        assert run_episode(VIEW, opened.rooms).stop == "finished"
    assert "nothing of the run was kept in memory: the disk is full" in caplog.text


def broken(episode):
    raise InfrastructureError("the disk is full")


def test_whose_memory_it_is_shapes_no_context(rooms):
    with rooms("memory.use=true") as one, rooms("memory.use=true", "memory.user=anna", "memory.capture=true") as other:
        assert one.rooms.digests == other.rooms.digests


def test_searching_keeps_its_place_whatever_its_rank(rooms):
    with rooms("memory.use=true", steps=(Finish(answer="done"),)) as opened:
        opened.memory.reset(WorldSpec())
        view = VIEW.model_copy(update={"budget": VIEW.budget.model_copy(update={"tools": 2})})
        episode = run_episode(view, opened.rooms)
    assert episode.segments[0].exposed == ("control_lamp", "search_user_memory")


def test_serving_another_phone_keeps_memory_and_skills(rooms):
    with rooms("memory.use=true", "skills.use=true") as opened:
        served = opened.serving(SmallPhone(), NoUser()).executor
        offered = [tool.name for tool in served.offered()]
    assert "search_user_memory" in offered
    assert "skill__travel_weather_navigation" in offered


def test_all_tools_of_a_run_are_listed(home):
    def listed(*assignments):
        return {tool.name for tool in offered_tools(load_settings({}, assignments))}

    phone = listed()
    assert "remove_user_memory" not in phone
    more = listed("memory.use=true", "skills.use=true") - phone
    assert len(more) == 4 + 10


def test_memories_are_kept_in_the_data_folder_or_where_it_is_said(home):
    assert memory_file(load_settings()).name == "memory.sqlite3"
    assert memory_file(load_settings({}, ["memory.file=:memory:"])) is None
    assert memory_file(load_settings({}, ["memory.file=/tmp/own.sqlite3"])).name == "own.sqlite3"
