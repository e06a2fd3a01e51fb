"""Wi-Fi, mobile data, hotspot, airplane mode, NFC.

Airplane mode silences four radios and brings them back; while it is on, all but Wi-Fi and NFC stay off.
"""

from typing import Literal

from device.sandbox.api import Domain, Json, OnOff, Sandbox, Text, bad_argument, conflict, same, tool
from device.sandbox.rows.network import Radios, set_airplane_mode
from device.sandbox.rows.surroundings import WifiNetwork
from device.sandbox.tools.bluetooth import drop_devices
from device.sandbox.tools.lookup import matches, need_ground, only

_SHORTEST = 8
"""Characters in the shortest password of WPA."""


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "turn wifi off",
        "connect to the office network",
        "join Cafe Luna",
        "which wifi am I on",
        "forget my neighbors' wifi",
        "get me back on wireless",
        "log in to GuestNet, password is sunshine22",
    ),
)
def manage_wifi(
    phone: Sandbox,
    action: Literal["enable", "disable", "query", "connect", "forget"],
    network: Text | None = None,
    password: Text | None = None,
) -> Json:
    """Wi-Fi."""
    if action in ("connect", "forget"):
        if network is None:
            known = [n.name for n in phone.table(WifiNetwork).all()]
            message = f"`network` is missing: which one to {action}; there is {', '.join(known)}"
            raise bad_argument(message, argument="network", valid=known)
        (_join if action == "connect" else _forget)(phone, network, password)
    elif action == "disable":
        phone.change(Radios, wifi=False, wifi_network="")
    elif action == "enable" and not phone.one(Radios).wifi:
        near = next((n.name for n in phone.table(WifiNetwork).all() if n.saved), "")
        phone.change(Radios, wifi=True, wifi_network=near)
    radios = phone.one(Radios)
    answer: Json = {"wifi": radios.wifi, "network": radios.wifi_network}
    return answer | ({"networks": phone.table(WifiNetwork).all()} if action == "query" else {})


def _join(phone: Sandbox, said: str, password: str | None) -> None:
    """Connect to a network: a new secured one needs its password."""
    if not phone.one(Radios).wifi:
        raise conflict("Wi-Fi is off; use `manage_wifi` with enable first")
    table = phone.table(WifiNetwork)
    seen = matches(table.all(), said, lambda n: n.name)
    if len(seen) > 1:
        only(table.all(), said, lambda n: n.name, "network")
    found = seen[0] if seen else WifiNetwork(said)
    if password is not None and len(password) < _SHORTEST:
        raise bad_argument(f"`password` has {len(password)} characters; it needs {_SHORTEST}", argument="password")
    if found.secured and not found.saved and password is None:
        raise bad_argument(f"`password` is missing: `{found.name}` was never joined before", argument="password")
    if not seen:
        table.insert(WifiNetwork(said, secured=True, saved=True))
    elif not found.saved:
        table.update(found, saved=True)
    phone.change(Radios, wifi_network=found.name)


def _forget(phone: Sandbox, said: str, _: str | None) -> None:
    """Drop a saved network, and leave it if it is the one in use."""
    saved = [n for n in phone.table(WifiNetwork).all() if n.saved]
    found = only(saved, said, lambda n: n.name, "saved network")
    phone.table(WifiNetwork).update(found, saved=False)
    if same(phone.one(Radios).wifi_network, found.name):
        phone.change(Radios, wifi_network="")


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "mobile data off please",
        "use cellular data",
        "is my data connection on",
        "I'm abroad, stop using data",
        "turn 5G data back on",
    ),
)
def manage_mobile_data(phone: Sandbox, action: OnOff) -> Json:
    """Mobile data."""
    if action == "enable":
        need_ground(phone, "mobile data")
        phone.change(Radios, mobile_data=True)
    elif action == "disable":
        phone.change(Radios, mobile_data=False, hotspot=False)
    return {"enabled": phone.one(Radios).mobile_data, "hotspot": phone.one(Radios).hotspot}


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "share my internet with the laptop",
        "hotspot on",
        "stop tethering",
        "what's my hotspot password",
        "is the hotspot running",
    ),
)
def manage_hotspot(phone: Sandbox, action: OnOff) -> Json:
    """Personal hotspot."""
    if action == "enable":
        need_ground(phone, "the hotspot")
        if not phone.one(Radios).mobile_data:
            raise conflict("mobile data is off; use `manage_mobile_data` with enable first")
    if action != "query":
        phone.change(Radios, hotspot=action == "enable")
    radios = phone.one(Radios)
    answer: Json = {"enabled": radios.hotspot, "name": radios.hotspot_name}
    return answer | ({"password": radios.hotspot_password} if action == "query" else {})


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "rename my hotspot to Blue Whale",
        "change the hotspot password",
        "call the hotspot Train Ride",
        "new password for tethering: goldfish77",
    ),
)
def configure_hotspot(
    phone: Sandbox, settingItem: Literal["hotspot_name", "hotspot_password"], settingValue: Text | None = None
) -> Json:
    """Hotspot name and password."""
    if settingValue is None:
        raise bad_argument(f"`settingValue` is missing: the new {settingItem}", argument="settingValue")
    secret = settingItem == "hotspot_password"
    if secret and len(settingValue) < _SHORTEST:
        message = f"`settingValue` has {len(settingValue)} characters; a password needs {_SHORTEST}"
        raise bad_argument(message, argument="settingValue")
    old = getattr(phone.one(Radios), settingItem)
    phone.change(Radios, **{settingItem: settingValue})
    shown = {} if secret else {"old_value": old, "new_value": settingValue}
    return {"message": f"changed {settingItem}", "settingItem": settingItem, **shown}


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "flight mode on",
        "we've landed, turn airplane mode off",
        "is airplane mode active",
        "cut all the radios",
        "boarding now, go to airplane mode",
    ),
)
def manage_airplane_mode(phone: Sandbox, action: OnOff) -> Json:
    """Airplane mode."""
    if action != "query":
        set_airplane_mode(phone, action == "enable")
    if action == "enable":
        drop_devices(phone)
    radios = phone.one(Radios)
    names = ("airplane_mode", "wifi", "bluetooth", "mobile_data", "hotspot")
    return {name: getattr(radios, name) for name in names}


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "turn on NFC so I can tap to pay",
        "NFC off",
        "let the phone read cards",
        "is near field communication on",
    ),
)
def manage_nfc(phone: Sandbox, action: OnOff, mode: Literal["tap_to_pay", "card_reader"] | None = None) -> Json:
    """NFC."""
    if action == "disable" and mode is not None:
        raise bad_argument("`mode` goes with action enable; leave it out to disable", argument="mode")
    if action == "disable":
        phone.change(Radios, nfc=False)
    elif action == "enable":
        phone.change(Radios, nfc=True, **({"nfc_mode": mode} if mode else {}))
    radios = phone.one(Radios)
    return {"enabled": radios.nfc, "mode": radios.nfc_mode}
