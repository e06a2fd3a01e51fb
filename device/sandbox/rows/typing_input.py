"""How the user types and steers: keyboards, aids, shortcuts, clipboard, navigation, the side key."""

from dataclasses import dataclass
from datetime import timedelta

from device.sandbox.api import Sandbox, plant, row


@row("keyboards", key="name")
@dataclass(frozen=True, slots=True)
class Keyboard:
    """One keyboard that was added."""

    name: str
    """Its language."""


@row("typing")
@dataclass(frozen=True, slots=True)
class Typing:
    """The keyboard in use and what helps with typing: one row."""

    language: str = "English"
    """Of the keyboard in use."""
    autocorrect: bool = True
    """Corrects words."""
    prediction: bool = True
    """Suggests the next word."""
    auto_capitals: bool = True
    """Begins sentences with a capital."""
    key_sound: bool = False
    """A click for each key."""


@row("voice_typing")
@dataclass(frozen=True, slots=True)
class VoiceTyping:
    """Dictation on the keyboard: one row."""

    enabled: bool = False
    """Whether the keyboard takes dictation."""
    language: str = "English"
    """That is spoken."""


@row("text_shortcuts", key="id")
@dataclass(frozen=True, slots=True)
class TextShortcut:
    """A short word that the keyboard replaces by a phrase."""

    id: str
    """Seeded id, `shortcut_001`."""
    shortcut: str
    """What is typed."""
    phrase: str
    """What stands there then."""


@row("clipboard", key="id")
@dataclass(frozen=True, slots=True)
class Clip:
    """One text of the clipboard's history."""

    id: str
    """Seeded id, `clip_001`."""
    text: str
    """What was copied."""
    copied: str
    """ISO second."""


@row("navigation")
@dataclass(frozen=True, slots=True)
class Navigation:
    """How the user gets around: one row."""

    mode: str = "buttons"
    """`gestures` or `buttons`."""
    one_handed: bool = False
    """Whether the screen is shrunk for one hand."""
    side: str = "right"
    """`left` or `right`: where it is shrunk to."""


@row("side_key", key="press")
@dataclass(frozen=True, slots=True)
class SideKey:
    """What one kind of press on the side key does."""

    press: str
    """`double` or `long`."""
    function: str
    """`camera`, `flashlight`, `wallet`, `assistant` or `power_menu`."""


_CLIPS = ((3, "Gate B14, boarding 18:20"), (50, "https://example.com/menu/204"), (400, "14 Elm Street, Springfield"))
"""Minutes ago, text."""


@plant
def typing_input(phone: Sandbox) -> None:
    """Two keyboards, two shortcuts, three copied texts, and what the side key does."""
    for name in ("English", "Spanish"):
        phone.table(Keyboard).insert(Keyboard(name))
    for short, phrase in (("omw", "On my way!"), ("brb", "Be right back")):
        phone.table(TextShortcut).insert(TextShortcut(phone.new_id("shortcut"), short, phrase))
    for minutes, text in reversed(_CLIPS):
        copied = (phone.now - timedelta(minutes=minutes)).isoformat(timespec="seconds")
        phone.table(Clip).insert(Clip(phone.new_id("clip"), text, copied))
    for press, function in (("double", "camera"), ("long", "power_menu")):
        phone.table(SideKey).insert(SideKey(press, function))
