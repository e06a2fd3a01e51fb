"""Handoffs: chains of calls that are carried to a deliverable, by split, admitted as they are."""

from device.sandbox.sandbox import Sandbox
from evalkit.gold import is_call, play
from evalkit.suites.bench.maker import Maker
from evalkit.suites.bench.program import load_programs
from evalkit.suites.bench.programs.handoff import handoffs
from evalkit.suites.bench.suite import admitted
from runtime.contract import Split, TaskSpec


def first_round(split, phone):
    drafts = load_programs()["handoff"].make(Maker(split, phone))
    return [next(drafts) for _ in handoffs()]


def test_every_handoff_does_its_work_in_every_split():
    phone = Sandbox()
    for split in (Split.TRAIN, Split.DEV, Split.TEST):
        for draft in first_round(split, phone):
            phone.reset(draft.world)
            seen = play(draft.gold, phone)
            assert [one.failure for one in seen] == [None] * len(seen), draft.view.request
            assert sum(is_call(step) for step in draft.gold) >= 2


def test_a_handoff_is_admitted_as_a_sub_agent_task():
    phone = Sandbox()
    program = load_programs()["handoff"]
    task = admitted(first_round(Split.TEST, phone)[0], program, "bench/test/handoff/gui_setting/1", phone)
    assert isinstance(task, TaskSpec)
    assert (task.part, task.kind, task.subcategory) == ("sub_agent", "handoff", "app screens")
    assert [step["arguments"]["action"] for step in task.gold if is_call(step)] == ["start", "execute"]


def test_splits_share_no_wording():
    for one in handoffs():
        assert set(one.train) & set(one.test) == set()
        assert set(one.dev) & (set(one.train) | set(one.test)) == set()
