"""How the system is set up: control center, home screen, date and time, colours, developer options, location, speed."""

from typing import Literal

from device.sandbox.api import Domain, Effect, Json, OnOff, Sandbox, Text, bad_argument, conflict, tool
from device.sandbox.rows.system_settings import Battery, CoolingFan, UsbDebug
from device.sandbox.rows.system_setup import (
    ClockSettings,
    ColorCorrection,
    ControlTile,
    DeveloperOptions,
    HomeScreen,
    LocationServices,
    Performance,
)
from device.sandbox.tools.by_name import named, only

MOST_TILES = 8
"""Tiles that the control center has room for."""


@tool(
    Domain.SYSTEM,
    phrases=(
        "add the hotspot tile to the control center",
        "take the flashlight out of quick settings",
        "which tiles are in my control center",
        "put a screen recorder shortcut in the pull-down panel",
        "remove a quick toggle I never use",
    ),
)
def manage_control_center(phone: Sandbox, action: Literal["add", "remove", "query"], tile: Text | None = None) -> Json:
    """Tiles of the control center."""
    table = phone.table(ControlTile)
    shown = [row.name for row in table.all() if row.shown]
    if action != "query":
        if tile is None:
            raise bad_argument(f"`manage_control_center` {action} needs `tile`", argument="tile", valid=shown)
        names = [row.name for row in table.all()]
        found = only(named(table.all(), tile, lambda row: row.name, "tile"), "tile", tile, lambda r: r.name, names)
        if action == "add" and not found.shown and len(shown) >= MOST_TILES:
            raise conflict(f"the control center is full with {MOST_TILES} tiles; remove one first", shown=shown)
        table.update(found, shown=action == "add")
    return {"shown": [row.name for row in table.all() if row.shown], "room": MOST_TILES}


@tool(
    Domain.SYSTEM,
    phrases=(
        "fit more icons on my home screen",
        "set the home screen grid to five by six",
        "lock the desktop layout so nothing moves",
        "unlock the home screen",
        "how is my home screen laid out",
    ),
)
def manage_desktop_layout(
    phone: Sandbox,
    action: Literal["set_grid", "lock", "unlock", "query"],
    grid: Literal["4x5", "4x6", "5x5", "5x6"] | None = None,
) -> Json:
    """Home screen grid and layout lock."""
    if action == "set_grid":
        if grid is None:
            raise bad_argument("`manage_desktop_layout` set_grid needs `grid`, such as 4x6", argument="grid")
        if phone.one(HomeScreen).locked:
            raise conflict("the layout is locked; use `manage_desktop_layout` unlock first", locked=True)
        phone.change(HomeScreen, grid=grid)
    elif action != "query":
        phone.change(HomeScreen, locked=action == "lock")
    home = phone.one(HomeScreen)
    return {"grid": home.grid, "locked": home.locked}


@tool(
    Domain.SYSTEM,
    phrases=(
        "show the time in 24-hour format",
        "use am and pm on the clock",
        "write dates with the day first",
        "set the time zone automatically",
        "how does this phone format dates",
    ),
)
def manage_date_time(
    phone: Sandbox,
    action: Literal["set", "query"],
    hourFormat: Literal["12h", "24h"] | None = None,
    dateFormat: Literal["MM/DD/YYYY", "DD/MM/YYYY", "YYYY-MM-DD"] | None = None,
    autoTimeZone: Literal["on", "off"] | None = None,
) -> Json:
    """Clock format and automatic time zone."""
    if action == "set":
        given = {"hour_format": hourFormat, "date_format": dateFormat, "auto_time_zone": autoTimeZone}
        changes = {name: value for name, value in given.items() if value is not None}
        if not changes:
            message = "`manage_date_time` set needs `hourFormat`, `dateFormat` or `autoTimeZone`"
            raise bad_argument(message, argument="hourFormat")
        if autoTimeZone == "on" and not phone.one(LocationServices).enabled:
            message = "an automatic time zone needs the location; use `manage_location_services` enable first"
            raise conflict(message, location="off")
        phone.change(ClockSettings, **changes)
    return {"settings": phone.one(ClockSettings)}


