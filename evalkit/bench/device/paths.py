"""Every way on which a text of the planner's reaches a phone, and where the phone then has it.

A path does one call with the text in one argument and says where the text must be found: in rows that were not there
before, in one column, as it was given. All other free texts of the phone's tools are *lookups*: they are compared with
what the phone has, or with a list, and nothing may be left of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from device.android.tools import offers
from device.handset.client import Control
from evalkit.bench.calls import load_samples
from evalkit.bench.device.session import Act, on_screen, open_note, tool

Found = Callable[[Control], list[str]]
FREE = ("text", "contact")
"""Kinds of arguments that are taken as they are said."""


@dataclass(frozen=True)
class Path:
    """One way."""

    name: str
    """`tool.argument`, or what is done on the screen."""
    act: Act
    """Sends the text."""
    found: Found
    """All texts in the place where it must be then."""
    fits: Callable[[str, str], bool] = lambda text, held: text == held
    """Whether what is found is the text."""
    ready: Callable[[Control, str], None] = lambda control, mark: None
    """Brings the phone there, from behind."""
    kept: bool = True
    """Whether the phone keeps it; a lookup leaves nothing."""


@dataclass(frozen=True)
class Kept:
    """A path by a tool."""

    name: str
    """`tool.argument`."""
    found: tuple[str, ...]
    """Table and column; more columns where the first may be empty."""
    beside: dict[str, str] = field(default_factory=dict)
    """The other arguments."""
    fits: Callable[[str, str], bool] = lambda text, held: text == held
    """Whether what is found is the text."""

    def path(self) -> Path:
        """Ready to be used."""
        called, _, argument = self.name.partition(".")
        act = tool(called, **self.beside, **{argument: "MARK"})
        return Path(self.name, act, column(*self.found), self.fits)


def column(table: str, *names: str) -> Found:
    """All values of a column, or of the first of several that is not empty."""
    return lambda control: [next((str(row[name]) for name in names if row[name]), "") for row in control.rows(table)]


def _fields(control: Control) -> list[str]:
    return [str(text) for text in control.ask("screen")["fields"].values()]


def _nothing(control: Control) -> list[str]:
    return []


def _file(text: str, held: str) -> bool:
    return held in (text, text + ".xlsx")


def _page(text: str, held: str) -> bool:
    """A browser opens words that are an address, and searches for all others."""
    return held in (text, f"https://{text}")


_CREATE = {"action": "create"}
_EVENT = _CREATE | {"date": "tomorrow"}
TOOLS = (
    Kept("add_contact.name", ("contacts", "name")),
    Kept("add_contact.email", ("contacts", "email"), {"name": "Marta"}),
    Kept("send_message.content", ("messages", "content"), {"phoneNumber": "+15550199"}),
    Kept("manage_schedule.event", ("events", "event"), _EVENT | {"time": "15:00"}),
    Kept("manage_schedule.location", ("events", "location"), _EVENT | {"event": "Visit"}),
    Kept("manage_text_shortcut.phrase", ("text_shortcuts", "phrase"), _CREATE | {"shortcut": "abbr"}),
    Kept("manage_text_shortcut.shortcut", ("text_shortcuts", "shortcut"), _CREATE | {"phrase": "x"}),
    Kept("manage_alarm.title", ("alarms", "title"), _CREATE | {"time": "04:44"}),
    Kept("set_device_name.name", ("device", "name")),
    Kept("manage_user_profile.profileName", ("user_profiles", "name"), _CREATE),
    Kept("manage_file.newName", ("files", "name"), {"action": "rename", "fileName": "Budget_2026"}, _file),
    Kept("manage_folder.folder", ("folders", "name"), _CREATE),
    Kept("browser_service.query", ("browser_tabs", "query", "url"), {"action": "search"}, _page),
    Kept("set_private_dns.host", ("private_dns", "host"), {"mode": "custom"}),
    Kept("manage_wifi.network", ("radios", "wifi_network"), {"action": "connect", "password": "12345678"}),
    Kept("manage_clipboard.text", ("clipboard", "text"), {"action": "copy"}),
)
PATHS = (
    *(one.path() for one in TOOLS),
    Path("typing in a field", on_screen("field", "Note", "type", "MARK"), _fields, ready=open_note("")),
)
"""Where the phone keeps the text."""


def lookups() -> tuple[Path, ...]:
    """A path for every other free text of the tools, beside arguments that succeed where one is known."""
    samples = load_samples().values()
    known = {path.name for path in PATHS}
    found = []
    for offer in offers().values():
        called = offer.spec.name
        calls = [one.call.arguments for one in samples if one.call.name == called]
        fitting = [one for one in calls if not offer.actions or one.get("action") in offer.actions] or calls or [{}]
        for argument, schema in offer.spec.parameters.get("properties", {}).items():
            if schema.get("x-spoken") in FREE and f"{called}.{argument}" not in known:
                beside = next((one for one in fitting if argument in one), fitting[0])
                act = tool(called, **{**beside, argument: "MARK"})
                found.append(Path(f"{called}.{argument}", act, _nothing, kept=False))
    return tuple(found)
