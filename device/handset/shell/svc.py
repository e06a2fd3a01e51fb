"""`svc`: radios and power.

After `frameworks/base/cmds/svc/src/com/android/commands/svc` (Android 10 to 15).
"""

from device.handset.screens.tiles import set_wifi
from device.handset.shell.registry import Call, command
from device.sandbox.rows.network import Radios
from device.sandbox.rows.system_setup import DeveloperOptions


@command("svc", source="frameworks/base/cmds/svc/src/com/android/commands/svc/Svc.java", android="10-15")
def svc(call: Call) -> int:
    """wifi, data, bluetooth, nfc, power."""
    area, verb = call.arg(0), call.arg(1)
    if area in _RADIOS and verb in ("enable", "disable"):
        return _radio(call, area, verb == "enable")
    if area == "power":
        return _power(call, verb)
    call.err(
        "Available commands:\n"
        "    help     Show information about the subcommands\n"
        "    power    Control the power manager\n"
        "    data     Control mobile data connectivity\n"
        "    bluetooth Control Bluetooth service\n"
        "    nfc      Control NFC functions"
    )
    return 1


_RADIOS = {"wifi": "wifi", "data": "mobile_data", "bluetooth": "bluetooth", "nfc": "nfc"}


def _radio(call: Call, area: str, on: bool) -> int:
    """Airplane mode keeps mobile data off; Wi-Fi, Bluetooth and NFC may be turned on within it."""
    phone = call.phone.sandbox
    if area == "wifi":
        set_wifi(phone, on)
    elif not (area == "data" and on and phone.one(Radios).airplane_mode):
        phone.change(Radios, **{_RADIOS[area]: on})
    if area == "bluetooth":
        call.line(f"{'enable' if on else 'disable'}: Success")
    return 0


def _power(call: Call, verb: str) -> int:
    if verb == "stayon":
        call.phone.sandbox.change(DeveloperOptions, stay_awake=call.arg(2) != "false")
        return 0
    if verb == "reboot":
        call.phone.restart()
        return 0
    if verb == "shutdown":
        call.phone.shut_down()
        return 0
    call.err(f"Unknown power command: {verb}")
    return 1


@command("reboot", source="system/core/toolbox/../reboot/reboot.c", android="9-15")
def reboot(call: Call) -> int:
    """Start anew; the line breaks."""
    call.phone.restart()
    return 0
