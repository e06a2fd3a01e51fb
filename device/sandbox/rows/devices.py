"""Other devices of the user, and what runs between them and the phone."""

from dataclasses import dataclass

from device.sandbox.api import row


@row("companions", key="name")
@dataclass(frozen=True, slots=True)
class Companion:
    """A device that the phone may cast to, send to, sync with or look for."""

    name: str
    """As it calls itself: `Living Room TV`."""
    kind: str
    """`tv`, `large_screen`, `laptop`, `tablet`, `watch`, `earbuds`, `spare_phone`, or `phone` for the phone itself."""
    online: bool = True
    """Whether it answers now."""
    place: str = "home"
    """Where it is, or was last seen."""
    last_sync: str = ""
    """Moment of the last sync, empty if never."""
    ringing: bool = False
    """Whether it rings to be found."""


@row("casting")
@dataclass(frozen=True, slots=True)
class Casting:
    """The state of screen casting: one row."""

    status: str = "idle"
    """`idle` or `casting`."""
    direction: str = ""
    """`cast_out`, `cast_in`, or empty while idle."""
    method: str = ""
    """`wireless`, `trusted_ring`, `AirView`, `smart_space`, or empty while idle."""
    target: str = ""
    """Name of the other device, or empty while idle."""


@row("input_sharing")
@dataclass(frozen=True, slots=True)
class InputSharing:
    """Whether a keyboard and mouse are shared between devices: one row."""

    enabled: bool = False
    """Whether it is on."""
    source: str = ""
    """Kind of the device that gives keyboard and mouse."""
    target: str = ""
    """Kind of the device that takes them."""


@row("transfers", key="id")
@dataclass(frozen=True, slots=True)
class Transfer:
    """A file that was sent to another device."""

    id: str
    """Seeded id."""
    file: str
    """Name of the file."""
    device: str
    """Name of the device."""
    method: str
    """`bluetooth` or `wifi`."""
