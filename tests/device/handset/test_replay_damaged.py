"""Recordings that are damaged, hostile or of another tool: shown, or one clear line before a phone is started."""

import io
import json

import pytest
from PIL import Image

from device.handset.recording import Recording
from runtime.cli.root import main
from runtime.contract import UserError

GOOD = (
    '<hierarchy rotation="0"><node class="android.widget.Button" text="Go" clickable="true" bounds="[0,0][1080,99]"/>'
    "</hierarchy>"
)


def picture():
    held = io.BytesIO()
    Image.new("RGB", (40, 40), (9, 99, 9)).save(held, "PNG")
    return held.getvalue()


@pytest.fixture
def recording(tmp_path):
    """Writes one screen, and reads it."""

    def made(tree=GOOD, png=None, **line):
        (tmp_path / "1.xml").write_bytes(tree if isinstance(tree, bytes) else tree.encode())
        if png is not None:
            (tmp_path / "1.png").write_bytes(png)
        given = {"tree": "1.xml", "picture": "1.png", **line}
        (tmp_path / "steps.jsonl").write_text(json.dumps(given, ensure_ascii=False) + "\n", encoding="utf-8")
        return Recording(tmp_path)

    return made


def test_a_text_may_hold_any_end_of_line(recording):
    text = "a\u2028b\u0085c\u000bd"
    assert recording(input={"kind": "text", "text": text}).steps[0].input.text == text


def test_appiums_form_and_that_of_all_windows_are_shown(recording):
    appium = GOOD.replace("<node class=", "<android.widget.Button class=")
    for tree in (appium, f"<displays><display><window>{GOOD}</window></display></displays>"):
        (window,), rotation = recording(tree).windows(recording(tree).steps[0])
        root = window.root
        assert (root.cls, root.text, root.bounds, rotation) == ("android.widget.Button", "Go", (0, 0, 1080, 99), 0)


@pytest.mark.parametrize("bounds", ["[0,0][--5,9]", "[²,0][1,2]", "", "[1,2]", "[0,0][1,%s]" % ("9" * 5000)])
def test_bounds_that_are_none_are_nowhere(recording, bounds):
    made = recording(GOOD.replace("[0,0][1080,99]", bounds).replace('rotation="0"', 'rotation="²"'))
    (window,), rotation = made.windows(made.steps[0])
    assert (window.root.bounds, rotation) == ((0, 0, 0, 0), 0)


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ("<hierarchy>" + "<node>" * 5000 + "</node>" * 5000 + "</hierarchy>", "more than 200 levels deep"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + GOOD, "declares a document type"),
        (b"\xff\xfe<\0", "can't be read as a dump"),
        ("<?xml version='1.0' encoding='no-such'?>" + GOOD, "can't be read as a dump"),
        (GOOD[:-5], "can't be read as a dump"),
        ("", "can't be read as a dump"),
    ],
)
def test_a_tree_that_can_not_be_read_is_one_line(recording, tree, words):
    with pytest.raises(UserError, match=words):
        recording(tree)


@pytest.mark.parametrize("png", [b"", b"text", picture()[:-30], picture()[:40] + b"\0\0\0\0" + picture()[44:]])
def test_a_picture_that_can_not_be_shown_is_one_line(recording, png):
    assert recording(png=picture()).steps
    with pytest.raises(UserError, match=r"`.*1.png` can't be read as a picture"):
        recording(png=png)


def test_a_line_that_is_no_json_is_said(tmp_path):
    (tmp_path / "steps.jsonl").write_text('{"tree": "1.x')
    with pytest.raises(UserError, match=r"line 1 of .*: Invalid JSON.*[^`]\.$") as raised:
        Recording(tmp_path)
    assert "``" not in str(raised.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["serve", "--port", "65536"], "`--port` is 65536; 1 phones need ports of 1 to 65535."),
        (["serve", "--port", "65530", "--count", "8"], "`--port` is 65530; 8 phones need ports"),
        (["serve", "--port", "-5"], "`--port` is -5;"),
        (["replay", "nothing", "--port", "70000"], "`--port` is 70000;"),
        (["fault", "99999", "drop"], "no software phone listens at control port 99999"),
    ],
)
def test_a_wrong_port_is_one_line(capsys, words, said):
    assert main(["phone", *words]) == 2
    assert capsys.readouterr().err.startswith(f"pocket: {said}")
