"""Flashlight, screenshots, QR codes, buttons, air gestures and the always-on display."""

from typing import Literal

from device.sandbox.api import Domain, OnOff, Sandbox, bad_argument, conflict, tool
from device.sandbox.rows.controls import AirGestures, AlwaysOnDisplay, Flashlight, Scan, Screen
from device.sandbox.rows.privacy import need_sensor
from device.sandbox.rows.storage import File
from runtime.contract import Json

Gesture = Literal["scroll", "answer", "screenshot"]


@tool(
    Domain.INPUT,
    phrases=(
        "turn on the flashlight",
        "give me some light",
        "torch off",
        "is the flashlight still on",
        "I can't see a thing, light please",
    ),
)
def control_flashlight(phone: Sandbox, action: OnOff) -> Json:
    """Flashlight."""
    if action != "query":
        phone.change(Flashlight, on=action == "enable")
    return {"flashlight": phone.one(Flashlight)}


@tool(
    Domain.INPUT,
    permission="storage",
    phrases=(
        "take a screenshot",
        "capture what's on my screen",
        "grab the whole page as one long shot",
        "screenshot just this part",
        "snap the screen for me",
    ),
)
def take_screenshot(phone: Sandbox, mode: Literal["full", "long", "region"] | None = None) -> Json:
    """Screenshot."""
    if not phone.one(Screen).on:
        raise conflict("the screen is off; turn it on with `press_button` power first", screen="off")
    name, table = f"Screenshot_{phone.now:%Y%m%d_%H%M%S}", phone.table(File)
    taken = len(table.find(lambda file: file.name.startswith(name)))
    name = f"{name}_{taken + 1}.png" if taken else f"{name}.png"
    size = {"full": 1.2, "long": 3.4, "region": 0.5}[mode or "full"]
    day = phone.now.date().isoformat()
    return {
        "file": table.insert(File(phone.new_id("file"), name, "image", size, "Pictures", day)),
        "mode": mode or "full",
    }


@tool(
    Domain.INPUT,
    permission="camera",
    phrases=(
        "scan this QR code",
        "pay by scanning the code",
        "read the barcode on the poster",
        "scan her code to add her as a friend",
        "open the menu from the QR code",
    ),
)
def scan_qr_code(phone: Sandbox, purpose: Literal["open", "pay", "add_friend"] | None = None) -> Json:
    """Scan a QR code."""
    need_sensor(phone, "camera", "scan a code")
    meant = purpose or "open"
    chance = phone.chance("qr code", meant, f"{phone.now:%Y-%m-%dT%H:%M}")
    content = {
        "open": f"https://example.com/menu/{chance.randint(100, 999)}",
        "pay": f"shop {chance.choice(('Daily Grind', 'Corner Market', 'Golden Wok'))}",
        "add_friend": f"{chance.choice(('nora', 'jonas', 'mei', 'omar'))}_{chance.randint(10, 99)}",
    }[meant]
    return {"scan": phone.table(Scan).insert(Scan(phone.new_id("scan"), meant, content))}


@tool(
    Domain.INPUT,
    phrases=(
        "go back to the home screen",
        "press back",
        "show me the recent apps",
        "push the power button",
        "back one step",
    ),
)
def press_button(phone: Sandbox, button: Literal["home", "back", "recents", "power"]) -> Json:
    """Press a system button."""
    screen = phone.one(Screen)
    if button == "power":
        return {"screen": phone.change(Screen, on=not screen.on)}
    if not screen.on:
        raise conflict("the screen is off; press `power` first", screen="off")
    if button == "back" and screen.view == "home":
        raise conflict("the home screen is shown; there is nothing to go back to", view="home")
    return {"screen": phone.change(Screen, view="recents" if button == "recents" else "home")}


@tool(
    Domain.INPUT,
    phrases=(
        "let me scroll by waving",
        "turn off air gestures",
        "answer calls with a wave of my hand",
        "is the grab gesture for screenshots on",
        "enable touchless control",
    ),
)
def manage_air_gesture(phone: Sandbox, action: OnOff, gesture: Gesture | None = None) -> Json:
    """Air gestures."""
    if action != "query":
        chosen = (gesture,) if gesture else ("scroll", "answer", "screenshot")
        phone.change(AirGestures, **dict.fromkeys(chosen, action == "enable"))
    return {"gestures": phone.one(AirGestures)}


@tool(
    Domain.INPUT,
    phrases=(
        "keep the clock visible when the screen is locked",
        "always-on display off",
        "show the lock screen clock only when I tap",
        "is the ambient display on",
        "put the always-on screen on a schedule",
    ),
)
def manage_aod(phone: Sandbox, action: OnOff, mode: Literal["always", "tap", "scheduled"] | None = None) -> Json:
    """Always-on display."""
    if mode is not None and action == "disable":
        raise bad_argument("`mode` says how it is shown; leave it out to disable", argument="mode")
    if action != "query":
        now = phone.one(AlwaysOnDisplay)
        phone.change(AlwaysOnDisplay, enabled=action == "enable", mode=mode or now.mode)
    return {"always_on_display": phone.one(AlwaysOnDisplay)}
