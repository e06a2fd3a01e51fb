"""Phones in a process of their own, started as a person starts them; eight at once."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from device.handset.client import Control, serve

adbutils = pytest.importorskip("adbutils")


def test_eight_phones_at_once(adb):
    client = adbutils.AdbClient("127.0.0.1", adb.port)
    with serve(8) as phones:

        def drive(number: int) -> tuple[str, str, int]:
            serial = phones[number].serial
            client.connect(serial)
            device = client.device(serial=serial)
            device.shell(f"settings put system screen_brightness {10 * number}")
            control = Control(phones[number].control)
            rows = control.rows("display")
            control.close()
            return (
                device.prop.get("ro.serialno"),
                device.shell("settings get system screen_brightness"),
                rows[0]["brightness"],
            )

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(drive, range(8)))
        assert [serial for serial, _, _ in found] == [f"POCKET{n + 1:04d}" for n in range(8)]
        assert [text for _, text, _ in found] == [str(10 * n) for n in range(8)]
        assert [brightness for _, _, brightness in found] == [round(10 * n * 100 / 255) for n in range(8)]
        for phone in phones:
            client.disconnect(phone.serial)


def test_control_puts_a_world_up_and_tells_what_changed(adb):
    with serve(1) as phones:
        control = Control(phones[0].control)
        control.reset({"clock": "2026-05-01T08:00", "facts": [{"table": "radios", "wifi": False, "wifi_network": ""}]})
        adb("connect", phones[0].serial)
        assert adb("shell", "cmd wifi status", serial=phones[0].serial) == "Wifi is disabled\n"
        assert adb("shell", "date +%F", serial=phones[0].serial) == "2026-05-01\n"
        mark = control.ask("snapshot")
        adb("shell", "svc nfc enable", serial=phones[0].serial)
        changes = control.ask("diff", since=mark)["changes"]
        assert [(change["table"], change["after"]["nfc"]) for change in changes] == [("radios", True)]
        seen = control.call("manage_alarm", action="create", time="07:15")
        assert seen["data"]["alarm"]["time"] == "07:15"
        assert control.ask("commands")[-1] == ["svc", "nfc", "enable"]
        adb("disconnect", phones[0].serial)
        control.close()


@pytest.mark.parametrize(("option", "value"), [("--count", "0"), ("--sdk", "12")])
def test_wrong_use_is_one_line(option, value):
    command = [sys.executable, "-m", "device.handset.cli", "serve", option, value]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert value in done.stderr


def test_a_world_from_a_file(tmp_path):
    path = tmp_path / "world.json"
    path.write_text('{"facts": [{"table": "device", "name": "Field phone"}]}')
    with serve(1, "--world", str(path)) as phones:
        control = Control(phones[0].control)
        assert control.rows("device")[0]["name"] == "Field phone"
        control.close()
    path.write_text('{"clocks": 1}')
    command = [sys.executable, "-m", "device.handset.cli", "serve", "--world", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no WorldSpec" in done.stderr
