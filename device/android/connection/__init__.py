"""The way to a phone: the adb server by its own protocol, which phones there are, and which one is meant."""

from device.android.connection.devices import Device, choose, list_devices
from device.android.connection.server import Server
from device.android.connection.wire import Wire

__all__ = ["Device", "Server", "Wire", "choose", "list_devices"]