@tool(
    Domain.SYSTEM,
    permission="accessibility",
    phrases=(
        "turn on color correction",
        "I'm red-green color blind, adjust the screen",
        "make the whole screen grayscale",
        "colour blindness filter off",
        "is color correction enabled",
    ),
)
def manage_color_correction(
    phone: Sandbox,
    action: OnOff,
    mode: Literal["deuteranomaly", "protanomaly", "tritanomaly", "grayscale"] | None = None,
) -> Json:
    """Color correction for color blindness."""
    if action == "disable" and mode is not None:
        raise bad_argument("`mode` goes with action enable; leave it out to disable", argument="mode")
    if action == "enable":
        phone.change(ColorCorrection, enabled=True, mode=mode or phone.one(ColorCorrection).mode)
    elif action == "disable":
        phone.change(ColorCorrection, enabled=False)
    return {"correction": phone.one(ColorCorrection)}


@tool(
    Domain.SYSTEM,
    permission="developer_options",
    effects={"enable": Effect.GRANT},
    phrases=(
        "unlock developer options",
        "hide the developer menu again",
        "show touches on the screen for my demo",
        "keep the screen awake while charging",
        "turn off all window animations",
        "are developer options on",
    ),
)
def manage_developer_options(
    phone: Sandbox, action: OnOff, option: Literal["stay_awake", "show_touches", "no_animations"] | None = None
) -> Json:
    """Developer options and their switches."""
    menu = phone.one(UsbDebug).developer_options
    if action != "query" and option is not None:
        if not menu:
            raise conflict(
                "developer options are off; use `manage_developer_options` enable alone first", option=option
            )
        phone.change(DeveloperOptions, **{option: action == "enable"})
    elif action == "enable":
        menu = phone.change(UsbDebug, developer_options=True).developer_options
    elif action == "disable":
        phone.change(UsbDebug, enabled=False, developer_options=False)
        phone.change(DeveloperOptions, stay_awake=False, show_touches=False, no_animations=False)
        menu = False
    return {"developerOptions": menu, "options": phone.one(DeveloperOptions)}


@tool(
    Domain.SYSTEM,
    permission="location",
    phrases=(
        "turn off location services",
        "switch GPS on",
        "is location enabled on this phone",
        "use the most precise location mode",
        "stop every app from getting my position",
    ),
)
def manage_location_services(
    phone: Sandbox, action: OnOff, accuracy: Literal["high", "battery_saving", "device_only"] | None = None
) -> Json:
    """Location (GPS) on, off and accuracy."""
    if action == "disable" and accuracy is not None:
        raise bad_argument("`accuracy` goes with action enable; leave it out to disable", argument="accuracy")
    if action == "disable":
        phone.change(LocationServices, enabled=False)
    elif action == "enable":
        if accuracy == "high" and phone.one(Battery).mode == "super_saving":
            raise conflict("super power saving forbids high accuracy; set another mode with `manage_battery` first")
        phone.change(LocationServices, enabled=True, accuracy=accuracy or phone.one(LocationServices).accuracy)
    return {"location": phone.one(LocationServices)}


@tool(
    Domain.SYSTEM,
    phrases=(
        "switch to high performance mode",
        "give me maximum processor speed",
        "put the phone in quiet mode so it stays cool",
        "back to balanced performance",
    ),
)
def set_performance_mode(phone: Sandbox, mode: Literal["balanced", "high_performance", "quiet"]) -> Json:
    """How hard the processor works."""
    saving = phone.one(Battery).mode
    if mode == "high_performance" and saving != "normal":
        raise conflict(f"{saving} is on; set the battery to normal with `manage_battery` first", battery=saving)
    phone.change(Performance, mode=mode)
    stopped = mode == "quiet" and phone.one(CoolingFan).enabled
    if stopped:
        phone.change(CoolingFan, enabled=False)
    return {"mode": mode} | ({"turnedOff": ["cooling fan"]} if stopped else {})
