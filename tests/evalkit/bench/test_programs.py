import pytest

from evalkit.suites.bench.draft import CAPABILITIES
from evalkit.suites.bench.program import load_programs, program
from evalkit.suites.bench.suite import admitted
from evalkit.whole import Whole
from runtime.contract import SetupError, Split, TaskSpec

PROGRAMS = load_programs()
MADE = [name for name in PROGRAMS if not name.startswith("hand_written")]


@pytest.fixture(scope="module")
def whole():
    made = Whole()
    yield made
    made.close()


@pytest.mark.parametrize("name", MADE)
def test_every_program_makes_tasks_that_are_admitted(name, maker, whole):
    one = PROGRAMS[name]
    tasks = []
    for number, draft in enumerate(one.make(maker)):
        phone = whole if one.part in ("memory", "skill") else whole.sandbox
        found = admitted(draft, one, f"bench/dev/{name}/{number}", phone)
        if isinstance(found, TaskSpec):
            tasks.append(found)
        if len(tasks) == 2 or number > 60:
            break
    assert len(tasks) == 2
    assert {(task.part, task.kind) for task in tasks} == {(one.part, one.kind)}
    assert all(one.capabilities <= task.capabilities for task in tasks)
    assert all(task.subcategory and task.split is Split.DEV for task in tasks)


def test_programs_cover_the_five_kinds_and_the_seven_capabilities():
    tool_use = {one.kind for one in PROGRAMS.values() if one.part == "tool_use"}
    assert tool_use == {"grounding", "dependency", "tracking", "revision", "boundary"}
    assert {one.kind for one in PROGRAMS.values() if one.part == "memory"} == {"single_turn", "multi_turn"}
    assert {name for one in PROGRAMS.values() for name in one.capabilities} >= set(CAPABILITIES)


def test_sizes_are_those_of_the_release():
    held = {}
    for one in PROGRAMS.values():
        if not one.name.startswith("hand_written"):
            held[one.part] = held.get(one.part, 0) + one.size(Split.DEV) + one.size(Split.TEST)
    assert held["tool_use"] >= 720  # more than 320 are hand-written
    assert held["memory"] >= 376
    assert held["skill"] >= 200
    assert held["sub_agent"] >= 89


def test_a_program_with_an_unknown_capability_or_a_name_twice_is_refused():
    with pytest.raises(SetupError, match="`magic`"):
        program("other", kind="grounding", capabilities=("magic",), sizes=(1, 1, 1))
    with pytest.raises(SetupError, match="two programs are called `one_call`"):
        program("one_call", kind="grounding", capabilities=(), sizes=(1, 1, 1))
