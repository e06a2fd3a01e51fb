"""Apps: those on the phone and those that its store offers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.sandbox.registry import plant
from device.sandbox.row import row

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox


@row("apps", key="name")
@dataclass(frozen=True, slots=True)
class App:
    """One app, installed or on offer."""

    name: str
    """As the user calls it."""
    category: str
    """`social`, `music`, `travel`, ..."""
    size_mb: float
    """Megabytes when installed."""
    installed: bool = True
    """False: the store offers it."""
    system: bool = False
    """Part of the system; can't be uninstalled."""
    running: bool = False
    """Whether it is open."""
    locked: bool = False
    """Whether it asks for the app lock."""
    notifications: bool = True
    """Whether it may notify."""
    permissions: tuple[str, ...] = ()
    """Granted ones of camera, microphone, location, contacts, storage, notifications; in alphabetical order."""


_SYSTEM = (
    ("Phone", "communication", 60.0, ("contacts", "microphone")),
    ("Messages", "communication", 85.0, ("contacts", "notifications")),
    ("Camera", "photo", 110.0, ("camera", "location", "microphone", "storage")),
    ("Gallery", "photo", 95.0, ("storage",)),
    ("Settings", "tools", 70.0, ()),
    ("Clock", "tools", 20.0, ("notifications",)),
    ("Calendar", "productivity", 35.0, ("notifications",)),
    ("Calculator", "tools", 8.0, ()),
    ("Notes", "productivity", 25.0, ()),
    ("Files", "tools", 30.0, ("storage",)),
    ("App Store", "tools", 75.0, ()),
    ("Browser", "tools", 140.0, ("storage",)),
)
_INSTALLED = (
    ("WhatsApp", "social", 180.0, ("camera", "contacts", "microphone", "notifications")),
    ("Instagram", "social", 220.0, ("camera", "notifications")),
    ("Facebook", "social", 310.0, ("contacts", "notifications")),
    ("Twitter", "social", 160.0, ("notifications",)),
    ("Telegram", "social", 130.0, ("contacts", "notifications")),
    ("YouTube", "video", 190.0, ("notifications",)),
    ("Netflix", "video", 145.0, ()),
    ("Spotify", "music", 175.0, ("notifications",)),
    ("Gmail", "communication", 120.0, ("contacts", "notifications")),
    ("Google Maps", "travel", 205.0, ("location",)),
    ("Uber", "travel", 165.0, ("location", "notifications")),
    ("Amazon", "shopping", 150.0, ("notifications",)),
    ("PayPal", "finance", 140.0, ("notifications",)),
    ("Candy Crush", "game", 260.0, ()),
)
_ON_OFFER = (
    ("TikTok", "social", 240.0), ("Snapchat", "social", 200.0), ("LinkedIn", "social", 150.0),
    ("Reddit", "social", 110.0), ("Pinterest", "social", 105.0), ("Discord", "social", 135.0),
    ("Signal", "social", 90.0), ("Zoom", "communication", 125.0), ("Skype", "communication", 115.0),
    ("Slack", "productivity", 140.0), ("Evernote", "productivity", 95.0), ("Dropbox", "productivity", 88.0),
    ("Duolingo", "education", 98.0), ("Kindle", "books", 160.0), ("Audible", "books", 112.0),
    ("Airbnb", "travel", 155.0), ("Booking", "travel", 130.0), ("Waze", "travel", 145.0),
    ("Strava", "health", 120.0), ("Shazam", "music", 60.0), ("Minecraft", "game", 550.0), ("Chess", "game", 45.0),
)  # fmt: skip


@plant
def apps(phone: "Sandbox") -> None:
    """Twelve system apps, fourteen installed ones, twenty-two on offer."""
    table = phone.table(App)
    for name, category, size, permissions in _SYSTEM:
        table.insert(App(name, category, size, system=True, permissions=permissions))
    for name, category, size, permissions in _INSTALLED:
        table.insert(App(name, category, size, permissions=permissions))
    for name, category, size in _ON_OFFER:
        table.insert(App(name, category, size, installed=False))
