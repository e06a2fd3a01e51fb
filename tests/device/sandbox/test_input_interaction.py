"""Flashlight, screenshots, codes, buttons, gestures, always-on display."""

from runtime.contract import WorldSpec


def test_the_flashlight(phone):
    phone.call("control_flashlight", action="enable")
    assert phone.diff_since_last_call() == {"flashlight/phone": {"on": (False, True)}}
    assert phone.call("control_flashlight", action="query").data == {"flashlight": {"on": True}}


def test_the_flashlight_has_no_brightness(phone):
    assert phone.call("control_flashlight", action="enable", level="50%").failure.status == 400


def test_a_screenshot_is_a_file(phone):
    seen = phone.call("take_screenshot")
    assert seen.data["file"]["name"] == "Screenshot_20260302_090000.png"
    assert phone.call("take_screenshot", mode="long").data["file"]["name"] == "Screenshot_20260302_090000_2.png"


def test_a_dark_screen_can_not_be_captured(phone):
    phone.call("press_button", button="power")
    assert phone.call("take_screenshot").failure.status == 409


def test_a_scan_is_kept(phone):
    seen = phone.call("scan_qr_code", purpose="pay")
    assert (seen.data["scan"]["id"], seen.data["scan"]["purpose"]) == ("scan_001", "pay")
    assert seen.data["scan"]["content"].startswith("shop ")


def test_a_scan_needs_the_camera(phone):
    phone.reset(WorldSpec(denied=frozenset({"camera"})))
    assert phone.call("scan_qr_code").failure.details == {"permission": "camera"}


def test_buttons(phone):
    phone.call("press_button", button="recents")
    assert phone.diff_since_last_call() == {"screen/phone": {"view": ("home", "recents")}}
    phone.call("press_button", button="back")
    assert phone.diff_since_last_call() == {"screen/phone": {"view": ("recents", "home")}}


def test_nothing_to_go_back_to(phone):
    assert phone.call("press_button", button="back").failure.status == 409


def test_a_dark_screen_takes_only_power(phone):
    phone.call("press_button", button="power")
    assert phone.call("press_button", button="home").failure.details == {"screen": "off"}


def test_one_gesture_and_all(phone):
    phone.call("manage_air_gesture", action="enable", gesture="scroll")
    assert phone.diff_since_last_call() == {"air_gestures/phone": {"scroll": (False, True)}}
    phone.call("manage_air_gesture", action="enable")
    assert phone.call("manage_air_gesture", action="query").data["gestures"] == {
        "scroll": True,
        "answer": True,
        "screenshot": True,
    }


def test_an_unknown_gesture(phone):
    assert phone.call("manage_air_gesture", action="enable", gesture="clap").failure.status == 400


def test_the_always_on_display(phone):
    phone.call("manage_aod", action="enable", mode="always")
    changed = {"enabled": (False, True), "mode": ("tap", "always")}
    assert phone.diff_since_last_call() == {"always_on_display/phone": changed}


def test_a_mode_for_what_is_turned_off(phone):
    seen = phone.call("manage_aod", action="disable", mode="tap")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "mode"})
