import pytest

from evalkit.report.page import write_page
from evalkit.results import ResultStore, read_episode
from evalkit.runner import Plan, run_suite, sample
from evalkit.score import score
from evalkit.suites import Suite
from runtime.config import load_settings
from runtime.contract import CancelToken, InfrastructureError, Split, UserError
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
    assert [trial.task.id for trial in ran] == ["t/ask"]
    assert (len(again.results), again.left, again.id) == (3, 0, first.id)


def test_a_changed_task_and_a_fresh_run_are_run_again(suite, store):
    run_suite(suite, settings("oracle"), store)
    changed = suite.tasks[0].model_copy(update={"revision": 2})
    ran = []
    other = Suite("tiny", Split.DEV, (changed, *suite.tasks[1:]), (), "abd")
    run_suite(other, settings("oracle"), store, watch=lambda tasks: ran.extend(tasks) or tasks)
    assert [trial.task.revision for trial in ran] == [2]
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
    from evalkit import result, results, verify

    run_suite(suite, settings("oracle"), store)
    for module in (verify, results, result):
        monkeypatch.setattr(module, "GRADING", "next")
    ran = []
    again = run_suite(suite, settings("oracle"), store, watch=lambda tasks: ran.extend(tasks) or tasks)
    assert ran == []
    assert {result.verdict.grading for result in again.results} == {"next"}


def test_a_sample_is_the_same_every_time(suite):
    assert sample(suite.tasks, 2) == sample(suite.tasks, 2)
    assert len(sample(suite.tasks, 2)) == 2
    assert sample(suite.tasks, 9) == list(suite.tasks)


def test_attempts_are_run_under_numbers_of_their_own(suite, store):
    done = run_suite(suite, settings("oracle"), store, plan=Plan(attempts=2))
    assert [(one.task_id, one.attempt) for one in done.results] == [
        ("t/light", 0), ("t/text", 0), ("t/ask", 0), ("t/light", 1), ("t/text", 1), ("t/ask", 1)
    ]  # fmt: skip
    ran = []
    more = run_suite(
        suite, settings("oracle"), store, plan=Plan(attempts=3), watch=lambda left: ran.extend(left) or left
    )
    assert (more.id, {trial.attempt for trial in ran}) == (done.id, {2})


def test_a_skill_task_is_run_under_both_routings(suite, store):
    skill = suite.tasks[0].model_copy(update={"part": "skill"})
    one = Suite("tiny", Split.DEV, (skill,), (), "abc")
    assert [result.routing for result in run_suite(one, settings("null"), store).results] == ["mixed", "skill_only"]
    alone = run_suite(one, settings("null"), store, plan=Plan(routing="mixed"))
    assert [result.routing for result in alone.results] == ["mixed"]
    with pytest.raises(UserError, match="no routing `sideways`"):
        run_suite(one, settings("null"), store, plan=Plan(routing="sideways"))


def test_what_was_not_run_is_a_failure(suite, store):
    cancel = CancelToken()
    cancel.cancel()
    done = run_suite(suite, settings("oracle"), store, cancel=cancel)
    assert (score(done.scored)["success"], score(done.scored)["not_run"]) == (0.0, 3)


def test_a_request_that_no_window_takes_is_the_planners_failure(suite, store):
    long = suite.tasks[0].model_copy(update={"view": suite.tasks[0].view.model_copy(update={"request": "x " * 9000})})
    done = run_suite(Suite("tiny", Split.DEV, (long,), (), "abc"), settings("oracle"), store)
    assert (done.results[0].verdict.success, done.results[0].verdict.valid) == (False, True)


def test_a_stored_run_is_judged_again_without_suite_or_planner(suite, store):
    done = run_suite(suite, settings("oracle"), store)
    kept = store.load(done.id[:6])
    assert kept.results == done.results
    assert kept.header == done.header
    assert set(kept.tasks) == {"t/light", "t/text", "t/ask"}
    store.regrade(kept)
    assert store.load("last").results == done.results


def test_an_unknown_run_is_refused_with_what_there_is(suite, store):
    run_suite(suite, settings("null"), store)
    with pytest.raises(UserError, match=r"`zzz` names no run. Stored: `\w{16}` \(null on tiny dev\)"):
        store.find("zzz")


def test_every_use_of_a_test_split_is_logged(suite, store):
    test = Suite("tiny", Split.TEST, suite.tasks, (), "sealed")
    run_suite(suite, settings("null"), store)
    assert store.uses("sealed") == 0
    run_suite(test, settings("null"), store)
    run_suite(test, settings("null"), store, fresh=True)
    assert store.uses("sealed") == 2


def test_looking_at_a_test_split_is_no_use_of_it(suite, store, tmp_path):
    test = Suite("tiny", Split.TEST, suite.tasks, (), "sealed")
    done = run_suite(test, settings("null"), store)
    again = run_suite(test, settings("null"), store)
    kept = store.load("last")
    store.regrade(kept)
    write_page(store, [done.id], tmp_path / "page.html")
    assert (again.id, store.uses("sealed")) == (done.id, 1)


def test_an_episode_of_a_newer_contract_is_refused_with_both_versions():
    with pytest.raises(UserError, match="under contract 2; this version of `pocket` reads contract 1"):
        read_episode('{"contract": 2, "id": "x"}')
