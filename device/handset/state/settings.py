"""Android's settings tables over the sandbox's rows.

1. A key that stands for a column is read from its row and, where Android reacts to the key, writes it.
2. What was put is given back as it was put for as long as the row says what it said then: 127 stays 127 although the
   row keeps percent. A key that Android only reports (`airplane_mode_on`) is stored and changes no row, as on a phone.
3. Any other key is kept as text.

Keys after `frameworks/base/core/java/android/provider/Settings.java` (Android 10 to 15).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from device.sandbox.rows.app_care import NotificationPreview
from device.sandbox.rows.audio_settings import Vibration
from device.sandbox.rows.connections import PrivateDns, Roaming
from device.sandbox.rows.controls import AlwaysOnDisplay
from device.sandbox.rows.display_sound import Display, SoundSettings, Volume
from device.sandbox.rows.network import Radios
from device.sandbox.rows.screen_settings import EyeComfortSchedule, Magnifier, Panel, Tone, ToneSettings
from device.sandbox.rows.system_settings import (
    Battery,
    Device,
    Power,
    SelectToSpeak,
    StatusBar,
    Talkback,
    UsbDebug,
)
from device.sandbox.rows.system_setup import ClockSettings, ColorCorrection, DeveloperOptions, LocationServices
from device.sandbox.rows.typing_input import Navigation

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox

NAMESPACES = ("system", "secure", "global")
LATIN_IME = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME"
TALKBACK = "com.google.android.marvin.talkback/com.google.android.marvin.talkback.TalkBackService"
SELECT_TO_SPEAK = (
    "com.google.android.marvin.talkback/com.google.android.accessibility.selecttospeak.SelectToSpeakService"
)
_TONES = "content://media/internal/audio/media/"
_VOLUME_STEPS = {"media": 15, "ring": 7, "notification": 7, "alarm": 7, "call": 7}


class Key(NamedTuple):
    """One key that stands for a column."""

    read: "Callable[[Sandbox], str | None]"
    """As Android would report it; None where it has no value."""
    write: "Callable[[Sandbox, str], None] | None" = None
    """What a put changes; None: nothing."""


def _bool(cls: type[Any], column: str, on: str = "1", off: str = "0", acts: bool = True) -> Key:
    def write(phone: "Sandbox", value: str) -> None:
        phone.change(cls, **{column: value != off})

    return Key(lambda phone: on if getattr(phone.one(cls), column) else off, write if acts else None)


def _choice(cls: type[Any], column: str, values: dict[Any, str], acts: bool = True) -> Key:
    """A column with a fixed value of Android for each of its own; an unknown one changes nothing."""

    def read(phone: "Sandbox") -> str:
        return values.get(getattr(phone.one(cls), column), next(iter(values.values())))

    def write(phone: "Sandbox", value: str) -> None:
        own = next((name for name, android in values.items() if _same_number(android, value)), None)
        if own is not None:
            phone.change(cls, **{column: own})

    return Key(read, write if acts else None)


def _same_number(left: str, right: str) -> bool:
    try:
        return float(left) == float(right)
    except ValueError:
        return left == right


def _scaled(cls: type[Any], column: str, top: int, of: int = 100) -> Key:
    """A whole number on another scale."""

    def write(phone: "Sandbox", value: str) -> None:
        if value.lstrip("-").isdigit():
            phone.change(cls, **{column: max(0, min(of, round(int(value) * of / top)))})

    return Key(lambda phone: str(round(getattr(phone.one(cls), column) * top / of)), write)


def _times(cls: type[Any], column: str, factor: int) -> Key:
    def write(phone: "Sandbox", value: str) -> None:
        if value.isdigit():
            phone.change(cls, **{column: int(value) // factor})

    return Key(lambda phone: str(getattr(phone.one(cls), column) * factor), write)


def _text(cls: type[Any], column: str) -> Key:
    return Key(lambda p: str(getattr(p.one(cls), column)), lambda p, v: (p.change(cls, **{column: v}), None)[1])


def _animation(key: str) -> Key:
    def write(phone: "Sandbox", value: str) -> None:
        phone.change(DeveloperOptions, no_animations=_same_number(value, "0"))

    return Key(lambda phone: "0" if phone.one(DeveloperOptions).no_animations else "1.0", write)


def _volume(stream: str) -> Key:
    """Reported alone: AudioService writes it, and `settings put` does not turn a knob."""
    steps = _VOLUME_STEPS[stream]

    def read(phone: "Sandbox") -> str:
        row = phone.table(Volume).need(stream)
        return str(0 if row.muted else round(row.percent * steps / 100))

    return Key(read)


def _services(phone: "Sandbox") -> str:
    on = ((TALKBACK, phone.one(Talkback).enabled), (SELECT_TO_SPEAK, phone.one(SelectToSpeak).enabled))
    return ":".join(name for name, enabled in on if enabled)


def _set_services(phone: "Sandbox", value: str) -> None:
    names = value.split(":")
    phone.change(Talkback, enabled=TALKBACK in names)
    phone.change(SelectToSpeak, enabled=SELECT_TO_SPEAK in names)


def _tone(column: str) -> Key:
    """The address of a built-in tone, as the ringtone picker stores it."""

    def read(phone: "Sandbox") -> str:
        names = [row.name for row in phone.table(Tone).all()]
        chosen = getattr(phone.one(ToneSettings), column)
        return f"{_TONES}{names.index(chosen) + 1}" if chosen in names else chosen

    def write(phone: "Sandbox", value: str) -> None:
        rows = phone.table(Tone).all()
        place = value.removeprefix(_TONES).partition("?")[0]
        if value.startswith(_TONES) and place.isdigit() and 0 < int(place) <= len(rows):
            phone.change(ToneSettings, **{column: rows[int(place) - 1].name})

    return Key(read, write)


def _minutes_key(column: str) -> Key:
    """Milliseconds since midnight over `HH:MM`."""

    def read(phone: "Sandbox") -> str | None:
        hour, _, minute = getattr(phone.one(EyeComfortSchedule), column).partition(":")
        return str((int(hour) * 60 + int(minute)) * 60_000) if minute else None

    def write(phone: "Sandbox", value: str) -> None:
        if value.isdigit():
            minutes = int(value) // 60_000 % 1440
            phone.change(EyeComfortSchedule, **{column: f"{minutes // 60:02d}:{minutes % 60:02d}"})

    return Key(read, write)


def _night_mode(phone: "Sandbox") -> str:
    return "1" if phone.one(EyeComfortSchedule).start_time else "0"


def _set_night_mode(phone: "Sandbox", value: str) -> None:
    """0 ends the schedule; 1 begins one at Android's own hours where none was set."""
    now = phone.one(EyeComfortSchedule)
    if value == "0":
        phone.change(EyeComfortSchedule, start_time="", end_time="")
    elif value == "1" and not now.start_time:
        phone.change(EyeComfortSchedule, start_time="22:00", end_time=now.end_time or "06:00")


