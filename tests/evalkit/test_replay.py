import pytest

from evalkit import replay
from evalkit.replay import replay_twice
from runtime.contract import InfrastructureError
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}


@pytest.fixture
def tasks(make, tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    return [
        make(call("control_flashlight", action="enable"), DONE, request="turn on the flashlight", id="t/light"),
        make(call("send_message", contact="mom", content="hello"), DONE, request="text mom hello", id="t/text"),
    ]


def test_two_processes_with_two_hash_seeds_give_the_same_episodes(tasks):
    report = replay_twice(tasks)
    assert (report["n"], report["identical"], report["different"]) == (2, 2, [])
    assert report["hash_seeds"] == ["1", "2"]


def test_an_episode_that_differs_is_named(tasks, monkeypatch):
    said = iter((["a", "b"], ["a", "c"]))
    monkeypatch.setattr(replay, "_said", lambda child: child.communicate() and next(said))
    report = replay_twice(tasks)
    assert (report["identical"], report["different"]) == (1, ["t/text"])


def test_a_child_that_dies_is_an_infrastructure_failure(tasks, monkeypatch):
    monkeypatch.setattr(replay.sys, "executable", "/bin/false")
    with pytest.raises(InfrastructureError, match="code 1"):
        replay_twice(tasks)
