"""The screen over a helper that answers what the test wants: what is asked, what is told, what is never kept."""

import json

import pytest

from device.android.agent import Agent
from device.android.gui import Gui
from device.android.sight import letters
from runtime.contract import Approver, Deadline, Effect, ErrorCode

NODE = (
    '<node class="android.widget.{kind}" package="com.chat" text="{text}" content-desc="" hint="{hint}" {more} '
    'clickable="true" bounds="[0,{top}][1000,{low}]" />'
)


def node(kind, text, top, hint="", more=""):
    return NODE.format(kind=kind, text=text, top=top, low=top + 100, hint=hint, more=more)


def screen(*nodes):
    frame = '<node class="android.widget.FrameLayout" package="com.chat" bounds="[0,0][1000,2000]">'
    return f'<hierarchy rotation="0">{frame}{"".join(nodes)}</node></hierarchy>'


class Helper:
    """Port 9008 of a phone whose answers are set by the test."""

    def __init__(self):
        self.answers = {"dumpWindowHierarchy": screen(node("Button", "Go", 100)), "setText": True, "getText": ""}
        self.calls = []
        self.raw = None

    def __call__(self, line, _):
        held = b""
        while True:
            while b"\r\n\r\n" not in held:
                got = line.recv(65536)
                if not got:
                    return
                held += got
            head, _, held = held.partition(b"\r\n\r\n")
            size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            while len(held) < size:
                held += line.recv(65536)
            body, held = held[:size], held[size:]
            answer = b"pong" if head.startswith(b"GET /ping") else self.answer(json.loads(body))
            if self.raw is not None and not head.startswith(b"GET /ping"):
                line.sendall(self.raw)
                return
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer))

    def answer(self, request):
        self.calls.append((request["method"], request["params"]))
        return json.dumps({"result": self.answers.get(request["method"], True)}).encode()

    @property
    def acts(self):
        return [method for method, _ in self.calls if method not in ("dumpWindowHierarchy", "getText")]


class Never(Approver):
    """Says no, and remembers to what."""

    def __init__(self):
        self.asked = []

    def approve(self, question, deadline):
        self.asked.append(question)
        return False


@pytest.fixture
def helper(adb):
    adb.streams["tcp"] = Helper()
    return adb.streams["tcp"]


@pytest.fixture
def gui(server, shell, helper):
    agent = Agent(server, shell)
    yield Gui(shell, agent, Never())
    agent.close()


def soon():
    return Deadline(60)


def find(gui, words):
    return next(one.id for one in gui.observe(soon()) if one.label.startswith(words))


