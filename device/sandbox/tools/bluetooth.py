"""Bluetooth: on and off, and the devices that are paired."""

from typing import Literal

from device.sandbox.api import Domain, Json, Sandbox, Text, bad_argument, conflict, same, tool
from device.sandbox.rows.network import Radios
from device.sandbox.rows.surroundings import BluetoothDevice
from device.sandbox.tools.lookup import need_ground, only


@tool(
    Domain.NETWORK,
    permission="network_settings",
    phrases=(
        "switch bluetooth on",
        "connect my headphones",
        "pair with the bedroom speaker",
        "disconnect from the car",
        "what is connected over bluetooth",
        "kill bluetooth to save power",
    ),
)
def manage_bluetooth(
    phone: Sandbox,
    action: Literal["enable", "disable", "query", "connect", "disconnect"],
    device: Text | None = None,
) -> Json:
    """Bluetooth."""
    table = phone.table(BluetoothDevice)
    if action == "connect":
        _pair(phone, device)
    elif action == "disconnect":
        table.update(_connected(phone, device), connected=False)
    elif action == "enable":
        need_ground(phone, "Bluetooth")
        phone.change(Radios, bluetooth=True)
    elif action == "disable":
        phone.change(Radios, bluetooth=False)
        drop_devices(phone)
    answer: Json = {"bluetooth": phone.one(Radios).bluetooth}
    answer["connected"] = [d.name for d in table.all() if d.connected]
    return answer | ({"devices": table.all()} if action == "query" else {})


def _named(device: BluetoothDevice) -> str:
    """A device is found by its name or by what it is."""
    return device.name if device.kind in device.name.lower() else f"{device.name} {device.kind}"


def _pair(phone: Sandbox, said: str | None) -> None:
    """Connect a device, pairing it where it is new."""
    table = phone.table(BluetoothDevice)
    if said is None:
        valid = [d.name for d in table.all()]
        raise bad_argument(f"`device` is missing: one of {', '.join(valid)}", argument="device", valid=valid)
    need_ground(phone, "Bluetooth")
    if not phone.one(Radios).bluetooth:
        raise conflict("Bluetooth is off; use `manage_bluetooth` with enable first")
    exact = [d for d in table.all() if same(d.name, said)]
    found = exact[0] if exact else _by_kind(table.all(), said)
    table.update(found, paired=True, connected=True)


def _by_kind(devices: list[BluetoothDevice], said: str) -> BluetoothDevice:
    words = said.lower().removeprefix("my ").removeprefix("the ")
    return only(devices, words, _named, "Bluetooth device")


def _connected(phone: Sandbox, said: str | None) -> BluetoothDevice:
    """The connected device that is meant; without a name, the only one. 409 when none is connected."""
    linked = [d for d in phone.table(BluetoothDevice).all() if d.connected]
    if not linked:
        raise conflict("no Bluetooth device is connected; nothing was changed")
    if said is not None:
        return _by_kind(linked, said)
    if len(linked) > 1:
        names = [d.name for d in linked]
        raise bad_argument(f"`device` is missing: {' or '.join(names)}", argument="device", valid=names)
    return linked[0]


def drop_devices(phone: Sandbox) -> None:
    """Without Bluetooth nothing is connected."""
    for device in phone.table(BluetoothDevice).all():
        if device.connected:
            phone.table(BluetoothDevice).update(device, connected=False)
