"""Getting around: gestures or buttons, the screen for one hand, what the side key does."""

from typing import Literal

from device.sandbox.api import Domain, Json, OnOff, Sandbox, bad_argument, conflict, tool
from device.sandbox.rows.devices import Casting
from device.sandbox.rows.network import Radios
from device.sandbox.rows.system_settings import Talkback
from device.sandbox.rows.typing_input import Navigation, SideKey

_LONG_ONLY = ("assistant", "power_menu")


@tool(
    Domain.INPUT,
    phrases=(
        "use swipes instead of the navigation buttons",
        "gesture navigation please",
        "bring the three buttons at the bottom back",
        "I don't want the navigation bar",
        "change how I navigate to buttons",
    ),
)
def set_navigation_mode(phone: Sandbox, mode: Literal["gestures", "buttons"]) -> Json:
    """Navigate by gestures or by buttons."""
    if mode == "gestures" and phone.one(Talkback).enabled:
        raise conflict("the screen reader takes over swipes; turn it off with `manage_talkback` first")
    return {"navigation": phone.change(Navigation, mode=mode).mode}


@tool(
    Domain.INPUT,
    phrases=(
        "I have only one hand free, shrink the screen",
        "one-handed mode on the left",
        "make the screen full size again, I have both hands",
        "is one-handed mode on",
        "my thumb can't reach the top",
    ),
)
def manage_one_handed_mode(phone: Sandbox, action: OnOff, side: Literal["left", "right"] | None = None) -> Json:
    """Shrink the screen for one hand."""
    if side is not None and action == "disable":
        raise bad_argument("`side` says where it shrinks to; leave it out to disable", argument="side")
    if action == "enable" and phone.one(Casting).status == "casting":
        raise conflict("the screen is being cast; use `control_screen_casting` with action stop first")
    if action != "query":
        now = phone.one(Navigation)
        phone.change(Navigation, one_handed=action == "enable", side=side or now.side)
    now = phone.one(Navigation)
    return {"one_handed": now.one_handed, "side": now.side}


@tool(
    Domain.INPUT,
    phrases=(
        "open the camera when I press the side key twice",
        "holding the side button should start the assistant",
        "double press for the flashlight",
        "make the power menu come up on a long press",
        "pay by double clicking the side key",
    ),
)
def set_side_key(
    phone: Sandbox,
    press: Literal["double", "long"],
    function: Literal["camera", "flashlight", "wallet", "assistant", "power_menu"],
) -> Json:
    """What pressing the side key does."""
    if press == "double" and function in _LONG_ONLY:
        raise bad_argument(f"`{function}` works with a long press alone; say camera, flashlight or wallet for double")
    if press == "long" and function not in _LONG_ONLY:
        raise bad_argument(f"`{function}` works with a double press alone; say assistant or power_menu for long")
    if function == "wallet" and not phone.one(Radios).nfc:
        raise conflict("the wallet pays by NFC, which is off; use `manage_nfc` with enable first", radio="nfc")
    return {"side_key": phone.table(SideKey).update(press, function=function)}
