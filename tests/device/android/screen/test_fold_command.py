"""`pocket phone fold`: text, JSON, and one clear line for every file that is no dump."""

import json

import pytest

from runtime.cli.root import main


@pytest.fixture
def dump(tmp_path, write):
    path = tmp_path / "screen.xml"
    path.write_bytes(write.screen(write.node("Button", text="Go", clickable=True, box=(0, 100, 200, 300)), rotation=1))
    return path


def test_the_folded_screen(dump, capsys):
    assert main(["phone", "fold", str(dump)]) == 0
    assert capsys.readouterr().out == "1 button Go\n"


def test_the_same_as_json(dump, capsys):
    assert main(["phone", "fold", str(dump), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    (element,) = shown.pop("elements")
    assert element["bounds"] == [0, 100, 200, 300]
    assert (element["id"], element["role"], element["label"], element["actions"]) == (1, "button", "Go", ["tap"])
    assert shown == {
        "package": "com.example",
        "rotation": 1,
        "width": 1000,
        "height": 2000,
        "nodes": 2,
        "tappable": 1,
        "hidden_texts": 0,
        "characters": 11,
        "text": "1 button Go",
    }


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<hierarchy><node/>", "breaks off after 18 characters"),
        (b"", "it is empty"),
        (b"<hierarchy/>", "the tree is empty"),
        (b"\x89PNG\r\n\x1a\n<hierarchy/>", "it is a screenshot (PNG)"),
        (b"<hierarchy>" + b" " * 5_000_000 + b"</hierarchy>", "it has 5,000,023 bytes; a dump may have 4,194,304"),
    ],
)
def test_what_is_no_dump_is_one_line_and_exit_code_2(tmp_path, capsys, data, words):
    path = tmp_path / "bad.xml"
    path.write_bytes(data)
    assert main(["phone", "fold", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert error.startswith(f"pocket: `{path}` can't be folded: ")
    assert words in error


def test_a_missing_file_and_a_folder_are_one_line(tmp_path, capsys):
    assert main(["phone", "fold", str(tmp_path / "none.xml")]) == 2
    assert capsys.readouterr().err.endswith("can't be read: No such file or directory. Name a dump file.\n")
    assert main(["phone", "fold", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("can't be read: Is a directory. Name a dump file.\n")
