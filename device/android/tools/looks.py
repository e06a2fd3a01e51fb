"""The screen: brightness, modes, sizes, rates; settings keys after `Settings.java`, Android 10 to 16."""

from typing import Any

from device.android.errors import bad_argument, conflict, unsupported
from device.android.state.looks import BRIGHTEST, FONT, WIDTH, screen_size
from device.android.state.tables import SINGLE
from device.android.tools.registry import offered
from device.android.tools.switches import number, switch
from device.android.work import Answer, Work
from device.sandbox.tools.levels import level_after

_SETTINGS = "WRITE_SECURE_SETTINGS"


@offered("adjust_brightness", needs=_SETTINGS)
def adjust_brightness(phone: Work, action: str, level: int | str | None = None) -> Answer:
    """A percentage of Android's 255 steps; automatic brightness is switched off by setting one."""
    phone.watch("display")
    if action != "query":
        wanted = level_after(action, level, phone.row("display")["brightness"])
        phone.put("system", "screen_brightness_mode", "0")
        phone.put("system", "screen_brightness", str(max(1, round(wanted * BRIGHTEST / 100))))
        phone.expect("display", brightness=wanted)
    return lambda seen: {"brightness": seen["display"][SINGLE]["brightness"]}


@offered("manage_dark_mode", needs="MODIFY_DAY_NIGHT_MODE")
def manage_dark_mode(phone: Work, action: str) -> Answer:
    """`cmd uimode night` (`UiModeManagerService`)."""
    return switch(
        phone, action, "display", "dark_mode", lambda on: phone.run("cmd", "uimode", "night", "yes" if on else "no")
    )


@offered("manage_auto_rotate", needs=_SETTINGS)
def manage_auto_rotate(phone: Work, action: str) -> Answer:
    """The rotation sensor."""
    return switch(
        phone, action, "display", "auto_rotate", lambda on: phone.put("system", "accelerometer_rotation", number(on))
    )


@offered("manage_eye_comfort", needs=_SETTINGS)
def manage_eye_comfort(phone: Work, action: str) -> Answer:
    """Night light."""
    return switch(
        phone, action, "display", "eye_comfort", lambda on: phone.put("secure", "night_display_activated", number(on))
    )


@offered("manage_eye_comfort_schedule", needs=_SETTINGS)
def manage_eye_comfort_schedule(
    phone: Work, action: str, startTime: str | None = None, endTime: str | None = None
) -> Answer:
    """Own hours of the night light."""
    phone.watch("eye_comfort_schedule")
    if action == "set":
        if startTime is None or endTime is None:
            raise bad_argument("`startTime` and `endTime` are needed: from when to when", argument="startTime")
        for name, value in (("start", startTime), ("end", endTime)):
            phone.put("secure", f"night_display_custom_{name}_time", str(_milliseconds(value)))
        phone.put("secure", "night_display_auto_mode", "1")
        phone.expect("eye_comfort_schedule", start_time=startTime, end_time=endTime)
    elif action == "cancel":
        phone.put("secure", "night_display_auto_mode", "0")
        phone.expect("eye_comfort_schedule", start_time="", end_time="")
    return lambda seen: {
        "startTime": seen["eye_comfort_schedule"][SINGLE]["start_time"],
        "endTime": seen["eye_comfort_schedule"][SINGLE]["end_time"],
    }


def _milliseconds(time: str) -> int:
    hours, _, minutes = time.partition(":")
    return (int(hours) * 60 + int(minutes)) * 60_000


@offered("set_font_size", needs=_SETTINGS)
def set_font_size(phone: Work, size: str) -> Answer:
    """`font_scale`."""
    phone.watch("display")
    phone.put("system", "font_scale", str(FONT[size]))
    phone.expect("display", font_size=size)
    return lambda seen: {"font_size": seen["display"][SINGLE]["font_size"]}


@offered("manage_screen_timeout", needs=_SETTINGS)
def manage_screen_timeout(phone: Work, action: str, duration: int | None = None) -> Answer:
    """`screen_off_timeout`."""
    phone.watch("panel")
    if action == "set":
        if duration is None:
            raise bad_argument("`duration` is missing: after how long", argument="duration")
        phone.put("system", "screen_off_timeout", str(duration * 1000))
        phone.expect("panel", timeout_s=duration)
    return lambda seen: {"timeoutSeconds": seen["panel"][SINGLE]["timeout_s"]}


