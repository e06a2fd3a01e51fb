"""The rhythm of a day: the sleep schedule, focus sessions, and the clocks of other cities.

1. Saving the hours of the sleep schedule does not switch it on: the answer says "saved", a query shows `enabled`.
2. A focus session silences the phone while it runs, and only undoes what it did itself.
"""

from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from device.sandbox.api import Domain, Duration, Json, Sandbox, Text, Time, bad_argument, conflict, not_found, tool
from device.sandbox.rows.display_sound import SoundSettings
from device.sandbox.rows.planning import Bedtime, FocusSession, WorldCity
from device.sandbox.rows.system_settings import Region
from device.sandbox.rows.time_management import Alarm
from device.sandbox.tools.finding import briefly, named, only
from device.sandbox.tools.time_clocks import spell
from device.sandbox.tools.time_zones import zone_of

NIGHT = (3, 14)
"""Hours that a night may have."""
FOCUS = (300, 10_800)
"""Seconds that a focus session may have: five minutes to three hours."""
POMODORO = 1_500
"""Seconds of a focus session whose length was not said."""
CITIES = 6
"""Cities that the world clock holds."""


@tool(
    Domain.TIME,
    permission="sleep_schedule",
    phrases=(
        "I want to sleep from eleven to seven every night",
        "move my bedtime to half past ten",
        "turn the sleep schedule on",
        "when is my bedtime",
        "stop the bedtime mode",
        "set the wake up time of my sleep schedule to six",
    ),
)
def manage_bedtime(
    phone: Sandbox,
    action: Literal["set", "enable", "disable", "query"],
    bedtime: Time | None = None,
    wakeTime: Time | None = None,
) -> Json:
    """Sleep schedule: bedtime and wake time."""
    given = {name: value for name, value in (("bedtime", bedtime), ("wake_time", wakeTime)) if value is not None}
    if action == "set" and not given:
        raise bad_argument("`manage_bedtime` set needs `bedtime` or `wakeTime`", argument="bedtime")
    if action in ("disable", "query") and given:
        raise bad_argument("`bedtime` and `wakeTime` go with action set", argument=next(iter(given)))
    if action == "query":
        return _night(phone, phone.one(Bedtime))
    row = phone.one(Bedtime)
    hours = _hours(given.get("bedtime", row.bedtime), given.get("wake_time", row.wake_time))
    if not NIGHT[0] <= hours <= NIGHT[1]:
        raise bad_argument(
            f"that night would have {hours:g} hours; `bedtime` and `wakeTime` must be {NIGHT[0]} to {NIGHT[1]} apart",
            argument="bedtime",
        )
    switch = {} if action == "set" else {"enabled": action == "enable"}
    row = phone.change(Bedtime, **given, **switch)
    if action == "set":
        return {"message": "saved", "bedtime": row.bedtime, "wakeTime": row.wake_time}
    return _night(phone, row)


def _hours(start: str, end: str) -> float:
    first, last = (int(time[:2]) + int(time[3:]) / 60 for time in (start, end))
    return (last - first) % 24


def _night(phone: Sandbox, row: Bedtime) -> Json:
    """The schedule, and the alarms that would ring within it."""
    length = _hours(row.bedtime, row.wake_time)
    alarms = [alarm.time for alarm in phone.table(Alarm).all() if 0 < _hours(row.bedtime, alarm.time) < length]
    shown = {"enabled": row.enabled, "bedtime": row.bedtime, "wakeTime": row.wake_time, "hours": round(length, 2)}
    return shown | briefly({"alarmsWithin": alarms})


@tool(
    Domain.TIME,
    permission="focus",
    phrases=(
        "start a pomodoro",
        "focus session for 45 minutes on the thesis",
        "how much of my focus time is left",
        "pause the focus session",
        "carry on with the pomodoro",
        "end focus time",
    ),
)
def manage_focus_session(
    phone: Sandbox,
    action: Literal["start", "pause", "resume", "stop", "query"],
    duration: Duration | None = None,
    label: Text | None = None,
) -> Json:
    """Focus sessions without interruptions, pomodoro."""
    current = next((row for row in phone.table(FocusSession).all() if row.state != "stopped"), None)
    if action == "start":
        return _focus(phone, _started(phone, current, duration or POMODORO, label or ""))
    if current is None:
        if action == "query":
            return {"state": "none"}
        raise not_found("no focus session is open; begin one with `manage_focus_session` start")
    if action == "query":
        return _focus(phone, current)
    return _focus(phone, _moved(phone, current, action))


