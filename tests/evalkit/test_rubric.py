"""The rubric verifier over HTTP, against a small server that reads words in its own way."""

import json

import pytest

from evalkit.results import ResultStore
from evalkit.rubric import RubricVerifier, is_behaviour, judged_again
from evalkit.runner import run_suite
from evalkit.suites import Suite
from evalkit.text_model import EndpointModel
from evalkit.verify import GRADING
from runtime.config import load_settings
from runtime.contract import Deadline, InfrastructureError, Split, StateDiff, Stop, UserError
from tests.chat import chat_server
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}


def judge(body):
    """Passes last words that hold "when"; says nothing readable about "gibberish"."""
    case = json.loads(body["messages"][-1]["content"])
    assert case["acceptable"][0]["should_convey_one_of_each"] == [["time"]]
    words = case["last_words"]
    return "no idea" if "gibberish" in words else f'Sure: {{"passed": {json.dumps("when" in words)}, "reason": "r"}}'


@pytest.fixture
def spec():
    with chat_server(judge) as chat:
        yield f"{chat.url}#judge"


@pytest.fixture
def verifier(spec):
    model = EndpointModel(spec)
    yield RubricVerifier(model, "judge")
    model.close()


def ask(make, words, **more):
    return make({"ask": words}, request="set an alarm", mentions=(("time",),), pattern="ask", **more)


def episode(phone, task):
    from evalkit.agents import oracle
    from evalkit.rehearsal import rehearse

    return rehearse(task, oracle(task), phone)


def test_the_model_reads_words_that_the_list_does_not_know(make, phone, verifier):
    task = ask(make, "For when?")
    verdict = verifier.judge(task.policy, *episode(phone, task))
    assert (verdict.success, verdict.grading) == (True, f"{GRADING}+rubric:judge")
    assert verdict.checks[-1].evidence == {"reason": "r"}


def test_the_model_never_overrides_state_or_the_way_it_ended(make, phone, verifier):
    task = ask(make, "For when?")
    played, _ = episode(phone, task)
    changed = StateDiff.model_validate({"changes": [{"table": "t", "key": "k", "before": None, "after": {}}]})
    assert not verifier.judge(task.policy, played, changed).success
    finished = played.model_copy(update={"stop": Stop.FINISHED})
    assert not verifier.judge(task.policy, finished, StateDiff()).success


def test_without_a_readable_word_the_rules_hold(make, phone, verifier):
    task = ask(make, "What time, gibberish?")
    verdict = verifier.judge(task.policy, *episode(phone, task))
    assert (verdict.success, verdict.grading) == (True, GRADING)


def test_a_policy_about_state_is_the_rules_alone(make, phone, verifier):
    task = make(call("control_flashlight", action="enable"), DONE)
    assert not is_behaviour(task.policy)
    assert verifier.judge(task.policy, *episode(phone, task)).grading == GRADING


def test_agreement_with_the_rules_is_published(make, tmp_path, monkeypatch, spec):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    words = ("What time?", "At what time, and when exactly?", "For when?", "Which one?", "What time, gibberish?")
    tasks = tuple(ask(make, said, id=f"t/{number}") for number, said in enumerate(words))
    tasks += (make(call("control_flashlight", action="enable"), DONE, request="turn on the flashlight", id="t/light"),)
    store = ResultStore(tmp_path / "eval.sqlite3")
    suite = Suite("tiny", Split.DEV, tasks, (), "abc")
    done = run_suite(suite, load_settings({"planner": {"use": "oracle"}}), store)
    report = judged_again(store.load(done.id), store, spec)
    store.close()
    # rules: 1 1 0 0 (and 1, unreadable); model: 0 1 1 0. Two of four alike; chance (2 * 2 + 2 * 2) / 16
    assert (report["behaviour_episodes"], report["n"], report["unreadable"]) == (5, 4, 1)
    assert (report["agreement"], report["kappa"]) == (0.5, 0.0)
    assert (report["rules_passed"], report["model_passed"]) == (2, 2)
    assert report["grading"].startswith(f"{GRADING}+rubric:judge@")


def test_an_address_without_a_model_is_wrong_use_and_a_dead_server_no_verdict():
    with pytest.raises(UserError, match="does not name an endpoint"):
        EndpointModel("http://localhost:1/v1")
    model = EndpointModel("http://127.0.0.1:9/v1#m")
    with pytest.raises(InfrastructureError):
        model.complete([], Deadline(0.5))
    model.close()


def test_an_empty_run_has_nothing_to_read(make, spec):
    from evalkit.results import Kept
    from tests.evalkit.test_paired import header

    with pytest.raises(InfrastructureError, match="no episode of a behaviour task"):
        judged_again(Kept(header(), (), {}), None, spec)
