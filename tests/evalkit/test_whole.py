import pytest

from evalkit.agents import FLOORS
from evalkit.gates import injected_ids
from evalkit.rehearsal import rehearse
from evalkit.results import ResultStore
from evalkit.runner import Plan, run_suite
from evalkit.suites import Suite
from evalkit.whole import Whole
from runtime.config import load_settings
from runtime.contract import (
    BehaviourCheck,
    Deadline,
    MemoryGate,
    Outcome,
    Policy,
    SkillGate,
    Split,
    ToolCall,
    WorldSpec,
)
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}
MEMORIES = (
    {"id": "memory_001", "content": "The user's favourite tea is jasmine.", "category": "preference"},
    {"id": "memory_002", "content": "The user parks in garage B.", "category": "important_info"},
)
NEVER = Deadline.never()


def only(*checks):
    end = BehaviourCheck(ends=frozenset(("finished",)))
    return Policy(outcomes=(Outcome(checks=(*checks, end)),))


@pytest.fixture
def tea(make):
    task = make({"ask": "?"}, request="which tea do I like best?", id="t/tea", part="memory")
    return task.model_copy(
        update={
            "gold": (call("search_user_memory", query="favourite tea"), {"finish": "Jasmine."}),
            "world": WorldSpec(memories=MEMORIES),
            "policy": only(MemoryGate(ids=frozenset(("memory_001",)))),
        }
    )


@pytest.fixture
def skill(make):
    from skills.loaders import library, loader_name

    chosen = library()[0]
    task = make({"ask": "?"}, request=chosen.phrases[0] if chosen.phrases else chosen.about, id="t/skill", part="skill")
    return task.model_copy(
        update={
            "gold": (call(loader_name(chosen.name), reason="it fits"), {"finish": "Loaded."}),
            "policy": only(SkillGate(skills=frozenset((chosen.name,)))),
        }
    )


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    store = ResultStore(tmp_path / "eval.sqlite3")
    yield store
    store.close()


def run(store, *tasks, planner="oracle", **section):
    settings = load_settings({"planner": {"use": planner}, **section})
    return run_suite(Suite("tiny", Split.DEV, tasks, (), "abc"), settings, store, plan=Plan())


def test_a_whole_phone_offers_memory_and_skills(tea, skill):
    phone = Whole()
    names = {tool.name for tool in phone.tools()}
    assert {"search_user_memory", "control_flashlight"} < names
    for task in (tea, skill):
        episode, diff = rehearse(task, FLOORS["oracle"](task), phone)
        assert (episode.stop, diff.empty) == ("finished", True)
        assert all(seen.ok for step in episode.steps for seen in step.observations)


def test_its_diff_is_over_phone_and_memory():
    phone = Whole()
    phone.reset(WorldSpec(memories=MEMORIES))
    start = phone.snapshot()
    phone.execute(ToolCall(id="a", name="add_user_memory", arguments={"content": "The cat is called Otto."}), NEVER)
    phone.execute(ToolCall(id="b", name="control_flashlight", arguments={"action": "enable"}), NEVER)
    assert [change.table for change in phone.diff(start).changes] == ["flashlight", "memories"]
    phone.restore(start)
    assert phone.diff(phone.snapshot()).empty
    found = phone.execute(ToolCall(id="c", name="search_user_memory", arguments={"query": "cat Otto"}), NEVER)
    assert "Otto" not in str(found.data)


def test_memory_and_skills_stand_beside_the_tasks_that_need_them(tea, skill, make, store):
    light = make(call("control_flashlight", action="enable"), DONE, request="turn on the flashlight", id="t/light")
    done = run(store, tea, skill, light)
    assert [(one.task_id, one.routing, one.verdict.success) for one in done.results] == [
        ("t/tea", "", True), ("t/skill", "mixed", True), ("t/skill", "skill_only", True), ("t/light", "", True)
    ]  # fmt: skip
    exposed = [store.episode(done.id, key)[0].segments[0].exposed for key in done.header.trials]
    assert "search_user_memory" in exposed[0]
    assert all(name.startswith("skill__") for name in exposed[2])
    assert "search_user_memory" not in exposed[3]


def test_what_the_harness_injects_opens_no_gate_and_is_reported_apart(tea, store):
    silent = run(store, tea, planner="null")
    assert (silent.results[0].injected, silent.results[0].success_with_injected) == ((), False)
    given = run(store, tea, planner="null", memory={"use": True, "inject": True})
    result = given.results[0]
    assert "memory_001" in result.injected
    assert (result.verdict.success, result.success_with_injected) == (False, True)
    episode, _ = store.episode(given.id, given.header.trials[0])
    assert injected_ids(episode) == set(result.injected)
