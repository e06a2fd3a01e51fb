"""One choke point for quoting, one deadline for a call, and no word about an effect that nobody knows."""

import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.android.errors import BridgeFailure
from device.android.shell import command_line
from runtime.contract import CancelToken, Deadline, ErrorCode

HOSTILE = [
    "'",
    "''",
    '"',
    "$(reboot)",
    "`reboot`",
    "a; reboot",
    "&& reboot",
    "|",
    "\\",
    "a\nb",
    "%s",
    "-rf",
    "*",
    "~",
    "",
    "#",
    "!",
    "ü😀",
    "'; reboot; '",
]


@pytest.mark.parametrize("word", HOSTILE)
def test_a_real_shell_sees_one_word(word):
    done = subprocess.run(["sh", "-c", command_line(["printf", "%s", word])], capture_output=True, check=True)
    assert done.stdout.decode() == word


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1))
def test_words_come_out_as_they_went_in(words):
    assert shlex.split(command_line(words)) == words


@pytest.mark.parametrize("word", ["a\0b", "\ud800"])
def test_what_no_shell_can_take_is_refused(word):
    with pytest.raises(BridgeFailure) as raised:
        command_line(["echo", word])
    assert (raised.value.code, raised.value.landed) == (ErrorCode.BAD_ARGUMENT, "no")


def test_a_line_has_a_limit():
    with pytest.raises(BridgeFailure, match=r"takes 60,000\. Shorten it"):
        command_line(["echo", "x" * 60_000])


def test_outputs_and_status_come_apart(adb, shell, soon):
    adb.answer = lambda line: ("out\n", "err\n", 3) if line == "ls 'a b'" else ("", "", 0)
    result = shell.run("ls", "a b", deadline=soon)
    assert (result.out, result.err, result.status, result.text, result.said) == (
        b"out\n",
        b"err\n",
        3,
        "out",
        "out err",
    )


def test_many_calls_in_a_row_each_run_once(adb, shell, soon):
    adb.answer = lambda line: (line, "", 0)
    assert [shell.run("echo", str(number), deadline=soon).text for number in range(30)] == [
        f"echo {number}" for number in range(30)
    ]
    assert len(adb.commands) == 30


def test_a_connection_dialled_ahead_that_broke_is_replaced(adb, shell, soon):
    shell.run("a", deadline=soon)
    adb.drop()
    shell.run("b", deadline=soon)
    assert adb.commands == ["a", "b"]


@pytest.mark.parametrize(
    ("fault", "landed", "code"),
    [
        ("drop", "unknown", ErrorCode.OFFLINE),
        ("mid", "unknown", ErrorCode.OFFLINE),
        ("refuse", "no", ErrorCode.OFFLINE),
        ("hang", "unknown", ErrorCode.TIMEOUT),
        ("trickle", "unknown", ErrorCode.TIMEOUT),
    ],
)
def test_a_failure_says_what_is_known_and_nothing_is_sent_again(adb, shell, soon, fault, landed, code):
    shell.run("first", deadline=soon)
    adb.services.clear()
    adb.fault["shell,v2,raw"] = fault
    with pytest.raises(BridgeFailure) as raised:
        shell.run("svc", "wifi", "disable", deadline=Deadline(0.5))
    assert (raised.value.code, raised.value.landed) == (code, landed)
    assert adb.services == ["shell,v2,raw:svc wifi disable"]


def test_a_phone_that_is_gone_did_nothing(adb, shell, soon):
    adb.devices.clear()
    shell._checked = True
    with pytest.raises(BridgeFailure, match="device 'A1' not found") as raised:
        shell.run("reboot", deadline=soon)
    assert (raised.value.landed, adb.commands) == ("no", [])


def test_no_time_left_sends_nothing(adb, shell):
    with pytest.raises(BridgeFailure) as raised:
        shell.run("reboot", deadline=Deadline(0))
    assert (raised.value.code, raised.value.landed, adb.services) == (ErrorCode.TIMEOUT, "no", [])
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(BridgeFailure) as raised:
        shell.run("reboot", deadline=Deadline(None, cancel))
    assert (raised.value.code, adb.services) == (ErrorCode.CANCELLED, [])


def test_an_old_phone_is_named(adb, shell, soon):
    adb.features = "cmd"
    with pytest.raises(BridgeFailure, match="has no `shell_v2`; Android 10 or newer is needed") as raised:
        shell.run("id", deadline=soon)
    assert raised.value.code is ErrorCode.UNSUPPORTED


def test_binary_output_stays_whole(adb, shell, soon):
    data = bytes(range(256)) * 300
    adb.answer = lambda line: (data, "", 0)
    assert shell.raw("screencap", "-p", deadline=soon) == data
