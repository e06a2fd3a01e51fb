"""What keeps a phone going: backups, its users, the health of its battery, its name.

A backup takes ten minutes of the phone's clock. It is accepted on a low battery too, but then waits for power: only a
query says so.
"""

import re
from typing import Literal

from device.sandbox.api import (
    Domain,
    Effect,
    Json,
    Percent,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    same,
    tool,
)
from device.sandbox.rows.network import Radios
from device.sandbox.rows.system_care import Backup, BatteryHealth, UserProfile
from device.sandbox.rows.system_settings import Battery, Device
from device.sandbox.tools.by_name import named, only
from device.sandbox.tools.moments import later, reached

BACKUP_SECONDS = 600
"""Length of a backup."""
LEAST_CHARGE = 20
"""Percent below which a backup waits for the charger."""
MOST_PROFILES = 5
"""Profiles that the phone holds."""
LEAST_LIMIT = 50
"""Lowest percent at which charging can be made to stop."""
LONGEST_NAME = 32
"""Characters of a device name that others can still show."""
_OWNED = re.compile(r"['’]s\b")


@tool(
    Domain.SYSTEM,
    permission="backup",
    phrases=(
        "back up my phone now",
        "is the backup finished",
        "turn on automatic backups every week",
        "stop backing up by itself",
        "cancel the running backup",
    ),
)
def manage_backup(
    phone: Sandbox,
    action: Literal["start", "cancel", "query", "enable_auto", "disable_auto"],
    frequency: Literal["daily", "weekly", "monthly"] | None = None,
) -> Json:
    """Back up the phone, now or automatically."""
    status = _backup_status(phone)
    if action == "start":
        return _start_backup(phone, status)
    if action == "cancel":
        if status not in ("running", "waiting for power"):
            raise conflict(f"no backup is running: the last one is {status}; nothing to cancel", status=status)
        phone.change(Backup, state="idle", ready_at="")
    elif action == "enable_auto":
        phone.change(Backup, automatic=True, frequency=frequency or phone.one(Backup).frequency)
    elif action == "disable_auto":
        phone.change(Backup, automatic=False)
    row = phone.one(Backup)
    seen: Json = {"status": _backup_status(phone), "automatic": row.automatic, "frequency": row.frequency}
    return seen | ({"readyAt": row.ready_at} if row.ready_at else {})


def _backup_status(phone: Sandbox) -> str:
    row = phone.one(Backup)
    if row.state == "running":
        return "finished" if reached(phone, row.ready_at) else "running"
    return "waiting for power" if row.state == "waiting" else "none yet"


def _start_backup(phone: Sandbox, status: str) -> Json:
    """Request a backup over Wi-Fi; on a low battery it only waits, which the answer does not say."""
    radios, battery = phone.one(Radios), phone.one(Battery)
    if status == "running":
        raise conflict(f"a backup is running until {phone.one(Backup).ready_at}; ask again with query", status=status)
    if not (radios.wifi and radios.wifi_network):
        raise conflict("a backup goes over Wi-Fi alone; connect with `manage_wifi` first", reason="no wifi")
    if battery.level < LEAST_CHARGE and not battery.charging:
        phone.change(Backup, state="waiting", ready_at="")
    else:
        phone.change(Backup, state="running", ready_at=later(phone, BACKUP_SECONDS))
    return {"message": "backup requested"}


@tool(
    Domain.SYSTEM,
    permission="user_accounts",
    effects={"delete": Effect.DELETE},
    phrases=(
        "add a user for my daughter on this phone",
        "switch to the guest profile",
        "delete the user profile Sam",
        "which users does this phone have",
        "go back to my own account on the phone",
    ),
)
def manage_user_profile(
    phone: Sandbox, action: Literal["create", "switch", "delete", "query"], profileName: Text | None = None
) -> Json:
    """User profiles of this phone."""
    table = phone.table(UserProfile)
    if action != "query":
        if profileName is None:
            raise bad_argument(f"`manage_user_profile` {action} needs `profileName`", argument="profileName")
        if action == "create":
            _create_profile(phone, profileName)
        else:
            (_switch_profile if action == "switch" else _delete_profile)(phone, _profile(phone, profileName))
    active = next((row.name for row in table.all() if row.active), "")
    return {"profiles": [row.name for row in table.all()], "active": active}


def _profile(phone: Sandbox, said: str) -> UserProfile:
    """The profile that was said ("Sam's profile"); 404 with the names of all."""
    rows = phone.table(UserProfile).all()
    found = named(rows, _OWNED.sub("", said), lambda row: row.name, "user", "profile", "account")
    return only(found, "user profile", said, lambda row: row.name, [row.name for row in rows])


def _create_profile(phone: Sandbox, name: str) -> None:
    rows = phone.table(UserProfile).all()
    if any(same(row.name, name) for row in rows):
        raise conflict(f"there is a profile `{name}` already; switch to it or choose another name", profile=name)
    if len(rows) >= MOST_PROFILES:
        raise conflict(
            f"the phone has {MOST_PROFILES} profiles, which is the most; delete one first", limit=MOST_PROFILES
        )
    phone.table(UserProfile).insert(UserProfile(name))


def _switch_profile(phone: Sandbox, target: UserProfile) -> None:
    for row in phone.table(UserProfile).all():
        if row.active != (row.name == target.name):
            phone.table(UserProfile).update(row, active=row.name == target.name)


def _delete_profile(phone: Sandbox, target: UserProfile) -> None:
    if target.kind == "owner":
        raise conflict(f"`{target.name}` owns the phone and can't be deleted", profile=target.name)
    if target.active:
        raise conflict(f"`{target.name}` is in use; switch to another profile first", profile=target.name)
    phone.table(UserProfile).delete(target)


@tool(
    Domain.SYSTEM,
    phrases=(
        "how worn is my battery",
        "stop charging at 80 percent",
        "what is the battery's maximum capacity",
        "let it charge to the full again",
        "protect the battery with a charging limit",
        "how many charge cycles has the battery had",
    ),
)
def manage_battery_health(
    phone: Sandbox, action: Literal["query", "set_limit", "remove_limit"], limit: Percent | None = None
) -> Json:
    """Battery wear and charging limit."""
    if action == "set_limit":
        if limit is None:
            raise bad_argument("`manage_battery_health` set_limit needs `limit`", argument="limit")
        if isinstance(limit, str) or not LEAST_LIMIT <= limit < 100:
            message = f"`limit` is {limit}; charging can stop at {LEAST_LIMIT} to 99 percent"
            raise bad_argument(message, argument="limit", value=limit)
        phone.change(BatteryHealth, charge_limit=limit)
    elif action == "remove_limit":
        phone.change(BatteryHealth, charge_limit=100)
    health = phone.one(BatteryHealth)
    return {"capacityPercent": health.capacity, "cycles": health.cycles, "chargeLimit": health.charge_limit}


@tool(
    Domain.SYSTEM,
    phrases=(
        "rename this phone to Night Train",
        "call my phone Blue Jay",
        "change the device name",
        "other devices should see my phone as Kim's Phone",
    ),
)
def set_device_name(phone: Sandbox, name: Text) -> Json:
    """Rename this phone."""
    if len(name) > LONGEST_NAME or not folded(name):
        message = f"`name` has {len(name)} characters; use 1 to {LONGEST_NAME} with a letter or digit"
        raise bad_argument(message, argument="name", value=name[:200])
    before = phone.one(Device).name
    phone.change(Device, name=name)
    return {"name": name, "before": before}
