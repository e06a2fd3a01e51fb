"""uiautomator2 and adbutils drive a software phone unmodified."""

import pytest

adbutils = pytest.importorskip("adbutils")
u2 = pytest.importorskip("uiautomator2")


@pytest.fixture
def device(adb, phone):
    client = adbutils.AdbClient("127.0.0.1", adb.port)
    return client.device(serial=phone.serial)


@pytest.fixture
def driver(device):
    driver = u2.connect(device)
    yield driver
    driver.stop_uiautomator()


def test_adbutils_reads_the_phone(device):
    assert device.prop.model == "Pocket One"
    assert tuple(device.window_size()) == (1080, 2400)
    assert device.rotation() == 0
    assert device.battery().level == 76
    assert device.is_screen_on() is True
    assert device.wlan_ip() == "192.168.1.57"
    assert "com.whatsapp" in device.list_packages()
    assert device.app_info("com.whatsapp").package_name == "com.whatsapp"
    assert device.app_info("com.not.there") is None


def test_adbutils_starts_and_stops_an_app(device, phone):
    device.app_start("com.spotify.music")
    assert device.app_current().package == "com.spotify.music"
    assert next(row for row in phone.rows("apps") if row.name == "Spotify").running
    device.app_stop("com.spotify.music")
    assert device.app_current().package == "com.google.android.apps.nexuslauncher"


def test_adbutils_dump_and_files(device):
    assert device.dump_hierarchy().startswith("<?xml version='1.0'")
    device.sync.push(b"hello", "/data/local/tmp/a b.txt")
    assert device.sync.read_bytes("/data/local/tmp/a b.txt") == b"hello"
    assert device.sync.stat("/data/local/tmp/a b.txt").size == 5
    assert [entry.path for entry in device.sync.list("/data/local/tmp") if entry.path == "a b.txt"] == ["a b.txt"]


def test_adbutils_framebuffer(device):
    assert device.framebuffer().size == (1080, 2400)


def test_selector_click_changes_the_sandbox(driver, phone):
    driver.app_start("com.android.settings")
    driver(text="Network & internet").click()
    assert driver(text="Airplane mode").exists
    driver(text="Airplane mode").click()
    assert phone.rows("radios")[0].airplane_mode is True
    assert driver(text="Airplane mode").sibling(className="android.widget.Switch").info["checked"] is True


def test_info_and_keys(driver):
    info = driver.info
    assert (info["displayWidth"], info["displayHeight"], info["sdkInt"]) == (1080, 2400, 35)
    driver.app_start("com.google.android.deskclock")
    assert driver.app_current()["package"] == "com.google.android.deskclock"
    driver.press("home")
    assert driver.info["currentPackageName"] == "com.google.android.apps.nexuslauncher"


def test_a_contact_made_by_hand_is_a_row(driver, phone):
    driver.app_start("com.google.android.contacts")
    driver(description="Create contact").click()
    driver(resourceId="com.google.android.contacts:id/name").set_text("Žofia O'Neil “test”")
    driver(resourceId="com.google.android.contacts:id/phone").set_text("+15550199")
    driver(text="Save").click()
    assert ("Žofia O'Neil “test”", "+15550199") in {(row.name, row.phone) for row in phone.rows("contacts")}
    assert driver(scrollable=True).scroll.to(text="Žofia O'Neil “test”")


def test_a_long_list_is_scrolled_to(driver):
    driver.app_start("com.android.settings")
    driver(text="Apps").click()
    assert not driver(text="WhatsApp").exists
    assert driver(scrollable=True).scroll.to(text="WhatsApp") is True
    assert driver(text="WhatsApp").exists


def test_xpath_and_dump(driver):
    driver.app_start("com.android.settings")
    assert driver.xpath('//*[@text="About phone"]').exists or driver.xpath('//*[@text="Apps"]').exists
    xml = driver.dump_hierarchy()
    assert 'resource-id="com.android.systemui:id/status_bar"' in xml


def test_screenshot_orientation_and_clipboard(driver):
    assert driver.screenshot().size == (1080, 2400)
    driver.orientation = "left"
    assert driver.info["displayRotation"] == 1
    assert driver.screenshot().size == (2400, 1080)
    driver.orientation = "natural"
    driver.clipboard = "Ünïcode\n'quoted'"
    assert driver.clipboard == "Ünïcode\n'quoted'"


def test_send_keys_with_the_clients_own_keyboard(driver, phone):
    driver.app_start("com.pocket.notes")
    driver(description="New note").click()
    driver(resourceId="com.pocket.notes:id/content").click()
    driver.send_keys("café; rm -rf / $(reboot)")
    assert driver(resourceId="com.pocket.notes:id/content").get_text() == "café; rm -rf / $(reboot)"
    driver(text="Save").click()
    assert "café; rm -rf / $(reboot)" in {row.content for row in phone.rows("notes")}


def test_a_reset_leaves_the_connection_and_the_server_in_place(driver, phone):
    from runtime.contract import WorldSpec

    driver.app_start("com.android.settings")
    assert driver(text="Display & touch").exists

    async def reset() -> None:
        phone.handset.reset(WorldSpec(facts=({"table": "screen", "view": "Clock"},)))

    phone.loop.run(reset())
    assert driver(description="Add alarm").exists
    assert driver.app_current()["package"] == "com.google.android.deskclock"
