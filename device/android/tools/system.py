"""The system: battery, clock, names, accessibility, developer options, users, power."""

from typing import Any

from device.android.connection.server import reconnect
from device.android.errors import BridgeFailure, bad_argument, conflict, not_found, unsupported
from device.android.state.looks import screen_size
from device.android.state.reading import Reading
from device.android.state.system import ANIMATIONS, DALTONIZER, SELECT_TO_SPEAK, TALKBACK, health, services, users
from device.android.state.tables import SINGLE
from device.android.tools.registry import offered
from device.android.tools.switches import number, switch
from device.android.work import Answer, Work
from runtime.contract import Json

_SETTINGS = "WRITE_SECURE_SETTINGS"
_OFF_SECONDS = 15.0
"""How long a phone may take to go down."""


@offered("manage_battery", needs="DEVICE_POWER")
def manage_battery(phone: Work, action: str, mode: str | None = None) -> Answer:
    """Level and battery saver (`cmd power set-mode`); it has one saving mode, and none while charging."""
    phone.watch("battery")
    if action == "set":
        if mode is None:
            raise bad_argument("`manage_battery` set needs `mode`", argument="mode")
        if mode == "super_saving":
            raise unsupported("stock Android has one saving mode; use `power_saving`", argument="mode")
        if mode == "power_saving" and phone.row("battery")["charging"]:
            raise conflict("the phone is charging; Android starts battery saver only off the charger")
        phone.run("cmd", "power", "set-mode", number(mode == "power_saving"))
        phone.expect("battery", mode=mode)
    return lambda seen: dict(seen["battery"][SINGLE])


@offered("manage_battery_health", actions=("query",))
def manage_battery_health(phone: Work, action: str, limit: int | str | None = None) -> Answer:
    """What `dumpsys battery` says of the battery's state; limits belong to the makers."""
    return {"health": health(phone.look())}


@offered("manage_date_time", needs=_SETTINGS)
def manage_date_time(
    phone: Work,
    action: str,
    hourFormat: str | None = None,
    dateFormat: str | None = None,
    autoTimeZone: str | None = None,
) -> Answer:
    """Hour format and automatic time zone; dates follow the language since Android 5."""
    phone.watch("clock_settings")
    if action == "set":
        if dateFormat is not None:
            raise unsupported(
                "Android writes dates as its language does; leave `dateFormat` out", argument="dateFormat"
            )
        if hourFormat is None and autoTimeZone is None:
            raise bad_argument("`manage_date_time` set needs `hourFormat` or `autoTimeZone`", argument="hourFormat")
        if hourFormat is not None:
            phone.put("system", "time_12_24", hourFormat.removesuffix("h"))
            phone.expect("clock_settings", hour_format=hourFormat)
        if autoTimeZone is not None:
            phone.put("global", "auto_time_zone", number(autoTimeZone == "on"))
            phone.expect("clock_settings", auto_time_zone=autoTimeZone)
    return lambda seen: {
        "hourFormat": seen["clock_settings"][SINGLE]["hour_format"],
        "autoTimeZone": seen["clock_settings"][SINGLE]["auto_time_zone"],
    }


@offered("manage_device_info")
def manage_device_info(phone: Work, item: str | None = None) -> Answer:
    """Model, storage, memory, version, battery, name."""
    phone.watch("battery", "device", "storage")
    look = phone.look()
    memory = dict(line.split(":", 1) for line in look.text("cat", "/proc/meminfo").splitlines() if ":" in line)
    total, free = (int(memory[name].split()[0]) * 1024 / 1e9 for name in ("MemTotal", "MemAvailable"))
    room, power, device = phone.row("storage"), phone.row("battery"), phone.row("device")
    width, height = screen_size(look)
    known: Json = {
        "model": device["model"],
        "storage": {"totalGb": room["total_gb"], "freeGb": round(room["total_gb"] - room["used_gb"], 1)},
        "memory": {"totalGb": round(total, 1), "usedGb": round(total - free, 1)},
        "version": look.text("getprop", "ro.build.version.release"),
        "battery": {"level": power["level"], "charging": power["charging"]},
        "name": device["name"],
    }
    return {**known, "screen": f"{width}x{height}"} if item is None else {item: known[item]}


@offered("set_device_name", needs=_SETTINGS)
def set_device_name(phone: Work, name: str) -> Answer:
    """The name that others see."""
    phone.watch("device")
    phone.put("global", "device_name", name)
    phone.expect("device", name=name)
    return lambda seen: {"name": seen["device"][SINGLE]["name"]}


@offered("manage_color_correction", needs=_SETTINGS)
def manage_color_correction(phone: Work, action: str, mode: str | None = None) -> Answer:
    """Colours for the colour-blind."""
    phone.watch("color_correction")
    if action != "query":
        if mode is not None:
            phone.put("secure", "accessibility_display_daltonizer", DALTONIZER[mode])
            phone.expect("color_correction", mode=mode)
        phone.put("secure", "accessibility_display_daltonizer_enabled", number(action == "enable"))
        phone.expect("color_correction", enabled=action == "enable")
    return lambda seen: dict(seen["color_correction"][SINGLE])


@offered("manage_talkback", needs=_SETTINGS)
def manage_talkback(phone: Work, action: str) -> Answer:
    """The screen reader, beside whatever other services are on."""
    return _service(phone, action, "talkback", TALKBACK)


