"""Rows of lists, notes and the browser, and those that a fresh phone holds."""

from dataclasses import dataclass
from datetime import timedelta

from device.sandbox.api import Sandbox, plant, row


@row("lists", key="id")
@dataclass(frozen=True, slots=True)
class NamedList:
    """One list."""

    id: str
    """`list_001`."""
    name: str
    """What it is called, without the word list."""


@row("list_items", key="id")
@dataclass(frozen=True, slots=True)
class ListItem:
    """One entry of a list."""

    id: str
    """`item_001`."""
    list_name: str
    """Name of its list, as that spells it."""
    item: str
    """What stands there."""


@row("notes", key="id")
@dataclass(frozen=True, slots=True)
class Note:
    """One note."""

    id: str
    """`note_001`."""
    content: str
    """What was noted."""
    title: str = ""
    """Headline; "" has none."""
    changed: str = ""
    """ISO moment of the last change."""


@row("browser_tabs", key="id")
@dataclass(frozen=True, slots=True)
class BrowserTab:
    """One open page."""

    id: str
    """`tab_001`."""
    url: str
    """Its address."""
    query: str = ""
    """What was searched for, on a page of results."""


@row("bookmarks", key="id")
@dataclass(frozen=True, slots=True)
class Bookmark:
    """One saved page."""

    id: str
    """`bookmark_001`."""
    title: str
    """Its name."""
    url: str
    """Its address."""


_LISTS: dict[str, tuple[str, ...]] = {
    "shopping": ("milk", "eggs", "bread", "coffee"),
    "to-do": ("pay rent", "book a haircut", "fix the bike"),
    "packing": ("passport", "phone charger", "rain jacket"),
}

_NOTES: tuple[tuple[str, str], ...] = (
    ("Router", "The router stands behind the sofa; restart it with the black button"),
    ("Gift ideas", "A cookbook for Mom, headphones for Tom"),
    ("Book club", "Next book: The Left Hand of Darkness"),
)

_BOOKMARKS: tuple[tuple[str, str], ...] = (
    ("City library", "https://library.example.org"),
    ("Bike forum", "https://bikes.example.com"),
)


@plant
def utilities(phone: Sandbox) -> None:
    """Three lists, three notes, two bookmarks; no page is open."""
    for name, items in _LISTS.items():
        phone.table(NamedList).insert(NamedList(phone.new_id("list"), name))
        for item in items:
            phone.table(ListItem).insert(ListItem(phone.new_id("item"), name, item))
    for days, (title, content) in enumerate(_NOTES, start=2):
        moment = (phone.now - timedelta(days=days)).isoformat(timespec="minutes")
        phone.table(Note).insert(Note(phone.new_id("note"), content, title, moment))
    for title, url in _BOOKMARKS:
        phone.table(Bookmark).insert(Bookmark(phone.new_id("bookmark"), title, url))
