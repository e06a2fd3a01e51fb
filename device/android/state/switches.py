"""Radios, networks, location: what `svc`, `cmd` and the settings say of them (Android 10 to 16).

`wifi_on` is 1, or 2 while Wi-Fi stays on in airplane mode (`WifiSettingsStore`).
"""

import re

from device.android.state.reading import Reading, Rows
from device.android.state.tables import SINGLE, on, table

_CONNECTED = re.compile(r'^Wifi is connected to "(.*)"', re.M)
_NETWORK = re.compile(r"^(\d+)\s+(.*?)\s{2,}(\S+)\s*$", re.M)
_DNS = {"opportunistic": "automatic", "off": "off", "hostname": "custom"}


@table("radios")
def radios(reading: Reading) -> Rows:
    """One row: what is on, and the Wi-Fi network in use."""
    values = reading.settings("global")
    wifi = values.get("wifi_on", "0") in ("1", "2")
    network = _CONNECTED.search(reading.text("cmd", "wifi", "status")) if wifi else None
    row = {
        "airplane_mode": on(values.get("airplane_mode_on")),
        "wifi": wifi,
        "wifi_network": network[1] if network else "",
        "bluetooth": on(values.get("bluetooth_on")),
        "mobile_data": on(values.get("mobile_data"), "1"),
        "nfc": "mState=on" in reading.text("dumpsys", "nfc"),
    }
    return {SINGLE: row}


@table("wifi_networks")
def wifi_networks(reading: Reading) -> Rows:
    """Saved networks by name."""
    return {
        name: {"name": name, "saved": True, "secured": security not in ("open", "owe")}
        for name, security in ((match[2], match[3]) for match in saved_networks(reading))
    }


def saved_networks(reading: Reading) -> list[re.Match[str]]:
    """Id, name and security of each saved network."""
    return list(_NETWORK.finditer(reading.text("cmd", "wifi", "list-networks")))


@table("roaming")
def roaming(reading: Reading) -> Rows:
    """One row."""
    return {SINGLE: {"enabled": on(reading.settings("global").get("data_roaming"))}}


@table("private_dns")
def private_dns(reading: Reading) -> Rows:
    """One row: mode and, where it is custom, the host."""
    values = reading.settings("global")
    mode = _DNS.get(values.get("private_dns_mode", ""), "automatic")
    return {SINGLE: {"mode": mode, "host": values.get("private_dns_specifier", "") if mode == "custom" else ""}}


@table("location_services")
def location_services(reading: Reading) -> Rows:
    """One row."""
    return {SINGLE: {"enabled": on(reading.settings("secure").get("location_mode"))}}
