"""Longer work with other devices: moving to them, working on two screens, printing; and who was paired when."""

from dataclasses import dataclass
from datetime import timedelta

from device.sandbox.api import Sandbox, plant, row


@row("migrations", key="id")
@dataclass(frozen=True, slots=True)
class Migration:
    """Data on its way between the phone and another device."""

    id: str
    """Seeded id."""
    other: str
    """Name of the other device."""
    direction: str
    """`send` from the phone, or `receive`."""
    pieces: tuple[str, ...]
    """What is moved."""
    failed: tuple[str, ...]
    """What of it the other device will refuse; known when it is complete."""
    ready_at: str
    """ISO second at which it is complete."""
    cancelled: bool = False
    """Whether it was stopped before."""


@row("multi_screen")
@dataclass(frozen=True, slots=True)
class MultiScreen:
    """Phone and another screen as one desk: one row."""

    active: bool = False
    """Whether the two are joined."""
    screen: str = ""
    """Name of the other device, empty while not active."""
    mode: str = "extend"
    """`extend` (two desks) or `duplicate` (the same on both)."""


@row("printers", key="name")
@dataclass(frozen=True, slots=True)
class Printer:
    """A printer in reach."""

    name: str
    """As it calls itself."""
    online: bool = True
    """Whether it answers."""
    color: bool = True
    """Whether it can print in colour."""
    paper: int = 40
    """Sheets in the tray."""


@row("print_jobs", key="id")
@dataclass(frozen=True, slots=True)
class PrintJob:
    """A file that was sent to a printer; a copy takes one sheet."""

    id: str
    """Seeded id."""
    file: str
    """Name of the file."""
    printer_name: str
    """Which printer."""
    wanted: int
    """Copies asked for."""
    printable: int
    """Copies that the paper lasts for."""
    ink: str
    """`color` or `black_white`."""
    ready_at: str
    """ISO second at which the printer is through with it."""
    cancelled: bool = False
    """Whether it was stopped before."""


@row("pairing_events", key="id")
@dataclass(frozen=True, slots=True)
class PairingEvent:
    """One line of the pairing log."""

    id: str
    """Seeded id."""
    device: str
    """Name of the other device."""
    event: str
    """`paired`, `failed` or `removed`."""
    at: str
    """ISO minute."""


_EVENTS = (
    ("Desk Keyboard", "paired", 40, 9), ("Old Headset", "removed", 31, 20), ("My Car", "paired", 20, 8),
    ("Bedroom Speaker", "failed", 6, 21), ("Fit Watch", "paired", 3, 7), ("Bedroom Speaker", "failed", 1, 22),
)  # fmt: skip


@plant
def printers(phone: Sandbox) -> None:
    """One printer at home, a colourless one at work with three sheets left, one that does not answer."""
    for columns in (
        ("Home Printer", True, True, 40),
        ("Office Laser", True, False, 3),
        ("Library Printer", False, True, 120),
    ):
        phone.table(Printer).insert(Printer(*columns))


@plant
def pairing_log(phone: Sandbox) -> None:
    """Six events of the last weeks, oldest first."""
    today = phone.now.replace(hour=0, minute=0, second=0, microsecond=0)
    for device, event, days, hour in _EVENTS:
        at = f"{today - timedelta(days=days) + timedelta(hours=hour):%Y-%m-%dT%H:%M}"
        phone.table(PairingEvent).insert(PairingEvent(phone.new_id("pairing"), device, event, at))
