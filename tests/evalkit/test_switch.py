"""The harness on against off: one switch, everything else alike, and the paired difference of two such runs."""

import pytest
from typer.testing import CliRunner

from evalkit import runner
from evalkit.cli import app
from evalkit.commands.run import report_of
from evalkit.paired import compare_runs
from evalkit.results import ResultStore, results_file
from evalkit.runner import Plan, run_suite
from evalkit.suites import Suite
from evalkit.switch import switched, switched_keys
from runtime.config import load_settings
from runtime.contract import Decision, Finish, Split, ToolCall, UserError, WorldSpec
from runtime.eta import load_eta, shipped
from runtime.planner.plain import ModelFree
from tests.evalkit.conftest import call

DOMAINS = [load_eta(name).text for name, path in shipped().items() if path.parent.name == "domains"]
DONE = {"finish": "Done."}
TEA = {"id": "memory_001", "content": "The user's favourite tea is jasmine.", "category": "preference"}


class Heeds(ModelFree):
    """Turns the light on, and notes the tea down where the context tells which it is."""

    identity = "heeds"

    def decide(self, context, deadline):
        asked = "flashlight" if "flashlight" in context.messages[-1]["content"] else "tea"
        done = any(message["role"] == "tool" for message in context.messages)
        steps = {"flashlight": ToolCall(id="a", name="control_flashlight", arguments={"action": "enable"})}
        if "favourite tea is jasmine" in context.text:
            steps["tea"] = ToolCall(id="a", name="manage_note", arguments={"action": "create", "content": "jasmine"})
        step = Finish(answer="") if done else steps.get(asked, Finish(answer=""))
        return Decision(actions=(step,), raw="x")


@pytest.fixture
def suite(make):
    lights = [make(call("control_flashlight", action="enable"), DONE, request="turn on the flashlight",
                   id=f"t/light{n}", family=f"light{n}") for n in range(2)]  # fmt: skip
    notes = [make(call("manage_note", action="create", content="jasmine"), DONE, request="note down my favourite tea",
                  id=f"t/tea{n}", family=f"tea{n}", part="memory") for n in range(2)]  # fmt: skip
    notes = [task.model_copy(update={"world": WorldSpec(memories=(TEA,))}) for task in notes]
    return Suite("tiny", Split.DEV, (*lights, *notes), (), "abc")


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """One home for all: the tools are embedded once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POCKET_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture
def store():
    store = ResultStore(results_file())
    yield store
    store.close()


def both(suite, store, monkeypatch, planner=None):
    if planner is not None:
        monkeypatch.setattr(runner, "planner_for", lambda settings, number=0: planner())
    settings = load_settings({"planner": {"use": "keyword"}})
    return [run_suite(suite, settings, store, plan=Plan(harness=state)) for state in ("off", "on")]


def test_the_switch_turns_all_of_it_and_nothing_else():
    plain = load_settings({"skills": {"guidance": True}, "memory": {"use": True}})
    on, off = switched(plain, "on"), switched(plain, "off")
    assert set(switched_keys()) == {"memory.inject", "recovery.use", "skills.guidance"}
    assert (on.skills.guidance, on.memory.inject, on.recovery.use) == (True, True, True)
    assert (off.skills.guidance, off.memory.inject, off.recovery.use) == (False, False, False)
    told = [one.model_dump(mode="json") for one in (on, off, plain)]
    for key in switched_keys():
        section, _, name = key.partition(".")
        assert [one[section].pop(name) for one in told][:2] == [True, False]
    assert told[0] == told[1] == told[2]


def test_without_a_word_the_settings_hold_and_another_word_is_wrong_use():
    plain = load_settings({"context": {"domains": True}})
    assert switched(plain, "") is plain
    with pytest.raises(UserError, match="`--harness` is `half`; it is `on` or `off`"):
        switched(plain, "half")


def test_on_against_off_is_a_paired_difference_by_part(suite, store, monkeypatch):
    off, on = both(suite, store, monkeypatch, Heeds)
    assert [[one.verdict.success for one in run.results] for run in (off, on)] == [[True] * 2 + [False] * 2, [True] * 4]
    report = compare_runs(store.load(off.id), store.load(on.id))
    assert (report["first"]["harness"], report["second"]["harness"]) == ("off", "on")
    assert (report["unlike"], report["parts_below_zero"]) == ([], [])
    # weights .50 of Tool Use and .20 of Memory, in proportion: the whole gain of 100 points is Memory's 2/7
    assert report["overall_diff"] == pytest.approx(100 * 2 / 7)
    assert report["ci_low"] == pytest.approx(100 * 2 / 7)
    parts = {name: (part["diff"], part["ci_low"], part["ci_high"]) for name, part in report["parts"].items()}
    assert parts == {"tool_use": (0.0, 0.0, 0.0), "memory": (100.0, 100.0, 100.0)}


def test_both_see_the_same_tools_and_only_one_the_harness(suite, store, monkeypatch):
    off, on = both(suite, store, monkeypatch, Heeds)
    for key in off.header.trials:
        plain, full = (store.episode(run.id, key)[0].segments[0] for run in (off, on))
        assert plain.exposed == full.exposed
        assert {"skills", "memory"}.isdisjoint(plain.sections)
        assert full.sections["skills"] > 0
        assert [any(text in one.prefix for text in DOMAINS) for one in (plain, full)] == [False, False]
        assert all(one.prefix.count(load_eta("general").text) == 1 for one in (plain, full))
    told = store.episode(on.id, on.header.trials[-1])[0]
    assert told.segments[0].sections["memory"] > 0
    assert told.digests.memory == "memory_001"


def test_runs_of_the_keyword_agent_stand_apart_by_their_switch(suite, store, monkeypatch):
    off, on = both(suite, store, monkeypatch)
    plain = run_suite(suite, load_settings({"planner": {"use": "keyword"}}), store)
    assert len({off.id, on.id, plain.id}) == 3
    assert [run.header.harness for run in (off, on, plain)] == ["off", "on", ""]
    report = compare_runs(store.load(off.id), store.load(on.id))
    assert (report["overall_diff"], report["pairs"], report["left_out"]) == (0.0, 4, 0)


def test_the_flag_is_checked_first_and_both_runs_say_how_they_ran(suite, store, monkeypatch):
    with pytest.raises(UserError, match="`--harness` is `maybe`"):
        CliRunner().invoke(app, ["run", "--harness", "maybe"], catch_exceptions=False)
    off, on = both(suite, store, monkeypatch, Heeds)
    assert [report_of(run)["harness"] for run in (off, on)] == ["off", "on"]
    shown = CliRunner().invoke(app, ["compare", off.id, on.id], catch_exceptions=False).stdout
    assert "harness on" in shown
    assert "harness off" in shown
    assert "memory: 100.000 points" in shown
