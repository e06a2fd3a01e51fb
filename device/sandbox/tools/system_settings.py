"""The system itself: battery, power, updates, language, reset, fan, status bar, and what the phone is."""

from typing import Literal

from device.sandbox.api import Domain, Effect, Json, OnOff, Sandbox, Text, bad_argument, conflict, tool
from device.sandbox.knowledge.speech import LANGUAGES
from device.sandbox.knowledge.speech import language as language_named
from device.sandbox.rows.ai_assistant import SmartPerception
from device.sandbox.rows.apps import App
from device.sandbox.rows.network import Radios
from device.sandbox.rows.notifications import GameManager
from device.sandbox.rows.system_settings import Battery, CoolingFan, Device, Power, Region, StatusBar, SystemUpdate
from device.sandbox.tools.apps_files import usage
from device.sandbox.tools.lookup import need_online

FULL_HOURS = {"normal": 24, "power_saving": 36, "super_saving": 72}
"""Hours that a full battery lasts in each mode."""
LEAST_LEVEL = 30
"""Percent below which an update is not installed from the battery."""


@tool(
    Domain.SYSTEM,
    phrases=(
        "how much battery is left",
        "turn on power saving",
        "switch to super saving mode",
        "back to normal power mode",
        "will the battery last till tonight",
    ),
)
def manage_battery(
    phone: Sandbox,
    action: Literal["query", "set"],
    mode: Literal["normal", "power_saving", "super_saving"] | None = None,
) -> Json:
    """Battery and power saving."""
    stopped: list[str] = []
    if action == "set":
        if mode is None:
            raise bad_argument("`manage_battery` set needs `mode`", argument="mode", valid=list(FULL_HOURS))
        phone.change(Battery, mode=mode)
        stopped = _stop_hungry(phone) if mode == "super_saving" else []
    battery = phone.one(Battery)
    hours = round(battery.level / 100 * FULL_HOURS[battery.mode], 1)
    seen: Json = {"level": battery.level, "charging": battery.charging, "mode": battery.mode, "hoursLeft": hours}
    return seen | ({"turnedOff": stopped} if stopped else {})


def _stop_hungry(phone: Sandbox) -> list[str]:
    """Turn off what super power saving does not allow; the names of what was on."""
    switches: tuple[tuple[type[SmartPerception] | type[GameManager] | type[CoolingFan], str], ...] = (
        (SmartPerception, "smart perception"),
        (GameManager, "game mode"),
        (CoolingFan, "cooling fan"),
    )
    stopped = [name for row, name in switches if phone.one(row).enabled]
    for row, name in switches:
        if name in stopped:
            phone.change(row, enabled=False)
    return stopped


@tool(
    Domain.SYSTEM,
    effects=Effect.POWER,
    phrases=(
        "restart the phone",
        "power off",
        "reboot please",
        "shut the phone down",
    ),
)
def control_device_power(phone: Sandbox, action: Literal["power_off", "restart"]) -> Json:
    """Power off or restart."""
    power, now = phone.one(Power), phone.now.isoformat(timespec="seconds")
    if power.state == "off":
        raise conflict("the phone is off already; someone must press its button", state="off")
    for app in phone.table(App).find(running=True):
        phone.table(App).update(app, running=False)
    if action == "restart":
        phone.change(Power, restarts=power.restarts + 1, since=now)
        return {"action": "restart", "device_status": "on", "timestamp": now}
    phone.change(Power, state="off", since=now)
    return {"action": "shutdown", "device_status": "off", "timestamp": now}


@tool(
    Domain.SYSTEM,
    effects=Effect.READ,
    phrases=(
        "which model is this phone",
        "what Android version do I have",
        "how much memory does it have",
        "what is my phone called",
        "tell me about this phone",
    ),
)
def manage_device_info(
    phone: Sandbox, item: Literal["model", "storage", "memory", "version", "battery", "name"] | None = None
) -> Json:
    """About the phone."""
    device, battery, room = phone.one(Device), phone.one(Battery), usage(phone)
    known: Json = {
        "model": device.model,
        "storage": {"totalGb": room["totalGb"], "freeGb": room["freeGb"]},
        "memory": {"totalGb": device.memory_gb, "usedGb": device.memory_used_gb},
        "version": phone.one(SystemUpdate).version,
        "battery": {"level": battery.level, "charging": battery.charging},
        "name": device.name,
    }
    return known if item is None else {item: known[item]}


