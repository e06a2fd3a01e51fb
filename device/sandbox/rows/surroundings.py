"""What the radios find around the phone: Wi-Fi networks and Bluetooth devices."""

from dataclasses import dataclass

from device.sandbox.api import (
    Sandbox,
    plant,
    row,
)


@row("wifi_networks", key="name")
@dataclass(frozen=True, slots=True)
class WifiNetwork:
    """One network that the phone sees or knows."""

    name: str
    """SSID."""
    secured: bool = True
    """Needs a password."""
    saved: bool = False
    """Joined before; needs no password any more."""


@row("bluetooth_devices", key="name")
@dataclass(frozen=True, slots=True)
class BluetoothDevice:
    """One device that was paired or is in reach."""

    name: str
    """As it calls itself."""
    kind: str
    """headphones, speaker, car, watch, keyboard."""
    paired: bool = True
    """False: in reach and never paired."""
    connected: bool = False
    """Whether it is connected now."""


_NETWORKS = (
    ("Home", True, True), ("Office", True, True), ("Cafe Luna", False, False), ("Airport Free", False, False),
    ("Neighbors 5G", True, False),
)  # fmt: skip
_DEVICES = (
    ("AirBuds Pro", "headphones", True), ("Kitchen Speaker", "speaker", True), ("My Car", "car", True),
    ("Fit Watch", "watch", True), ("Desk Keyboard", "keyboard", True), ("Bedroom Speaker", "speaker", False),
)  # fmt: skip


@plant
def surroundings(phone: Sandbox) -> None:
    """Five networks of which two are saved, six devices of which five are paired."""
    for name, secured, saved in _NETWORKS:
        phone.table(WifiNetwork).insert(WifiNetwork(name, secured, saved))
    for name, kind, paired in _DEVICES:
        phone.table(BluetoothDevice).insert(BluetoothDevice(name, kind, paired))
