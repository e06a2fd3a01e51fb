import pytest

from evalkit.agents import oracle
from evalkit.corrupted import corrupted, luck, wrong
from evalkit.floors import floor_figures, headline, instrument, rehearsed
from tests.evalkit.conftest import call
from tests.evalkit.test_overall import result

DONE = {"finish": "Done."}


@pytest.fixture
def tasks(make):
    return [
        make(
            call("send_message", contact="mom", content=f"hello {number}"), DONE, id=f"t/{number}", family=f"f{number}"
        )
        for number in range(30)
    ]


def test_gold_is_found_and_corruption_puts_the_oracle_in_order(tasks):
    found = instrument(tasks)
    assert (found["gold"], found["gold_failures"]) == (1.0, [])
    # whoever is unlucky at 10% is unlucky at 30% too: the share that passes is the share of luckier calls
    expected = {
        percent: sum(luck(task.id, 0) >= int(percent) / 100 for task in tasks) / 30 for percent in found["corrupted"]
    }
    assert found["corrupted"] == pytest.approx(expected)
    assert found["corrupted"]["10"] > found["corrupted"]["30"] > found["corrupted"]["60"]


def test_a_gold_that_fails_is_named(tasks):
    broken = tasks[0].model_copy(update={"gold": (DONE,)})
    assert instrument([broken, tasks[1]])["gold_failures"] == ["t/0"]


def test_a_corrupted_call_has_one_thing_wrong(phone):
    from random import Random

    tools = {tool.name: tool for tool in phone.tools()}
    step = call("control_flashlight", action="enable")
    assert wrong(step, tools, Random(1))["arguments"]["action"] != "enable"
    named = call("send_message", contact="mom", content="hi")
    changed = wrong(named, tools, Random(1))["arguments"]
    assert sum(changed[name] != value for name, value in named["arguments"].items()) == 1
    assert wrong(call("query_weather"), tools, Random(1))["name"] != "query_weather"


def test_nothing_is_corrupted_at_zero_and_all_at_one(tasks):
    assert all(one.verdict.success for one in rehearsed(tasks[:3], lambda task: corrupted(task, 0.0)))
    assert not any(one.verdict.success for one in rehearsed(tasks[:3], lambda task: corrupted(task, 1.0)))
    assert all(one.verdict.success for one in rehearsed(tasks[:3], oracle))


def test_the_keyword_agent_is_named_by_its_overall_and_others_by_all_tasks():
    results = [result("tool_use", True, name="a"), result("memory", False, name="b"), result("memory", False, name="c")]
    assert headline("null", results) == pytest.approx(1 / 3)
    assert headline("keyword", results) == pytest.approx(5 / 7)
    figures = floor_figures(results)
    assert (figures["all"], figures["tool_use"], figures["memory"]) == (pytest.approx(1 / 3), 1.0, 0.0)
    assert "skill" not in figures
