"""The real adb connects to a software phone and works unmodified."""

import re


def test_connects_and_names_the_phone(adb, phone):
    listing = adb("devices", "-l")
    line = next(line for line in listing.splitlines() if line.startswith(phone.serial))
    assert line.split()[1] == "device"
    assert "model:Pocket_One" in line


def test_getprop(phone):
    assert phone.shell("getprop ro.build.version.sdk") == "35\n"
    assert phone.shell("getprop ro.product.model") == "Pocket One\n"
    assert "[ro.serialno]: [POCKET0001]\n" in phone.shell("getprop")


def test_exit_status_and_both_outputs(adb, phone):
    assert phone.shell("echo out; echo err >&2; exit 3", check=False) == "out\n"
    assert adb("shell", "false || echo saved", serial=phone.serial) == "saved\n"


def test_a_setting_is_the_sandbox_row(phone):
    assert phone.shell("settings get system screen_brightness") == "128\n"
    phone.shell("settings put system screen_brightness 51")
    assert phone.handset.sandbox.one(phone.handset.sandbox.catalogue.kinds["display"].cls).brightness == 20
    assert phone.shell("settings get system screen_brightness") == "51\n"
    assert phone.shell("settings get system no_such_key") == "null\n"


def test_a_row_that_a_tool_changed_is_the_setting(phone):
    kind = phone.handset.sandbox.catalogue.kinds["display"].cls
    phone.handset.sandbox.change(kind, brightness=100)
    assert phone.shell("settings get system screen_brightness") == "255\n"


def test_push_and_pull(adb, phone, tmp_path):
    sent = tmp_path / "Grüße 1.txt"
    sent.write_bytes(bytes(range(256)) * 700)
    adb("push", str(sent), "/sdcard/Documents/", serial=phone.serial)
    row = next(row for row in phone.rows("files") if row.name == "Grüße 1.txt")
    assert (row.folder, row.size_mb, row.kind) == ("Documents", 0.179, "document")
    back = tmp_path / "back"
    adb("pull", "/sdcard/Documents/Grüße 1.txt", str(back), serial=phone.serial)
    assert back.read_bytes() == sent.read_bytes()


def test_listing_of_the_shared_storage(adb, phone):
    listing = adb("ls", "/sdcard/Pictures", serial=phone.serial)
    names = {line.split(maxsplit=3)[3] for line in listing.splitlines()}
    assert {"Beach_Sunset.jpg", "Whiteboard.png"} <= names


def test_uiautomator_dump_and_a_tap_that_changes_the_state(phone):
    phone.shell("am start -a android.settings.DISPLAY_SETTINGS")
    assert phone.shell("uiautomator dump /sdcard/d.xml") == "UI hierchary dumped to: /sdcard/d.xml\n"
    xml = phone.shell("cat /sdcard/d.xml")
    assert 'package="com.android.settings"' in xml
    row = re.search(r'text="Dark theme".*?bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"', xml)
    left, top, right, bottom = map(int, row.groups())
    kind = phone.handset.sandbox.catalogue.kinds["display"].cls
    assert phone.handset.sandbox.one(kind).dark_mode is False
    phone.shell(f"input tap {(left + right) // 2} {(top + bottom) // 2}")
    assert phone.handset.sandbox.one(kind).dark_mode is True
    assert phone.shell("cmd uimode night") == "Night mode: yes\n"


def test_screencap_is_a_png_of_the_screen(adb, phone, tmp_path):
    import io
    import subprocess

    from PIL import Image

    command = [adb.binary, "-P", str(adb.port), "-s", phone.serial, "exec-out", "screencap", "-p"]
    data = subprocess.run(command, capture_output=True, timeout=120, env=adb.environment, check=True).stdout
    assert Image.open(io.BytesIO(data)).size == (1080, 2400)


def test_forward_and_reverse(adb, phone):
    adb("reverse", "tcp:7777", "tcp:8888", serial=phone.serial)
    assert adb("reverse", "--list", serial=phone.serial).split()[1:] == ["tcp:7777", "tcp:8888"]
    adb("reverse", "--remove-all", serial=phone.serial)
    assert adb("reverse", "--list", serial=phone.serial).strip() == ""


def test_root_is_refused(adb, phone):
    assert "adbd cannot run as root in production builds" in adb("root", serial=phone.serial, check=False)


def test_what_is_reversed_reaches_the_host(adb, phone):
    import socket
    import threading

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)

        def echo() -> None:
            near, _ = listening.accept()
            near.sendall(near.recv(100).upper())
            near.close()

        thread = threading.Thread(target=echo, daemon=True)
        thread.start()
        adb("reverse", "tcp:7001", f"tcp:{listening.getsockname()[1]}", serial=phone.serial)
        assert phone.shell("echo hello | nc 127.0.0.1 7001") == "HELLO\n"
        thread.join(10)


def test_lines_of_an_interactive_shell(adb, phone):
    script = b"cd /sdcard\npwd\nX=3\necho $X\nexit\n"
    assert adb("shell", serial=phone.serial, data=script) == "/sdcard\n3\n"


def test_install_streams_an_apk(adb, phone, tmp_path):
    import zipfile

    package = tmp_path / "signal.apk"
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("AndroidManifest.xml", "org.thoughtcrime.securesms".encode("utf-16-le"))
    assert "Success" in adb("install", str(package), serial=phone.serial)
    assert next(row for row in phone.rows("apps") if row.name == "Signal").installed
    assert "package:org.thoughtcrime.securesms" in phone.shell("pm list packages -3")
    assert "Success" in adb("uninstall", "org.thoughtcrime.securesms", serial=phone.serial)
    broken = tmp_path / "broken.apk"
    broken.write_bytes(b"no zip")
    assert "Success" not in adb("install", str(broken), serial=phone.serial, check=False)


def test_an_abstract_socket_through_a_forward(adb, phone):
    import json
    import urllib.request

    phone.shell("am start -a android.intent.action.VIEW -d https://example.org/x")
    port = adb("forward", "tcp:0", "localabstract:chrome_devtools_remote", serial=phone.serial).strip()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=30) as reply:
        pages = json.load(reply)
    assert [page["url"] for page in pages] == ["https://example.org/x"]
    adb("forward", "--remove-all", serial=phone.serial)


def test_nobody_listens_at_a_free_port(adb, phone):
    import socket

    port = int(adb("forward", "tcp:0", "tcp:9999", serial=phone.serial).strip())
    with socket.create_connection(("127.0.0.1", port), timeout=30) as near:
        assert near.recv(10) == b""


def test_reboot_drops_the_line_and_keeps_the_state(adb, phone):
    phone.shell("settings put system screen_brightness 51; settings put global my_key 1")
    assert phone.shell("settings get global boot_count") == "1\n"
    adb("reboot", serial=phone.serial)
    adb("disconnect", phone.serial, check=False)
    adb("connect", phone.serial)
    assert phone.shell("settings get system screen_brightness; settings get global my_key") == "51\n1\n"
    assert phone.shell("settings get global boot_count") == "2\n"
