"""Radios, networks, location, and other things that are on or off.

Commands: `svc` (`frameworks/base/cmds/svc`), `cmd connectivity`, `cmd wifi` (`WifiShellCommand`, Android 11),
`cmd location` (`LocationShellCommand`, Android 11).
"""

import re
from collections.abc import Callable
from typing import Any

from device.android.errors import bad_argument, conflict, not_found, unsupported
from device.android.state.switches import saved_networks
from device.android.state.tables import SINGLE
from device.android.tools.registry import offered
from device.android.work import Answer, Work

_SHORTEST = 8
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


def switch(phone: Work, action: str, table: str, column: str, write: Callable[[bool], Any]) -> Answer:
    """Set or read one column that is on or off."""
    phone.watch(table)
    if action != "query":
        write(action == "enable")
        phone.expect(table, **{column: action == "enable"})
    return lambda seen: {"enabled": seen[table][SINGLE][column]}


def word(on: bool) -> str:
    """`svc`'s word."""
    return "enable" if on else "disable"


def number(on: bool) -> str:
    """A setting's number."""
    return "1" if on else "0"


@offered("manage_wifi", since=11, needs="NETWORK_SETTINGS")
def manage_wifi(phone: Work, action: str, network: str | None = None, password: str | None = None) -> Answer:
    """On, off, saved networks."""
    phone.watch("radios", "wifi_networks")
    if action in ("connect", "forget") and network is None:
        known = list(phone.before["wifi_networks"])
        raise bad_argument(f"`network` is missing: which one to {action}; saved are {known}", argument="network")
    if action in ("enable", "disable"):
        phone.run("svc", "wifi", action)
        phone.expect("radios", wifi=action == "enable")
    elif action == "connect":
        _join(phone, str(network), password)
    elif action == "forget":
        saved = next((match for match in saved_networks(phone.look()) if match[2] == network), None)
        if saved is None:
            raise not_found(f"no saved network is called `{network}`", candidates=list(phone.before["wifi_networks"]))
        phone.run("cmd", "wifi", "forget-network", saved[1])
        phone.expect_gone("wifi_networks", str(network))

    def answer(seen: dict[str, Any]) -> dict[str, Any]:
        radios = seen["radios"][SINGLE]
        told = {"wifi": radios["wifi"], "network": radios["wifi_network"]}
        return told | ({"networks": list(seen["wifi_networks"].values())} if action == "query" else {})

    return answer


def _join(phone: Work, network: str, password: str | None) -> None:
    if not phone.row("radios")["wifi"]:
        raise conflict("Wi-Fi is off; use `manage_wifi` with enable first")
    if password is not None and len(password) < _SHORTEST:
        raise bad_argument(f"`password` has {len(password)} characters; it needs {_SHORTEST}", argument="password")
    saved = phone.before["wifi_networks"].get(network)
    if password is None and saved is not None and saved["secured"]:
        raise unsupported(
            f"`{network}` is saved, and Android's shell can't join it without its password; give `password`"
        )
    security = ("open",) if password is None else ("wpa2", password)
    phone.run("cmd", "wifi", "connect-network", network, *security)
    phone.expect("radios", wifi_network=network)


@offered("manage_bluetooth", needs="BLUETOOTH_ADMIN", actions=("enable", "disable", "query"))
def manage_bluetooth(phone: Work, action: str, device: str | None = None) -> Answer:
    """On and off; connecting a device is not open to the shell."""
    if action != "query":
        _ground(phone, action, "Bluetooth")
    return switch(phone, action, "radios", "bluetooth", lambda on: phone.run("svc", "bluetooth", word(on)))


@offered("manage_airplane_mode", since=11, needs="NETWORK_SETTINGS")
def manage_airplane_mode(phone: Work, action: str) -> Answer:
    """On and off."""
    return switch(
        phone, action, "radios", "airplane_mode", lambda on: phone.run("cmd", "connectivity", "airplane-mode", word(on))
    )


@offered("manage_mobile_data", needs="MODIFY_PHONE_STATE")
def manage_mobile_data(phone: Work, action: str) -> Answer:
    """On and off."""
    _ground(phone, action, "mobile data")
    return switch(phone, action, "radios", "mobile_data", lambda on: phone.run("svc", "data", word(on)))


def _ground(phone: Work, action: str, what: str) -> None:
    phone.watch("radios")
    if action == "enable" and phone.row("radios")["airplane_mode"]:
        raise conflict(f"airplane mode is on; {what} stays off until `manage_airplane_mode` disables it")


@offered("manage_nfc", needs="NFC hardware")
def manage_nfc(phone: Work, action: str, mode: str | None = None) -> Answer:
    """On and off."""
    if mode is not None:
        raise unsupported("Android has no NFC modes; leave `mode` out", argument="mode")
    return switch(phone, action, "radios", "nfc", lambda on: phone.run("svc", "nfc", word(on)))


@offered("manage_roaming", needs="WRITE_SECURE_SETTINGS")
def manage_roaming(phone: Work, action: str) -> Answer:
    """Data roaming."""
    return switch(phone, action, "roaming", "enabled", lambda on: phone.put("global", "data_roaming", number(on)))


@offered("manage_location_services", since=11, needs="WRITE_SECURE_SETTINGS")
def manage_location_services(phone: Work, action: str, accuracy: str | None = None) -> Answer:
    """On and off; since Android 10 accuracy is no longer chosen."""
    if accuracy is not None:
        raise unsupported("Android chooses the accuracy of location itself; leave `accuracy` out", argument="accuracy")
    return switch(
        phone,
        action,
        "location_services",
        "enabled",
        lambda on: phone.run("cmd", "location", "set-location-enabled", "true" if on else "false"),
    )


@offered("set_private_dns", needs="WRITE_SECURE_SETTINGS")
def set_private_dns(phone: Work, mode: str, host: str | None = None) -> Answer:
    """Automatic, off, or a host."""
    phone.watch("private_dns")
    if mode == "custom":
        if host is None:
            raise bad_argument("`host` is missing: which provider", argument="host")
        if not _HOST.fullmatch(host):
            raise bad_argument("`host` is no host name; give one such as dns.example.com", argument="host")
        phone.put("global", "private_dns_specifier", host)
    android = {"automatic": "opportunistic", "off": "off", "custom": "hostname"}[mode]
    phone.put("global", "private_dns_mode", android)
    phone.expect("private_dns", mode=mode, host=host or "" if mode == "custom" else "")
    return lambda seen: dict(seen["private_dns"][SINGLE])
