"""A recording becomes a software phone: it goes on when the same is done again, and only then."""

import json

import pytest

from device.handset.handset import Handset
from device.handset.recording import Recording
from runtime.contract import UserError


def tree(*nodes: str) -> str:
    frame = '<node index="0" class="android.widget.FrameLayout" package="com.train" bounds="[0,0][1080,2400]">'
    return f"<?xml version='1.0'?><hierarchy rotation=\"0\">{frame}{''.join(nodes)}</node></hierarchy>"


def button(text: str, top: int, cls: str = "android.widget.Button") -> str:
    return (
        f'<node text="{text}" class="{cls}" package="com.train" clickable="true" '
        f'bounds="[0,{top}][1080,{top + 100}]" />'
    )


@pytest.fixture
def folder(tmp_path):
    screens = [
        (tree(button("From", 100), button("To", 300)), {"kind": "tap", "x": 500, "y": 350}),
        (tree(button("", 100, "android.widget.EditText")), {"kind": "text", "text": "Zürich HB"}),
        (tree(button("List", 100)), {"kind": "swipe", "x": 500, "y": 2000, "x2": 500, "y2": 500}),
        (tree(button("End", 100)), {"kind": "key", "key": "back"}),
        (tree(button("Closed", 100)), None),
    ]
    lines = []
    for number, (text, done) in enumerate(screens):
        (tmp_path / f"{number}.xml").write_text(text)
        lines.append(json.dumps({"tree": f"{number}.xml", "activity": ".Main", "input": done}))
    (tmp_path / "steps.jsonl").write_text("\n".join(lines))
    return tmp_path


def test_the_recorded_way_is_gone(folder):
    ui = Handset(recording=Recording(folder)).ui
    assert (ui.active().package, ui.active().activity) == ("com.train", ".Main")
    assert ui.tap(10, 150) is False  # another button: nothing happens
    assert (ui.at, ui.missed) == (0, 1)
    assert ui.tap(900, 310) is True  # elsewhere on the same button
    ui.tap(500, 150)
    ui.type("Zürich")
    assert ui.at == 1
    ui.type(" HB")
    assert ui.at == 2
    ui.swipe(300, 400, 300, 1900)
    assert ui.at == 2
    ui.swipe(300, 1900, 300, 400)
    ui.back()
    assert (ui.at, ui.missed) == (4, 2)
    ui.home()
    assert (ui.at, ui.missed) == (4, 3)


def test_real_clients_see_the_recording(folder, loop, adb):
    from device.handset.server import Server

    async def made() -> Server:
        server = Server(Handset(recording=Recording(folder)))
        await server.start()
        return server

    server = loop.run(made())
    adb("connect", server.serial)
    try:
        adb("shell", "input tap 500 350", serial=server.serial)
        adb("shell", "uiautomator dump", serial=server.serial)
        assert "android.widget.EditText" in adb("shell", "cat /sdcard/window_dump.xml", serial=server.serial)
        out = adb("shell", "dumpsys window windows", serial=server.serial)
        assert "com.train/.Main}" in out
    finally:
        adb("disconnect", server.serial)
        loop.run(server.stop())


def test_what_is_no_recording(tmp_path):
    with pytest.raises(UserError, match=r"steps.jsonl"):
        Recording(tmp_path)
    (tmp_path / "steps.jsonl").write_text('{"tree": "no.xml", "input": {"kind": "wave"}}')
    with pytest.raises(UserError, match=r"line 1 .* at `input.kind`"):
        Recording(tmp_path)
    (tmp_path / "steps.jsonl").write_text('{"tree": "bad.xml"}')
    (tmp_path / "bad.xml").write_text("<hierarchy")
    with pytest.raises(UserError, match="can't be read as a dump"):
        Recording(tmp_path)
