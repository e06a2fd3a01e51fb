"""Notifications that wait to be seen, and game mode."""

from dataclasses import dataclass
from datetime import timedelta

from device.sandbox.api import Sandbox, plant, row


@row("notifications", key="id")
@dataclass(frozen=True, slots=True)
class Notification:
    """One notification in the shade."""

    id: str
    """`notification_001`."""
    app: str
    """Name of the app that posted it."""
    text: str
    """What it says."""
    posted: str
    """ISO moment, minutes."""


@row("game_manager")
@dataclass(frozen=True, slots=True)
class GameManager:
    """Game mode."""

    enabled: bool = False
    """Whether games get all of the phone's power and no interruptions."""


_WAITING = (
    (15, "Gmail", "Your parcel leaves the warehouse today"),
    (40, "WhatsApp", "2 new messages"),
    (95, "Calendar", "Today: Team meeting at 15:00"),
    (180, "Instagram", "Someone liked your photo"),
    (600, "WhatsApp", "Missed voice call"),
)
"""Minutes ago, app, text."""


@plant
def notifications(phone: Sandbox) -> None:
    """Five notifications of four apps."""
    for minutes, app, text in _WAITING:
        posted = (phone.now - timedelta(minutes=minutes)).isoformat(timespec="minutes")
        phone.table(Notification).insert(Notification(phone.new_id("notification"), app, text, posted))
