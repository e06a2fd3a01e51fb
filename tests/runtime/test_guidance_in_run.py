"""Skill guidance, conditions and packs in a run: off by default, and what they add when they are on."""

import re

import pytest

from device.sandbox.sandbox import Sandbox
from evalkit.scene import settings_for
from memory.sqlite import open_database
from runtime.config import load_settings
from runtime.contract import Deadline, Finish, TaskView, ToolCall
from runtime.harness import run_episode
from runtime.recall import Recall
from runtime.trace import Untraced
from runtime.wiring import offered_tools, open_desk, open_rooms
from tests.runtime.conftest import Script, SmallPhone, WordEmbedder

VIEW = TaskView(request="turn on airplane mode, then connect my headphones over bluetooth")
AIRPLANE = ToolCall(id="x", name="manage_airplane_mode", arguments={"action": "enable"})
BLUETOOTH = ToolCall(id="x", name="manage_bluetooth", arguments={"action": "enable"})
SECTION = re.compile(r"<skills>\n(.*)\n</skills>\n", re.DOTALL)
TEA = "---\nname: tea-time\ndescription: Tea.\nmetadata:\n  tools: manage_countdown\n---\nBoil.\n"


@pytest.fixture
def rooms(home):
    """Open rooms under some settings around the sandbox and a script."""

    def opened(*assignments, steps=(Finish(answer="done"),), phone=None):
        settings = load_settings({}, ["memory.file=:memory:", *assignments])
        recall = Recall(WordEmbedder(), open_database)
        return open_rooms(settings, phone=phone or Sandbox(), planner=Script(*steps), recall=recall, trace=Untraced())

    return opened


def begun(opened, view=VIEW):
    """The text of a context."""
    return opened.rooms.assembler.begin(view, opened.rooms.executor.offered(), Deadline.never()).text


def test_guidance_is_off_by_default_and_changes_nothing_else(rooms):
    with rooms() as plain, rooms("skills.guidance=true") as guided:
        text = begun(guided)
        section = SECTION.search(text)
        assert SECTION.search(begun(plain)) is None
        assert SECTION.sub("", text) == begun(plain)
        assert plain.rooms.digests != guided.rooms.digests
    lines = section[1].splitlines()
    assert lines[0] == "- Read a state before you change it; change only what differs."
    assert any(line.startswith("- Airplane mode cuts Wi-Fi, Bluetooth, data and hotspot") for line in lines)


def test_where_loaders_are_exposed_the_protocol_is_all(rooms):
    view = TaskView(request="flight mode: airplane mode, wi-fi, bluetooth, nfc and casting")
    with rooms("skills.guidance=true", "skills.use=true") as opened:
        text = begun(opened, view)
        assert "skill__network_connectivity(" in text
        assert SECTION.search(text)[1] == (
            "- If a Skill tool fits the request, load it before you act, then follow its steps in order."
        )


def test_tools_that_the_guidance_does_not_know_get_none_and_one_line_says_so(rooms, caplog):
    with rooms("skills.guidance=true", phone=SmallPhone()) as opened:
        assert SECTION.search(begun(opened, TaskView(request="the lamp, please"))) is None
    assert [record.getMessage() for record in caplog.records] == [
        "the guidance was compiled for other tools (`control_lamp` is new, `delete_note` is new, `pay_bill` changed "
        "and 1 more), which get none now; run `pocket skills compile`"
    ]


def test_what_a_skill_requires_and_does_not_find_is_an_observation(rooms):
    steps = (AIRPLANE, BLUETOOTH, Finish(answer="done"))
    with rooms("skills.guidance=true", "skills.checks=true", steps=steps) as opened:
        episode = run_episode(VIEW, opened.rooms)
    first, second, _ = episode.steps
    refused, report = second.observations
    assert len(first.observations) == 1
    assert refused.failure.code == "conflict"
    assert report.data == {
        "check": "requires",
        "skill": "network-connectivity",
        "rule": "manage_bluetooth(action=enable): manage_airplane_mode? airplane_mode = false",
        "found": "True",
    }
    with rooms(steps=steps) as opened:
        assert [len(step.observations) for step in run_episode(VIEW, opened.rooms).steps] == [1, 1, 0]


def test_the_shelves_say_which_skills_are_offered(rooms):
    def loaders(*assignments):
        settings = load_settings({}, ["skills.use=true", *assignments])
        return [spec.name for spec in offered_tools(settings) if spec.name.startswith("skill__")]

    with rooms() as opened:
        assert opened.skills is None
    assert len(loaders()) == 10
    assert len(loaders('skills.shelves=["library", "more"]')) == 26
    assert "skill__smart_home" in loaders('skills.shelves=["more"]')


def test_an_installed_skill_is_offered_to_its_user_and_never_measured(home):
    (home / "tea-time").mkdir()
    (home / "tea-time" / "SKILL.md").write_text(TEA, encoding="utf-8")
    open_desk().install(home / "tea-time")
    settings = load_settings({}, ["skills.use=true"])
    names = [spec.name for spec in offered_tools(settings)]
    assert "skill__tea_time" in names
    measured = settings_for(settings, ())
    assert "skill__tea_time" not in [spec.name for spec in offered_tools(measured)]


def test_a_hook_of_the_user_stops_a_call(rooms, home):
    script = home / "hook.sh"
    script.write_text("#!/bin/sh\necho not today\nexit 2\n", encoding="utf-8")
    script.chmod(0o755)
    with rooms(f'hooks.before=["{script}"]', steps=(AIRPLANE, Finish(answer="done"))) as opened:
        episode = run_episode(VIEW, opened.rooms)
    (seen,) = episode.steps[0].observations
    assert (seen.failure.code, seen.failure.message) == (
        "refused_by_guard", f"the hook `{script}` refused `manage_airplane_mode`: not today",
    )  # fmt: skip
