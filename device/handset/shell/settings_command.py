"""`settings`: three tables of text."""

from device.handset.shell.registry import Call, command
from device.handset.state.settings import NAMESPACES

_VERBS = ("get", "put", "delete", "list", "reset")


@command(
    "settings",
    source="frameworks/base/packages/SettingsProvider/src/com/android/providers/settings/SettingsService.java",
    android="8-15",
)
def settings(call: Call) -> int:
    """get, put, delete, list."""
    args = _without_user(call.args)
    verb = args[0] if args else ""
    if verb not in _VERBS:
        call.err(f"Invalid command: {verb}" if verb else "No command specified")
        return 255
    if len(args) < 2 or args[1] not in NAMESPACES:
        call.err(f"Invalid namespace '{args[1] if len(args) > 1 else 'null'}'")
        return 255
    store, space = call.phone.settings, args[1]
    if verb == "list":
        for name, value in store.all(space).items():
            call.line(f"{name}={value}")
        return 0
    if len(args) < 3 or (verb == "put" and len(args) < 4):
        call.err("Bad arguments")
        return 255
    name = args[2]
    if verb == "get":
        found = store.get(space, name)
        call.line("null" if found is None else found)
    elif verb == "put":
        store.put(space, name, args[3])
    elif verb == "delete":
        call.line(f"Deleted {int(store.delete(space, name))} rows")
    return 0


def _without_user(args: list[str]) -> list[str]:
    if "--user" in args[:3]:
        place = args.index("--user")
        return args[:place] + args[place + 2 :]
    return args
