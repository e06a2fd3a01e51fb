"""Apps: which are installed and in front, what each may do, what they notify about.

After `dumpsys package`, `dumpsys activity activities` (`topResumedActivity` since Android 10), `cmd role`, `cmd appops`
and `dumpsys notification --noredact`.
"""

import re

from device.android.state.app_names import label
from device.android.state.reading import Reading, Rows
from device.android.state.tables import SINGLE, on, table

PERMISSIONS = {
    "camera": ("android.permission.CAMERA",),
    "microphone": ("android.permission.RECORD_AUDIO",),
    "location": ("android.permission.ACCESS_FINE_LOCATION", "android.permission.ACCESS_COARSE_LOCATION"),
    "contacts": ("android.permission.READ_CONTACTS", "android.permission.WRITE_CONTACTS"),
    "storage": (
        "android.permission.READ_EXTERNAL_STORAGE", "android.permission.READ_MEDIA_IMAGES",
        "android.permission.READ_MEDIA_VIDEO", "android.permission.READ_MEDIA_AUDIO",
    ),
    "notifications": ("android.permission.POST_NOTIFICATIONS",),
}  # fmt: skip
"""The runtime permissions behind each word."""
ROLES = {
    "browser": "android.app.role.BROWSER",
    "messages": "android.app.role.SMS",
}
"""Roles of `RoleManager` that a shell may fill."""
_TOP = re.compile(r"(?:topResumedActivity|mResumedActivity)[=:]\s*ActivityRecord\{\S+ u\d+ ([\w.$]+)/([\w.$]+)")
_GRANTED = re.compile(r"^\s+([\w.]+): granted=(true|false)", re.M)
_RECORD = re.compile(r"NotificationRecord\(\S+ pkg=(\S+)")
_KEY = re.compile(r"key=(\S+)")
_TITLE = re.compile(r"android\.title=\S+ \((.*)\)\s*$", re.M)
_TEXT = re.compile(r"android\.text=\S+ \((.*)\)\s*$", re.M)
_RESTRICTED = "RUN_ANY_IN_BACKGROUND"


def packages(reading: Reading) -> list[str]:
    """Names of all installed packages."""
    lines = reading.text("pm", "list", "packages", "--user", "0").splitlines()
    return [line.removeprefix("package:") for line in lines if line.startswith("package:")]


@table("apps")
def apps(reading: Reading) -> Rows:
    """A row for each app with a launcher icon, by name."""
    text = reading.text(
        "cmd", "package", "query-activities", "--brief",
        "-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER",
    )  # fmt: skip
    found = {match[1] for match in re.finditer(r"^\s*([\w.]+)/[\w.$]+\s*$", text, re.M)}
    return {label(package): {"name": label(package), "installed": True} for package in sorted(found)}


def top(reading: Reading) -> str:
    """`package/activity` in front; empty on a locked or dark phone."""
    match = _TOP.search(reading.text("dumpsys", "activity", "activities"))
    return f"{match[1]}/{match[2]}" if match else ""


@table("screen")
def screen(reading: Reading) -> Rows:
    """One row: what is in front."""
    return {SINGLE: {"view": top(reading)}}


def granted(reading: Reading, package: str) -> dict[str, bool]:
    """Runtime permissions of an app."""
    return {name: value == "true" for name, value in _GRANTED.findall(reading.text("dumpsys", "package", package))}


def permission_row(reading: Reading, package: str) -> Rows:
    """One row of `apps`: the granted permissions, in words."""
    have = granted(reading, package)
    words = [word for word, names in PERMISSIONS.items() if any(have.get(name) for name in names)]
    return {label(package): {"name": label(package), "permissions": words}}


def background_row(reading: Reading, package: str) -> Rows:
    """One row of `app_background`, where the app is restricted."""
    text = reading.text("cmd", "appops", "get", package, _RESTRICTED)
    restricted = f"{_RESTRICTED}: ignore" in text or f"{_RESTRICTED}: deny" in text
    return {label(package): {"app": label(package), "restricted": True}} if restricted else {}


def notifying_row(reading: Reading, package: str) -> Rows:
    """One row of `apps`: whether it may notify."""
    text = reading.text("cmd", "appops", "get", package, "POST_NOTIFICATION")
    blocked = "POST_NOTIFICATION: ignore" in text or "POST_NOTIFICATION: deny" in text
    return {label(package): {"name": label(package), "notifications": not blocked}}


@table("default_apps")
def default_apps(reading: Reading) -> Rows:
    """A row for each role that has a holder."""
    found: Rows = {}
    for role, name in ROLES.items():
        holder = reading.text("cmd", "role", "get-role-holders", "--user", "0", name).strip()
        if holder:
            found[role] = {"role": role, "app": label(holder.splitlines()[0])}
    return found


@table("notifications")
def notifications(reading: Reading) -> Rows:
    """What is in the shade, by Android's key."""
    text = reading.text("dumpsys", "notification", "--noredact")
    heads = list(_RECORD.finditer(text))
    found: Rows = {}
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        piece = text[head.start() : after.start() if after else len(text)]
        said = [match[1] for pattern in (_TITLE, _TEXT) if (match := pattern.search(piece))]
        key = _KEY.search(piece)
        found[key[1] if key else str(len(found))] = {"app": label(head[1]), "text": ": ".join(said)}
    return found


@table("notification_previews")
def notification_previews(reading: Reading) -> Rows:
    """One row for all apps: whether the lock screen shows what they say."""
    secure = reading.settings("secure")
    shown = on(secure.get("lock_screen_show_notifications"), "1")
    private = on(secure.get("lock_screen_allow_private_notifications"), "1")
    return {"*": {"app": "*", "shown": shown and private}}
