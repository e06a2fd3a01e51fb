"""Faults as a real client meets them: set on the control port, seen through adb, adbutils or uiautomator2."""

import io
import subprocess
import time

import pytest

from device.handset.client import Control
from runtime.contract import InfrastructureError

adbutils = pytest.importorskip("adbutils")
u2 = pytest.importorskip("uiautomator2")


@pytest.fixture
def control(phone):
    control = Control(phone.server.control_port)
    yield control
    control.clear()
    control.close()


@pytest.fixture
def device(adb, phone):
    return adbutils.AdbClient("127.0.0.1", adb.port).device(serial=phone.serial)


def state(adb, phone) -> str:
    lines = [line.split() for line in adb("devices").splitlines() if line.startswith(phone.serial)]
    return lines[0][1] if lines else "gone"


def wait_for(adb, phone, wanted: str) -> None:
    end = time.monotonic() + 20
    while state(adb, phone) != wanted and time.monotonic() < end:
        time.sleep(0.1)
    assert state(adb, phone) == wanted


def test_refused_service(adb, phone, control):
    control.fault("refuse", service="shell", times=1)
    assert "error: closed" in _failing(adb, phone, "shell", "getprop")
    assert phone.shell("getprop ro.product.model") == "Pocket One\n"


def _failing(adb, phone, *words: str) -> str:
    command = [adb.binary, "-P", str(adb.port), "-s", phone.serial, *words]
    done = subprocess.run(command, capture_output=True, timeout=60, env=adb.environment, check=False)
    assert done.returncode != 0
    return done.stderr.decode()


def test_dropped_line_comes_back(adb, phone, control):
    control.fault("drop", service="shell", times=1)
    _failing(adb, phone, "shell", "getprop")
    adb("connect", phone.serial)
    wait_for(adb, phone, "device")
    assert phone.shell("getprop ro.product.model") == "Pocket One\n"


def test_hanging_service_hangs(adb, phone, control):
    control.fault("hang", service="shell", times=1)
    command = [adb.binary, "-P", str(adb.port), "-s", phone.serial, "shell", "getprop"]
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, timeout=2, env=adb.environment, check=False)
    assert phone.shell("getprop ro.product.model") == "Pocket One\n"


def test_slow_service_answers_later(phone, control):
    control.fault("slow", service="shell", seconds=0.5, times=1)
    began = time.monotonic()
    assert phone.shell("echo x") == "x\n"
    assert time.monotonic() - began >= 0.5


def test_unauthorized_and_offline(adb, phone, control):
    control.fault("unauthorized")
    control.ask("drop")
    adb("disconnect", phone.serial, check=False)
    adb("connect", phone.serial, check=False)
    wait_for(adb, phone, "unauthorized")
    control.clear()
    control.fault("offline")
    adb("disconnect", phone.serial, check=False)
    adb("connect", phone.serial, check=False)
    assert state(adb, phone) in ("offline", "gone")
    control.clear()
    adb("disconnect", phone.serial, check=False)
    adb("connect", phone.serial)
    wait_for(adb, phone, "device")


def test_break_in_the_middle_of_a_push(device, control, adb, phone):
    control.fault("mid_push", bytes=100_000, times=1)
    with pytest.raises((adbutils.AdbError, OSError)):
        device.sync.push(bytes(1_000_000), "/sdcard/Documents/big.bin")
    adb("connect", phone.serial)
    wait_for(adb, phone, "device")
    assert "big.bin" not in {row["name"] for row in control.rows("files")}


def test_break_after_so_many_bytes(adb, phone, control):
    control.fault("drop_at", bytes=500)
    for _ in range(20):
        phone.shell("echo 0123456789", check=False)
    control.clear()
    adb("connect", phone.serial)
    wait_for(adb, phone, "device")
    assert phone.shell("echo back") == "back\n"


def test_death_of_the_server_in_a_call(device, control):
    driver = u2.connect(device)
    assert driver.info["sdkInt"] == 35
    control.fault("server_death", times=1)
    with pytest.raises(Exception, match=r".*"):
        driver.jsonrpc.deviceInfo()
    assert "app_process" not in device.shell("ps -A")
    assert driver.info["sdkInt"] == 35  # the client starts it again