def _icons(phone: "Sandbox") -> str | None:
    return None if phone.one(StatusBar).clock else "clock"


def _set_icons(phone: "Sandbox", value: str) -> None:
    phone.change(StatusBar, clock="clock" not in value.split(","))


def _previews(phone: "Sandbox") -> str:
    row = phone.table(NotificationPreview).get("*")
    return "1" if row is None or row.shown else "0"


def _set_previews(phone: "Sandbox", value: str) -> None:
    table = phone.table(NotificationPreview)
    if table.get("*") is None:
        table.insert(NotificationPreview("*", value != "0"))
    else:
        table.update("*", shown=value != "0")


def _zoom() -> Key:
    def write(phone: "Sandbox", value: str) -> None:
        try:
            phone.change(Magnifier, zoom=float(value))
        except ValueError:
            return

    return Key(lambda phone: str(phone.one(Magnifier).zoom), write)


_RINGER = {"silent": "0", "vibrate": "1", "ring": "2"}
_FONT = {"medium": "1.0", "small": "0.85", "large": "1.15", "huge": "1.3"}
_DALTONIZER = {"deuteranomaly": "12", "protanomaly": "11", "tritanomaly": "13", "grayscale": "0"}
_DNS = {"automatic": "opportunistic", "off": "off", "custom": "hostname"}
_DATES = {"MM/DD/YYYY": "MM-dd-yyyy", "DD/MM/YYYY": "dd-MM-yyyy", "YYYY-MM-DD": "yyyy-MM-dd"}
_INTENSITY = {"medium": "2", "low": "1", "high": "3"}
_RATE = {"60": "60.0", "90": "90.0", "120": "120.0", "adaptive": "Infinity"}
KEYS: dict[tuple[str, str], Key] = {
    ("system", "screen_brightness"): _scaled(Display, "brightness", 255),
    ("system", "accelerometer_rotation"): _bool(Display, "auto_rotate"),
    ("system", "font_scale"): _choice(Display, "font_size", _FONT),
    ("system", "screen_off_timeout"): _times(Panel, "timeout_s", 1000),
    ("system", "peak_refresh_rate"): _choice(Panel, "rate", _RATE),
    ("system", "time_12_24"): _choice(ClockSettings, "hour_format", {"12h": "12", "24h": "24"}),
    ("system", "status_bar_show_battery_percent"): _bool(StatusBar, "battery_percent"),
    ("system", "show_touches"): _bool(DeveloperOptions, "show_touches"),
    ("system", "haptic_feedback_enabled"): _bool(Vibration, "touch"),
    ("system", "vibrate_when_ringing"): _bool(Vibration, "calls"),
    ("system", "ringtone"): _tone("ringtone"),
    ("system", "notification_sound"): _tone("sound"),
    ("system", "min_refresh_rate"): _choice(Panel, "rate", {**_RATE, "adaptive": "0.0"}),
    ("system", "date_format"): _choice(ClockSettings, "date_format", _DATES),
    ("system", "notification_vibration_intensity"): _bool(Vibration, "notifications", on="2"),
    ("system", "haptic_feedback_intensity"): _choice(Vibration, "intensity", _INTENSITY),
    ("system", "ring_vibration_intensity"): _choice(Vibration, "intensity", _INTENSITY),
    ("system", "volume_music"): _volume("media"),
    ("system", "volume_ring"): _volume("ring"),
    ("system", "volume_notification"): _volume("notification"),
    ("system", "volume_alarm"): _volume("alarm"),
    ("system", "volume_voice"): _volume("call"),
    ("secure", "ui_night_mode"): _choice(Display, "dark_mode", {False: "1", True: "2"}, acts=False),
    ("secure", "night_display_activated"): _bool(Display, "eye_comfort"),
    ("secure", "location_mode"): _bool(LocationServices, "enabled", on="3", acts=False),
    ("secure", "accessibility_enabled"): Key(lambda phone: "1" if _services(phone) else "0"),
    ("secure", "enabled_accessibility_services"): Key(_services, _set_services),
    ("secure", "accessibility_display_magnification_enabled"): _bool(Magnifier, "enabled"),
    ("secure", "accessibility_display_daltonizer_enabled"): _bool(ColorCorrection, "enabled"),
    ("secure", "accessibility_display_daltonizer"): _choice(ColorCorrection, "mode", _DALTONIZER),
    ("secure", "accessibility_display_magnification_scale"): _zoom(),
    ("secure", "night_display_auto_mode"): Key(_night_mode, _set_night_mode),
    ("secure", "night_display_custom_start_time"): _minutes_key("start_time"),
    ("secure", "night_display_custom_end_time"): _minutes_key("end_time"),
    ("secure", "icon_blacklist"): Key(_icons, _set_icons),
    ("secure", "lock_screen_allow_private_notifications"): Key(_previews, _set_previews),
    ("secure", "doze_always_on"): _bool(AlwaysOnDisplay, "enabled"),
    ("secure", "navigation_mode"): _choice(Navigation, "mode", {"buttons": "0", "gestures": "2"}, acts=False),
    ("secure", "one_handed_mode_enabled"): _bool(Navigation, "one_handed"),
    ("global", "airplane_mode_on"): _bool(Radios, "airplane_mode", acts=False),
    ("global", "wifi_on"): _bool(Radios, "wifi", acts=False),
    ("global", "bluetooth_on"): _bool(Radios, "bluetooth", acts=False),
    ("global", "mobile_data"): _bool(Radios, "mobile_data", acts=False),
    ("global", "boot_count"): Key(lambda phone: str(phone.one(Power).restarts + 1)),
    ("global", "data_roaming"): _bool(Roaming, "enabled"),
    ("global", "low_power"): _choice(Battery, "mode", {"normal": "0", "power_saving": "1"}, acts=False),
    ("global", "zen_mode"): _bool(SoundSettings, "dnd", acts=False),
    ("global", "mode_ringer"): _choice(SoundSettings, "mode", _RINGER, acts=False),
    ("global", "auto_time_zone"): _choice(ClockSettings, "auto_time_zone", {"on": "1", "off": "0"}),
    ("global", "private_dns_mode"): _choice(PrivateDns, "mode", _DNS),
    ("global", "private_dns_specifier"): _text(PrivateDns, "host"),
    ("global", "device_name"): _text(Device, "name"),
    ("global", "stay_on_while_plugged_in"): _bool(DeveloperOptions, "stay_awake", on="7"),
    ("global", "development_settings_enabled"): _bool(UsbDebug, "developer_options"),
    ("global", "window_animation_scale"): _animation("window_animation_scale"),
    ("global", "transition_animation_scale"): _animation("transition_animation_scale"),
    ("global", "animator_duration_scale"): _animation("animator_duration_scale"),
}
"""Keys that stand for columns."""
_FRESH = {
    ("system", "screen_brightness_mode"): "0",
    ("system", "user_rotation"): "0",
    ("secure", "default_input_method"): LATIN_IME,
    ("secure", "enabled_input_methods"): LATIN_IME,
    ("secure", "lock_screen_show_notifications"): "1",
    ("secure", "android_id"): "5f1c0a7e9b3d2468",
    ("secure", "bluetooth_name"): "Pocket Phone",
    ("global", "adb_enabled"): "1",
    ("global", "auto_time"): "1",
    ("global", "device_provisioned"): "1",
}


