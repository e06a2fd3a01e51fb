"""How sound is shaped and where it goes: equaliser, headphones, sleep timer, output; a row each."""

from dataclasses import dataclass

from device.sandbox.api import row


@row("equalizer")
@dataclass(frozen=True, slots=True)
class Equalizer:
    """The equaliser: one row."""

    preset: str = "flat"
    """flat, bass_boost, treble_boost, vocal, rock, jazz or classical."""


@row("headphone_noise")
@dataclass(frozen=True, slots=True)
class HeadphoneNoise:
    """What connected headphones do with the noise around: one row."""

    mode: str = "off"
    """noise_cancelling, transparency or off."""


@row("sleep_timer")
@dataclass(frozen=True, slots=True)
class SleepTimer:
    """The moment at which playing stops by itself: one row."""

    ends_at: str = ""
    """ISO moment; empty for none. One that has passed has paused what was playing then."""


@row("sound_output")
@dataclass(frozen=True, slots=True)
class SoundOutput:
    """Where sound was sent: one row."""

    chosen: str = ""
    """Name of a Bluetooth device, `phone speaker`, or empty: the phone takes what is connected."""


@row("volume_limit")
@dataclass(frozen=True, slots=True)
class VolumeLimit:
    """How loud media may be: one row."""

    enabled: bool = False
    """Whether it holds."""
    percent: int = 80
    """The loudest that media may be."""


@row("dnd_exceptions", key="who")
@dataclass(frozen=True, slots=True)
class DndException:
    """Someone or something that is heard in spite of do not disturb."""

    who: str
    """Id of the contact, or name of the app."""
    kind: str
    """contact or app."""
    label: str
    """Name of the contact or app."""


@row("vibration")
@dataclass(frozen=True, slots=True)
class Vibration:
    """When the phone buzzes: one row."""

    calls: bool = True
    """For calls."""
    notifications: bool = True
    """For notifications."""
    touch: bool = True
    """For touches of the screen."""
    intensity: str = "medium"
    """low, medium or high."""
