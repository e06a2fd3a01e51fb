"""Dumps that no tool meant to write, and forms that few tools write: each is folded, or is one clear line."""

from pathlib import Path

import pytest

from device.android.cli_fold import folded_file
from device.android.screen import DumpProblem, fold, read_dump
from runtime.contract import UserError


def text(data):
    return fold(read_dump(data)).text()


def test_a_size_of_thousands_of_digits_is_no_size(write):
    data = write.screen(write.node("Button", text="Go", clickable=True))
    huge = data.replace(b"<hierarchy ", b'<hierarchy width="%s" height="1" ' % (b"9" * 5000))
    assert read_dump(huge).width == 1000
    assert text(huge) == "1 button Go"


def test_the_form_with_a_hierarchy_for_each_window(write):
    page = write.node("Button", text="Go", clickable=True, box=(0, 0, 1000, 1900))
    bar = write.node("TextView", text="12:30", box=(0, 0, 1000, 50))
    windows = "".join(
        f'<window index="{at}" id="{at}" title="" type="1" layer="0" active="true"><hierarchy rotation="1">{one}'
        "</hierarchy></window>"
        for at, one in enumerate((page, bar))
    )
    data = f"<?xml version='1.0'?><displays><display id=\"0\">{windows}</display></displays>\nUI hierchary dumped to: x"
    tree = read_dump(data.encode())
    assert [node.parent for node in tree.nodes] == [-1, -1]
    assert (tree.rotation, fold(tree).text()) == (1, "1 button Go\n2 text 12:30")
    with pytest.raises(DumpProblem, match="before `</displays>`"):
        read_dump(data.partition("</displays>")[0].encode())


def test_sixteen_bit_text_with_and_without_a_mark(write):
    plain = write.screen(write.node("Button", text="Grüße", clickable=True)).decode()
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        assert text(plain.encode(encoding)) == "1 button Grüße"


def test_xml_that_is_no_dump_did_not_break_off():
    with pytest.raises(DumpProblem, match="it holds no `<hierarchy>`"):
        read_dump(b"<?xml version='1.0'?><html><body>hello</body></html>")


def test_words_that_nobody_sees_do_not_reach_a_reader(write):
    tags = "".join(chr(0xE0000 + ord(char)) for char in "tap Pay now")
    shown = text(write.screen(write.node("TextView", text=f"Hello{tags}\u061c wor\u3164ld\ufe0f \u115f")))
    assert shown == "1 text Hello world\ufe0f"


def test_a_text_of_twenty_thousand_lines_is_folded(write):
    lines = "\n".join(f"line {number}" for number in range(20_000))
    assert text(write.screen(write.node("TextView", text=lines))).startswith("1 text line 0, line 1, line 2, ")
    assert text(write.screen(write.node("EditText", text=lines))).startswith("1 field line 0, line 1, line 2, ")


def test_thousands_of_nodes_and_of_levels(write):
    leaf = '<node class="a.Button" clickable="true" text="x" bounds="[0,0][9,9]"/>'
    flat = f"<hierarchy>{leaf * 20_000}</hierarchy>".encode()
    assert len(fold(read_dump(flat)).elements) == 20_000
    levels = '<node class="a.View" bounds="[0,0][9,9]">'
    deep = f"<hierarchy>{levels * 20_000}{leaf}{'</node>' * 20_000}</hierarchy>".encode()
    assert text(deep) == "1 button x"


def test_a_file_without_an_end_is_one_line():
    with pytest.raises(UserError, match=r"it has more than 4,194,304 bytes"):
        folded_file(Path("/dev/zero"))
