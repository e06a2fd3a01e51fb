"""The screen: brightness, modes, text size; and the daily time of power on and off."""

from typing import Literal

from device.sandbox.api import Domain, Json, OnOff, Percent, Sandbox, Time, bad_argument, not_found, tool
from device.sandbox.rows.display_sound import Display, ScheduledPower
from device.sandbox.tools.levels import level_after


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "the screen is too dark",
        "dim the display",
        "brightness at forty percent",
        "how bright is my screen",
        "make the screen brighter by 15 percent",
        "full brightness",
    ),
)
def adjust_brightness(
    phone: Sandbox, action: Literal["set", "up", "down", "query"], level: Percent | None = None
) -> Json:
    """Screen brightness."""
    now = phone.one(Display).brightness
    if action != "query":
        now = phone.change(Display, brightness=level_after(action, level, now)).brightness
    return {"brightness": now}


def _switch(phone: Sandbox, column: str, action: str) -> Json:
    """Set or read one on-off column of the display."""
    if action != "query":
        phone.change(Display, **{column: action == "enable"})
    return {"enabled": getattr(phone.one(Display), column)}


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "switch to dark mode",
        "go back to the light theme",
        "is dark mode on",
        "make the screen black at night",
        "turn off the dark theme",
    ),
)
def manage_dark_mode(phone: Sandbox, action: OnOff) -> Json:
    """Dark mode."""
    return _switch(phone, "dark_mode", action)


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "lock the screen orientation",
        "let the screen rotate",
        "stop the display from turning sideways",
        "is auto-rotate on",
        "keep it in portrait",
    ),
)
def manage_auto_rotate(phone: Sandbox, action: OnOff) -> Json:
    """Screen rotation."""
    return _switch(phone, "auto_rotate", action)


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "turn on the blue light filter",
        "my eyes are tired, warm up the screen",
        "eye comfort off",
        "is night light on",
        "go easy on my eyes",
    ),
)
def manage_eye_comfort(phone: Sandbox, action: OnOff) -> Json:
    """Eye comfort, blue light filter."""
    return _switch(phone, "eye_comfort", action)


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "make the text bigger",
        "I can't read this, use huge letters",
        "small font please",
        "set the font back to medium",
    ),
)
def set_font_size(phone: Sandbox, size: Literal["small", "medium", "large", "huge"]) -> Json:
    """Text size."""
    return {"font_size": phone.change(Display, font_size=size).font_size}


@tool(
    Domain.DISPLAY,
    permission="system_settings",
    phrases=(
        "switch the phone off every night at eleven",
        "power on automatically at six",
        "when does my phone shut itself down",
        "cancel the scheduled power off",
        "no more automatic switching on",
    ),
)
def manage_scheduled_power(
    phone: Sandbox,
    action: Literal["create", "query", "delete"],
    powerAction: Literal["power_on", "power_off"] | None = None,
    time: Time | None = None,
) -> Json:
    """Power on or off at a time."""
    table = phone.table(ScheduledPower)
    if action == "query":
        return {"schedules": [s for s in table.all() if powerAction in (None, s.power_action)]}
    if powerAction is None:
        raise bad_argument("`powerAction` is missing: power_on or power_off", argument="powerAction")
    if action == "create":
        if time is None:
            raise bad_argument("`time` is missing: at what time", argument="time")
        old = table.get(powerAction)
        made = table.update(old, time=time) if old else table.insert(ScheduledPower(powerAction, time))
        return {"message": f"{powerAction} every day at {time}", "schedule": made}
    if table.get(powerAction) is None:
        raise not_found(f"no {powerAction} is scheduled", candidates=[s.power_action for s in table.all()])
    table.delete(powerAction)
    return {"message": f"the scheduled {powerAction} is gone"}