def test_looks_are_named_for_ever():
    assert [letters(number) for number in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


def test_an_id_is_never_given_twice(gui, helper):
    first = find(gui, "Go")
    helper.answers["dumpWindowHierarchy"] = screen(node("Button", "Delete", 100))
    seen = {one.id for _ in range(30) for one in gui.observe(soon())}
    assert first not in seen
    refused = gui.act(first, "tap", "", soon())
    assert (refused.failure.code, refused.call.landed, helper.acts) == (ErrorCode.BAD_ARGUMENT, "no", [])
    assert gui.act("a" + "9" * 5000, "tap", "", soon()).failure.code is ErrorCode.BAD_ARGUMENT


def test_a_bare_text_that_deletes_is_asked_about(gui, helper):
    text = node("TextView", "Delete", 100).replace('clickable="true"', "")
    helper.answers["dumpWindowHierarchy"] = screen(text)
    refused = gui.act(find(gui, "Delete"), "tap", "", soon())
    assert (refused.failure.code, helper.acts) == (ErrorCode.REFUSED_BY_GUARD, [])
    assert gui.asking.approver.asked[0].effects == (Effect.DELETE,)


def person(name, *more):
    title = node("TextView", name, 100).replace('clickable="true"', "")
    return screen(title, node("Button", "Delete", 300), *more)


def test_a_button_that_deletes_on_the_screen_of_somebody_else_is_stale(gui, helper):
    helper.answers["dumpWindowHierarchy"] = person("Anna Keller")
    delete = find(gui, "Delete")
    helper.answers["dumpWindowHierarchy"] = person("Ben Otto")
    stale = gui.act(delete, "tap", "", soon())
    assert (stale.failure.code, stale.call.landed, gui.asking.approver.asked) == (ErrorCode.CONFLICT, "no", [])
    assert "`Anna Keller` is gone" in stale.failure.message
    assert gui.act(find(gui, "Delete"), "tap", "", soon()).failure.code is ErrorCode.REFUSED_BY_GUARD
    assert 'The screen says "Ben Otto".' in gui.asking.approver.asked[0].facts
    assert helper.acts == []


def test_a_screen_that_goes_on_while_somebody_thinks_is_not_tapped(gui, helper):
    class Slow(Approver):
        def approve(self, question, deadline):
            helper.answers["dumpWindowHierarchy"] = person("Ben Otto")
            return True

    gui.asking.approver = Slow()
    helper.answers["dumpWindowHierarchy"] = person("Anna Keller")
    seen = gui.act(find(gui, "Delete"), "tap", "", soon())
    assert (seen.failure.code, seen.call.landed, helper.acts) == (ErrorCode.CONFLICT, "no", [])


def test_enter_beside_a_button_that_sends_is_asked_about(gui, helper, adb):
    field, send = node("EditText", "hello", 100, more='focused="true"'), node("ImageButton", "Send SMS", 300)
    helper.answers["dumpWindowHierarchy"] = screen(field, send)
    refused = gui.act("", "enter", "", soon())
    assert (refused.failure.code, refused.call.landed) == (ErrorCode.REFUSED_BY_GUARD, "no")
    facts = gui.asking.approver.asked[0].facts
    assert "Pressing Enter, beside `Send SMS`, in `com.chat`" in facts and 'A field holds "hello".' in facts
    assert adb.commands == []
    helper.answers["dumpWindowHierarchy"] = screen(field, send.replace("clickable", 'enabled="false" clickable'))
    assert gui.act("", "enter", "", soon()).ok
    assert "input keyevent KEYCODE_ENTER" in adb.commands


def test_what_goes_into_a_field_of_a_password_is_told_to_nobody(gui, helper):
    helper.answers["dumpWindowHierarchy"] = screen(node("EditText", "", 100, "Network key", 'password="true"'))
    noted = []
    gui.noted = lambda kind, values: noted.append((kind, values["text"]))
    seen = gui.act(find(gui, "Network key"), "type", "hunter2", soon())
    assert (seen.ok, noted) == (True, [("text", "(hidden)")])
    assert ("getText" in [method for method, _ in helper.calls], "hunter2" in str(seen.data)) == (False, False)


def test_a_field_that_is_emptied_reads_as_its_hint(gui, helper):
    helper.answers["dumpWindowHierarchy"] = screen(node("EditText", "Search", 100, "Search"))
    helper.answers["getText"] = "Search"
    seen = gui.act(find(gui, "Search"), "type", "", soon())
    assert (seen.ok, seen.data["value"]) == (True, "")


def test_half_a_character_is_refused_before_anything_is_touched(gui, helper):
    helper.answers["dumpWindowHierarchy"] = screen(node("EditText", "", 100, "Name"))
    seen = gui.act(find(gui, "Name"), "type", "a\ud83d", soon())
    assert (seen.failure.code, seen.call.landed, helper.acts) == (ErrorCode.BAD_ARGUMENT, "no", [])


def test_half_a_character_on_the_screen_costs_one_character(gui, helper):
    helper.answers["dumpWindowHierarchy"] = screen(node("Button", "Go \ud83d", 100))
    assert [one.label for one in gui.observe(soon())] == ["Go ?"]


@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n5",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
        b"SSH-2.0-other\r\n\r\n",
    ],
)
def test_a_program_that_is_no_helper_is_a_typed_failure(gui, helper, raw):
    target = find(gui, "Go")
    keep = helper.answer

    def broken(request):
        helper.raw = raw if request["method"] == "click" else None
        return keep(request)

    helper.answer = broken
    seen = gui.act(target, "tap", "", soon())
    assert (seen.failure.code, seen.call.landed) == (ErrorCode.OFFLINE, "unknown")
    assert helper.acts == ["click"]
