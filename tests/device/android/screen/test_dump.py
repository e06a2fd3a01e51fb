"""Every form of dump is read; what is none is named, in one sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.android.screen import DumpProblem, read_dump

TWO = (
    b'<hierarchy rotation="1"><node class="android.widget.FrameLayout" bounds="[0,0][200,100]" package="a.b">'
    b'<node class="android.widget.Button" text="Go" clickable="true" bounds="[10,20][30,40]"/></node></hierarchy>'
)


def test_both_forms_give_the_same_tree():
    appium = (
        b'<hierarchy class="hierarchy" rotation="1" width="200" height="100">'
        b'<android.widget.FrameLayout index="0" package="a.b" bounds="[0,0][200,100]" displayed="true">'
        b'<android.widget.Button text="Go" clickable="true" bounds="[10,20][30,40]" displayed="true"/>'
        b"</android.widget.FrameLayout></hierarchy>"
    )
    assert read_dump(appium) == read_dump(TWO)


def test_places_flags_and_subtrees():
    tree = read_dump(TWO)
    frame, button = tree.nodes
    assert (tree.rotation, tree.width, tree.height, tree.package) == (1, 200, 100, "a.b")
    assert (frame.kind, frame.parent, frame.end, frame.box) == ("FrameLayout", -1, 2, (0, 0, 200, 100))
    assert (button.text, button.parent, button.end, button.box.centre) == ("Go", 0, 2, (20, 30))
    assert button.flags == {"clickable"}


@pytest.mark.parametrize(
    "data",
    [
        b"WARNING: linker: something\n" + TWO + b"UI hierchary dumped to: /dev/tty\n",
        b"\xef\xbb\xbf" + TWO,
        TWO.decode().encode("utf-16"),
        b'<?xml version="1.0" encoding="UTF-16"?>' + TWO,
    ],
)
def test_what_stands_around_the_xml_is_cut_off(data):
    assert [node.kind for node in read_dump(data).nodes] == ["FrameLayout", "Button"]


def test_characters_that_xml_forbids_cost_one_character_each():
    data = b'<hierarchy><node text="a\x01b&#0;c&#55357;&#56832;d&#55357;e" bounds="[0,0][1,1]"/></hierarchy>'
    assert read_dump(data).nodes[0].text == "a\ufffdb\ufffdc\U0001f600d\ufffde"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is empty. Dump the screen again"),
        (b"  \n", "it is empty. Dump the screen again"),
        (b"hello", "it holds no `<hierarchy>`. Give the XML"),
        (b"ERROR: could not get idle state.\n", "the screen never came to rest"),
        (b"ERROR: null root node returned by UiTestAutomationBridge.\n", "the phone had no window to dump"),
        (b"Killed\n", "the dump was killed on the phone"),
        (b'<hierarchy rotation="0"/>', "the tree is empty"),
        (b'<hierarchy rotation="0"></hierarchy>', "the tree is empty"),
        (TWO[:-20], "it breaks off after 190 characters, before `</hierarchy>`"),
        (b"<hierarchy><node></hierarchy>", "its XML is malformed: mismatched tag at line 1, column 20"),
        (b'<hierarchy><node text="a" text="b"/></hierarchy>', "its XML is malformed: duplicate attribute at line 1"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]>' + TWO, "it declares a document type"),
        (b"<?xml version='1.0'?><!DOCTYPE hierarchy>" + TWO, "it declares a document type"),
        (b"\x89PNG\r\n\x1a\n" + TWO, "it is a screenshot (PNG), not a dump"),
        (b"[Warning] Multiple displays were found\n\x89PNG\r\n\x1a\nxx", "it is a screenshot (PNG), not a dump"),
        (TWO + b" " * 5_000_000, "bytes; a dump may have 4,194,304"),
    ],
)
def test_what_is_no_dump_is_named(data, words):
    if data.startswith(b"<!DOCTYPE"):
        data = b"<?xml version='1.0'?>" + data
    with pytest.raises(DumpProblem) as raised:
        read_dump(data)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_depth_costs_nothing():
    deep = b"<hierarchy>" + b'<node bounds="[0,0][1,1]">' * 5000 + b"</node>" * 5000 + b"</hierarchy>"
    assert [node.parent for node in read_dump(deep).nodes] == list(range(-1, 4999))


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_in_one_line(data):
    for one in (data, TWO[:120] + data + TWO[120:], TWO[: len(data)] + data):
        try:
            assert read_dump(one).nodes
        except DumpProblem as problem:
            assert "\n" not in str(problem)


@given(st.text(max_size=40))
def test_any_text_reaches_the_tree(text):
    escaped = "".join(f"&#{ord(char)};" for char in text)
    seen = read_dump(f'<hierarchy><node text="{escaped}" bounds="[0,0][1,1]"/></hierarchy>'.encode()).nodes[0].text
    assert len(seen) == len(text)
    assert all(new in (old, "\ufffd") for new, old in zip(seen, text, strict=True))
