"""Lights and plugs of the home. What is said without a room means every room."""

from typing import Literal

from device.sandbox.api import Domain, Percent, Sandbox, Text, bad_argument, conflict, folded, plant, tool
from device.sandbox.rows.home import Light, Plug
from device.sandbox.tools.by_name import named, only
from runtime.contract import Json

STEP = 20
"""Percent by which lights get brighter or dimmer when no level is said."""
COLORS = (
    "white", "warm white", "cool white", "red", "green", "blue", "yellow", "orange", "purple", "violet", "pink",
    "turquoise", "cyan", "magenta", "gold", "lavender", "teal",
)  # fmt: skip
"""Colors that the lamps can show."""
_COLOR_WORDS = {"light blue": "cyan", "dark blue": "blue", "warm": "warm white", "cool": "cool white", "amber": "gold"}
EVERYWHERE = frozenset(
    (
        "all",
        "all rooms",
        "every room",
        "everywhere",
        "house",
        "whole house",
        "home",
        "whole home",
        "apartment",
        "all lights",
    )
)
"""What people say for every room."""
_LIGHTS = (
    ("living room", True),
    ("kitchen", True),
    ("bedroom", False),
    ("bathroom", False),
    ("hallway", False),
    ("office", False),
)
_PLUGS = (
    ("smart plug", "living room"), ("tv", "living room"), ("fan", "living room"), ("heater", "bedroom"),
    ("air purifier", "bedroom"), ("kettle", "kitchen"), ("washing machine", "bathroom"), ("desk lamp", "office"),
)  # fmt: skip
_PLUG_WORDS = {"wemo": "smart plug", "plug": "smart plug", "socket": "smart plug", "outlet": "smart plug"} | {
    "television": "tv", "wemo plug": "smart plug", "smart socket": "smart plug", "wemo plug socket": "smart plug",
    "plug socket": "smart plug", "lamp": "desk lamp",
}  # fmt: skip


@plant
def lights(phone: Sandbox) -> None:
    """Six rooms with lights, two of them lit, and eight plugs."""
    for room, on in _LIGHTS:
        phone.table(Light).insert(Light(room, on))
    for name, room in _PLUGS:
        phone.table(Plug).insert(Plug(name, room))


@tool(
    Domain.DEVICES,
    phrases=(
        "lights off in the bedroom",
        "make it brighter in here",
        "dim the kitchen lights to 30 percent",
        "turn the living room blue",
        "switch on all the lights",
        "it's too bright in the office",
    ),
)
def control_light(
    phone: Sandbox,
    action: Literal["on", "off", "brighten", "dim", "set_color"],
    room: Text | None = None,
    color: Text | None = None,
    level: Percent | None = None,
) -> Json:
    """Lights at home."""
    rows = _in_room(phone, room)
    if action == "off":
        return _all(phone, rows, on=False)
    if action == "dim" and not any(light.on for light in rows):
        raise conflict(f"the lights in {room or 'all rooms'} are off; turn them on with `control_light` on", room=room)
    if action == "dim":
        rows = [light for light in rows if light.on]
    changes: dict[str, str] = {}
    if action == "set_color" or color is not None:
        changes["color"] = _color(color)
    if action in ("dim", "brighten"):
        step = -STEP if action == "dim" else STEP
        level = level if level is not None else f"{step:+d}"
    changed = [
        phone.table(Light).update(light, on=True, brightness=_level(light, action, level), **changes) for light in rows
    ]
    return {"lights": changed}


def _all(phone: Sandbox, rows: list[Light], on: bool) -> Json:
    return {"lights": [phone.table(Light).update(light, on=on) for light in rows]}


def _level(light: Light, action: str, level: int | str | None) -> int:
    """The new brightness: an absolute level, or a step from the present one; a dimming step always goes down."""
    if level is None:
        return light.brightness
    if isinstance(level, int):
        return max(1, level)
    step = -abs(int(level)) if action == "dim" else int(level)
    return min(100, max(1, light.brightness + step))


def _in_room(phone: Sandbox, room: str | None) -> list[Light]:
    """The lights of a room, or all; 404 with the rooms."""
    every = phone.table(Light).all()
    if room is None or folded(room) in EVERYWHERE:
        return every
    found = named(every, room, lambda light: light.room, "lights", "light", "lamp", "lamps")
    return [only(found, "room with lights", room, lambda light: light.room, [light.room for light in every])]


def _color(said: str | None) -> str:
    """The color that was said; 400 with those there are."""
    if said is None:
        raise bad_argument("`color` is missing; say the color", argument="color", valid=COLORS)
    word = folded(said)
    if (color := _COLOR_WORDS.get(word, word)) not in COLORS:
        raise bad_argument(
            f"`color` {said} is not known; use one of {', '.join(COLORS)}", argument="color", valid=COLORS
        )
    return color


@tool(
    Domain.DEVICES,
    phrases=(
        "turn on the heater",
        "switch the fan off",
        "power on the wemo",
        "kill everything in the bedroom",
        "start the kettle",
        "cut power to the TV in the living room",
    ),
)
def control_smart_plug(
    phone: Sandbox, action: Literal["on", "off"], device: Text | None = None, room: Text | None = None
) -> Json:
    """Plugs and appliances on or off."""
    rows = phone.table(Plug).all()
    if device is None and room is None:
        raise bad_argument(
            "`device` is missing; say which appliance or room", argument="device", valid=[plug.name for plug in rows]
        )
    if room is not None and folded(room) not in EVERYWHERE:
        rooms = sorted({plug.room for plug in rows})
        place = only(named(rooms, room, str), "room with plugs", room, str, rooms)
        rows = [plug for plug in rows if plug.room == place]
    if device is not None:
        there = [plug.name for plug in rows]
        meant = _PLUG_WORDS.get(folded(device), device)
        rows = [only(named(rows, meant, lambda plug: plug.name), "appliance", device, lambda plug: plug.name, there)]
    return {"plugs": [phone.table(Plug).update(plug, on=action == "on") for plug in rows]}
