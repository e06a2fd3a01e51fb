"""Which phone is meant; a phone that can't be used is told from one that is not there."""

import json
import socket
import threading

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


def test_serials_may_hold_blanks():
    listed = (
        "adb-1A2B-c3d4 (2)._adb-tls-connect._tcp device product:p model:Pixel_9 transport_id:4\n"
        "(no serial number)     unauthorized usb:1-1 transport_id:5\n"
        "NEW1                   resting usb:1-2 transport_id:6\n"
    )
    assert parse_devices(listed) == [
        Device("(no serial number)", "unauthorized"),
        Device("NEW1", "resting"),
        Device("adb-1A2B-c3d4 (2)._adb-tls-connect._tcp", "device", "Pixel 9"),
    ]


def test_several_of_which_none_is_ready_are_all_named():
    with pytest.raises(UserError) as raised:
        choose([Device("A", "unauthorized"), Device("B", "offline")])
    assert str(raised.value) == (
        "2 phones are attached and none is ready: `A` is unauthorized, `B` is offline. See `pocket devices`."
    )


@pytest.mark.parametrize("port", ["abc", "0", "65536", "-1", "9" * 5000])
def test_a_wrong_port_of_the_server_is_one_line(monkeypatch, capsys, port):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", port)
    assert main(["devices"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"pocket: `ANDROID_ADB_SERVER_PORT` is `{port[:40]}`; a port is 1 to 65535.")
    assert said.count("\n") == 1


@pytest.mark.parametrize("said", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"OKAYzzzz", b"FAILzzzz", b""])
def test_another_program_on_the_servers_port_is_one_line(monkeypatch, capsys, said):
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(other.getsockname()[1]))

        def answer():
            line, _ = other.accept()
            line.recv(100)
            line.sendall(said)
            line.close()

        threading.Thread(target=answer, daemon=True).start()
        assert main(["devices"]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("pocket: the phones can't be listed: ") and shown.count("\n") == 1


def test_a_phone_that_is_forgotten_while_it_is_waited_for_is_waited_for(adb, server):
    adb.devices["10.0.0.1"] = "offline"
    with pytest.raises(BridgeFailure) as raised:
        reconnect(server, "10.0.0.1:5555", Deadline(4.0))  # this server knows no `host:disconnect`
    assert raised.value.code is ErrorCode.TIMEOUT
    assert "host:disconnect:10.0.0.1:5555" in adb.requests


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
        (["pair", "192.168.1.20:4100", "１２３４５６"], 2, "is no pairing code"),
        (["pair", "192.168.1.20:4100", "123456"], 1, "adb says: Failed: Wrong password"),
        (["connect", "192.168.1.20:" + "1" * 5000], 2, "is no address; write HOST:PORT"),
        (["connect", "my phone:5555"], 2, "`my phone:5555` is no address"),
    ],
)
def test_what_fails_on_the_network_is_one_line(command, capsys, words, code, message):
    assert main(["devices", *words]) == code
    assert message in capsys.readouterr().err


def test_a_server_that_knows_no_pairing_is_named_and_the_code_is_not(command, capsys, monkeypatch):
    monkeypatch.setattr(command, "_say", lambda line, text: command._fail(line, "unknown host service"))
    assert main(["devices", "pair", "192.168.1.20:4100", "123456"]) == 1
    said = capsys.readouterr().err
    assert "123456" not in said and "that takes adb 30. Stop it: adb kill-server." in said


def test_connecting(command, capsys):
    assert main(["devices", "connect", "192.168.1.20:37123"]) == 0
    assert capsys.readouterr().out == "connected to 192.168.1.20:37123\n"


def test_a_phone_that_is_listed_as_offline_is_dialled_anew(command, capsys):
    command.devices = {"192.168.1.20:37123": "offline"}
    command.connects = "already connected to"
    assert main(["devices", "connect", "192.168.1.20:37123"]) == 0
    asked = [one for one in command.requests if "connect" in one]
    assert asked == [f"host:{what}:192.168.1.20:37123" for what in ("connect", "disconnect", "connect")]


def test_a_phone_that_has_not_agreed_is_to_be_unlocked(command, capsys):
    command.connects = "failed to authenticate to"
    assert main(["devices", "connect", "192.168.1.20:37123"]) == 1
    assert "192.168.1.20:37123. Unlock the phone and accept `Allow USB debugging`" in capsys.readouterr().err
