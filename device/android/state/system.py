"""The system: battery, names, clock, accessibility, developer options, navigation, users."""

import re

from device.android.state.reading import Reading, Rows
from device.android.state.tables import SINGLE, on, table

TALKBACK = "com.google.android.marvin.talkback/com.google.android.marvin.talkback.TalkBackService"
SELECT_TO_SPEAK = (
    "com.google.android.marvin.talkback/com.google.android.accessibility.selecttospeak.SelectToSpeakService"
)
DALTONIZER = {"deuteranomaly": "12", "protanomaly": "11", "tritanomaly": "13", "grayscale": "0"}
"""Colour correction to `accessibility_display_daltonizer` (`AccessibilityManager`)."""
ANIMATIONS = ("window_animation_scale", "transition_animation_scale", "animator_duration_scale")
_FIELD = re.compile(r"^\s*([\w ]+): (.*)$", re.M)
_USER = re.compile(r"^\s*UserInfo\{(\d+):(.*):[0-9a-f]+\}(?: running)?$", re.I | re.M)
_HEALTH = {"2": "good", "3": "overheat", "4": "dead", "5": "over voltage", "6": "failure", "7": "cold"}


def battery_fields(reading: Reading) -> dict[str, str]:
    """The fields of `dumpsys battery` (`BatteryService.dumpInternal`)."""
    return {name.strip(): value.strip() for name, value in _FIELD.findall(reading.text("dumpsys", "battery"))}


@table("battery")
def battery(reading: Reading) -> Rows:
    """One row; status 2 is charging, 5 full."""
    fields = battery_fields(reading)
    row = {
        "level": int(fields.get("level", "0")),
        "charging": fields.get("status") in ("2", "5"),
        "mode": "power_saving" if on(reading.settings("global").get("low_power")) else "normal",
    }
    return {SINGLE: row}


def health(reading: Reading) -> str:
    """The battery's health in a word."""
    return _HEALTH.get(battery_fields(reading).get("health", ""), "unknown")


@table("device")
def device(reading: Reading) -> Rows:
    """One row."""
    row = {"name": reading.setting("global", "device_name"), "model": reading.text("getprop", "ro.product.model")}
    return {SINGLE: row}


@table("clock_settings")
def clock_settings(reading: Reading) -> Rows:
    """One row."""
    hours = reading.settings("system").get("time_12_24", "12")
    zone = "on" if on(reading.settings("global").get("auto_time_zone"), "1") else "off"
    return {SINGLE: {"hour_format": "24h" if hours == "24" else "12h", "auto_time_zone": zone}}


def services(reading: Reading) -> list[str]:
    """The accessibility services that are on, in their order."""
    value = reading.settings("secure").get("enabled_accessibility_services", "")
    return [name for name in value.split(":") if name and name != "null"]


@table("talkback")
def talkback(reading: Reading) -> Rows:
    """One row."""
    return {SINGLE: {"enabled": TALKBACK in services(reading)}}


@table("select_to_speak")
def select_to_speak(reading: Reading) -> Rows:
    """One row."""
    return {SINGLE: {"enabled": SELECT_TO_SPEAK in services(reading)}}


@table("color_correction")
def color_correction(reading: Reading) -> Rows:
    """One row."""
    secure = reading.settings("secure")
    number = secure.get("accessibility_display_daltonizer", "12")
    mode = next((name for name, value in DALTONIZER.items() if value == number), "deuteranomaly")
    return {SINGLE: {"enabled": on(secure.get("accessibility_display_daltonizer_enabled")), "mode": mode}}


@table("developer_options")
def developer_options(reading: Reading) -> Rows:
    """One row."""
    values = reading.settings("global")
    row = {
        "stay_awake": on(values.get("stay_on_while_plugged_in")),
        "show_touches": on(reading.settings("system").get("show_touches")),
        "no_animations": all(not on(values.get(name), "1") for name in ANIMATIONS),
    }
    return {SINGLE: row}


@table("usb_debug")
def usb_debug(reading: Reading) -> Rows:
    """One row."""
    values = reading.settings("global")
    options = on(values.get("development_settings_enabled"))
    return {SINGLE: {"enabled": on(values.get("adb_enabled")), "developer_options": options}}


@table("status_bar")
def status_bar(reading: Reading) -> Rows:
    """One row; an icon on the list is hidden (`StatusBarIconController`)."""
    hidden = reading.settings("secure").get("icon_blacklist", "").split(",")
    percent = on(reading.settings("system").get("status_bar_show_battery_percent"))
    return {SINGLE: {"battery_percent": percent, "clock": "clock" not in hidden}}


@table("always_on_display")
def always_on_display(reading: Reading) -> Rows:
    """One row."""
    return {SINGLE: {"enabled": on(reading.settings("secure").get("doze_always_on"))}}


@table("navigation")
def navigation(reading: Reading) -> Rows:
    """One row; mode 2 is gestures (`WindowManagerPolicyConstants`)."""
    secure = reading.settings("secure")
    mode = "gestures" if secure.get("navigation_mode") == "2" else "buttons"
    return {SINGLE: {"mode": mode, "one_handed": on(secure.get("one_handed_mode_enabled"))}}


@table("user_profiles")
def user_profiles(reading: Reading) -> Rows:
    """A row for each user, by name."""
    current = reading.text("am", "get-current-user")
    return {name: {"name": name, "active": number == current} for number, name in users(reading)}


def users(reading: Reading) -> list[tuple[str, str]]:
    """Id and name of each user."""
    return [(match[1], match[2]) for match in _USER.finditer(reading.text("pm", "list", "users"))]