@tool(
    Domain.SYSTEM,
    permission="system_update",
    effects={"install": Effect.INSTALL},
    phrases=(
        "is there a new system version",
        "download the update",
        "install the system update now",
        "bring the phone up to date",
    ),
)
def manage_system_update(phone: Sandbox, action: Literal["check", "download", "install"]) -> Json:
    """System updates."""
    update = phone.one(SystemUpdate)
    if action != "install":
        need_online(phone, "reach the update server")
    if action != "check" and update.available == update.version:
        raise conflict(f"the system is up to date: {update.version}", version=update.version)
    if action == "download":
        _download(phone, update)
    elif action == "install":
        _install(phone, update)
    update = phone.one(SystemUpdate)
    offered = update.available != update.version
    seen: Json = {"version": update.version, "state": update.state, "updateAvailable": offered}
    return seen | ({"available": update.available, "sizeMb": update.size_mb} if offered else {})


def _download(phone: Sandbox, update: SystemUpdate) -> None:
    radios = phone.one(Radios)
    if update.state == "downloaded":
        raise conflict(f"{update.available} is downloaded already; install it with `manage_system_update` install")
    if not (radios.wifi and radios.wifi_network):
        raise conflict("an update is downloaded over Wi-Fi alone; connect with `manage_wifi` first", reason="no wifi")
    free = usage(phone)["freeGb"] * 1_000
    if update.size_mb > free:
        raise conflict(f"the update needs {update.size_mb} MB and {free:.0f} MB are free; use `clean_storage` first")
    phone.change(SystemUpdate, state="downloaded")


def _install(phone: Sandbox, update: SystemUpdate) -> None:
    battery = phone.one(Battery)
    if update.state != "downloaded":
        raise conflict(f"{update.available} is not downloaded; use `manage_system_update` download first")
    if battery.level < LEAST_LEVEL and not battery.charging:
        raise conflict(f"the battery is at {battery.level}%; charge it to {LEAST_LEVEL}% or plug it in first")
    phone.change(SystemUpdate, version=update.available, state="installed")
    phone.change(Power, restarts=phone.one(Power).restarts + 1, since=phone.now.isoformat(timespec="seconds"))


@tool(
    Domain.SYSTEM,
    phrases=(
        "change the language to Spanish",
        "speak German with me",
        "put the phone in French",
        "set everything back to English",
    ),
)
def set_language(phone: Sandbox, language: Text) -> Json:
    """Language of phone and assistant."""
    found = language_named(language)
    if found is None:
        message = f"`language` is `{language}`; the phone speaks {', '.join(LANGUAGES)}"
        raise bad_argument(message, argument="language", valid=list(LANGUAGES))
    before = phone.one(Region).language
    phone.change(Region, language=found)
    return {"language": found, "before": before}


@tool(
    Domain.SYSTEM,
    phrases=(
        "turn the fan on high",
        "cooling fan off",
        "the phone is hot, cool it down",
        "is the fan running",
    ),
)
def control_cooling_fan(phone: Sandbox, action: OnOff, speed: Literal["low", "medium", "high"] | None = None) -> Json:
    """Cooling fan."""
    if action == "enable":
        if phone.one(Battery).mode == "super_saving":
            raise conflict(
                "super power saving is on; set another mode with `manage_battery` first", mode="super_saving"
            )
        phone.change(CoolingFan, enabled=True, speed=speed or phone.one(CoolingFan).speed)
    elif action == "disable":
        phone.change(CoolingFan, enabled=False)
    fan = phone.one(CoolingFan)
    return {"enabled": fan.enabled, "speed": fan.speed}


@tool(
    Domain.SYSTEM,
    phrases=(
        "show the battery percentage up top",
        "hide the network speed",
        "put the clock back in the status bar",
        "what does the status bar show",
    ),
)
def manage_status_bar_display(
    phone: Sandbox,
    action: Literal["show", "hide", "query"],
    item: Literal["battery_percent", "network_speed", "clock"] | None = None,
) -> Json:
    """Status bar items."""
    if action != "query":
        if item is None:
            raise bad_argument(f"`manage_status_bar_display` {action} needs `item`", argument="item")
        phone.change(StatusBar, **{item: action == "show"})
    bar = phone.one(StatusBar)
    shown = {"battery_percent": bar.battery_percent, "network_speed": bar.network_speed, "clock": bar.clock}
    return shown if item is None else {item: shown[item]}
