"""Saved recordings that are damaged or hostile: one clear line, nothing outside the folder, all of it or nothing."""

import json

import pytest

from device.android.record import Redaction
from evalkit.recording.saved import redact, steps_of
from evalkit.recording.to_task import to_task
from runtime.contract import UserError

TREE = (
    '<hierarchy rotation="0"><node class="android.widget.Button" package="a" text="Anna" clickable="true" '
    'bounds="[0,0][1080,99]"/></hierarchy>'
)
TAP = {"kind": "tap", "x": 9, "y": 9}


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "r"
    made.mkdir()
    (made / "1.xml").write_text(TREE)
    (made / "2.xml").write_text(TREE.replace('text="Anna"', 'text="Anna, called"'))
    lines = [{"tree": "1.xml", "input": TAP}, {"tree": "2.xml"}]
    (made / "steps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return made


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_path_that_leads_out_of_the_folder_stays_in_it(folder):
    outside = folder.parent / "1.xml"
    outside.write_text(TREE)
    for path in ("../1.xml", str(outside)):
        (folder / "1.xml").write_text(TREE)
        (folder / "steps.jsonl").write_text(json.dumps({"tree": path, "input": TAP}) + "\n")
        assert steps_of(folder)[0]["tree"] == "1.xml"
        redact(folder, Redaction(names=("Anna",)), dry_run=False)
        assert (outside.read_text(), "Anna" in (folder / "1.xml").read_text()) == (TREE, False)


def test_a_text_with_other_ends_of_lines_is_redacted(folder):
    done = {"kind": "text", "text": "Anna\u2028\u0085Anna"}
    line = json.dumps({"tree": "1.xml", "input": done}, ensure_ascii=False) + "\n"
    (folder / "steps.jsonl").write_text(line, encoding="utf-8")
    (folder / "events.jsonl").write_text(line, encoding="utf-8")
    redact(folder, Redaction(names=("Anna",)), dry_run=False)
    assert steps_of(folder)[0]["input"]["text"] == "[name 1]\u2028\u0085[name 1]"
    assert "Anna" not in (folder / "events.jsonl").read_text()


def test_what_can_not_be_written_leaves_everything_as_it_was(folder):
    (folder / "2.xml.part").mkdir()
    before = files(folder)
    with pytest.raises(UserError, match=r"can't be written: .* Nothing was changed"):
        redact(folder, Redaction(names=("Anna",)), dry_run=False)
    assert files(folder) == before


@pytest.mark.parametrize("name", ["events.jsonl", "episode.json", "changes.json"])
def test_a_file_that_is_no_text_is_named(folder, name):
    (folder / name).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match=rf"`.*{name}` can't be read"):
        redact(folder, Redaction(), dry_run=True)


@pytest.mark.parametrize("text", ["[", "7", '{"table": "x"}', "[1]", '[{"table": "x"}]'])
def test_changes_that_are_none_are_one_line(folder, text):
    (folder / "changes.json").write_text(text)
    with pytest.raises(UserError, match=r"changes.json` (can't be read|is no list of changes)"):
        to_task(folder, "tap it")


def test_an_empty_tree_is_one_line(folder):
    (folder / "2.xml").write_text('<hierarchy rotation="0"></hierarchy>')
    with pytest.raises(UserError, match=r"2.xml` can't be read: the tree is empty"):
        to_task(folder, "tap it")


def test_the_folder_one_stands_in_has_a_name(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert to_task(folder.relative_to(folder), "tap it").task.id == "recorded/r"


def test_a_second_redaction_gives_no_number_again(folder):
    redact(folder, Redaction(names=("Anna",)), dry_run=False)
    (folder / "2.xml").write_text((folder / "2.xml").read_text().replace("called", "called Tom"))
    redact(folder, Redaction(names=("Tom",)), dry_run=False)
    assert "[name 1], called [name 2]" in (folder / "2.xml").read_text()
