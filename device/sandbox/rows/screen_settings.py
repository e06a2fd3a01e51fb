"""The finer settings of screen and tones: panel, magnifier, split screen, looks, ringtones."""

from dataclasses import dataclass

from device.sandbox.api import Sandbox, plant, row


@row("panel")
@dataclass(frozen=True, slots=True)
class Panel:
    """What the screen's hardware is set to: one row."""

    timeout_s: int = 60
    """Seconds without a touch until the screen goes dark."""
    resolution: str = "full_hd"
    """hd, full_hd or quad_hd."""
    rate: str = "60"
    """Pictures a second: 60, 90, 120 or adaptive."""


@row("magnifier")
@dataclass(frozen=True, slots=True)
class Magnifier:
    """The magnifier: one row."""

    enabled: bool = False
    """Whether the screen is magnified."""
    zoom: float = 2.0
    """How many times, 1.5 to 8."""


@row("split_screen")
@dataclass(frozen=True, slots=True)
class SplitScreen:
    """Two apps side by side: one row."""

    first_app: str = ""
    """Upper or left app; empty while the screen is whole."""
    second_app: str = ""
    """Lower or right app."""


@row("eye_comfort_schedule")
@dataclass(frozen=True, slots=True)
class EyeComfortSchedule:
    """The hours in which eye comfort is on by itself: one row."""

    start_time: str = ""
    """HH:MM; empty for no schedule."""
    end_time: str = ""
    """HH:MM."""


@row("looks")
@dataclass(frozen=True, slots=True)
class Looks:
    """Theme and wallpapers: one row."""

    applied: str = "Classic"
    """Theme that was last put on."""
    coming: str = ""
    """Theme that is being downloaded to follow it; empty for none."""
    ready_at: str = ""
    """ISO moment at which `coming` takes its place."""
    home: str = ""
    """Picture of the home screen; empty: the theme's own."""
    lock: str = ""
    """Picture of the lock screen; empty: the theme's own."""


@row("themes", key="name")
@dataclass(frozen=True, slots=True)
class Theme:
    """One theme."""

    name: str
    """As the theme shop calls it."""
    installed: bool = True
    """False: it has to be downloaded first."""


@row("tones", key="name")
@dataclass(frozen=True, slots=True)
class Tone:
    """One built-in tone."""

    name: str
    """As listed."""
    kind: str
    """ringtone or notification."""


@row("tone_settings")
@dataclass(frozen=True, slots=True)
class ToneSettings:
    """The tones in use: one row."""

    ringtone: str = "Opening Bells"
    """Of calls."""
    sound: str = "Droplet"
    """Of notifications."""


@row("own_tones", key="whose")
@dataclass(frozen=True, slots=True)
class OwnTone:
    """A tone of one contact or app."""

    whose: str
    """Id of the contact, or name of the app."""
    tone: str
    """Name of the tone."""


_THEMES = (
    ("Classic", True), ("Midnight", True), ("Forest", True), ("Paper", True),
    ("Neon City", False), ("Ocean Breeze", False), ("Sunrise", False), ("Retro Pixel", False),
)  # fmt: skip
_RINGTONES = (
    "Opening Bells", "Marimba", "Piano Riff", "Old Telephone", "Summer Beat", "Night Owl", "Harp", "Radar",
    "Steel Drums",
)  # fmt: skip
_SOUNDS = ("Droplet", "Glass", "Whistle", "Bamboo", "Popcorn", "Chord", "Cricket", "Tap")


@plant
def looks_and_tones(phone: Sandbox) -> None:
    """Eight themes of which four are on the phone, nine ringtones, eight notification sounds."""
    for name, installed in _THEMES:
        phone.table(Theme).insert(Theme(name, installed))
    for name in _RINGTONES:
        phone.table(Tone).insert(Tone(name, "ringtone"))
    for name in _SOUNDS:
        phone.table(Tone).insert(Tone(name, "notification"))
