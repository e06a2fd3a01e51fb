"""Screens of apps that no tool reaches: settings, forms and pages; and the sessions of the agent that works on them."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("gui_sessions", key="id")
@dataclass(frozen=True, slots=True)
class GuiSession:
    """One piece of work on the screens of an app."""

    id: str
    """`gui_agent_001`."""
    app_name: str
    """The app."""
    kind: str
    """`setting`, `form` or `page`."""
    targets: tuple[str, ...]
    """Names of the settings, or the one form or page."""
    values: tuple[str, ...] = ()
    """What each setting becomes, or what stands in each field of the form."""
    status: str = "pending"
    """`pending`, `completed` or `partial`."""
    result: str = ""
    """The deliverable: what was set, entered or read."""


@row("app_settings", key="id")
@dataclass(frozen=True, slots=True)
class AppSetting:
    """One setting inside an app."""

    id: str
    """App and name, folded: `whatsapp/read receipts`."""
    app: str
    """The app."""
    name: str
    """As its screen calls it."""
    value: str
    """`on` or `off`, one of the options, or any text."""
    options: tuple[str, ...] = ("on", "off")
    """What it may be; none: any text."""
    needs: str = ""
    """Name of a switch of the same app that must be on before this can change; "" for none."""


@row("app_forms", key="id")
@dataclass(frozen=True, slots=True)
class AppForm:
    """One form inside an app."""

    id: str
    """App and name, folded."""
    app: str
    """The app."""
    name: str
    """As its screen calls it."""
    fields: tuple[str, ...]
    """All of them must be filled in."""


@row("form_entries", key="id")
@dataclass(frozen=True, slots=True)
class FormEntry:
    """One form that was sent."""

    id: str
    """`form_entry_001`."""
    app: str
    """The app."""
    form: str
    """Name of the form."""
    values: tuple[str, ...]
    """One for each field, in the form's order."""


@row("app_pages", key="id")
@dataclass(frozen=True, slots=True)
class AppPage:
    """One page inside an app that holds something to collect."""

    id: str
    """App and name, folded."""
    app: str
    """The app."""
    name: str
    """As its screen calls it."""
    lines: tuple[str, ...]
    """What stands on it."""


_WHO = ("everyone", "contacts", "nobody")
_SETTINGS: tuple[tuple[str, str, str, tuple[str, ...], str], ...] = (
    ("WhatsApp", "read receipts", "on", ("on", "off"), ""),
    ("WhatsApp", "last seen", "everyone", _WHO, ""),
    ("WhatsApp", "disappearing messages", "off", ("off", "24 hours", "7 days", "90 days"), ""),
    ("Instagram", "private account", "off", ("on", "off"), ""),
    ("Instagram", "activity status", "on", ("on", "off"), ""),
    ("Instagram", "follower approval", "off", ("on", "off"), "private account"),
    ("Facebook", "friend requests", "everyone", ("everyone", "friends of friends"), ""),
    ("Facebook", "face recognition", "on", ("on", "off"), ""),
    ("Twitter", "protected posts", "off", ("on", "off"), ""),
    ("Telegram", "auto download", "on", ("on", "off"), ""),
    ("YouTube", "autoplay", "on", ("on", "off"), ""),
    ("YouTube", "restricted mode", "off", ("on", "off"), ""),
    ("Netflix", "autoplay previews", "on", ("on", "off"), ""),
    ("Netflix", "data usage", "automatic", ("automatic", "save data", "maximum"), ""),
    ("Spotify", "streaming quality", "normal", ("low", "normal", "high"), ""),
    ("Spotify", "explicit content", "on", ("on", "off"), ""),
    ("Gmail", "vacation responder", "off", ("on", "off"), ""),
    ("Gmail", "vacation text", "", (), "vacation responder"),
    ("Gmail", "signature", "", (), ""),
    ("Google Maps", "avoid tolls", "off", ("on", "off"), ""),
    ("Google Maps", "location history", "on", ("on", "off"), ""),
    ("Amazon", "one click buying", "on", ("on", "off"), ""),
    ("PayPal", "automatic transfers", "off", ("on", "off"), ""),
    ("Uber", "trip sharing", "off", ("on", "off"), ""),
)
"""App, name, value, options, the switch that must be on first."""

_FORMS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Amazon", "return request", ("item", "reason")),
    ("Amazon", "gift card", ("receiver", "amount")),
    ("Uber", "lost property report", ("object", "trip")),
    ("PayPal", "invoice", ("customer", "amount")),
    ("Facebook", "page suggestion", ("name", "category")),
    ("Google Maps", "missing place report", ("name", "street")),
    ("Gmail", "mail filter", ("sender", "folder")),
    ("Netflix", "viewer profile", ("name", "rating")),
)

_PAGES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Amazon", "order history", ("Desk lamp, delivered", "Running shoes, on the way", "Tea kettle, returned")),
    ("Uber", "past trips", ("Airport, 31.40", "City hall, 9.80", "Riverside Gym, 7.20")),
    ("Netflix", "watch list", ("The Crown", "Our Planet", "Dark")),
    ("YouTube", "subscriptions", ("Slow Kitchen", "Night Sky Weekly", "Bike Repair Bench")),
    ("PayPal", "recent activity", ("Bookshop, 18.00 paid", "Chloe Martin, 25.00 received")),
    ("Spotify", "listening stats", ("Dave Brubeck, 41 hours", "Norah Jones, 23 hours")),
    ("Telegram", "archived chats", ("Flat hunters", "Old office")),
)


def screen_id(app: str, name: str) -> str:
    """The key of a screen."""
    return f"{app}/{name}".casefold()


@plant
def screens(phone: Sandbox) -> None:
    """Settings, forms and pages of eleven apps; no session is open and no form was sent."""
    for app, name, value, options, needs in _SETTINGS:
        phone.table(AppSetting).insert(AppSetting(screen_id(app, name), app, name, value, options, needs))
    for app, name, fields in _FORMS:
        phone.table(AppForm).insert(AppForm(screen_id(app, name), app, name, fields))
    for app, name, lines in _PAGES:
        phone.table(AppPage).insert(AppPage(screen_id(app, name), app, name, lines))
