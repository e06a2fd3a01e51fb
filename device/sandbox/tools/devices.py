"""Between the phone and the user's other devices: casting, files, keyboard and mouse, sync, lost and found."""

from typing import Literal

from device.sandbox.api import Domain, Effect, OnOff, Sandbox, Text, bad_argument, conflict, not_found, plant, tool
from device.sandbox.rows.cross_device import MultiScreen
from device.sandbox.rows.devices import Casting, Companion, InputSharing, Transfer
from device.sandbox.rows.network import Radios
from device.sandbox.rows.storage import File
from device.sandbox.tools.by_name import bare, named, only
from runtime.contract import Json

PHONE = "Phone"
"""The phone itself, which can ring to be found."""
_COMPANIONS = (
    ("Living Room TV", "tv", True, "living room"),
    ("Meeting Room Screen", "large_screen", True, "office building, floor 2"),
    ("MacBook Pro", "laptop", True, "office"),
    ("Galaxy Tab", "tablet", True, "bedroom"),
    ("Pixel Watch", "watch", True, "on the wrist"),
    ("AirBuds", "earbuds", False, "Daily Grind, Union Street"),
    ("Old Phone", "spare_phone", False, "kitchen"),
    (PHONE, "phone", True, "in this room"),
)
_KIND_WORDS = {
    "television": "tv", "computer": "laptop", "notebook": "laptop", "macbook": "laptop", "mac": "laptop",
    "pc": "laptop", "ipad": "tablet", "tab": "tablet", "smartwatch": "watch", "headphones": "earbuds",
    "earphones": "earbuds", "buds": "earbuds", "airpods": "earbuds", "headset": "earbuds", "projector": "large_screen",
}  # fmt: skip
_FILLERS = ("device", "lost", "other", "smart", "wireless", "bluetooth", "pro")


@plant
def companions(phone: Sandbox) -> None:
    """Seven devices and the phone itself; earbuds and the old phone don't answer."""
    for columns in _COMPANIONS:
        phone.table(Companion).insert(Companion(*columns))


def companion(phone: Sandbox, said: str, rows: list[Companion] | None = None) -> Companion:
    """The device that was said by name or kind ("my laptop"); 404 with the names of all."""
    rows = [row for row in phone.table(Companion).all() if row.name != PHONE] if rows is None else rows
    found = named(rows, said, lambda row: row.name, *_FILLERS)
    if not found:
        words = bare(said, *_FILLERS).split()
        found = [row for row in rows if all(_KIND_WORDS.get(word, word) == row.kind for word in words)]
    return only(found, "device", said, lambda row: row.name, [row.name for row in rows])


@tool(
    Domain.DEVICES,
    phrases=(
        "put my screen on the TV",
        "mirror this to the laptop",
        "stop casting",
        "am I casting right now",
        "show my phone on the big screen in the meeting room",
    ),
)
def control_screen_casting(
    phone: Sandbox,
    action: Literal["start", "stop", "query"],
    castDirection: Literal["cast_out", "cast_in"] | None = None,
    connectionMethod: Literal["wireless", "trusted_ring", "AirView", "smart_space"] | None = None,
    targetDeviceType: Literal["tv", "large_screen", "laptop"] | None = None,
    targetDeviceName: Text | None = None,
) -> Json:
    """Cast the screen."""
    now = phone.one(Casting)
    if action == "query":
        return {"casting": now}
    if action == "stop":
        if now.status == "idle":
            raise conflict("nothing is being cast; there is nothing to stop", status="idle")
        phone.change(Casting, status="idle", direction="", method="", target="")
        return {"status": "idle", "previous_device": now.target, "previous_direction": now.direction}
    if now.status == "casting":
        raise conflict(f"casting to {now.target} is active; stop the current casting first", target=now.target)
    if phone.one(MultiScreen).active:
        raise conflict("a second screen is joined; use `manage_multi_screen` stop first", multiScreen="active")
    if not phone.one(Radios).wifi:
        raise conflict("casting needs Wi-Fi, which is off; turn it on with `manage_wifi` first", radio="wifi")
    target = _target(phone, targetDeviceType, targetDeviceName)
    direction, method = castDirection or "cast_out", connectionMethod or "wireless"
    return {"casting": phone.change(Casting, status="casting", direction=direction, method=method, target=target.name)}


def _target(phone: Sandbox, kind: str | None, name: str | None) -> Companion:
    """The screen to cast to, by name, by kind, or the TV; 404 with the names of all screens."""
    screens = [row for row in phone.table(Companion).all() if row.kind in ("tv", "large_screen", "laptop")]
    if kind is not None:
        screens = [row for row in screens if row.kind == kind]
    if name is not None:
        return companion(phone, name, screens)
    return only([row for row in screens if row.kind == (kind or "tv")], "screen", kind or "tv", lambda row: row.name)


