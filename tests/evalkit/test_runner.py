import pytest

from evalkit.results import ResultStore
from evalkit.runner import run_suite, sample
from evalkit.score import score
from evalkit.suites import Suite
from runtime.config import load_settings
from runtime.contract import CancelToken, InfrastructureError, Split
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}


@pytest.fixture
def suite(make):
    tasks = (
        make(call("control_flashlight", action="enable"), DONE, request="turn on the flashlight", id="t/light"),
        make(call("send_message", contact="mom", content="hello"), DONE, request="text mom hello", id="t/text"),
        make({"ask": "What time?"}, request="set an alarm", mentions=(("time",),), id="t/ask", pattern="ask"),
    )
    return Suite("tiny", Split.DEV, tasks, (), "abc")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    store = ResultStore(tmp_path / "eval.sqlite3")
    yield store
    store.close()


def settings(name):
    return load_settings({"planner": {"use": name}})


def test_the_oracle_passes_and_null_fails(suite, store):
    assert score(run_suite(suite, settings("oracle"), store).results)["success"] == 1.0
    figures = score(run_suite(suite, settings("null"), store).results)
    assert (figures["success"], figures["ask_success"], figures["tasks"]) == (0.0, 0.0, 3)


def test_a_run_goes_on_where_it_stopped(suite, store):
    cancel = CancelToken()

    def two_then_stop(tasks):
        for number, task in enumerate(tasks):
            if number == 2:
                cancel.cancel()
            yield task

    first = run_suite(suite, settings("oracle"), store, cancel=cancel, watch=two_then_stop)
    assert (len(first.results), first.left) == (2, 1)
    ran = []
    again = run_suite(suite, settings("oracle"), store, watch=lambda tasks: ran.extend(tasks) or tasks)
    assert [task.id for task in ran] == ["t/ask"]
    assert (len(again.results), again.left, again.id) == (3, 0, first.id)


def test_a_changed_task_and_a_fresh_run_are_run_again(suite, store):
    run_suite(suite, settings("oracle"), store)
    changed = suite.tasks[0].model_copy(update={"revision": 2})
    ran = []
    other = Suite("tiny", Split.DEV, (changed, *suite.tasks[1:]), (), "abd")
    run_suite(other, settings("oracle"), store, watch=lambda tasks: ran.extend(tasks) or tasks)
    assert [task.revision for task in ran] == [2]
    run_suite(suite, settings("oracle"), store, fresh=True, watch=lambda tasks: ran.extend(tasks) or tasks)
    assert len(ran) == 4


def test_results_of_another_planner_are_not_taken(suite, store):
    first = run_suite(suite, settings("oracle"), store)
    assert run_suite(suite, settings("null"), store).id != first.id


def test_infrastructure_failures_stand_in_no_rate_and_are_run_again(suite, store, monkeypatch):
    from evalkit.agents import Agent

    def unreachable(self, context, deadline):
        raise InfrastructureError("the model does not answer")

    with monkeypatch.context() as broken:
        broken.setattr(Agent, "decide", unreachable)
        figures = score(run_suite(suite, settings("oracle"), store).results)
    assert (figures["infrastructure_failures"], figures["tasks"], figures["success"]) == (3, 0, None)
    assert score(run_suite(suite, settings("oracle"), store).results)["success"] == 1.0


def test_an_older_grading_is_judged_again_without_a_planner(suite, store, monkeypatch):
    from evalkit import results, verify

    run_suite(suite, settings("oracle"), store)
    monkeypatch.setattr(verify, "GRADING", "next")
    monkeypatch.setattr(results, "GRADING", "next")
    ran = []
    again = run_suite(suite, settings("oracle"), store, watch=lambda tasks: ran.extend(tasks) or tasks)
    assert ran == []
    assert {result.verdict.grading for result in again.results} == {"next"}


def test_a_sample_is_the_same_every_time(suite):
    assert sample(suite.tasks, 2) == sample(suite.tasks, 2)
    assert len(sample(suite.tasks, 2)) == 2
    assert sample(suite.tasks, 9) == list(suite.tasks)
