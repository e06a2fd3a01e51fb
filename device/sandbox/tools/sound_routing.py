"""What is heard or felt, where, how loud at most, and who is heard in spite of do not disturb."""

from typing import Literal

from device.sandbox.api import (
    Contact,
    Domain,
    Json,
    OnOff,
    Percent,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    not_found,
    tool,
)
from device.sandbox.rows.apps import App
from device.sandbox.rows.audio_settings import DndException, SoundOutput, Vibration, VolumeLimit
from device.sandbox.rows.display_sound import SoundSettings, Volume
from device.sandbox.rows.surroundings import BluetoothDevice
from device.sandbox.tools.by_name import named, only
from device.sandbox.tools.levels import level_after
from device.sandbox.tools.lookup import only as only_app

_AUDIO_KINDS = ("headphones", "speaker", "car")
_OWN = "phone speaker"
_EVENTS = ("calls", "notifications", "touch")
_LEAST_LIMIT = 10


@tool(
    Domain.DISPLAY,
    permission="sound_settings",
    phrases=(
        "no vibration when I touch the screen",
        "buzz stronger for calls",
        "stop vibrating for notifications",
        "haptic feedback on",
        "does the phone vibrate for calls",
    ),
)
def manage_vibration(
    phone: Sandbox,
    action: OnOff,
    event: Literal["calls", "notifications", "touch"] | None = None,
    intensity: Literal["low", "medium", "high"] | None = None,
) -> Json:
    """Vibration by event, and its strength."""
    if action != "query":
        events = (event,) if event else _EVENTS
        if action == "disable" and "calls" in events and phone.one(SoundSettings).mode == "vibrate":
            raise conflict("the phone is on vibrate and calls would go unnoticed; use `set_sound_mode` ring first")
        strength = {} if intensity is None else {"intensity": intensity}
        phone.change(Vibration, **dict.fromkeys(events, action == "enable"), **strength)
    return {"vibration": phone.one(Vibration)}


@tool(
    Domain.DISPLAY,
    permission="sound_settings",
    phrases=(
        "never let the music get louder than seventy percent",
        "protect my ears with a volume limit",
        "take the volume cap off",
        "is there a limit on how loud it gets",
        "maximum loudness for the kids sixty percent",
    ),
)
def manage_volume_limit(phone: Sandbox, action: OnOff, level: Percent | None = None) -> Json:
    """Highest volume that media may have."""
    limit = phone.one(VolumeLimit)
    if action == "disable" and level is not None:
        raise bad_argument("`level` goes with action enable; leave it out to disable", argument="level")
    if action == "disable":
        limit = phone.change(VolumeLimit, enabled=False)
    elif action == "enable":
        percent = limit.percent if level is None else level_after("set", level, limit.percent)
        if percent < _LEAST_LIMIT:
            raise bad_argument(f"a limit of {percent} percent is too low; say {_LEAST_LIMIT} to 100", argument="level")
        limit = phone.change(VolumeLimit, enabled=True, percent=percent)
        media = phone.table(Volume).need("media")
        if media.percent > percent:
            phone.table(Volume).update(media, percent=percent)
    return {"enabled": limit.enabled, "limit": limit.percent, "media": phone.table(Volume).need("media").percent}


@tool(
    Domain.DISPLAY,
    permission="sound_settings",
    phrases=(
        "mom may reach me even in do not disturb",
        "let my boss through while dnd is on",
        "who can break through do not disturb",
        "WhatsApp shall not get through dnd any more",
        "allow calls from Tom during do not disturb",
    ),
)
def manage_dnd_exceptions(
    phone: Sandbox,
    action: Literal["add", "remove", "query"],
    contact: Contact | None = None,
    appName: Text | None = None,
) -> Json:
    """Who gets through do not disturb."""
    table = phone.table(DndException)
    if action != "query":
        if (contact is None) == (appName is None):
            raise bad_argument(f"name a `contact` or an `appName` to {action}, one of them", argument="contact")
        made = _exception(phone, contact, appName)
        known = table.get(made.who)
        if action == "remove":
            if known is None:
                raise not_found(f"{made.label} is no exception; there is {_labels(phone) or 'none'}")
            table.delete(known)
        elif known is None:
            table.insert(made)
        else:
            table.update(known, label=made.label)
    return {"allowed": [row.label for row in table.all()], "dnd": phone.one(SoundSettings).dnd}


def _labels(phone: Sandbox) -> str:
    return ", ".join(row.label for row in phone.table(DndException).all())


def _exception(phone: Sandbox, contact: str | None, app: str | None) -> DndException:
    """The contact or installed app that is meant."""
    if contact is not None:
        person = phone.contact(contact)
        return DndException(person.id, "contact", person.name)
    found = only_app(phone.table(App).find(installed=True), app or "", lambda a: a.name, "installed app")
    return DndException(found.name, "app", found.name)


@tool(
    Domain.DISPLAY,
    permission="sound_settings",
    phrases=(
        "play the sound through the kitchen speaker",
        "switch the audio output to my headphones",
        "sound from the phone itself please",
        "where does the sound come out",
        "route audio to the car",
    ),
)
def manage_sound_output(phone: Sandbox, action: Literal["set", "query"], device: Text | None = None) -> Json:
    """Device that plays the sound."""
    if action == "set":
        if device is None:
            raise bad_argument("`device` is missing: the phone speaker or a connected device", argument="device")
        phone.change(SoundOutput, chosen=_output(phone, device))
    linked = [d.name for d in _audio(phone) if d.connected]
    chosen = phone.one(SoundOutput).chosen
    current = chosen if chosen in (*linked, _OWN) else (linked or [_OWN])[0]
    return {"output": current, "available": [_OWN, *linked]}


def _audio(phone: Sandbox) -> list[BluetoothDevice]:
    return [d for d in phone.table(BluetoothDevice).all() if d.kind in _AUDIO_KINDS]


def _output(phone: Sandbox, said: str) -> str:
    """The output that is meant; 409 for a device that is not connected."""
    words = folded(said).removeprefix("my ")
    if words in ("phone", "phone speaker", "phone speakers", "this phone", "phone itself", "loudspeaker", "built in"):
        return _OWN
    devices = _audio(phone)
    found = only(named(devices, said, lambda d: f"{d.name} {d.kind}"), "sound device", said, lambda d: d.name,
                 [_OWN, *(d.name for d in devices)])  # fmt: skip
    if not found.connected:
        raise conflict(f"{found.name} is not connected; use `manage_bluetooth` with connect first", device=found.name)
    return found.name