@tool(
    Domain.DEVICES,
    effects=Effect.SEND,
    permission="storage",
    phrases=(
        "send the budget to my laptop",
        "beam the beach photo to the tablet over bluetooth",
        "get Resume.pdf onto the MacBook",
        "share the lecture recording with my tablet via wifi",
    ),
)
def send_file(
    phone: Sandbox,
    fileName: Text,
    targetDevice: Text | None = None,
    method: Literal["bluetooth", "wifi"] | None = None,
) -> Json:
    """Send a file to a device."""
    file = file_named(phone, fileName)
    if targetDevice is None:
        raise bad_argument("`targetDevice` is missing; say which device gets the file", argument="targetDevice")
    target, way = companion(phone, targetDevice), method or "bluetooth"
    if not getattr(phone.one(Radios), way):
        radio, switch = ("Bluetooth", "manage_bluetooth") if way == "bluetooth" else ("Wi-Fi", "manage_wifi")
        raise conflict(f"{radio} is off; turn it on with `{switch}` first", radio=way)
    need_answer(target)
    transfer = Transfer(phone.new_id("transfer"), file.name, target.name, way)
    return {"transfer": phone.table(Transfer).insert(transfer)}


def file_named(phone: Sandbox, said: str) -> File:
    """The file that was said by its name or words of it; 404 naming the search, 409 for several."""
    files = phone.table(File).all()
    spoken = said.replace("_", " ").replace(".", " ")
    found = [file for file in files if file.name == said] or named(files, spoken, _spoken_name, "file")
    if not found:
        raise not_found(f"no file is called {said}; look for it with `local_file_search`", fileName=said)
    return only(found, "file", said, lambda row: row.name)


def _spoken_name(file: File) -> str:
    return file.name.replace("_", " ").replace(".", " ")


def need_answer(target: Companion) -> None:
    """409 where the other device is off or away."""
    if not target.online:
        raise conflict(f"{target.name} does not answer; ask the user to turn it on", device=target.name)


@tool(
    Domain.DEVICES,
    phrases=(
        "use my laptop's mouse on the phone",
        "share the keyboard with my tablet",
        "stop sharing the mouse",
        "is keyboard sharing on",
    ),
)
def manage_keyboard_mouse_sharing(
    phone: Sandbox,
    action: OnOff,
    sourceDeviceType: Literal["laptop", "tablet"] | None = None,
    targetDeviceType: Literal["phone", "tablet"] | None = None,
) -> Json:
    """Share keyboard and mouse."""
    if action == "enable":
        source, target = sourceDeviceType or "laptop", targetDeviceType or "phone"
        if source == target:
            raise bad_argument(
                f"`sourceDeviceType` and `targetDeviceType` are both {source}", argument="targetDeviceType"
            )
        if not phone.one(Radios).bluetooth:
            raise conflict(
                "sharing needs Bluetooth, which is off; turn it on with `manage_bluetooth` first", radio="bluetooth"
            )
        phone.change(InputSharing, enabled=True, source=source, target=target)
    elif action == "disable":
        phone.change(InputSharing, enabled=False, source="", target="")
    return {"sharing": phone.one(InputSharing)}


@tool(
    Domain.DEVICES,
    phrases=(
        "sync my watch",
        "pair up with the tablet and sync everything",
        "bring my laptop up to date with the phone",
        "synchronise the smartwatch",
        "disconnect my phone from the car",
        "unlink this phone",
        "stop syncing with the tablet",
    ),
)
def sync_device(phone: Sandbox, device: Text | None = None) -> Json:
    """Connect and sync another device."""
    if device is None:
        names = [row.name for row in phone.table(Companion).all()]
        raise bad_argument(f"`device` is missing; say one of {', '.join(names)}", argument="device", valid=names)
    target = companion(phone, device)
    if not phone.one(Radios).bluetooth:
        raise conflict(
            "syncing needs Bluetooth, which is off; turn it on with `manage_bluetooth` first", radio="bluetooth"
        )
    need_answer(target)
    return {"device": phone.table(Companion).update(target, last_sync=f"{phone.now:%Y-%m-%dT%H:%M}")}


@tool(
    Domain.DEVICES,
    permission="location",
    phrases=(
        "where did I leave my earbuds",
        "ring my tablet",
        "I lost my other phone",
        "make my watch beep so I can find it",
        "locate the laptop",
    ),
)
def find_device(phone: Sandbox, device: Text | None = None) -> Json:
    """Ring or locate a lost phone."""
    found = companion(phone, device or PHONE, phone.table(Companion).all())
    if found.online:
        found = phone.table(Companion).update(found, ringing=True)
    return {"device": found.name, "ringing": found.ringing, "online": found.online, "place": found.place}
