"""The panel and what is on it: timeout, resolution, refresh rate, magnifier, split screen, eye comfort by the clock."""

from typing import Literal

from device.sandbox.api import (
    Domain,
    Duration,
    Json,
    Number,
    OnOff,
    Sandbox,
    Text,
    Time,
    bad_argument,
    conflict,
    tool,
    unsupported,
)
from device.sandbox.rows.apps import App
from device.sandbox.rows.devices import Casting
from device.sandbox.rows.screen_settings import EyeComfortSchedule, Magnifier, Panel, SplitScreen
from device.sandbox.rows.system_settings import Battery
from device.sandbox.tools.lookup import only

_TIMEOUTS = {15: "15 seconds", 30: "30 seconds", 60: "1 minute", 120: "2 minutes", 300: "5 minutes",
             600: "10 minutes", 1_800: "30 minutes"}  # fmt: skip
_SAVING_TIMEOUT = 60


def _need_power(phone: Sandbox, what: str) -> None:
    """409 while the battery is being saved."""
    mode = phone.one(Battery).mode
    if mode != "normal":
        raise conflict(f"{mode} allows no {what}; use `manage_battery` with mode normal first", mode=mode)


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "the screen goes dark too quickly",
        "screen timeout of five minutes",
        "keep the display on longer, two minutes",
        "when does the screen switch itself off",
        "let the display sleep after 15 seconds",
    ),
)
def manage_screen_timeout(phone: Sandbox, action: Literal["set", "query"], duration: Duration | None = None) -> Json:
    """Time until the screen goes dark."""
    if action == "set":
        if duration is None:
            raise bad_argument("`duration` is missing: after how long", argument="duration")
        if duration not in _TIMEOUTS:
            listed = ", ".join(_TIMEOUTS.values())
            raise bad_argument(f"{duration} seconds can't be chosen; say {listed}", argument="duration")
        if duration > _SAVING_TIMEOUT:
            _need_power(phone, "screen timeout above 1 minute")
        phone.change(Panel, timeout_s=duration)
    seconds = phone.one(Panel).timeout_s
    return {"timeout": _TIMEOUTS.get(seconds, f"{seconds} seconds")}


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "screen resolution to full HD",
        "show everything in quad HD",
        "lower the display resolution",
        "which resolution does my screen have",
        "sharpest resolution please",
    ),
)
def manage_screen_resolution(
    phone: Sandbox, action: Literal["set", "query"], resolution: Literal["hd", "full_hd", "quad_hd"] | None = None
) -> Json:
    """Screen resolution."""
    panel = phone.one(Panel)
    if action == "set":
        if resolution is None:
            raise bad_argument("`resolution` is missing: hd, full_hd or quad_hd", argument="resolution")
        if phone.one(Casting).status == "casting":
            raise conflict("the screen is being cast; stop it with `control_screen_casting` first")
        if resolution == "quad_hd" and panel.rate == "120":
            raise conflict("quad_hd goes with 90 pictures a second at most; use `manage_refresh_rate` first")
        panel = phone.change(Panel, resolution=resolution)
    return {"resolution": panel.resolution}


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "120 hertz please",
        "make scrolling smoother",
        "refresh rate down to 60",
        "adaptive refresh rate",
        "how many hertz does the screen run at",
    ),
)
def manage_refresh_rate(
    phone: Sandbox, action: Literal["set", "query"], rate: Literal["60", "90", "120", "adaptive"] | None = None
) -> Json:
    """Screen refresh rate in hertz."""
    panel = phone.one(Panel)
    if action == "set":
        if rate is None:
            raise bad_argument("`rate` is missing: 60, 90, 120 or adaptive", argument="rate")
        if rate != "60":
            _need_power(phone, f"refresh rate of {rate}")
        if rate == "120" and panel.resolution == "quad_hd":
            raise conflict("120 goes with full_hd at most; use `manage_screen_resolution` first")
        panel = phone.change(Panel, rate=rate)
    return {"rate": panel.rate}


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "magnify the screen",
        "turn on the screen magnifier",
        "zoom everything three times",
        "magnifier off",
        "is the magnification on",
    ),
)
def manage_magnification(phone: Sandbox, action: OnOff, zoom: Number | None = None) -> Json:
    """Screen magnifier."""
    if action == "disable" and zoom is not None:
        raise bad_argument("`zoom` goes with action enable; leave it out to disable", argument="zoom")
    if zoom is not None and not 1.5 <= zoom <= 8:
        raise bad_argument(f"`zoom` is {zoom:g}; say 1.5 to 8 times", argument="zoom")
    if action != "query":
        kept = {} if zoom is None else {"zoom": zoom}
        phone.change(Magnifier, enabled=action == "enable", **kept)
    now = phone.one(Magnifier)
    return {"enabled": now.enabled, "zoom": now.zoom}