def _started(phone: Sandbox, current: FocusSession | None, seconds: int, label: str) -> FocusSession:
    if not FOCUS[0] <= seconds <= FOCUS[1]:
        raise bad_argument(
            f"`duration` is {spell(seconds)}; a focus session takes 5 minutes to 3 hours", argument="duration"
        )
    table = phone.table(FocusSession)
    if current is not None:
        if _left(phone, current) > 0:
            raise conflict(f"a focus session is {current.state}; stop it first with action stop", id=current.id)
        table.update(current, state="stopped", ends_at="", remaining=0)
    end = phone.now + timedelta(seconds=seconds)
    silenced = not phone.one(SoundSettings).dnd
    if silenced:
        phone.change(SoundSettings, dnd=True, dnd_until=end.isoformat(timespec="minutes"))
    made = FocusSession(
        phone.new_id("focus"), label, seconds, "running", end.isoformat(timespec="seconds"), 0, silenced
    )
    return table.insert(made)


def _moved(phone: Sandbox, row: FocusSession, action: str) -> FocusSession:
    """The session paused, resumed or stopped; 409 where it is in no state for that."""
    table, left = phone.table(FocusSession), _left(phone, row)
    if action == "stop":
        if row.silenced and phone.one(SoundSettings).dnd:
            phone.change(SoundSettings, dnd=False, dnd_until="")
        return table.update(row, state="stopped", ends_at="", remaining=0)
    if left == 0:
        raise conflict("the focus session is over; stop it, or start a new one", id=row.id)
    if (action == "pause") == (row.state == "paused"):
        other = "resume" if action == "pause" else "pause"
        raise conflict(f"the focus session is {row.state} already; {other} or stop it", id=row.id)
    if action == "pause":
        return table.update(row, state="paused", ends_at="", remaining=left)
    end = (phone.now + timedelta(seconds=left)).isoformat(timespec="seconds")
    return table.update(row, state="running", ends_at=end, remaining=0)


def _left(phone: Sandbox, row: FocusSession) -> int:
    """Seconds left; 0 where it is over."""
    if row.state != "running":
        return row.remaining
    return max(0, round((datetime.fromisoformat(row.ends_at) - phone.now).total_seconds()))


def _focus(phone: Sandbox, row: FocusSession) -> Json:
    left = _left(phone, row)
    state = "finished" if row.state == "running" and left == 0 else row.state
    shown = {"id": row.id, "label": row.label, "state": state, "remaining": spell(left), "ends_at": row.ends_at}
    return briefly(shown) | {"doNotDisturb": phone.one(SoundSettings).dnd}


@tool(
    Domain.TIME,
    phrases=(
        "add Tokyo to my world clock",
        "take London off the world clock",
        "which cities are on my world clock",
        "pin the clock of Nairobi",
        "read me the world clock",
    ),
)
def manage_world_clock(phone: Sandbox, action: Literal["add", "remove", "query"], city: Text | None = None) -> Json:
    """Cities pinned to the world clock."""
    table = phone.table(WorldCity)
    if action == "query":
        rows = table.all() if city is None else _pinned(phone, city)
        return {"count": len(rows), "cities": [_local(phone, row) for row in rows]}
    if city is None:
        raise bad_argument(f"`manage_world_clock` {action} needs `city`", argument="city")
    if action == "remove":
        found = _pinned(phone, city)[0]
        table.delete(found)
        return {"removed": found}
    zone = zone_of(city)
    if table.find(city=city):
        raise conflict(f"`{city}` is on the world clock already", city=city)
    if len(table.all()) >= CITIES:
        raise conflict(f"the world clock holds {CITIES} cities and is full; remove one first", limit=CITIES)
    return {"added": _local(phone, table.insert(WorldCity(city, zone)))}


def _pinned(phone: Sandbox, said: str) -> list[WorldCity]:
    """The one pinned city that is meant; 404 with those that are there."""
    rows = phone.table(WorldCity).all()
    there = ", ".join(row.city for row in rows) or "none"
    found = named(rows, said, lambda row: row.city)
    return [only(found, "city", f"`{said}`", lambda row: row.city, f"on the world clock there is {there}")]


def _local(phone: Sandbox, row: WorldCity) -> Json:
    here = phone.now.replace(tzinfo=ZoneInfo(phone.one(Region).timezone))
    return {"city": row.city, "time": f"{here.astimezone(ZoneInfo(row.zone)):%H:%M}", "zone": row.zone}