@offered("manage_select_to_speak", needs=_SETTINGS)
def manage_select_to_speak(phone: Work, action: str) -> Answer:
    """Speaks what is selected."""
    return _service(phone, action, "select_to_speak", SELECT_TO_SPEAK)


def _service(phone: Work, action: str, table: str, service: str) -> Answer:
    """Add one accessibility service to the list, or take it out: the others belong to other people."""

    def write(on: bool) -> None:
        others = [name for name in services(phone.look()) if name != service]
        wanted = [*others, service] if on else others
        phone.put("secure", "enabled_accessibility_services", ":".join(wanted))
        phone.put("secure", "accessibility_enabled", number(bool(wanted)))

    if action == "enable" and service.partition("/")[0] not in phone.look().text("pm", "list", "packages"):
        raise unsupported(f"`{service.partition('/')[0]}` is not installed on this phone")
    return switch(phone, action, table, "enabled", write)


@offered("manage_developer_options", needs=_SETTINGS)
def manage_developer_options(phone: Work, action: str, option: str | None = None) -> Answer:
    """Single options; the page itself stays on while adb is in use."""
    phone.watch("developer_options", "usb_debug")
    if action != "query":
        shown = action == "enable"
        if option is None:
            if not shown:
                raise conflict("switching developer options off would cut this connection; do it by hand")
            phone.put("global", "development_settings_enabled", "1")
            phone.expect("usb_debug", developer_options=True)
        else:
            _option(phone, option, shown)
            phone.expect("developer_options", **{option: shown})
    return lambda seen: {
        "enabled": seen["usb_debug"][SINGLE]["developer_options"],
        **seen["developer_options"][SINGLE],
    }


def _option(phone: Work, option: str, shown: bool) -> None:
    if option == "stay_awake":
        phone.put("global", "stay_on_while_plugged_in", "7" if shown else "0")
    elif option == "show_touches":
        phone.put("system", "show_touches", number(shown))
    else:
        for key in ANIMATIONS:
            phone.put("global", key, "0" if shown else "1")


@offered("manage_usb_debug", needs=_SETTINGS)
def manage_usb_debug(phone: Work, action: str) -> Answer:
    """On and readable; switching it off would cut the line that this phone hangs on."""
    if action == "disable":
        raise unsupported("switching USB debugging off would cut this connection; do it by hand")
    return switch(phone, action, "usb_debug", "enabled", lambda on: phone.put("global", "adb_enabled", number(on)))


@offered("manage_user_profile", needs="MANAGE_USERS")
def manage_user_profile(phone: Work, action: str, profileName: str | None = None) -> Answer:
    """Users of the phone."""
    phone.watch("user_profiles")
    if action != "query":
        if profileName is None:
            raise bad_argument("`profileName` is missing: which profile", argument="profileName")
        _change_user(phone, action, profileName)
    return lambda seen: {"profiles": list(seen["user_profiles"].values())}


def _change_user(phone: Work, action: str, name: str) -> None:
    known = {user.casefold(): number for number, user in users(phone.look())}
    if action == "create":
        if name.startswith("-") or "\n" in name:
            raise bad_argument(
                "`profileName` can't begin with `-` or hold a line break: `pm create-user` would read it otherwise",
                argument="profileName",
            )
        if name.casefold() in known:
            raise conflict(f"a profile `{name}` exists already", candidates=list(phone.before["user_profiles"]))
        phone.run("pm", "create-user", name)
        phone.expect("user_profiles", name, name=name)
        return
    found = known.get(name.casefold())
    if found is None:
        raise not_found(f"no profile is called `{name}`", candidates=list(phone.before["user_profiles"]))
    if action == "switch":
        phone.run("am", "switch-user", found)
        phone.expect("user_profiles", name, active=True)
    else:
        phone.run("pm", "remove-user", found)
        phone.expect_gone("user_profiles", name)


@offered("control_device_power", needs="REBOOT")
def control_device_power(phone: Work, action: str) -> Answer:
    """Restart, proved by the boot count; power off, proved by the phone being gone."""
    server, serial = phone.shell.server, phone.shell.serial
    boots = phone.look().setting("global", "boot_count")
    phone.run("svc", "power", "reboot" if action == "restart" else "shutdown")
    if action == "power_off":
        gone = phone.deadline.within(_OFF_SECONDS)
        while not gone.expired:
            try:
                if server.ask(f"host-serial:{serial}:get-state", gone) != "device":
                    return {"action": "shutdown", "device_status": "off"}
            except BridgeFailure:
                return {"action": "shutdown", "device_status": "off"}
        raise conflict(f"the phone still answers {_OFF_SECONDS:.0f} s after it was told to go off", "unknown")
    while True:
        reconnect(server, serial, phone.deadline)
        try:
            now = Reading(phone.shell, phone.deadline).setting("global", "boot_count")
        except BridgeFailure as failure:
            if failure.landed == "no" or not phone.deadline.expired:
                continue
            raise
        if now and now != boots:
            return {"action": "restart", "device_status": "on", "boots": int(now)}


def facts(look: Reading) -> dict[str, Any]:
    """Release, model and serial, for messages."""
    return {
        "release": look.text("getprop", "ro.build.version.release"),
        "model": look.text("getprop", "ro.product.model"),
    }
