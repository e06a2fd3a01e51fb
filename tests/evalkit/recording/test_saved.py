"""A saved recording: redacted with a dry run first, and turned into a candidate of a task."""

import io
import json

import pytest
from PIL import Image

from device.android.record import Redaction
from evalkit.recording.saved import redact
from evalkit.recording.to_task import checked, policy_of, to_task, without_detours
from runtime.contract import Split, StateCheck, UserError

FRAME = '<node class="android.widget.FrameLayout" package="com.android.settings" bounds="[0,0][1080,2400]">'


def tree(*nodes):
    return f'<hierarchy rotation="0">{FRAME}{"".join(nodes)}</node></hierarchy>'


def row(text, top, cls="Button", **more):
    given = {"clickable": "true", **more}
    words = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in given.items())
    box = f'bounds="[0,{top}][1080,{top + 100}]"'
    return f'<node class="android.widget.{cls}" package="com.android.settings" text="{text}" {box} {words} />'


@pytest.fixture
def folder(tmp_path):
    """Settings, the wrong page, back, the right page, a name typed, saved."""
    pages = {
        "main": tree(row("Display", 100), row("About phone", 300)),
        "wrong": tree(row("Brightness", 100)),
        "about": tree(row("Device name", 100)),
        "form": tree(row("", 100, "EditText", hint="Device name"), row("OK", 300)),
        "typed": tree(row("Anna phone", 100, "EditText", hint="Device name"), row("OK", 300)),
        "end": tree(row("Device name", 100), row("Anna phone", 300)),
    }
    done = [
        ("main", {"kind": "tap", "x": 500, "y": 150}),
        ("wrong", {"kind": "key", "key": "back"}),
        ("main", {"kind": "tap", "x": 500, "y": 350}),
        ("about", {"kind": "tap", "x": 500, "y": 150}),
        ("form", {"kind": "text", "text": "Anna phone", "x": 500, "y": 150}),
        ("typed", {"kind": "tap", "x": 500, "y": 350}),
        ("end", None),
    ]
    folder = tmp_path / "device-name"
    folder.mkdir()
    lines = []
    for number, (name, given) in enumerate(done, 1):
        (folder / f"{number}.xml").write_text(pages[name])
        Image.new("RGB", (1080, 2400), (255, 255, 255)).save(folder / f"{number}.png")
        lines.append(json.dumps({"tree": f"{number}.xml", "picture": f"{number}.png", "input": given}))
    (folder / "steps.jsonl").write_text("\n".join(lines))
    before, after = {"name": "Pixel", "model": "x"}, {"name": "Anna phone", "model": "x"}
    (folder / "changes.json").write_text(
        json.dumps([{"table": "device", "key": "only", "before": before, "after": after}])
    )
    return folder


def test_a_dry_run_says_what_it_would_do_and_does_nothing(folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    said = redact(folder, Redaction(names=("Anna",)), dry_run=True).as_json()
    assert said["written"] is False
    assert said["painted"] == ["6.png", "7.png"]
    assert {(one["said"], one["becomes"]) for one in said["findings"]} == {("Anna", "[name 1]")}
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_redaction_reaches_trees_inputs_changes_and_pictures(folder):
    redact(folder, Redaction(names=("Anna",)), dry_run=False)
    texts = [path.read_text() for path in folder.iterdir() if path.suffix != ".png"]
    assert not any("Anna" in text for text in texts)
    assert json.loads((folder / "steps.jsonl").read_text().splitlines()[4])["input"]["text"] == "[name 1] phone"
    image = Image.open(io.BytesIO((folder / "6.png").read_bytes()))
    assert (image.getpixel((500, 150)), image.getpixel((500, 350))) == ((40, 40, 40), (255, 255, 255))
    assert redact(folder, Redaction(names=("Anna",)), dry_run=True).findings == ()


def cut(screens):
    """Screens as letters; a capital is the same screen, left by a way back."""
    return without_detours([(one.lower(),) for one in screens], [one.isupper() for one in screens])


def test_detours_are_cut():
    assert cut("aBac") == [2, 3]
    assert cut("abc") == [0, 1, 2]
    assert cut("abCBad") == [4, 5]
    assert cut("aab") == [1, 2]


def test_a_page_that_changed_before_it_was_left_is_no_detour():
    assert cut("abCa") == [0, 1, 2, 3]
    assert cut("aba") == [0, 1, 2]


def test_a_recording_becomes_a_candidate(folder):
    made = to_task(folder, "call this phone Anna phone")
    assert [step.get("arguments", step) for step in made.task.gold] == [
        {"action": "tap", "element": "About phone"},
        {"action": "tap", "element": "Device name"},
        {"action": "type", "element": "Device name", "text": "Anna phone"},
        {"action": "tap", "element": "OK"},
        {"finish": "Done."},
    ]
    assert (made.task.id, made.task.split, made.task.source) == ("recorded/device-name", Split.DEV, "recording")
    assert checked(made.task.model_dump_json()) == made.task
    assert any("detours were cut" in note for note in made.notes)
    assert any("begins in `com.android.settings`" in note for note in made.notes)


def test_an_app_that_was_opened_by_its_name_opens_the_task(folder):
    events = [{"kind": "start"}, {"kind": "input", "what": "open", "text": "Settings"}]
    (folder / "events.jsonl").write_text("\n".join(json.dumps(event) for event in events))
    made = to_task(folder, "call this phone Anna phone")
    assert made.task.gold[0]["arguments"] == {"action": "open", "text": "Settings"}
    assert not any("begins in" in note for note in made.notes)


def test_what_is_damaged_or_lies_outside_is_one_line(folder):
    (folder / "changes.json").write_text("{")
    with pytest.raises(UserError, match="can't be read"):
        to_task(folder, "x")
    (folder / "changes.json").write_text('[{"table": "device"}]')
    with pytest.raises(UserError, match="no list of changes"):
        to_task(folder, "x")
    (folder.parent / "outside.xml").write_text(tree(row("Anna", 100)))
    (folder / "outside.xml").write_text("<hierarchy/>")
    (folder / "steps.jsonl").write_text('{"tree": "../outside.xml"}')
    with pytest.raises(UserError, match="can't be read"):
        to_task(folder, "x")
    redact(folder, Redaction(names=("Anna",)), dry_run=False)
    assert "Anna" in (folder.parent / "outside.xml").read_text()


def test_what_changed_is_what_must_be_so():
    before, after = {"name": "Pixel"}, {"name": "Anna phone"}
    policy, notes = policy_of([{"table": "contacts", "key": "1", "before": before, "after": after}])
    (state,) = [check for check in policy.outcomes[0].checks if isinstance(check, StateCheck)]
    assert (state.required[0].where, state.required[0].values, notes) == (before, after, [])
    none, said = policy_of(None)
    assert none.outcomes[0].note.startswith("to be written") and said


def test_what_can_t_be_a_task_is_said(folder):
    with pytest.raises(UserError, match="request is empty"):
        to_task(folder, " ")
    with pytest.raises(UserError, match="none of `use_screen`"):
        task = to_task(folder, "x").task
        checked(task.model_copy(update={"gold": ({"name": "fly", "arguments": {}},)}).model_dump_json())
    (folder / "steps.jsonl").write_text('{"tree": "1.xml"}')
    with pytest.raises(UserError, match="holds no input"):
        to_task(folder, "x")
    with pytest.raises(UserError, match="holds no recording"):
        to_task(folder / "none", "x")
