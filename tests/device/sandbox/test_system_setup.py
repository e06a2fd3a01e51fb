"""Control center, home screen, clock, colours, developer options, location, performance."""

from typing import Any

import pytest

from device.sandbox.sandbox import Sandbox
from runtime.contract import Deadline, ToolCall, WorldSpec


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_a_tile_is_added_until_the_control_center_is_full(phone: Any) -> None:
    phone.call("manage_control_center", action="add", tile="the hotspot tile")
    assert phone.diff_since_last_call() == {"control_tiles/Hotspot": {"shown": (False, True)}}
    assert len(phone.call("manage_control_center", action="add", tile="NFC").data["shown"]) == 8
    seen = phone.call("manage_control_center", action="add", tile="dark mode")
    assert code(seen) == 409
    assert "Flashlight" in seen.failure.details["shown"]
    phone.call("manage_control_center", action="remove", tile="flashlight")
    assert "Dark mode" in phone.call("manage_control_center", action="add", tile="dark mode").data["shown"]


def test_tiles_that_are_not_there(phone: Any) -> None:
    assert code(phone.call("manage_control_center", action="add", tile="teleporter")) == 404
    assert phone.call("manage_control_center", action="remove").failure.details["argument"] == "tile"


def test_a_locked_layout_keeps_its_grid(phone: Any) -> None:
    phone.call("manage_desktop_layout", action="lock")
    seen = phone.call("manage_desktop_layout", action="set_grid", grid="5x6")
    assert (code(seen), seen.failure.details["locked"]) == (409, True)
    phone.call("manage_desktop_layout", action="unlock")
    assert phone.call("manage_desktop_layout", action="set_grid", grid="5x6").data == {"grid": "5x6", "locked": False}
    assert code(phone.call("manage_desktop_layout", action="set_grid")) == 400


def test_clock_formats(phone: Any) -> None:
    phone.call("manage_date_time", action="set", hourFormat="24h", dateFormat="DD/MM/YYYY")
    assert phone.diff_since_last_call() == {
        "clock_settings/phone": {"hour_format": ("12h", "24h"), "date_format": ("MM/DD/YYYY", "DD/MM/YYYY")}
    }
    assert code(phone.call("manage_date_time", action="set")) == 400


def test_an_automatic_time_zone_needs_the_location(phone: Any) -> None:
    phone.call("manage_date_time", action="set", autoTimeZone="off")
    phone.call("manage_location_services", action="disable")
    assert code(phone.call("manage_date_time", action="set", autoTimeZone="on")) == 409
    phone.call("manage_location_services", action="enable")
    seen = phone.call("manage_date_time", action="set", autoTimeZone="on")
    assert seen.data["settings"]["auto_time_zone"] == "on"


def test_color_correction(phone: Any) -> None:
    phone.call("manage_color_correction", action="enable", mode="grayscale")
    assert phone.diff_since_last_call() == {
        "color_correction/phone": {"enabled": (False, True), "mode": ("deuteranomaly", "grayscale")}
    }
    assert code(phone.call("manage_color_correction", action="disable", mode="grayscale")) == 400


@pytest.mark.parametrize(
    ("name", "permission"),
    [
        ("manage_color_correction", "accessibility"),
        ("manage_developer_options", "developer_options"),
        ("manage_location_services", "location"),
    ],
)
def test_switches_need_their_permission(name: str, permission: str) -> None:
    phone = Sandbox(WorldSpec(denied=frozenset({permission})))
    seen = phone.execute(ToolCall(id="c1", name=name, arguments={"action": "enable"}), Deadline.never())
    assert seen.failure is not None
    assert seen.failure.status == 403


def test_developer_options_come_before_their_switches(phone: Any) -> None:
    assert code(phone.call("manage_developer_options", action="enable", option="show_touches")) == 409
    phone.call("manage_developer_options", action="enable")
    phone.call("manage_developer_options", action="enable", option="show_touches")
    assert phone.diff_since_last_call() == {"developer_options/phone": {"show_touches": (False, True)}}


def test_without_developer_options_there_is_no_usb_debugging(phone: Any) -> None:
    phone.call("manage_usb_debug", action="enable")
    phone.call("manage_developer_options", action="disable")
    assert phone.diff_since_last_call() == {
        "usb_debug/phone": {"enabled": (True, False), "developer_options": (True, False)}
    }


def test_without_location_services_nobody_knows_where_the_phone_is(phone: Any) -> None:
    phone.call("manage_location_services", action="disable")
    assert phone.diff_since_last_call() == {"location_services/phone": {"enabled": (True, False)}}
    assert phone.call("query_location").failure.details == {"location": "off"}
    assert code(phone.call("manage_location_services", action="disable", accuracy="high")) == 400


def test_high_accuracy_and_super_saving_exclude_each_other(phone: Any) -> None:
    phone.call("manage_battery", action="set", mode="super_saving")
    assert code(phone.call("manage_location_services", action="enable", accuracy="high")) == 409
    assert phone.call("manage_location_services", action="enable", accuracy="device_only").ok


def test_performance(phone: Any) -> None:
    phone.call("control_cooling_fan", action="enable")
    seen = phone.call("set_performance_mode", mode="quiet")
    assert seen.data == {"mode": "quiet", "turnedOff": ["cooling fan"]}
    phone.call("manage_battery", action="set", mode="power_saving")
    assert phone.call("set_performance_mode", mode="high_performance").failure.details == {"battery": "power_saving"}
    assert code(phone.call("set_performance_mode", mode="turbo")) == 400
