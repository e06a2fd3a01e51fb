"""Screen and sound: settings on Android's scales, as the percentages and names that people use."""

import re

from device.android.state.reading import Reading, Rows
from device.android.state.tables import SINGLE, on, table

FONT = {"small": 0.85, "medium": 1.0, "large": 1.15, "huge": 1.3}
"""Text size to `font_scale`."""
WIDTH = {"hd": 720, "full_hd": 1080, "quad_hd": 1440}
"""Resolution to the short side in pixels."""
STREAMS = {"call": 0, "ring": 2, "media": 3, "alarm": 4, "notification": 5}
"""Streams of `AudioManager`."""
RINGER = {"silent": 0, "vibrate": 1, "ring": 2}
"""Sound mode to `mode_ringer`."""
INTENSITY = {"low": "1", "medium": "2", "high": "3"}
"""To the vibration intensities of `Vibrator`."""
BRIGHTEST = 255
_VOLUME = re.compile(r"volume is (\d+) in range \[(\d+)\.\.(\d+)\]")
_SIZE = re.compile(r"(Physical|Override) size: (\d+)x(\d+)")
TONES = "content://media/internal/audio/media"


@table("display")
def display(reading: Reading) -> Rows:
    """One row."""
    system, secure = reading.settings("system"), reading.settings("secure")
    scale = float(system.get("font_scale") or 1)
    row = {
        "brightness": round(float(system.get("screen_brightness") or 0) * 100 / BRIGHTEST),
        "dark_mode": reading.text("cmd", "uimode", "night").endswith("yes"),
        "auto_rotate": on(system.get("accelerometer_rotation")),
        "eye_comfort": on(secure.get("night_display_activated")),
        "font_size": min(FONT, key=lambda name: abs(FONT[name] - scale)),
    }
    return {SINGLE: row}


@table("panel")
def panel(reading: Reading) -> Rows:
    """One row: timeout, resolution, refresh rate."""
    system = reading.settings("system")
    rate = system.get("peak_refresh_rate") or "Infinity"
    width = min(screen_size(reading))
    row = {
        "timeout_s": int(float(system.get("screen_off_timeout") or 60_000)) // 1000,
        "resolution": min(WIDTH, key=lambda name: abs(WIDTH[name] - width)),
        "rate": "adaptive" if rate == "Infinity" else str(round(float(rate))),
    }
    return {SINGLE: row}


def screen_size(reading: Reading, kind: str = "") -> tuple[int, int]:
    """Width and height in force, or only the `Physical` ones."""
    sizes = {match[1]: (int(match[2]), int(match[3])) for match in _SIZE.finditer(reading.text("wm", "size"))}
    return sizes[kind] if kind else sizes.get("Override") or sizes["Physical"]


@table("magnifier")
def magnifier(reading: Reading) -> Rows:
    """One row."""
    secure = reading.settings("secure")
    zoom = float(secure.get("accessibility_display_magnification_scale") or 2)
    return {SINGLE: {"enabled": on(secure.get("accessibility_display_magnification_enabled")), "zoom": zoom}}


@table("eye_comfort_schedule")
def eye_comfort_schedule(reading: Reading) -> Rows:
    """One row; empty times where no own hours are set. Auto mode 1 is custom hours (`ColorDisplayManager`)."""
    secure = reading.settings("secure")
    custom = secure.get("night_display_auto_mode") == "1"
    start, end = (secure.get(f"night_display_custom_{name}_time", "") if custom else "" for name in ("start", "end"))
    return {SINGLE: {"start_time": _clock(start), "end_time": _clock(end)}}


def _clock(milliseconds: str) -> str:
    if not milliseconds.isdecimal():
        return ""
    minutes = int(milliseconds) // 60_000
    return f"{minutes // 60:02}:{minutes % 60:02}"


@table("sound")
def sound(reading: Reading) -> Rows:
    """One row: sound mode and do not disturb."""
    values = reading.settings("global")
    mode = next((name for name, number in RINGER.items() if values.get("mode_ringer") == str(number)), "ring")
    return {SINGLE: {"mode": mode, "dnd": on(values.get("zen_mode"))}}


@table("volumes")
def volumes(reading: Reading) -> Rows:
    """A row for each stream."""
    found: Rows = {}
    for stream in STREAMS:
        at, _, top = volume_range(reading, stream)
        found[stream] = {"stream": stream, "percent": round(at * 100 / top), "muted": at == 0}
    return found


def volume_range(reading: Reading, stream: str) -> tuple[int, int, int]:
    """Step, lowest and highest step of a stream."""
    text = reading.text("cmd", "media_session", "volume", "--stream", str(STREAMS[stream]), "--get")
    match = _VOLUME.search(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else (0, 0, 1)


@table("vibration")
def vibration(reading: Reading) -> Rows:
    """One row."""
    system = reading.settings("system")
    strength = system.get("haptic_feedback_intensity", "2")
    row = {
        "calls": on(system.get("vibrate_when_ringing")),
        "notifications": on(system.get("notification_vibration_intensity"), "2"),
        "touch": on(system.get("haptic_feedback_enabled")),
        "intensity": next((name for name, number in INTENSITY.items() if number == strength), "medium"),
    }
    return {SINGLE: row}


@table("tone_settings")
def tone_settings(reading: Reading) -> Rows:
    """One row: titles of ringtone and notification sound."""
    row = {}
    for column, key in (("ringtone", "ringtone"), ("sound", "notification_sound")):
        value = reading.setting("system", key)
        number = value.partition("?")[0].rpartition("/")[2]
        titles = {tone["_id"]: tone["title"] for tone in tones(reading)} if value.startswith("content:") else {}
        row[column] = titles.get(number, value)
    return {SINGLE: row}


def tones(reading: Reading) -> list[dict[str, str]]:
    """The phone's own tones: `_id`, `is_ringtone`, `is_notification`, `title`."""
    return reading.rows(TONES, ("_id", "is_ringtone", "is_notification"), ("title",))
