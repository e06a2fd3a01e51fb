"""Tasks of both kinds through the whole harness on a phone, and the figures that are made of them."""

import pytest

from evalkit.agents import drop_one, null
from evalkit.android.backends import Case, compare
from evalkit.android.play import WithScreen, passed
from evalkit.commands.run import report_of
from evalkit.crew import Phones
from evalkit.results import ResultStore
from evalkit.runner import Plan, run_suite
from evalkit.suites import Suite
from evalkit.suites.android.policy import on_android
from evalkit.suites.android.screens import screen_drafts
from evalkit.suites.android.suite import _on_screen
from runtime.config import load_settings
from runtime.contract import Split, TaskSpec, WorldSpec
from tests.evalkit.conftest import call

DONE = {"finish": "Done."}


def seen(task):
    """The task, held to what a phone shows."""
    return task.model_copy(update={"policy": on_android(task.policy)})


@pytest.fixture
def by_screen(phone):
    """The first two tasks of dev through the screen: an alarm, a contact that goes."""
    from evalkit.suites.android import screens

    wanted = {"gui_contact_delete", "gui_dark_theme"}
    kept = screens.families()
    few = tuple(one for one in kept if one.family in wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screens, "families", lambda: few)
        return [one for one in _on_screen(Split.DEV, phone) if isinstance(one, TaskSpec)]


def test_the_gold_passes_through_the_screen_and_what_must_fail_fails(staged, by_screen):
    alone = WithScreen(staged)
    assert [task.family for task in by_screen] == ["gui_contact_delete", "gui_dark_theme"]
    for task in by_screen:
        assert passed(task, alone)
        assert not alone.judged(task, null(task))[0].success
        assert not alone.judged(task, drop_one(task, len(task.gold) - 2))[0].success


def test_a_read_back_that_lies_fails_the_task(staged, make, monkeypatch):
    from device.android.state.tables import TABLES, reader

    task = seen(make(call("manage_roaming", action="enable"), DONE))
    alone = WithScreen(staged)
    assert passed(task, alone)
    honest = reader("roaming")
    monkeypatch.setitem(TABLES, "roaming", lambda reading: {**honest(reading), "phone": {"enabled": True}})
    assert not passed(task, alone)


def test_a_run_on_a_phone_counts_preconditions_apart(staged, adb, make, by_screen, tmp_path, monkeypatch):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
    staged.control.reset()
    tasks = (
        seen(make(call("manage_dark_mode", action="enable"), DONE, id="t/dark", request="turn on dark mode")),
        seen(make(call("manage_note", action="create", content="x"), call("manage_dnd", action="enable"), DONE,
                  id="t/note", facts=[{"table": "notes", "id": "note_9", "content": "y"}])),
        by_screen[1],
    )  # fmt: skip
    store = ResultStore(tmp_path / "eval.sqlite3")
    plan = Plan(phones=Phones("android", (staged.phone.serial,)))
    suite = Suite("tiny", Split.DEV, tasks, (), "abc")
    report = report_of(run_suite(suite, load_settings({"planner": {"use": "oracle"}}), store, plan=plan))
    store.close()
    assert (report["success"], report["n"], report["tasks"], report["backend"]) == (1.0, 2, 2, "android")
    assert (report["preconditions_unmet"], report["infrastructure_failures"]) == (1, 0)
    assert list(report["unmet"]) == ["t/note"]
    assert (report["gui_tasks"], report["gui_success"], report["failed"]) == (1, 1.0, [])
    assert staged.control.rows("display")[0]["dark_mode"] is False


def test_a_task_on_the_screen_has_no_place_on_the_sandbox(by_screen, tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    store = ResultStore(tmp_path / "eval.sqlite3")
    suite = Suite("tiny", Split.DEV, (by_screen[1],), (), "abc")
    run = run_suite(suite, load_settings({"planner": {"use": "oracle"}}), store)
    store.close()
    (result,) = run.results
    assert (result.verdict.valid, result.unmet) == (False, "the task is done on a screen, and this backend has none")


def test_backends_are_compared_call_by_call(staged, adb, monkeypatch):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
    staged.control.reset()
    cases = [
        Case("same", call("manage_roaming", action="enable"), WorldSpec()),
        Case("steps", call("adjust_volume", action="set", level="40%", stream="call"), WorldSpec()),
        Case("lacking", call("manage_bluetooth", action="connect", device="Buds"), WorldSpec()),
        Case("unmet", call("query_storage"), WorldSpec(facts=({"table": "notes", "id": "n1", "content": "x"},))),
    ]
    report = compare(cases, Phones("android", (staged.phone.serial,)), lambda some: some)
    assert (report["n"], report["preconditions_unmet"], report["tools"]) == (3, 1, 4)
    assert report["by_tool"]["manage_roaming"] == {"calls": 1, "same": 1, "differing": []}
    (steps,) = report["by_tool"]["adjust_volume"]["differing"]
    assert (steps["sandbox"]["outcome"], steps["phone"]["outcome"]) == ("done", "done")
    (lacking,) = report["by_tool"]["manage_bluetooth"]["differing"]
    assert lacking["phone"]["outcome"] == "unsupported"


def test_every_screen_task_is_said_once():
    said = [one.draft.view.request for split in (Split.DEV, Split.TEST) for one in screen_drafts(split)]
    assert len(said) == len({text.casefold() for text in said})
