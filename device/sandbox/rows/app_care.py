"""What the phone keeps about each app besides the app itself: updates, data, defaults, limits, clones, channels."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("app_updates", key="app")
@dataclass(frozen=True, slots=True)
class AppUpdate:
    """The newer version of one app; it loads in the background once it was requested."""

    app: str
    """Name of the app."""
    version: str
    """The newer one."""
    size_mb: float
    """Of the download."""
    requested: str = ""
    """ISO second at which it was requested; empty: not yet."""
    ready_at: str = ""
    """ISO second from which it is installed; empty: not requested."""


@row("app_data", key="app")
@dataclass(frozen=True, slots=True)
class AppData:
    """What one app has stored; an app without a row holds a share of its size."""

    app: str
    """Name of the app."""
    cache_mb: float
    """Temporary."""
    data_mb: float
    """Accounts, settings, downloads."""


@row("default_apps", key="role")
@dataclass(frozen=True, slots=True)
class DefaultApp:
    """Which app opens links, writes messages and so on."""

    role: str
    """`browser`, `messages`, `email`, `maps`, `music` or `gallery`."""
    app: str
    """Name of the app."""


@row("app_background", key="app")
@dataclass(frozen=True, slots=True)
class AppBackground:
    """Whether an app may work while it is not shown; an app without a row may."""

    app: str
    """Name of the app."""
    restricted: bool = True
    """Whether it sleeps in the background."""


@row("app_clones", key="app")
@dataclass(frozen=True, slots=True)
class AppClone:
    """A second copy of an app, for a second account."""

    app: str
    """Name of the app."""
    created: str
    """`YYYY-MM-DD`."""


@row("app_timers", key="app")
@dataclass(frozen=True, slots=True)
class AppTimer:
    """How long an app may be used in a day."""

    app: str
    """Name of the app."""
    duration: int
    """Seconds a day."""


@row("notification_channels", key="id")
@dataclass(frozen=True, slots=True)
class NotificationChannel:
    """One kind of notification of one app that differs from the rule: all are on."""

    id: str
    """`Gmail/promotions`."""
    app: str
    """Name of the app."""
    channel: str
    """`messages`, `promotions`, `reminders` or `updates`."""
    enabled: bool
    """Whether it may notify."""


@row("notification_previews", key="app")
@dataclass(frozen=True, slots=True)
class NotificationPreview:
    """Whether the lock screen shows what notifications say."""

    app: str
    """Name of the app, or `*` for the rule of all apps."""
    shown: bool
    """Whether the text is shown; else only that there is one."""


_UPDATES = (("WhatsApp", "3.12", 64.0), ("Google Maps", "11.98", 88.0), ("Facebook", "502.0", 120.0))
_DEFAULTS = (
    ("browser", "Browser"), ("messages", "Messages"), ("email", "Gmail"), ("maps", "Google Maps"),
    ("music", "Spotify"), ("gallery", "Gallery"),
)  # fmt: skip


@plant
def app_care(phone: Sandbox) -> None:
    """Three updates on offer, six default apps, previews shown."""
    for name, version, size in _UPDATES:
        phone.table(AppUpdate).insert(AppUpdate(name, version, size))
    for role, name in _DEFAULTS:
        phone.table(DefaultApp).insert(DefaultApp(role, name))
    phone.table(NotificationPreview).insert(NotificationPreview("*", True))