def test_slot_held_by_another(device, control):
    control.fault("slot_held")
    with pytest.raises(u2.exceptions.AccessibilityServiceAlreadyRegisteredError):
        u2.connect(device)
    assert "Killed" in device.shell("uiautomator dump 2>&1")


def test_busy_screen(device, control):
    control.fault("busy", seconds=0.3, times=1)
    assert device.shell("uiautomator dump 2>&1") == "ERROR: could not get idle state."
    assert device.shell("uiautomator dump") == "UI hierchary dumped to: /sdcard/window_dump.xml"


def test_secure_window_is_black_and_its_tree_is_there(device, control):
    control.fault("secure")
    assert device.screenshot().convert("L").getextrema() == (0, 0)
    assert "All apps" in device.dump_hierarchy()


def test_foldable_writes_a_warning_before_the_picture(adb, phone, control):
    control.fault("fold")
    command = [adb.binary, "-P", str(adb.port), "-s", phone.serial, "exec-out", "screencap", "-p"]
    data = subprocess.run(command, capture_output=True, timeout=60, env=adb.environment, check=True).stdout
    assert data.startswith(b"[Warning] Multiple displays were found")
    from PIL import Image

    assert Image.open(io.BytesIO(data[data.index(b"\x89PNG") :])).size == (1080, 2400)


def test_spoiled_trees(device, control):
    control.fault("empty_tree", times=1)
    assert device.dump_hierarchy().endswith('<hierarchy rotation="0" />')
    control.fault("control_char", times=1)
    assert "\x0b" in device.dump_hierarchy()
    control.fault("huge", times=1)
    assert len(device.dump_hierarchy()) > 5_000_000


def test_rotation_between_dump_and_picture(device, control):
    driver = u2.connect(device)
    control.fault("rotate", times=1)
    assert 'rotation="0"' in driver.dump_hierarchy()
    assert driver.screenshot().size == (2400, 1080)
    driver.stop_uiautomator()


def test_refused_input_and_lost_tap(device, control):
    control.fault("no_inject", times=1)
    assert "INJECT_EVENTS permission" in device.shell("input tap 1 1 2>&1")
    control.ask("launch", app="Settings")
    control.fault("lost_tap", times=1)
    device.shell("input tap 500 500")
    assert control.ask("screen")["name"] == "settings/main"
    device.shell("input tap 500 500")
    assert control.ask("screen")["name"] != "settings/main"


def test_a_fault_that_is_not_known_is_refused(control):
    with pytest.raises(InfrastructureError, match="there is no fault `earthquake`"):
        control.fault("earthquake")


def test_a_computer_is_allowed_by_hand(loop, adb):
    from tests.device.handset.conftest import Phone

    asking = Phone(loop, adb, secure=True)
    control = Control(asking.server.control_port)
    try:
        wait_for(adb, asking, "unauthorized")
        assert control.ask("screen")["name"] == "dialog/debugging"
        assert control.ask("allow") == 1
        wait_for(adb, asking, "device")
        adb("disconnect", asking.serial)
        adb("connect", asking.serial)
        wait_for(adb, asking, "device")  # its key is known now
    finally:
        control.close()
        asking.close()


def test_trees_that_do_not_fit_the_screen(device, control):
    control.ask("launch", app="Settings")
    whole = device.dump_hierarchy()
    control.fault("half_tree", times=1)
    assert len(device.dump_hierarchy()) < len(whole)
    control.ask("home")
    control.fault("stale_tree", times=1)
    assert "com.android.settings" in device.dump_hierarchy()
    assert "com.android.settings" not in device.dump_hierarchy()
    control.ask("rotate", rotation=1)
    control.fault("sideways", times=1)
    assert device.screenshot(display_id=None).size == (1080, 2400)
    control.fault("secure")
    assert "fl=SECURE" in device.shell("dumpsys window windows")
