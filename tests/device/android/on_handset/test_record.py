"""Recordings of a software phone: an agent's and a person's, over a broken line, redacted, in the form of a replay."""

import json
from dataclasses import replace

import pytest

from device.android.record import Folder, RecordedScreen, Redaction, Watching, take
from device.handset.faults import Fault
from device.handset.recording import Recording
from runtime.contract import Deadline, Episode, ToolCall, UserError
from runtime.subagents import ScreenAgent


def events(path, kind):
    lines = [json.loads(line) for line in (path / "events.jsonl").read_text().splitlines()]
    return [line for line in lines if line["kind"] == kind]


def inputs(path):
    return [step.input and step.input.model_dump(exclude_defaults=True) for step in Recording(path).steps]


def find(phone, words):
    return next(one.id for one in phone.observe(Deadline(60)) if one.label.startswith(words))


def test_an_agents_acts_are_kept_with_their_screens(phone, tmp_path):
    made = Folder(tmp_path / "r", "dark theme on", Redaction(), "agent")
    screen = RecordedScreen(phone, made)
    goal = {"app": "Settings", "goal": "turn_on", "target": "Dark theme", "where": "Display"}
    assert ScreenAgent(screen).execute(ToolCall(id="1", name="work_on_screen", arguments=goal), Deadline(120)).ok
    screen.close()
    made.close([])
    steps = Recording(tmp_path / "r").steps
    assert [step.input.kind if step.input else None for step in steps] == ["tap", "tap", None]
    assert all((tmp_path / "r" / step.picture).read_bytes().startswith(b"\x89PNG") for step in steps)
    episode = Episode.model_validate_json((tmp_path / "r" / "episode.json").read_bytes())
    assert [step.decision.actions[0].name for step in episode.steps] == ["open", "tap", "tap"]
    assert episode.trainable == "none"


def test_what_a_person_did_is_seen_from_the_difference(phone, tmp_path):
    made = Folder(tmp_path / "r", "", Redaction(), "person")
    watching = Watching(phone, made)

    def look():
        for _ in range(2):
            watching.look(Deadline(60))

    phone.act("", "open", "Settings", Deadline(60))
    look()
    for words in ("Display & touch", "Dark theme"):
        phone.act(find(phone, words), "tap", "", Deadline(60))
        look()
    phone.act("", "back", "", Deadline(60))
    look()
    phone.act(find(phone, "Search Settings"), "type", "batt", Deadline(60))
    look()
    phone.act("", "home", "", Deadline(60))
    look()
    made.close()
    found = inputs(tmp_path / "r")
    assert [one and one["kind"] for one in found] == ["tap", "tap", "key", "text", "key", None]
    assert (found[2]["key"], found[3]["text"], found[4]["key"]) == ("back", "batt", "home")
    assert all("guessed" in event for event in events(tmp_path / "r", "input"))


def test_a_broken_line_leaves_a_gap_and_the_recording_goes_on(phone, served, tmp_path):
    made = Folder(tmp_path / "r", "", Redaction(), "person")
    watching = Watching(phone, made, every=0.05)
    phone.act("", "open", "Clock", Deadline(60))
    for _ in range(2):
        watching.look(Deadline(60))
    faults = served[0].phone.faults
    faults.add(Fault("drop", service="shell", times=1))
    phone.gui.agent.call("pressKey", ["home"], Deadline(60))
    watching.watch(Deadline(8))
    faults.clear()
    made.close()
    assert events(tmp_path / "r", "gap")
    assert made.screens >= 2
    assert Recording(tmp_path / "r").steps[-1].input is None


def test_what_is_personal_is_never_written(phone, tmp_path):
    rules = Redaction(names=("Anna Keller",), texts=("under the mat",))
    made = Folder(tmp_path / "r", "tell Anna Keller", rules, "agent")
    screen = RecordedScreen(phone, made)
    goal = {
        "app": "Messages",
        "goal": "send",
        "target": "Anna Keller",
        "values": ["the key is under the mat, code 4711"],
    }
    assert ScreenAgent(screen).execute(ToolCall(id="1", name="work_on_screen", arguments=goal), Deadline(120)).ok
    screen.close()
    made.close([{"table": "messages", "key": "1", "before": None, "after": {"content": "under the mat"}}])
    whole = "\n".join(path.read_text() for path in (tmp_path / "r").iterdir() if path.suffix != ".png")
    assert "Anna" not in whole and "under the mat" not in whole and "4711" not in whole
    assert "[name 1]" in whole and "[text 1]" in whole and "[code 1]" in whole and "[number 1]" in whole
    assert {one.kind for one in made.found} >= {"name", "text", "code", "number"}


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "x").write_text("mine")
    with pytest.raises(UserError, match="not empty"):
        Folder(tmp_path, "", Redaction(), "person")


def test_a_guess_an_outcome_and_an_activity_say_nothing_personal(phone, tmp_path):
    made = Folder(tmp_path / "r", "", Redaction(names=("Anna Keller",)), "person")
    shot = take(phone, Deadline(60))
    made.screen(replace(shot, activity="com.app.AnnaKellerActivity", why="no picture of Anna"))
    made.input("tap", {"x": 1, "y": 1}, "the new page begins with `Anna Keller`")
    made.outcome(False, "`Anna Keller` was not found in Contacts")
    made.close()
    whole = "\n".join(path.read_text() for path in (tmp_path / "r").iterdir() if path.suffix != ".png")
    assert "Anna" not in whole and "Keller" not in whole
    assert [one["guessed"] for one in events(tmp_path / "r", "input")] == ["the new page begins with `[name 1]`"]


def test_a_picture_of_another_moment_than_the_tree_is_none(phone, monkeypatch):
    phone.act("", "open", "Settings", Deadline(60))
    real, moves = phone.shell.raw, iter(["home"])

    def raw(*words, deadline):
        data = real(*words, deadline=deadline)
        if words[0] == "screencap" and (key := next(moves, "")):
            phone.agent.call("pressKey", [key], deadline)
        return data

    monkeypatch.setattr(phone.shell, "raw", raw)
    shot = take(phone, Deadline(60))
    assert (shot.folded.package, shot.why) == (take(phone, Deadline(60), picture=False).folded.package, "")
    assert shot.folded.package != "com.android.settings" and shot.picture is not None


@pytest.mark.parametrize("place", ["file/r", "file"])
def test_a_folder_that_can_not_be_made_is_one_line(tmp_path, place):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match=r"(can't be made|is not empty)"):
        Folder(tmp_path / place, "", Redaction(), "person")
