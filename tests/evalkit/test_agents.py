import pytest

from evalkit.agents import FLOORS, do_twice, drop_one, random_calls
from evalkit.rehearsal import rehearse
from runtime.contract import ToolCall
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}


@pytest.fixture
def two(make):
    return make(
        call("query_contact", person="mom", field="email"),
        call("send_email", recipient="$1.data.value", content="hi"),
        DONE,
    )


def calls(episode):
    return [action.name for step in episode.steps for action in step.decision.actions if isinstance(action, ToolCall)]


def test_the_oracle_reads_later_arguments_from_what_it_is_shown(two, phone):
    episode, diff = rehearse(two, FLOORS["oracle"](two), phone)
    assert calls(episode) == ["query_contact", "send_email"]
    assert [change.after["address"] for change in diff.changes] == ["maria.bennett@example.com"]


def test_dropping_a_call_drops_what_needs_it(two, phone):
    assert calls(rehearse(two, drop_one(two, 0), phone)[0]) == []
    assert calls(rehearse(two, drop_one(two, 1), phone)[0]) == ["query_contact"]


def test_doing_it_twice_keeps_the_references_right(two, phone):
    episode, diff = rehearse(two, do_twice(two), phone)
    assert calls(episode) == ["query_contact", "query_contact", "send_email", "send_email"]
    assert len(diff.changes) == 2


def test_an_extra_write_comes_before_the_end(two, phone):
    assert calls(rehearse(two, FLOORS["extra_write"](two), phone)[0])[-1] == "control_flashlight"


def test_readers_change_nothing_and_random_is_seeded(two, phone):
    _, diff = rehearse(two, FLOORS["read_only"](two), phone)
    assert diff.empty
    once, _ = rehearse(two, random_calls(two), phone)
    assert calls(once) == calls(rehearse(two, random_calls(two), phone)[0])
    assert len(calls(once)) == 3


@pytest.mark.parametrize(("name", "stop"), [("null", "finished"), ("refuser", "refused"), ("asker", "asked")])
def test_agents_that_do_nothing(two, phone, name, stop):
    episode, diff = rehearse(two, FLOORS[name](two), phone)
    assert (episode.stop, diff.empty) == (stop, True)
