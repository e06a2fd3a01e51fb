"""System properties."""

from device.handset.shell.registry import Call, command
from device.sandbox.rows.system_settings import Region


def properties(call: Call) -> dict[str, str]:
    """All of them, with what changes."""
    phone = call.phone
    return {
        **phone.profile.properties(),
        "persist.sys.timezone": phone.sandbox.one(Region).timezone,
        **phone.properties,
    }


@command("getprop", source="system/core/toolbox/getprop.cpp", android="9-15")
def getprop(call: Call) -> int:
    """One property, or the list of all."""
    names = [arg for arg in call.args if arg not in ("-T", "-Z")]
    known = properties(call)
    if not names:
        for name in sorted(known):
            call.line(f"[{name}]: [{known[name]}]")
        return 0
    call.line(known.get(names[0], names[1] if len(names) > 1 else ""))
    return 0


@command("setprop", source="system/core/toolbox/setprop.cpp", android="9-15")
def setprop(call: Call) -> int:
    """A property of the shell's own; others are refused, as on a user build."""
    if len(call.args) != 2:
        call.err("usage: setprop NAME VALUE")
        return 1
    name, value = call.args
    if not name.startswith(("debug.", "log.", "persist.log.", "shell.")):
        call.err(f"Failed to set property '{name}' to '{value}'.\nSee dmesg for error reason.")
        return 1
    call.phone.properties[name] = value
    return 0