@tool(
    Domain.DISPLAY,
    phrases=(
        "split the screen between WhatsApp and the browser",
        "two apps side by side",
        "open Notes next to Calendar",
        "leave split screen",
        "swap the two halves",
        "which apps share the screen",
    ),
)
def manage_split_screen(
    phone: Sandbox,
    action: Literal["start", "stop", "swap", "query"],
    firstApp: Text | None = None,
    secondApp: Text | None = None,
) -> Json:
    """Two apps side by side."""
    now = phone.one(SplitScreen)
    if action == "query":
        return {"active": bool(now.first_app), "apps": [now.first_app, now.second_app] if now.first_app else []}
    if action == "start":
        return _split(phone, firstApp, secondApp)
    if not now.first_app:
        raise conflict("the screen is not split; `manage_split_screen` with action start splits it")
    if action == "swap":
        now = phone.change(SplitScreen, first_app=now.second_app, second_app=now.first_app)
        return {"apps": [now.first_app, now.second_app]}
    phone.change(SplitScreen, first_app="", second_app="")
    return {"message": f"{now.first_app} has the whole screen", "active": False}


def _split(phone: Sandbox, first: str | None, second: str | None) -> Json:
    """Put two installed apps side by side; both run then."""
    for name, said in (("firstApp", first), ("secondApp", second)):
        if said is None:
            raise bad_argument(f"`{name}` is missing: two apps share the screen", argument=name)
    apps = [_sharing(phone, str(said)) for said in (first, second)]
    if apps[0].name == apps[1].name:
        raise bad_argument(f"{apps[0].name} can't stand beside itself; name another app", argument="secondApp")
    for app in apps:
        phone.table(App).update(app, running=True)
    phone.change(SplitScreen, first_app=apps[0].name, second_app=apps[1].name)
    return {"message": "the screen is split", "apps": [app.name for app in apps]}


def _sharing(phone: Sandbox, said: str) -> App:
    """An installed app that may share the screen."""
    app = only(phone.table(App).all(), said, lambda a: a.name, "app")
    if not app.installed:
        raise conflict(f"`{app.name}` is not installed; use `install_app` first", app=app.name)
    if app.category == "game":
        raise unsupported(f"{app.name} is a game and needs the whole screen; choose another app", app=app.name)
    return app


@tool(
    Domain.DISPLAY,
    permission="display_settings",
    phrases=(
        "blue light filter every night from ten to six",
        "schedule eye comfort",
        "when does the night light come on by itself",
        "no more automatic night light",
        "warm screen colors from sunset at eight till seven",
    ),
)
def manage_eye_comfort_schedule(
    phone: Sandbox,
    action: Literal["set", "cancel", "query"],
    startTime: Time | None = None,
    endTime: Time | None = None,
) -> Json:
    """Hours of automatic eye comfort."""
    now = phone.one(EyeComfortSchedule)
    if action == "set":
        for name, given in (("startTime", startTime), ("endTime", endTime)):
            if given is None:
                raise bad_argument(f"`{name}` is missing: from when to when", argument=name)
        if startTime == endTime:
            raise bad_argument(f"it can't begin and end at {startTime}; say another end", argument="endTime")
        now = phone.change(EyeComfortSchedule, start_time=startTime, end_time=endTime)
    elif action == "cancel":
        if not now.start_time:
            raise conflict("eye comfort has no schedule; nothing was changed")
        now = phone.change(EyeComfortSchedule, start_time="", end_time="")
    return {"scheduled": bool(now.start_time), "start": now.start_time, "end": now.end_time}
