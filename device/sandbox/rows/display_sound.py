"""Screen and sound: two singletons, and a row for each volume slider, so that changing one touches nothing else."""

from dataclasses import dataclass

from device.sandbox.api import (
    Sandbox,
    plant,
    row,
)


@row("display")
@dataclass(frozen=True, slots=True)
class Display:
    """How the screen is set."""

    brightness: int = 50
    """Percent."""
    dark_mode: bool = False
    """Light text on dark ground."""
    auto_rotate: bool = True
    """The picture turns with the phone."""
    eye_comfort: bool = False
    """Blue light filter."""
    font_size: str = "medium"
    """small, medium, large or huge."""


@row("sound")
@dataclass(frozen=True, slots=True)
class SoundSettings:
    """How the phone makes itself heard."""

    mode: str = "ring"
    """ring, vibrate or silent."""
    dnd: bool = False
    """Do not disturb."""
    dnd_until: str = ""
    """ISO minute at which do not disturb ends; empty: when it is switched off."""


@row("volumes", key="stream")
@dataclass(frozen=True, slots=True)
class Volume:
    """One volume slider."""

    stream: str
    """media, ring, notification, alarm or call."""
    percent: int
    """0 to 100; kept while muted."""
    muted: bool = False
    """Whether it is silenced."""
    muted_until: str = ""
    """ISO minute at which the mute ends; empty: when it is lifted."""


@row("scheduled_power", key="power_action")
@dataclass(frozen=True, slots=True)
class ScheduledPower:
    """The daily time at which the phone switches itself on or off."""

    power_action: str
    """power_on or power_off."""
    time: str
    """HH:MM."""


@plant
def display_and_sound(phone: Sandbox) -> None:
    """Defaults of a new phone."""
    for stream, level in (("media", 50), ("ring", 70), ("notification", 60), ("alarm", 80), ("call", 60)):
        phone.table(Volume).insert(Volume(stream, level))
