"""What a release keeps: its tasks come back whatever the memory finds; a failing gold prevents it."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from evalkit.cli import app
from evalkit.suites.bench import loading, release, suite
from evalkit.suites.bench.loading import loaded, released, tried
from evalkit.suites.bench.program import Program, load_programs
from evalkit.suites.bench.release import Release, Sealed
from evalkit.suites.bench.suite import build
from evalkit.suites.bench.written import Written, draft_of
from evalkit.suites.core.suite import fingerprint
from evalkit.whole import Whole
from runtime.contract import SEARCH_MEMORY, ExecutedCall, Observation, Split, UserError

DEV = Split.DEV
ALARM = {"name": "manage_alarm", "arguments": {"action": "create", "time": "7 am"}}


class Blind(Whole):
    """A phone whose memory finds nothing."""

    def execute(self, call, deadline, idempotency_key=""):
        if call.name != SEARCH_MEMORY:
            return super().execute(call, deadline, idempotency_key)
        done = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=idempotency_key, landed="yes")
        return Observation(call_id=call.id, data={"items": [], "total": 0}, call=done)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))


@pytest.fixture
def small(monkeypatch):
    """The suite with one program of the memory: two tasks, of which the search must find two memories each."""
    few = {"recalled_twice": replace(load_programs()["recalled_twice"], sizes=(0, 2, 0))}
    monkeypatch.setattr(suite, "load_programs", lambda: few)


def sealed(built, **changes):
    known = {"fingerprint": fingerprint(built.tasks), "tasks": len(built.tasks), "refused": built.refused}
    return (Release(name="bench 9", splits={"dev": Sealed(**{**known, **changes})}),)


def test_another_finder_changes_nothing_of_a_release(small, monkeypatch):
    built = build(DEV)
    places = built.refused["recalled_twice"]
    assert (len(built.tasks), len(places)) == (2, len(built.rejected))
    assert places == tuple(sorted(places)) and places
    assert build(DEV, Blind()).tasks == ()
    monkeypatch.setattr(loading, "load_releases", lambda: sealed(built))
    again = released(DEV, Blind())
    assert again.tasks == built.tasks
    assert again.refused == built.refused
    assert [one.task_id for one in again.rejected] == [one.task_id for one in built.rejected]
    assert {one.faults for one in again.rejected} == {("the release left it out; `pocket eval admit` shows why",)}


def test_what_is_no_release_is_tried(small, monkeypatch):
    built = build(DEV)
    others = ((), sealed(built, fingerprint="0123456789abcdef"), sealed(built, refused=None), sealed(built, refused={}))
    for releases in others:
        monkeypatch.setattr(loading, "load_releases", lambda releases=releases: releases)
        assert released(DEV) is None
    assert loaded(DEV) == built
    assert loaded(DEV) == tried(DEV)  # as they were kept


def written_program(gold):
    """A program that makes one hand-written task."""
    task = Written(name="late", split="dev", request="wake me at 7 am", subcategory="alarms", gold=gold)
    name = "hand_written_tool_use_grounding"
    return {name: Program(name, "tool_use", "grounding", frozenset(), (9, 9, 9), lambda maker: made(maker, task))}


def made(maker, task):
    if maker.split is DEV:
        yield draft_of(task, maker.specs)


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A source tree without a release."""
    monkeypatch.setattr(release, "files", lambda package: tmp_path)
    (tmp_path / "releases.json").write_text('{"releases": []}')
    return tmp_path / "releases.json"


def admit(*args):
    return CliRunner().invoke(app, ["admit", "--suite", "bench", *args], catch_exceptions=False)


def test_a_suite_with_a_failing_gold_is_not_released(clone, monkeypatch):
    gold = ({**ALARM, "arguments": {"action": "delete", "title": "yoga"}}, {"finish": "Done."})
    monkeypatch.setattr(suite, "load_programs", lambda: written_program(gold))
    said = r"`bench/dev/hand_written_grounding/written_alarms/1` can't be released: call 1 fails: "
    with pytest.raises(UserError, match=said):
        admit("--release", "bench 9")
    assert clone.read_text() == '{"releases": []}'


def test_a_release_is_loaded_without_a_trial(clone, monkeypatch):
    monkeypatch.setattr(suite, "load_programs", lambda: written_program((ALARM, {"finish": "Done."})))
    assert admit("--split", "dev").stdout == "1 admitted, 0 rejected: no release\n"
    assert admit("--release", "bench 9").stdout.startswith("bench 9, train: 0 tasks, ")
    assert admit("--split", "dev").stdout == "1 admitted, 0 rejected: bench 9\n"
    monkeypatch.setattr(suite, "admit", lambda task, phone: pytest.fail("tried"))
    assert [task.id for task in loaded(DEV).tasks] == ["bench/dev/hand_written_grounding/written_alarms/1"]
