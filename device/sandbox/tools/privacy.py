"""Sensors cut off from every app, files that no search finds, lost devices locked from afar, one-time codes.

The private folder stands on the screen lock. What a blocked sensor forbids is asked for in the tools that
use it (`need_sensor` in `rows/privacy.py`).
"""

import re
from typing import Literal

from device.sandbox.api import Domain, Effect, Json, OnOff, Sandbox, Text, bad_argument, conflict, tool
from device.sandbox.rows.listening import Recorders
from device.sandbox.rows.privacy import Authenticator, LostDevice, PrivateFile, Sensors
from device.sandbox.rows.security import Locks
from device.sandbox.rows.storage import File
from device.sandbox.tools.apps_files import called, find_file
from device.sandbox.tools.devices import companion
from device.sandbox.tools.files_manage import need_free_name
from device.sandbox.tools.finding import only as only_file
from device.sandbox.tools.lookup import need_online, only

CODE_SECONDS = 30
"""How long a one-time code is good."""


def _need_screen_lock(phone: Sandbox, what: str) -> None:
    if phone.one(Locks).screen_lock == "none":
        raise conflict(f"{what} needs a screen lock; use `manage_screen_lock` with action set first")


@tool(
    Domain.SECURITY,
    permission="security_settings",
    phrases=(
        "block the camera for every app",
        "cut off the microphone on the whole phone",
        "no app at all may film me",
        "let apps use the mic again",
        "is the camera blocked everywhere",
        "the camera block can end now",
    ),
)
def manage_sensor_access(phone: Sandbox, action: OnOff, sensor: Literal["camera", "microphone"] | None = None) -> Json:
    """Block camera or microphone for all apps."""
    if action != "query":
        if sensor is None:
            raise bad_argument("`sensor` is missing: camera or microphone", argument="sensor")
        if action == "disable" and sensor == "microphone" and phone.one(Recorders).voice_since:
            raise conflict("a voice recording is running; use `manage_sound_recorder` with action stop first")
        phone.change(Sensors, **{sensor: action == "enable"})
    now = phone.one(Sensors)
    return {"camera": now.camera, "microphone": now.microphone}


@tool(
    Domain.SECURITY,
    permission="security_settings",
    phrases=(
        "hide the lease contract in the private folder",
        "put this photo where nobody finds it",
        "what's in my secure folder",
        "take my resume out of the private folder",
        "move the passport scan into the safe",
        "which files have I hidden",
    ),
)
def manage_private_folder(
    phone: Sandbox, action: Literal["add", "remove", "query"], fileName: Text | None = None
) -> Json:
    """Hide files in the private folder."""
    table = phone.table(PrivateFile)
    if action == "query":
        shown = [{"name": row.name, "sizeMb": row.size_mb} for row in table.all()]
        return {"count": len(shown), "files": shown}
    if fileName is None:
        raise bad_argument(f"`manage_private_folder` {action} needs `fileName`", argument="fileName")
    if action == "add":
        _need_screen_lock(phone, "the private folder")
        file = find_file(phone, fileName)
        phone.table(File).delete(file)
        columns = (file.name, file.kind, file.size_mb, file.folder, file.modified)
        return {"hidden": table.insert(PrivateFile(phone.new_id("private"), *columns)).name}
    rows = called(table.all(), fileName)
    found = only_file(rows, "private file", f"`{fileName}`", lambda row: row.name, "see it with action query")
    need_free_name(phone, found.name, found.folder)
    table.delete(found)
    columns = (found.name, found.kind, found.size_mb, found.folder, found.modified)
    phone.table(File).insert(File(phone.new_id("file"), *columns))
    return {"file": found.name, "folder": found.folder}


@tool(
    Domain.SECURITY,
    permission="security_settings",
    phrases=(
        "my tablet was stolen, lock it from here",
        "put the laptop into lost mode",
        "I found my watch, it isn't lost any more",
        "is the tablet locked remotely",
        "lock the lost tablet and show my number on it",
    ),
)
def manage_lost_mode(phone: Sandbox, action: OnOff, device: Text | None = None, message: Text | None = None) -> Json:
    """Lock a lost device from afar."""
    table = phone.table(LostDevice)
    if action == "query":
        return {"lost_devices": table.all()}
    if device is None:
        raise bad_argument("`device` is missing: which of your devices", argument="device")
    found = companion(phone, device)
    there = table.get(found.name)
    if action == "disable":
        if there is None:
            raise conflict(f"`{found.name}` is not in lost mode", device=found.name)
        table.delete(there)
        return {"unlocked": found.name}
    if found.kind == "earbuds":
        raise conflict(f"`{found.name}` has no lock; look for it with `find_device`", device=found.name)
    need_online(phone, "reach another device")
    row = LostDevice(found.name, "locked" if found.online else "pending", message or "")
    if there is None:
        table.insert(row)
    else:
        table.update(there, state=row.state, message=row.message)
    return {"message": "lock requested", "device": found.name}


@tool(
    Domain.SECURITY,
    permission="passwords",
    effects={"delete": Effect.DELETE},
    phrases=(
        "what's my verification code for GitHub",
        "the two-factor code for Gmail please",
        "add PayPal to the authenticator",
        "which accounts have two-step codes",
        "remove GitHub from my one-time codes",
    ),
)
def manage_authenticator(
    phone: Sandbox,
    action: Literal["query", "add", "delete"],
    site: Text | None = None,
    setupKey: Text | None = None,
) -> Json:
    """One-time codes for two-factor sign-in."""
    table = phone.table(Authenticator)
    if site is None:
        if action != "query":
            raise bad_argument(f"`site` is missing: whose codes to {action}", argument="site")
        return {"sites": [row.site for row in table.all()]}
    if action == "add":
        return _add_codes(phone, site, setupKey)
    found = only(table.all(), site, lambda row: row.site, "account with one-time codes")
    if action == "query":
        return {"site": found.site, **_code(phone, found)}
    table.delete(found)
    return {"deleted": found.site}


def _add_codes(phone: Sandbox, site: str, key: str | None) -> Json:
    """Keep the key that a site gave for its codes."""
    if key is None:
        raise bad_argument(f"`setupKey` is missing: the key that {site} shows", argument="setupKey")
    bare = re.sub(r"[\s-]", "", key).upper()
    if not re.fullmatch(r"[A-Z2-7]{16,64}", bare):
        message = f"`{key[:60]}` is no setup key; it has 16 or more letters and digits from 2 to 7"
        raise bad_argument(message, argument="setupKey")
    table = phone.table(Authenticator)
    if table.find(site=site):
        raise conflict(f"there are codes for `{site}` already; delete them first", site=site)
    row = table.insert(Authenticator(phone.new_id("authenticator"), site, bare))
    return {"site": row.site, **_code(phone, row)}


def _code(phone: Sandbox, row: Authenticator) -> Json:
    """The code of this half minute, and how long it lasts."""
    seconds = phone.now.hour * 3_600 + phone.now.minute * 60 + phone.now.second
    step = f"{phone.now.date().isoformat()}/{seconds // CODE_SECONDS}"
    code = phone.chance("one-time code", row.setup_key, step).randrange(1_000_000)
    return {"code": f"{code:06d}", "secondsLeft": CODE_SECONDS - seconds % CODE_SECONDS}
