"""Which phones there are, in which state, and which of them is meant.

A phone that is attached and does not answer is no absent phone: unauthorized, offline, still booting and without
permissions are told apart, each with what a person does about it.
"""

import os
import re
from dataclasses import dataclass

from device.android.connection.server import Server
from runtime.contract import Deadline, UserError

LISTING_SECONDS = 25.0
"""For listing, which may have to start the server."""
ADVICE = {
    "device": "",
    "unauthorized": "unlock it and accept `Allow USB debugging`; where nothing is asked, revoke authorizations there",
    "authorizing": "unlock it and accept `Allow USB debugging`",
    "offline": "replug the cable, or `pocket devices connect HOST:PORT` for one on the network",
    "connecting": "wait a moment; it is being connected",
    "no permissions": "this user may not open the USB device; apt install android-sdk-platform-tools-common",
    "recovery": "it is in recovery; restart it into Android",
    "sideload": "it waits for a sideload; restart it into Android",
    "bootloader": "it is in the bootloader; restart it into Android",
}  # fmt: skip
"""What to do about each state."""
_STATES = (
    "device", "unauthorized", "authorizing", "offline", "connecting", "detached", "no permissions", "recovery",
    "rescue", "sideload", "bootloader", "host", "unknown",
)  # fmt: skip
"""As adb writes them."""
_LINE = re.compile(rf"(.+?)\s+({'|'.join(_STATES)})(?=\s|$)(.*)|(\S+)\s+(\S+)(.*)")
"""A serial may hold blanks: `adb-1A2B-c3d4 (2)._adb-tls-connect._tcp`, `(no serial number)`."""
_PAIR = re.compile(r"(\w+):(\S+)")


@dataclass(frozen=True, slots=True)
class Device:
    """One attached phone."""

    serial: str
    """How adb names it."""
    state: str
    """`device` is ready."""
    model: str = ""
    """As it calls itself."""

    @property
    def ready(self) -> bool:
        """Whether it can be used now."""
        return self.state == "device"

    @property
    def advice(self) -> str:
        """What a person does about it; nothing when it is ready."""
        return ADVICE.get(self.state, f"its state is `{self.state}`; replug it")


def list_devices(server: Server, deadline: Deadline | None = None) -> list[Device]:
    """Every phone that the server knows, by serial."""
    return parse_devices(server.ask("host:devices-l", deadline or Deadline(LISTING_SECONDS)))


def parse_devices(text: str) -> list[Device]:
    """The lines of `adb devices -l`."""
    found = []
    for line in text.splitlines():
        if match := _LINE.fullmatch(line.strip()):
            serial, state, rest = match.group(1, 2, 3) if match[1] else match.group(4, 5, 6)
            found.append(Device(serial, state, dict(_PAIR.findall(rest)).get("model", "").replace("_", " ")))
    return sorted(found, key=lambda device: device.serial)


def choose(devices: list[Device], serial: str = "") -> Device:
    """The phone that is meant: by serial, by `ANDROID_SERIAL`, or the only one; else a `UserError` that says why."""
    wanted = named(serial)
    if wanted:
        found = next((device for device in devices if device.serial == wanted), None)
        if found is None:
            there = ", ".join(f"`{device.serial}`" for device in devices) or "none"
            raise UserError(f"no phone `{wanted}` is attached; attached: {there}. See `pocket devices`.")
        return _ready(found)
    if not devices:
        raise UserError(
            "no phone is attached. Switch USB debugging on and plug it in, or `pocket devices connect HOST:PORT`."
        )
    ready = [device for device in devices if device.ready]
    if len(ready) > 1:
        names = ", ".join(f"`{device.serial}`" for device in ready)
        raise UserError(f"{len(ready)} phones are attached: {names}. Say which: `--serial {ready[0].serial}`.")
    if not ready and len(devices) > 1:
        states = ", ".join(f"`{device.serial}` is {device.state}" for device in devices)
        raise UserError(f"{len(devices)} phones are attached and none is ready: {states}. See `pocket devices`.")
    return ready[0] if ready else _ready(devices[0])


def named(serial: str) -> str:
    """The serial that is said, or that of `ANDROID_SERIAL`; empty for none."""
    return serial or os.environ.get("ANDROID_SERIAL", "")


def _ready(device: Device) -> Device:
    if device.ready:
        return device
    raise UserError(f"the phone `{device.serial}` is {device.state}: {device.advice}.")
