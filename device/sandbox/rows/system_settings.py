"""Settings of the system: one row each, with what a fresh phone is set to."""

from dataclasses import dataclass

from device.sandbox.api import row


@row("region")
@dataclass(frozen=True, slots=True)
class Region:
    """Language, place on the clock, money."""

    language: str = "English"
    """Of phone and assistant."""
    timezone: str = "America/Denver"
    """IANA zone of the phone's clock."""
    currency: str = "USD"
    """Of prices at home."""


@row("battery")
@dataclass(frozen=True, slots=True)
class Battery:
    """The battery and how it is spared."""

    level: int = 76
    """Percent."""
    charging: bool = False
    """Whether it is plugged in."""
    mode: str = "normal"
    """`normal`, `power_saving` or `super_saving`."""


@row("power")
@dataclass(frozen=True, slots=True)
class Power:
    """Whether the phone runs."""

    state: str = "on"
    """`on` or `off`."""
    restarts: int = 0
    """Restarts since the world began."""
    since: str = ""
    """ISO moment of the last restart or switching off; "" for none."""


@row("usb_debug")
@dataclass(frozen=True, slots=True)
class UsbDebug:
    """USB debugging."""

    enabled: bool = False
    """Whether a computer may drive the phone."""
    developer_options: bool = False
    """Turned on along with it, and left on."""


@row("talkback")
@dataclass(frozen=True, slots=True)
class Talkback:
    """The screen reader."""

    enabled: bool = False
    """Whether it reads the screen."""
    speech_rate: int = 100
    """Percent of the usual speed."""
    pitch: int = 100
    """Percent of the usual pitch."""
    vibration_feedback: bool = True
    """Whether touches are felt."""
    sound_feedback: bool = True
    """Whether touches are heard."""


@row("select_to_speak")
@dataclass(frozen=True, slots=True)
class SelectToSpeak:
    """Reading aloud what is tapped."""

    enabled: bool = False
    """Whether it is on."""
    speech_rate: int = 100
    """Percent of the usual speed."""
    highlight_color: str = "yellow"
    """Of the words being read."""
    read_in_background: bool = False
    """Whether it reads on while the screen is off."""


@row("device")
@dataclass(frozen=True, slots=True)
class Device:
    """What the phone is."""

    name: str = "Pocket Phone"
    """As others see it."""
    model: str = "Pocket One"
    """Of the maker."""
    memory_gb: int = 12
    """Working memory."""
    memory_used_gb: float = 5.4
    """Of it in use."""


@row("system_update")
@dataclass(frozen=True, slots=True)
class SystemUpdate:
    """The system's version and the next one."""

    version: str = "15.2"
    """Installed."""
    available: str = "15.3"
    """On offer; equal to `version` where there is none."""
    size_mb: int = 820
    """Of the download."""
    state: str = "idle"
    """`idle`, `downloaded` or `installed`."""


@row("cooling_fan")
@dataclass(frozen=True, slots=True)
class CoolingFan:
    """The fan."""

    enabled: bool = False
    """Whether it turns."""
    speed: str = "medium"
    """`low`, `medium` or `high`."""


@row("status_bar")
@dataclass(frozen=True, slots=True)
class StatusBar:
    """What the bar at the top shows."""

    battery_percent: bool = False
    """The level in figures."""
    network_speed: bool = False
    """Speed of the connection."""
    clock: bool = True
    """The time."""