class Settings:
    """What `settings get` and `put` see."""

    def __init__(self, sandbox: "Sandbox") -> None:
        self.sandbox = sandbox
        self._kept: dict[tuple[str, str], str] = dict(_FRESH)
        self._put: dict[tuple[str, str], tuple[str, str | None]] = {}

    def get(self, namespace: str, name: str) -> str | None:
        """The value, or None where there is none."""
        key = KEYS.get((namespace, name))
        if key is None:
            return self._kept.get((namespace, name))
        now = key.read(self.sandbox)
        given, then = self._put.get((namespace, name), (None, None))
        return given if given is not None and then == now else now

    def put(self, namespace: str, name: str, value: str) -> None:
        """Store a value, with the effect that Android gives it."""
        key = KEYS.get((namespace, name))
        if key is None:
            self._kept[namespace, name] = value
            return
        if key.write is not None:
            key.write(self.sandbox, value)
        self._put[namespace, name] = (value, key.read(self.sandbox))

    def delete(self, namespace: str, name: str) -> bool:
        """Forget a value; False where there was none."""
        if (namespace, name) in self._put:
            del self._put[namespace, name]
            return True
        return self._kept.pop((namespace, name), None) is not None

    def all(self, namespace: str) -> dict[str, str]:
        """Every key of a table that has a value."""
        names = {name for space, name in (*KEYS, *self._kept) if space == namespace}
        values = {name: self.get(namespace, name) for name in sorted(names)}
        return {name: value for name, value in values.items() if value is not None}
