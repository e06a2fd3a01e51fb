"""How the system is set up: tiles, home screen, clock, colours, developer options, location, performance."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("control_tiles", key="name")
@dataclass(frozen=True, slots=True)
class ControlTile:
    """One switch that the control center can show."""

    name: str
    """As it is labelled."""
    shown: bool = False
    """Whether it is in the control center now."""


@row("home_screen")
@dataclass(frozen=True, slots=True)
class HomeScreen:
    """The layout of the home screen: one row."""

    grid: str = "4x6"
    """Columns by rows of icons."""
    locked: bool = False
    """While locked, nothing on it can be moved and the grid stays."""


@row("clock_settings")
@dataclass(frozen=True, slots=True)
class ClockSettings:
    """How date and time are shown: one row."""

    hour_format: str = "12h"
    """`12h` or `24h`."""
    date_format: str = "MM/DD/YYYY"
    """Order of month, day and year."""
    auto_time_zone: str = "on"
    """`on`: the zone follows the phone's position."""


@row("color_correction")
@dataclass(frozen=True, slots=True)
class ColorCorrection:
    """Colours for eyes that see them differently: one row."""

    enabled: bool = False
    """Whether it is on."""
    mode: str = "deuteranomaly"
    """`deuteranomaly` (red-green, green weak), `protanomaly` (red weak), `tritanomaly` (blue-yellow) or `grayscale`."""


@row("developer_options")
@dataclass(frozen=True, slots=True)
class DeveloperOptions:
    """Switches of the developer menu: one row; whether the menu is there at all is a column of `usb_debug`."""

    stay_awake: bool = False
    """The screen stays lit while charging."""
    show_touches: bool = False
    """A dot follows each touch."""
    no_animations: bool = False
    """Windows open without animation."""


@row("location_services")
@dataclass(frozen=True, slots=True)
class LocationServices:
    """Whether and how the phone finds its position: one row."""

    enabled: bool = True
    """Whether any app can have the position."""
    accuracy: str = "high"
    """`high`, `battery_saving` or `device_only`."""


@row("performance")
@dataclass(frozen=True, slots=True)
class Performance:
    """How hard the processor works: one row."""

    mode: str = "balanced"
    """`balanced`, `high_performance` or `quiet`."""


_SHOWN = ("Wi-Fi", "Bluetooth", "Mobile data", "Airplane mode", "Flashlight", "Auto-rotate")
_HIDDEN = (
    "Hotspot", "Screen recorder", "Dark mode", "NFC", "QR scanner", "Battery saver", "Do not disturb", "Eye comfort",
    "Screen cast", "Calculator",
)  # fmt: skip


@plant
def control_tiles(phone: Sandbox) -> None:
    """Six tiles that are shown, ten that are not."""
    for name in (*_SHOWN, *_HIDDEN):
        phone.table(ControlTile).insert(ControlTile(name, name in _SHOWN))
