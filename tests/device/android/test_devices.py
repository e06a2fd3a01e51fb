"""Which phone is meant; a phone that can't be used is told from one that is not there."""

import json

import pytest

from device.android.connection.devices import Device, choose, list_devices, parse_devices
from device.android.connection.server import reconnect
from device.android.errors import BridgeFailure
from runtime.cli.root import main
from runtime.contract import Deadline, ErrorCode, UserError

LISTED = """\
emulator-5554          device product:sdk model:Pixel_9 device:emu transport_id:1
0A1B2C                 unauthorized usb:1-1 transport_id:2
192.168.1.20:37123     offline transport_id:3
XYZ                    no permissions (missing udev rules? user is in the plugdev group); see [http://developer.android.com/tools/device.html] usb:1-2 transport_id:4
"""  # noqa: E501 - as adb writes it


def test_every_state_is_told_apart():
    assert parse_devices(LISTED) == [
        Device("0A1B2C", "unauthorized"),
        Device("192.168.1.20:37123", "offline"),
        Device("XYZ", "no permissions"),
        Device("emulator-5554", "device", "Pixel 9"),
    ]


def test_the_only_ready_one_is_meant():
    assert choose(parse_devices(LISTED)).serial == "emulator-5554"


@pytest.mark.parametrize(
    ("devices", "serial", "words"),
    [
        ([], "", "no phone is attached. Switch USB debugging on"),
        (
            [Device("A", "device"), Device("B", "device")],
            "",
            "2 phones are attached: `A`, `B`. Say which: `--serial A`.",
        ),
        ([Device("A", "unauthorized")], "", "the phone `A` is unauthorized: unlock it and accept"),
        ([Device("A", "offline")], "A", "the phone `A` is offline: replug the cable"),
        ([Device("A", "device")], "C", "no phone `C` is attached; attached: `A`."),
        ([Device("A", "rescue")], "A", "the phone `A` is rescue: its state is `rescue`; replug it."),
    ],
)
def test_what_keeps_a_phone_from_being_used_is_one_line(devices, serial, words):
    with pytest.raises(UserError) as raised:
        choose(devices, serial)
    assert str(raised.value).startswith(words)


def test_the_variable_of_adb_chooses(monkeypatch):
    monkeypatch.setenv("ANDROID_SERIAL", "B")
    assert choose([Device("A", "device"), Device("B", "device")]).serial == "B"


def test_listing_over_the_wire(server):
    assert list_devices(server) == [Device("A1", "device", "Pocket One")]


def test_waiting_for_a_phone_that_comes_back_and_for_one_that_does_not(adb, server):
    adb.devices["A1"] = "offline"
    with pytest.raises(BridgeFailure) as raised:
        reconnect(server, "A1", Deadline(0.5))
    assert raised.value.code is ErrorCode.TIMEOUT
    adb.devices["A1"] = "device"
    reconnect(server, "A1", Deadline(20))
    assert "host:kill" not in adb.requests


@pytest.fixture
def command(adb, monkeypatch):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
    return adb


def test_the_command_lists(command, capsys):
    command.devices = {"A1": "device", "B2": "unauthorized"}
    assert main(["devices"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "A1  device  Pocket One"
    assert out[1].startswith("B2  unauthorized  Pocket One  unlock it and accept `Allow USB debugging`")
    assert main(["devices", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [(one["serial"], one["ready"]) for one in shown] == [("A1", True), ("B2", False)]


def test_none_attached_is_said(command, capsys):
    command.devices.clear()
    assert main(["devices"]) == 0
    assert capsys.readouterr().out.startswith("no phone is attached.")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["connect", "192.168.1.20"], 2, "`192.168.1.20` is no address; write HOST:PORT"),
        (["pair", "192.168.1.20:4100", "12"], 2, "`12` is no pairing code"),
        (["pair", "192.168.1.20:4100", "123456"], 1, "adb says: Failed: Wrong password"),
    ],
)
def test_what_fails_on_the_network_is_one_line(command, capsys, words, code, message):
    assert main(["devices", *words]) == code
    assert message in capsys.readouterr().err


def test_connecting(command, capsys):
    assert main(["devices", "connect", "192.168.1.20:37123"]) == 0
    assert capsys.readouterr().out == "connected to 192.168.1.20:37123\n"


def test_a_phone_that_has_not_agreed_is_to_be_unlocked(command, capsys):
    command.connects = "failed to authenticate to"
    assert main(["devices", "connect", "192.168.1.20:37123"]) == 1
    assert "192.168.1.20:37123. Unlock the phone and accept `Allow USB debugging`" in capsys.readouterr().err


def test_a_server_that_is_too_old_to_pair_is_named(command, capsys):
    command.can_pair = False
    assert main(["devices", "pair", "192.168.1.20:4100", "123456"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("pocket: the adb server is too old to pair; that takes adb 30. Stop it: adb kill-server.")
    assert "123456" not in said
