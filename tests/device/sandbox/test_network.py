"""Wi-Fi, Bluetooth, mobile data, hotspot, airplane mode, NFC."""

import pytest


def radios(phone):
    return phone.diff_since_last_call()["radios/phone"]


def test_wifi_off_and_on(phone):
    phone.call("manage_wifi", action="disable")
    assert radios(phone) == {"wifi": (True, False), "wifi_network": ("Home", "")}
    phone.call("manage_wifi", action="enable")
    assert radios(phone) == {"wifi": (False, True), "wifi_network": ("", "Home")}


def test_a_saved_network_needs_no_password(phone):
    phone.call("manage_wifi", action="connect", network="office")
    assert phone.diff_since_last_call() == {"radios/phone": {"wifi_network": ("Home", "Office")}}


def test_an_open_network_is_saved(phone):
    phone.call("manage_wifi", action="connect", network="Cafe Luna")
    changed = {
        "radios/phone": {"wifi_network": ("Home", "Cafe Luna")},
        "wifi_networks/Cafe Luna": {"saved": (False, True)},
    }
    assert phone.diff_since_last_call() == changed


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"network": "GuestNet"}, "password"),
        ({"network": "Neighbors 5G"}, "password"),
        ({"network": "GuestNet", "password": "short"}, "password"),
        ({}, "network"),
    ],
)
def test_connecting_names_what_is_missing(phone, arguments, argument):
    seen = phone.call("manage_wifi", action="connect", **arguments)
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, argument)
    assert phone.diff_since_last_call() == {}


def test_a_new_network_with_its_password(phone):
    seen = phone.call("manage_wifi", action="connect", network="GuestNet", password="sunshine22")
    assert seen.data == {"wifi": True, "network": "GuestNet"}
    new = {"name": "GuestNet", "secured": True, "saved": True}
    assert phone.diff_since_last_call()["wifi_networks/GuestNet"] == new


def test_connecting_needs_wifi(phone):
    phone.call("manage_wifi", action="disable")
    assert "`manage_wifi`" in phone.call("manage_wifi", action="connect", network="Office").failure.message


def test_forget_the_network_in_use(phone):
    phone.call("manage_wifi", action="forget", network="home")
    assert radios(phone) == {"wifi_network": ("Home", "")}
    assert phone.call("manage_wifi", action="forget", network="home").failure.status == 404


def test_headphones_connect_by_kind(phone):
    seen = phone.call("manage_bluetooth", action="connect", device="my headphones")
    assert seen.data["connected"] == ["AirBuds Pro"]
    assert phone.call("manage_bluetooth", action="disconnect").data["connected"] == []


def test_two_speakers_are_asked_about(phone):
    seen = phone.call("manage_bluetooth", action="connect", device="speaker")
    assert seen.failure.status == 409
    assert phone.call("manage_bluetooth", action="connect", device="toaster").failure.status == 404
    assert phone.call("manage_bluetooth", action="connect").failure.details["argument"] == "device"


def test_a_new_device_is_paired(phone):
    phone.call("manage_bluetooth", action="connect", device="bedroom speaker")
    changed = {"paired": (False, True), "connected": (False, True)}
    assert phone.diff_since_last_call() == {"bluetooth_devices/Bedroom Speaker": changed}


def test_bluetooth_off_drops_devices(phone):
    phone.call("manage_bluetooth", action="connect", device="My Car")
    phone.call("manage_bluetooth", action="disable")
    changed = {"radios/phone": {"bluetooth": (True, False)}, "bluetooth_devices/My Car": {"connected": (True, False)}}
    assert phone.diff_since_last_call() == changed
    assert phone.call("manage_bluetooth", action="connect", device="My Car").failure.status == 409
    assert phone.call("manage_bluetooth", action="disconnect").failure.status == 409


def test_mobile_data_off_ends_the_hotspot(phone):
    phone.call("manage_hotspot", action="enable")
    phone.call("manage_mobile_data", action="disable")
    assert radios(phone) == {"mobile_data": (True, False), "hotspot": (True, False)}
    assert "`manage_mobile_data`" in phone.call("manage_hotspot", action="enable").failure.message


def test_the_password_is_told_to_a_query_alone(phone):
    assert phone.call("manage_hotspot", action="enable").data == {"enabled": True, "name": "Pocket Phone"}
    assert phone.call("manage_hotspot", action="query").data["password"] == "quiet-river-42"


def test_rename_the_hotspot(phone):
    seen = phone.call("configure_hotspot", settingItem="hotspot_name", settingValue="Blue Whale")
    assert (seen.data["old_value"], seen.data["new_value"]) == ("Pocket Phone", "Blue Whale")
    assert radios(phone) == {"hotspot_name": ("Pocket Phone", "Blue Whale")}


def test_a_hotspot_password_has_eight_characters(phone):
    seen = phone.call("configure_hotspot", settingItem="hotspot_password", settingValue="fish")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "settingValue")
    assert "goldfish77" not in str(
        phone.call("configure_hotspot", settingItem="hotspot_password", settingValue="goldfish77").data
    )
    assert phone.call("configure_hotspot", settingItem="hotspot_name").failure.details["argument"] == "settingValue"


def test_airplane_mode_silences_and_brings_back(phone):
    before = phone.snapshot()
    phone.call("manage_airplane_mode", action="enable")
    changed = radios(phone)
    assert changed["bluetooth"] == changed["wifi"] == changed["mobile_data"] == (True, False)
    phone.call("manage_airplane_mode", action="disable")
    assert phone.diff(before).changes == ()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("manage_hotspot", {"action": "enable"}),
        ("manage_mobile_data", {"action": "enable"}),
        ("manage_bluetooth", {"action": "enable"}),
        ("manage_bluetooth", {"action": "connect", "device": "My Car"}),
    ],
)
def test_radios_wait_for_the_end_of_airplane_mode(phone, tool, arguments):
    phone.call("manage_airplane_mode", action="enable")
    seen = phone.call(tool, **arguments)
    assert (seen.failure.status, "`manage_airplane_mode`" in seen.failure.message) == (409, True)
    assert phone.diff_since_last_call() == {}


def test_airplane_mode_is_read(phone):
    assert phone.call("manage_airplane_mode", action="query").data["airplane_mode"] is False
    assert phone.call("manage_airplane_mode", action="toggle").failure.status == 400


def test_nfc_reads_cards(phone):
    phone.call("manage_nfc", action="enable", mode="card_reader")
    assert radios(phone) == {"nfc": (False, True), "nfc_mode": ("tap_to_pay", "card_reader")}


def test_nfc_mode_goes_with_enable(phone):
    assert phone.call("manage_nfc", action="disable", mode="card_reader").failure.details["argument"] == "mode"