@offered("manage_refresh_rate", since=11, needs=_SETTINGS)
def manage_refresh_rate(phone: Work, action: str, rate: str | None = None) -> Answer:
    """Lowest and highest rate of the panel."""
    phone.watch("panel")
    if action == "set":
        if rate is None:
            raise bad_argument("`rate` is missing: 60, 90, 120 or adaptive", argument="rate")
        peak = "Infinity" if rate == "adaptive" else f"{rate}.0"
        phone.put("system", "min_refresh_rate", "0.0" if rate == "adaptive" else peak)
        phone.put("system", "peak_refresh_rate", peak)
        phone.expect("panel", rate=rate)
    return lambda seen: {"rate": seen["panel"][SINGLE]["rate"]}


@offered("manage_screen_resolution", needs=_SETTINGS)
def manage_screen_resolution(phone: Work, action: str, resolution: str | None = None) -> Answer:
    """`wm size`, in the panel's own proportions and never beyond it."""
    phone.watch("panel")
    if action == "set":
        if resolution is None:
            raise bad_argument(f"`resolution` is missing: {', '.join(WIDTH)}", argument="resolution")
        wide, high = screen_size(phone.look(), "Physical")
        short = WIDTH[resolution]
        if short > min(wide, high):
            raise conflict(f"this panel has {min(wide, high)} pixels across; `{resolution}` needs {short}")
        size = (short, round(short * high / wide)) if wide < high else (round(short * wide / high), short)
        phone.run("wm", "size", "reset" if size == (wide, high) else f"{size[0]}x{size[1]}")
        phone.expect("panel", resolution=resolution)
    return lambda seen: {"resolution": seen["panel"][SINGLE]["resolution"]}


@offered("manage_magnification", needs=_SETTINGS)
def manage_magnification(phone: Work, action: str, zoom: float | None = None) -> Answer:
    """The screen magnifier."""
    phone.watch("magnifier")
    if action != "query":
        if zoom is not None:
            if not 1 <= zoom <= 8:
                raise bad_argument(f"`zoom` is {zoom:g}; Android magnifies 1 to 8 times", argument="zoom")
            phone.put("secure", "accessibility_display_magnification_scale", f"{zoom:g}")
            phone.expect("magnifier", zoom=zoom)
        phone.put("secure", "accessibility_display_magnification_enabled", number(action == "enable"))
        phone.expect("magnifier", enabled=action == "enable")
    return lambda seen: dict(seen["magnifier"][SINGLE])


@offered("manage_aod", needs=_SETTINGS)
def manage_aod(phone: Work, action: str, mode: str | None = None) -> Answer:
    """The always-on display."""
    if mode not in (None, "always"):
        raise unsupported(f"stock Android has no always-on mode `{mode}`; leave `mode` out", argument="mode")
    return switch(
        phone, action, "always_on_display", "enabled", lambda on: phone.put("secure", "doze_always_on", number(on))
    )


@offered("manage_one_handed_mode", since=12, needs=_SETTINGS)
def manage_one_handed_mode(phone: Work, action: str, side: str | None = None) -> Answer:
    """One-handed mode pulls the screen down; it has no side."""
    if side is not None:
        raise unsupported("one-handed mode of Android has no side; leave `side` out", argument="side")
    return switch(
        phone, action, "navigation", "one_handed", lambda on: phone.put("secure", "one_handed_mode_enabled", number(on))
    )


@offered("set_navigation_mode", needs="CHANGE_OVERLAY_PACKAGES")
def set_navigation_mode(phone: Work, mode: str) -> Answer:
    """The overlay of the navigation bar (`NavigationModeController`)."""
    phone.watch("navigation")
    overlay = {"gestures": "gestural", "buttons": "threebutton"}[mode]
    package = f"com.android.internal.systemui.navbar.{overlay}"
    phone.run("cmd", "overlay", "enable-exclusive", "--category", package)
    phone.expect("navigation", mode=mode)
    return lambda seen: {"mode": seen["navigation"][SINGLE]["mode"]}


@offered("manage_status_bar_display", needs=_SETTINGS)
def manage_status_bar_display(phone: Work, action: str, item: str | None = None) -> Answer:
    """Battery percentage and clock; stock Android shows no network speed."""
    phone.watch("status_bar")
    if action != "query":
        if item is None:
            raise bad_argument("`item` is missing: battery_percent or clock", argument="item")
        shown = action == "show"
        if item == "network_speed":
            raise unsupported("stock Android has no network speed in its status bar", argument="item")
        if item == "battery_percent":
            phone.put("system", "status_bar_show_battery_percent", number(shown))
        else:
            hidden = phone.look().settings("secure").get("icon_blacklist", "").split(",")
            rest = [name for name in hidden if name and name not in ("clock", "null")]
            phone.put("secure", "icon_blacklist", ",".join(rest if shown else [*rest, "clock"]))
        phone.expect("status_bar", **{item: shown})
    return lambda seen: dict[str, Any](seen["status_bar"][SINGLE])
