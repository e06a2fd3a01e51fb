"""Opening an app by its name, as its icon does."""

from device.android.errors import conflict, not_found, unsupported
from device.android.shell import Shell
from device.android.state.app_names import candidates, label
from device.android.state.apps import packages
from device.android.state.reading import Reading
from runtime.contract import Deadline

ICON = ("-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER")


def icon_of(shell: Shell, said: str, deadline: Deadline) -> tuple[str, str]:
    """Package and activity of the app that is meant; raises `BridgeFailure` for none, for several, for one without."""
    reading = Reading(shell, deadline)
    found = candidates(said, packages(reading))
    if not found:
        raise not_found(f"no app `{said[:60]}` is installed; use the name under its icon")
    if len(found) > 1:
        names = ", ".join(label(package) for package in found)
        raise conflict(f"`{said[:60]}` could be several apps: {names}; name one")
    lines = reading.text("cmd", "package", "resolve-activity", "--brief", *ICON, found[0]).splitlines()
    if not lines or "/" not in lines[-1]:
        raise unsupported(f"`{label(found[0])}` has no icon to start it by")
    return found[0], lines[-1].strip()
