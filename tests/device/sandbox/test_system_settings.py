"""Battery, power, updates, language, accessibility, fan, status bar, reset."""

from typing import Any

import pytest

from device.sandbox.sandbox import Sandbox
from runtime.contract import Deadline, ToolCall, WorldSpec


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_battery_is_read(phone: Any) -> None:
    # 76% of 24 hours
    assert phone.call("manage_battery", action="query").data == {
        "level": 76, "charging": False, "mode": "normal", "hoursLeft": 18.2
    }  # fmt: skip


def test_super_saving_turns_off_what_is_hungry(phone: Any) -> None:
    phone.call("manage_game_manager", action="enable")
    seen = phone.call("manage_battery", action="set", mode="super_saving")
    assert seen.data["turnedOff"] == ["game mode"]
    assert phone.diff_since_last_call() == {
        "battery/phone": {"mode": ("normal", "super_saving")}, "game_manager/phone": {"enabled": (True, False)}
    }  # fmt: skip


def test_battery_mode_is_asked_for(phone: Any) -> None:
    assert phone.call("manage_battery", action="set").failure.details["argument"] == "mode"


def test_restart_closes_apps(phone: Any) -> None:
    phone.call("open_app", appName="Spotify")
    phone.call("control_device_power", action="restart")
    assert phone.diff_since_last_call() == {
        "apps/Spotify": {"running": (True, False)},
        "power/phone": {"restarts": (0, 1), "since": ("", "2026-03-02T09:00:00")},
    }


def test_power_off_once(phone: Any) -> None:
    assert phone.call("control_device_power", action="power_off").data["device_status"] == "off"
    assert code(phone.call("control_device_power", action="restart")) == 409


def test_usb_debugging_brings_developer_options(phone: Any) -> None:
    assert phone.call("manage_usb_debug", action="enable").data == {
        "usb_debug_enabled": True, "developer_options_enabled": True
    }  # fmt: skip
    assert phone.call("manage_usb_debug", action="disable").data["developer_options_enabled"] is True


@pytest.mark.parametrize(
    ("name", "permission"),
    [
        ("manage_usb_debug", "developer_options"),
        ("manage_talkback", "accessibility"),
        ("manage_select_to_speak", "accessibility"),
    ],
)
def test_switches_need_their_permission(name: str, permission: str) -> None:
    phone = Sandbox(WorldSpec(denied=frozenset({permission})))
    seen = phone.execute(ToolCall(id="c1", name=name, arguments={"action": "enable"}), Deadline.never())
    assert seen.failure is not None
    assert seen.failure.status == 403


def test_talkback(phone: Any) -> None:
    phone.call("manage_talkback", action="enable")
    assert phone.diff_since_last_call() == {"talkback/phone": {"enabled": (False, True)}}
    assert phone.call("manage_talkback", action="query").data["settings"]["speech_rate"] == 100


def test_select_to_speak(phone: Any) -> None:
    phone.call("manage_select_to_speak", action="enable")
    assert phone.diff_since_last_call() == {"select_to_speak/phone": {"enabled": (False, True)}}
    assert phone.call("manage_select_to_speak", action="query").data["settings"]["highlight_color"] == "yellow"


def test_device_info(phone: Any) -> None:
    assert phone.call("manage_device_info", item="memory").data == {"memory": {"totalGb": 12, "usedGb": 5.4}}
    assert sorted(phone.call("manage_device_info").data) == ["battery", "memory", "model", "name", "storage", "version"]
    assert code(phone.call("manage_device_info", item="colour")) == 400


def test_update_is_checked_downloaded_and_installed(phone: Any) -> None:
    assert phone.call("manage_system_update", action="check").data["available"] == "15.3"
    assert code(phone.call("manage_system_update", action="install")) == 409
    phone.call("manage_system_update", action="download")
    assert phone.diff_since_last_call() == {"system_update/phone": {"state": ("idle", "downloaded")}}
    assert phone.call("manage_system_update", action="install").data == {
        "version": "15.3", "state": "installed", "updateAvailable": False
    }  # fmt: skip
    assert code(phone.call("manage_system_update", action="download")) == 409


def test_update_needs_wifi(phone: Any) -> None:
    phone.call("manage_wifi", action="disable")
    assert phone.call("manage_system_update", action="download").failure.details["reason"] == "no wifi"


def test_language(phone: Any) -> None:
    phone.call("set_language", language="german")
    assert phone.diff_since_last_call() == {"region/phone": {"language": ("English", "German")}}
    assert code(phone.call("set_language", language="Elvish")) == 400


def test_reset_of_a_fresh_display_and_sound_changes_nothing(phone: Any) -> None:
    for scope in ("display", "sound"):
        phone.call("reset_settings", scope=scope)
        assert phone.diff_since_last_call() == {}


def test_reset_of_sound(phone: Any) -> None:
    phone.call("set_sound_mode", mode="silent")
    phone.call("reset_settings", scope="sound")
    assert phone.diff_since_last_call()["sound/phone"]["mode"] == ("silent", "ring")


def test_reset_of_network_forgets_what_was_joined(phone: Any) -> None:
    phone.call("reset_settings", scope="network")
    changed = phone.diff_since_last_call()
    assert changed["radios/phone"] == {"wifi_network": ("Home", "")}
    assert changed["wifi_networks/Home"] == {"saved": (True, False)}


def test_reset_of_all_keeps_the_charge(phone: Any) -> None:
    phone.call("manage_talkback", action="enable")
    phone.call("manage_battery", action="set", mode="power_saving")
    phone.call("reset_settings", scope="all")
    changed = phone.diff_since_last_call()
    assert changed["battery/phone"] == {"mode": ("power_saving", "normal")}
    assert changed["talkback/phone"] == {"enabled": (True, False)}


def test_reset_asks_for_its_scope(phone: Any) -> None:
    assert phone.call("reset_settings").failure.details["argument"] == "scope"


def test_fan(phone: Any) -> None:
    assert phone.call("control_cooling_fan", action="enable", speed="high").data == {"enabled": True, "speed": "high"}
    phone.call("manage_battery", action="set", mode="super_saving")
    assert code(phone.call("control_cooling_fan", action="enable")) == 409


def test_status_bar(phone: Any) -> None:
    phone.call("manage_status_bar_display", action="show", item="battery_percent")
    assert phone.diff_since_last_call() == {"status_bar/phone": {"battery_percent": (False, True)}}
    assert phone.call("manage_status_bar_display", action="hide").failure.details["argument"] == "item"
