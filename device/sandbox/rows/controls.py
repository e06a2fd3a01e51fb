"""Switches of the phone's body: flashlight, gestures, always-on display, buttons; and scanned codes."""

from dataclasses import dataclass

from device.sandbox.api import row


@row("flashlight")
@dataclass(frozen=True, slots=True)
class Flashlight:
    """The flashlight: one row."""

    on: bool = False
    """Whether it shines."""


@row("screen")
@dataclass(frozen=True, slots=True)
class Screen:
    """What the screen shows: one row."""

    on: bool = True
    """Lit or dark."""
    view: str = "home"
    """`home`, `recents`, or the name of an app."""


@row("air_gestures")
@dataclass(frozen=True, slots=True)
class AirGestures:
    """Gestures in the air: one row."""

    scroll: bool = False
    """Wave to scroll."""
    answer: bool = False
    """Wave to answer a call."""
    screenshot: bool = False
    """Grab to take a screenshot."""


@row("always_on_display")
@dataclass(frozen=True, slots=True)
class AlwaysOnDisplay:
    """The always-on display: one row."""

    enabled: bool = False
    """Whether it is on."""
    mode: str = "tap"
    """`always`, `tap` or `scheduled`."""


@row("scans", key="id")
@dataclass(frozen=True, slots=True)
class Scan:
    """A scanned QR code."""

    id: str
    """Seeded id."""
    purpose: str
    """`open`, `pay` or `add_friend`."""
    content: str
    """What the code holds: an address of the web, a shop, a name."""
