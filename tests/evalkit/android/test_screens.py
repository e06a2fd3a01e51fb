"""Tasks through the screen alone: what the files must hold, and what is made of them."""

import json
from importlib.resources import files

import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.suites.android.screens import Family, _check, families, screen_drafts
from evalkit.suites.android.suite import _on_screen, recorded
from runtime.contract import SetupError, Split, TaskSpec

ONE = {
    "family": "gui_x",
    "call": {"name": "manage_dnd", "arguments": {"action": "{action}"}},
    "steps": (("tap", "Settings"),),
    "dev": ({"say": "a", "action": "enable"},),
    "test": ({"say": "b", "action": "disable"},),
}


def test_a_draft_is_the_call_on_the_sandbox_and_the_taps_on_a_phone():
    first = next(screen_drafts(Split.TEST))
    assert (first.draft.family, first.draft.gold[0]["name"]) == ("gui_alarm_new", "manage_alarm")
    assert first.gold[0] == {"name": "use_screen", "arguments": {"action": "tap", "element": "Clock"}}
    assert first.gold[2]["arguments"] == {"action": "type", "element": "Hour (0-23)", "text": "6"}
    assert [tool.name for tool in first.draft.view.tools] == ["use_screen"]
    assert list(screen_drafts(Split.TRAIN)) == []


def test_at_least_thirty_of_at_least_a_hundred_recorded_tasks_are_through_the_screen():
    names = list(recorded()["test"]["admitted"])
    assert len(names) >= 100
    assert sum("/screen/" in name for name in names) >= 30


def test_the_recorded_screen_tasks_are_the_ones_that_are_made():
    made = {one.id: one.digest() for one in _on_screen(Split.DEV, Sandbox()) if isinstance(one, TaskSpec)}
    known = {name: digest for name, digest in recorded()["dev"]["admitted"].items() if "/screen/" in name}
    assert known
    assert {name: made.get(name) for name in known} == known


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"steps": (("poke", "Settings"),)}, "`poke` is no action"),
        ({"dev": ({"say": "a"},)}, "has a slot without a value"),
        ({"test": ({"say": "A", "action": "enable"},)}, "is said twice"),
    ],
)
def test_a_mistake_in_an_entry_is_named(change, named):
    with pytest.raises(SetupError, match=named):
        _check([Family.model_validate(ONE | change)])


def test_files_and_record_are_whole():
    assert len(families()) >= 30
    data = json.loads(files("evalkit.suites.android").joinpath("admitted.json").read_text(encoding="utf-8"))
    assert set(data) == {"dev", "test"}
    assert all(not set(one["admitted"]) & set(one["rejected"]) for one in data.values())
