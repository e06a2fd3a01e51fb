"""What guards the phone beyond its locks: sensors, the private folder, lost devices, one-time codes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.sandbox.errors import conflict
from device.sandbox.registry import plant
from device.sandbox.row import row

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox


@row("sensors")
@dataclass(frozen=True, slots=True)
class Sensors:
    """The switches that cut a sensor off from every app: one row."""

    camera: bool = True
    """Whether anything may see."""
    microphone: bool = True
    """Whether anything may hear."""


@row("private_files", key="id")
@dataclass(frozen=True, slots=True)
class PrivateFile:
    """A file in the private folder, which no search finds."""

    id: str
    """Seeded id, `private_001`."""
    name: str
    """With its ending."""
    kind: str
    """`document`, `image`, `audio` or `video`."""
    size_mb: float
    """Megabytes."""
    folder: str
    """Where it goes back to."""
    modified: str
    """`YYYY-MM-DD`."""


@row("lost_devices", key="device")
@dataclass(frozen=True, slots=True)
class LostDevice:
    """One of the user's devices that is locked from afar."""

    device: str
    """Name of the device."""
    state: str
    """`locked`, or `pending` until a device that doesn't answer is online again."""
    message: str = ""
    """What its screen shows to a finder."""


@row("authenticators", key="id")
@dataclass(frozen=True, slots=True)
class Authenticator:
    """An account that asks for a one-time code."""

    id: str
    """Seeded id, `authenticator_001`."""
    site: str
    """Where the code is asked for."""
    setup_key: str
    """Base32, as the site gave it; never told again."""


def need_sensor(phone: "Sandbox", sensor: str, what: str) -> None:
    """409 while the sensor is cut off from every app."""
    if not getattr(phone.one(Sensors), sensor):
        raise conflict(
            f"the {sensor} is blocked for every app, so the phone can't {what}; "
            f"use `manage_sensor_access` with enable and `{sensor}` first",
            sensor=sensor,
        )


_ACCOUNTS = (("Gmail", "JBSWY3DPEHPK3PXP"), ("GitHub", "KRSXG5CTMVRXEZLU"), ("PayPal", "MFRGGZDFMZTWQ2LK"))


@plant
def authenticators(phone: "Sandbox") -> None:
    """Three accounts with one-time codes."""
    for site, key in _ACCOUNTS:
        phone.table(Authenticator).insert(Authenticator(phone.new_id("authenticator"), site, key))
