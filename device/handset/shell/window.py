"""`wm`: size, density, rotation of the display."""

from device.handset.handset import RESOLUTIONS
from device.handset.shell.registry import Call, command
from device.sandbox.rows.screen_settings import Panel

_SOURCE = "frameworks/base/services/core/java/com/android/server/wm/WindowManagerShellCommand.java"


@command("wm", source=_SOURCE, android="10-15")
def wm(call: Call) -> int:
    """size, density, user-rotation."""
    return window_command(call, call.args)


def window_command(call: Call, args: list[str]) -> int:
    """Also behind `cmd window`."""
    profile, ui = call.phone.profile, call.phone.ui
    verb = args[0] if args else ""
    if verb == "size":
        return _size(call, args[1:])
    if verb in ("dismiss-keyguard",):
        ui.wake()
    elif verb == "density":
        call.line(f"Physical density: {profile.density}")
    elif verb in ("user-rotation", "set-user-rotation"):
        return _rotation(call, args[1:])
    elif verb == "is-keyguard-locked":
        call.line("false")
    else:
        call.err(f"Unknown command: {verb}")
        return 255
    return 0


def _size(call: Call, args: list[str]) -> int:
    """`size [WIDTHxHEIGHT|reset]`."""
    profile = call.phone.profile
    if not args:
        call.line(f"Physical size: {profile.width}x{profile.height}")
        if call.phone.resolution != (profile.width, profile.height):
            call.line("Override size: {}x{}".format(*call.phone.resolution))
        return 0
    sizes = {f"{w}x{h}": name for name, (w, h) in RESOLUTIONS.items()}
    sizes |= {"reset": "full_hd", f"{profile.width}x{profile.height}": "full_hd"}
    if args[0] not in sizes:
        call.err(f"Error: bad size {args[0]}")
        return 255
    call.phone.sandbox.change(Panel, resolution=sizes[args[0]])
    return 0


def _rotation(call: Call, args: list[str]) -> int:
    """`user-rotation [free|lock] [ROTATION]`."""
    ui, store = call.phone.ui, call.phone.settings
    if not args:
        call.line("free" if store.get("system", "accelerometer_rotation") == "1" else f"lock {ui.rotation}")
        return 0
    if args[0] == "free":
        store.put("system", "accelerometer_rotation", "1")
        ui.rotate(0)
    elif args[0] == "lock":
        store.put("system", "accelerometer_rotation", "0")
        rotation = int(args[1]) if len(args) > 1 else ui.rotation
        store.put("system", "user_rotation", str(rotation))
        ui.rotate(rotation)
    else:
        call.err("Error: argument needs to be either -d, free or lock.")
        return 255
    return 0
