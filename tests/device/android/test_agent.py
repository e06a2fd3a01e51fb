"""uiautomator2's server over one kept connection: reads may be asked twice, actions never."""

import json

import pytest

from device.android.agent import Agent
from device.android.errors import BridgeFailure
from runtime.contract import Deadline, ErrorCode


class Helper:
    """The phone's side of port 9008."""

    def __init__(self):
        self.calls = []
        self.connections = 0
        self.mode = "length"
        self.drop_next = False
        self.result = {"result": "ok"}

    def __call__(self, line, _):
        self.connections += 1
        held = b""
        while True:
            while b"\r\n\r\n" not in held:
                got = line.recv(4096)
                if not got:
                    return
                held += got
            head, _, held = held.partition(b"\r\n\r\n")
            size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            while len(held) < size:
                held += line.recv(4096)
            body, held = held[:size], held[size:]
            if head.startswith(b"GET /ping"):
                answer = b"pong"
            else:
                self.calls.append(json.loads(body)["method"])
                answer = json.dumps(self.result).encode()
                if self.drop_next:
                    self.drop_next = False
                    return
            if self.mode == "chunked":
                parts = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (answer[:3], answer[3:]) if part)
                line.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + parts + b"0\r\n\r\n")
            else:
                line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer))


@pytest.fixture
def helper(adb):
    adb.streams["tcp"] = Helper()
    return adb.streams["tcp"]


@pytest.fixture
def agent(server, shell, helper):
    made = Agent(server, shell)
    yield made
    made.close()


@pytest.mark.parametrize("mode", ["length", "chunked"])
def test_calls_share_one_connection(agent, helper, soon, mode):
    helper.mode = mode
    assert [agent.call("deviceInfo", [], soon) for _ in range(5)] == ["ok"] * 5
    assert (helper.connections, helper.calls, agent.started) == (1, ["deviceInfo"] * 5, False)


def test_a_read_whose_connection_died_is_asked_again(agent, helper, soon):
    agent.call("deviceInfo", [], soon)
    helper.drop_next = True
    assert agent.call("dumpWindowHierarchy", [False, 50], soon) == "ok"
    assert helper.calls == ["deviceInfo", "dumpWindowHierarchy", "dumpWindowHierarchy"]


def test_an_action_whose_connection_died_is_not(agent, helper, soon):
    agent.call("deviceInfo", [], soon)
    helper.drop_next = True
    with pytest.raises(BridgeFailure) as raised:
        agent.call("click", [1, 2], soon)
    assert (raised.value.code, raised.value.landed) == (ErrorCode.OFFLINE, "unknown")
    assert helper.calls == ["deviceInfo", "click"]


def test_half_a_character_never_reaches_the_helper(agent, helper, soon):
    with pytest.raises(BridgeFailure) as raised:
        agent.call("setText", [{}, "a\ud83d"], soon)
    assert (raised.value.code, raised.value.landed, helper.calls) == (ErrorCode.BAD_ARGUMENT, "no", [])
    assert agent.call("setText", [{}, "ü😀"], soon) == "ok"


@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        ("UiAutomation not connected!", ErrorCode.OFFLINE, "lost the phone's UiAutomation"),
        ("Injecting input events requires INJECT_EVENTS", ErrorCode.CONFLICT, "USB debugging (Security settings)"),
        ("boom", ErrorCode.CONFLICT, "uiautomator2's `click` failed on the phone: boom"),
    ],
)
def test_what_the_helper_reports_is_typed(agent, helper, soon, message, code, words):
    helper.result = {"error": {"code": -1, "message": message}}
    with pytest.raises(BridgeFailure) as raised:
        agent.call("click", [1, 2], soon)
    assert raised.value.code is code
    assert words in raised.value.message


def test_a_helper_that_hangs_ends_at_the_deadline(agent, adb, helper, soon):
    agent.call("deviceInfo", [], soon)
    agent._drop()
    adb.fault["tcp"] = "hang"
    with pytest.raises(BridgeFailure) as raised:
        agent.call("deviceInfo", [], Deadline(0.5))
    assert raised.value.code is ErrorCode.TIMEOUT
