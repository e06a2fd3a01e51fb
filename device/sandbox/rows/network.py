"""The radios of the phone and what airplane mode does to them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.sandbox.row import row

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox

SILENCED = ("wifi", "bluetooth", "mobile_data", "hotspot")
"""What airplane mode turns off."""


@row("radios")
@dataclass(frozen=True, slots=True)
class Radios:
    """Every radio: one row."""

    airplane_mode: bool = False
    """While it is on, Wi-Fi, Bluetooth, mobile data and hotspot are off."""
    wifi: bool = True
    """Whether Wi-Fi is on."""
    wifi_network: str = "Home"
    """The network it is connected to; empty for none."""
    bluetooth: bool = True
    """Whether Bluetooth is on."""
    mobile_data: bool = True
    """Whether mobile data is on."""
    hotspot: bool = False
    """Whether the personal hotspot is on."""
    hotspot_name: str = "Pocket Phone"
    """Name of the hotspot."""
    hotspot_password: str = "quiet-river-42"
    """Password of the hotspot."""
    nfc: bool = False
    """Whether NFC is on."""
    nfc_mode: str = "tap_to_pay"
    """`tap_to_pay` or `card_reader`."""
    before_airplane: tuple[str, ...] = ()
    """What airplane mode turned off, to be turned on again after it."""
    network_before: str = ""
    """The Wi-Fi network that airplane mode cut."""


def set_airplane_mode(phone: "Sandbox", on: bool) -> Radios:
    """Silence the radios and remember which were on, or bring those back; the same again changes nothing."""
    radios = phone.one(Radios)
    if radios.airplane_mode == on:
        return phone.change(Radios, airplane_mode=on)
    if on:
        were_on = tuple(name for name in SILENCED if getattr(radios, name))
        off = dict.fromkeys(SILENCED, False)
        network = radios.wifi_network
        return phone.change(
            Radios, airplane_mode=True, wifi_network="", before_airplane=were_on, network_before=network, **off
        )
    back = dict.fromkeys(radios.before_airplane, True)
    network = radios.network_before if "wifi" in back else ""
    return phone.change(
        Radios, airplane_mode=False, wifi_network=network, before_airplane=(), network_before="", **back
    )


def online(phone: "Sandbox") -> bool:
    """Whether the phone reaches the internet."""
    radios = phone.one(Radios)
    return radios.mobile_data or (radios.wifi and radios.wifi_network != "")
