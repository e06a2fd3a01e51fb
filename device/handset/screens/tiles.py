"""The switches of the quick settings, each over a column of the sandbox."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from device.sandbox.rows.controls import Flashlight
from device.sandbox.rows.display_sound import Display, SoundSettings
from device.sandbox.rows.network import Radios, set_airplane_mode
from device.sandbox.rows.system_settings import Battery
from device.sandbox.rows.system_setup import LocationServices
from device.sandbox.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class Tile:
    """One switch."""

    name: str
    """Its label."""
    read: Callable[[Sandbox], bool]
    """Whether it is on."""
    write: Callable[[Sandbox, bool], object]
    """Turn it on or off."""

    def flip(self, phone: Sandbox) -> None:
        """What a tap does."""
        self.write(phone, not self.read(phone))


def _column(name: str, cls: type[Any], column: str) -> Tile:
    return Tile(name, lambda p: bool(getattr(p.one(cls), column)), lambda p, on: p.change(cls, **{column: on}))


def set_wifi(phone: Sandbox, on: bool) -> None:
    """Wi-Fi with what hangs on it: off cuts the network, on joins the last one that is saved."""
    from device.sandbox.rows.surroundings import WifiNetwork

    saved = next((row.name for row in phone.table(WifiNetwork).all() if row.saved), "")
    phone.change(Radios, wifi=on, wifi_network=saved if on else "")


def set_power_saving(phone: Sandbox, on: bool) -> None:
    """Battery saver."""
    phone.change(Battery, mode="power_saving" if on else "normal")


TILES = (
    Tile("Wi-Fi", lambda p: p.one(Radios).wifi, set_wifi),
    _column("Bluetooth", Radios, "bluetooth"),
    _column("Mobile data", Radios, "mobile_data"),
    Tile("Airplane mode", lambda p: p.one(Radios).airplane_mode, set_airplane_mode),
    _column("Flashlight", Flashlight, "on"),
    _column("Do Not Disturb", SoundSettings, "dnd"),
    _column("Auto-rotate", Display, "auto_rotate"),
    _column("Location", LocationServices, "enabled"),
    _column("Hotspot", Radios, "hotspot"),
    _column("Dark theme", Display, "dark_mode"),
    Tile("Battery Saver", lambda p: p.one(Battery).mode != "normal", set_power_saving),
    _column("Night Light", Display, "eye_comfort"),
)
"""In the order in which they are shown."""
