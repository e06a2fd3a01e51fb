"""Alarms, events, the clock.

An alarm goes to the clock app by `SET_ALARM` (`AlarmClock.java`) and is proved by the alarm manager, which knows when
it rings. Which alarms are off, and what they are called, only the clock app knows: changing one is for its screens.
"""

import datetime as calendar
from datetime import datetime, timedelta

from device.android.errors import bad_argument, conflict, not_found, unsupported
from device.android.state import content
from device.android.state.people import EVENTS, zone
from device.android.tools.registry import offered
from device.android.work import Answer, Work
from device.sandbox.tools.recurring import coming
from device.spoken import fold_text
from runtime.contract import Json

CALENDARS = "content://com.android.calendar/calendars"
_EXTRA = "android.intent.extra.alarm"
_DAYS = {"SU": "1", "MO": "2", "TU": "3", "WE": "4", "TH": "5", "FR": "6", "SA": "7"}
"""Weekdays of `java.util.Calendar`."""
_HOUR = timedelta(hours=1)


@offered("manage_alarm", needs="SET_ALARM", actions=("create", "query"))
def manage_alarm(
    phone: Work,
    action: str,
    time: str | None = None,
    date: str | None = None,
    title: str | None = None,
    repeat: str | None = None,
    newTime: str | None = None,
) -> Answer:
    """Create one, or list when the alarms will ring."""
    phone.watch("alarms")
    if action == "query":
        rows = phone.before["alarms"].values()
        return {"alarms": [row for row in rows if time in (None, row["time"]) and date in (None, row["date"])]}
    if time is None:
        raise bad_argument("`manage_alarm` create needs `time`", argument="time")
    days = _weekdays(repeat)
    first = _next_day(phone.now, time, days)
    if date is not None and date != first.isoformat():
        raise unsupported(
            f"Android's clock sets an alarm for the next {time}, {first}; not for {date}", argument="date"
        )
    if f"{first}T{time}" in phone.before["alarms"]:
        raise conflict(f"an alarm at {time} on {first} exists already")
    hour, _, minute = time.partition(":")
    words = ["--ei", f"{_EXTRA}.HOUR", str(int(hour)), "--ei", f"{_EXTRA}.MINUTES", str(int(minute))]
    if title:
        words += ["--es", f"{_EXTRA}.MESSAGE", title]
    if days:
        words += ["--eial", f"{_EXTRA}.DAYS", ",".join(_DAYS[day] for day in days)]
    phone.run("am", "start", "-a", "android.intent.action.SET_ALARM", *words, "--ez", f"{_EXTRA}.SKIP_UI", "true")
    phone.expect("alarms", f"{first}T{time}", date=first.isoformat(), time=time)
    return {"alarm": {"time": time, "date": first.isoformat(), "title": title or "", "repeat": repeat or ""}}


def _weekdays(repeat: str | None) -> list[str]:
    """Two-letter weekdays; what the clock app can't repeat is unsupported."""
    if repeat in (None, "", "ONCE"):
        return []
    parts = dict(part.partition("=")[::2] for part in str(repeat).split(";"))
    if parts.get("FREQ") == "DAILY" and parts.get("INTERVAL", "1") == "1":
        return list(_DAYS)
    days = [day for day in parts.get("BYDAY", "").split(",") if day in _DAYS]
    if parts.get("FREQ") != "WEEKLY" or parts.get("INTERVAL", "1") != "1" or not days:
        raise unsupported("Android's clock repeats on days of the week alone", argument="repeat", value=repeat)
    return days


def _next_day(now: datetime, time: str, days: list[str]) -> calendar.date:
    day: calendar.date = coming(now, time)
    codes = list(_DAYS)
    while days and codes[(day.weekday() + 1) % 7] not in days:
        day += timedelta(days=1)
    return day


@offered("manage_schedule", needs="WRITE_CALENDAR", actions=("create", "query", "update", "delete"))
def manage_schedule(
    phone: Work,
    action: str,
    event: str | None = None,
    date: str | None = None,
    time: str | None = None,
    person: str | None = None,
    location: str | None = None,
    repeat: str | None = None,
) -> Answer:
    """Events of the phone's first calendar."""
    if person is not None:
        raise unsupported("inviting a person is not open to the shell; leave `person` out", argument="person")
    phone.watch("events")
    if action == "create":
        return _create(phone, event, date, time, location, repeat)
    rows = phone.before["events"]
    said = fold_text(event or "")
    named = {key: row for key, row in rows.items() if said and fold_text(row["event"]) == said}
    named = named or {key: row for key, row in rows.items() if said in fold_text(row["event"])}
    if action == "query":
        return {"events": [row for row in named.values() if date in (None, row["date"])]}
    if action == "delete":
        named = {key: row for key, row in named.items() if date in (None, row["date"]) and time in (None, row["time"])}
    key = _only(named, event)
    if action == "delete":
        phone.run("content", "delete", "--uri", EVENTS, "--where", f"_id={key}")
        phone.expect_gone("events", key)
        return {"deleted": named[key]}
    return _update(phone, key, named[key], date, time, location)


def _create(
    phone: Work, event: str | None, date: str | None, time: str | None, location: str | None, repeat: str | None
) -> Answer:
    if event is None or date is None:
        raise bad_argument("`event` and `date` are needed: what, and on which day", argument="event")
    calendars = phone.look().rows(CALENDARS, ("_id", "isPrimary"))
    if not calendars:
        raise conflict("the phone has no calendar yet; open its calendar app once, or add an account")
    chosen = next((row for row in calendars if row["isPrimary"] == "1"), calendars[0])["_id"]
    rule = "" if repeat in (None, "", "ONCE") else str(repeat)
    columns: dict[str, str | int] = {"calendar_id": int(chosen), "title": event, **_span(phone, date, time, bool(rule))}
    if location:
        columns["eventLocation"] = location
    if rule:
        columns["rrule"] = rule
    phone.run("content", "insert", "--uri", EVENTS, *content.binds(**columns))
    rows = phone.look().rows(EVENTS, ("_id", "deleted"))
    made = sorted({row["_id"] for row in rows} - set(phone.before["events"]), key=int)[-1:]
    if not made:
        raise conflict("the phone took the event and does not list it", "unknown")
    wanted = {"event": event, "date": date, "time": time or "", "location": location or "", "repeat": rule}
    phone.expect("events", made[0], **wanted)
    return lambda seen: {"event": seen["events"][made[0]]}


def _span(phone: Work, date: str, time: str | None, repeats: bool) -> dict[str, str | int]:
    """Start and end, or length for what repeats (`CalendarContract.Events`)."""
    if time is None:
        start = datetime.fromisoformat(f"{date}T00:00+00:00")
        length, duration = timedelta(days=1), "P1D"
        columns: dict[str, str | int] = {"allDay": 1, "eventTimezone": "UTC"}
    else:
        where = zone(phone.look())
        start = datetime.fromisoformat(f"{date}T{time}").replace(tzinfo=where)
        length, duration = _HOUR, "PT1H"
        columns = {"allDay": 0, "eventTimezone": where.key}
    columns["dtstart"] = str(int(start.timestamp() * 1000))
    if repeats:
        return columns | {"duration": duration}
    return columns | {"dtend": str(int((start + length).timestamp() * 1000))}


def _update(phone: Work, key: str, row: Json, date: str | None, time: str | None, location: str | None) -> Answer:
    changed = {"date": date, "time": time, "location": location}
    wanted = {name: value for name, value in changed.items() if value is not None and value != row[name]}
    if not wanted:
        raise bad_argument("`manage_schedule` update needs another `date`, `time` or `location`", argument="date")
    columns: dict[str, str | int] = {}
    if "date" in wanted or "time" in wanted:
        columns |= _span(phone, date or row["date"], time or row["time"] or None, bool(row["repeat"]))
    if "location" in wanted:
        columns["eventLocation"] = str(location)
    phone.run("content", "update", "--uri", EVENTS, *content.binds(**columns), "--where", f"_id={key}")
    phone.expect("events", key, **wanted)
    return lambda seen: {"event": seen["events"][key]}


def _only(found: dict[str, Json], said: str | None) -> str:
    if not found:
        raise not_found(f"no event is called `{said}`")
    if len(found) > 1:
        raise conflict(f"`{said}` could be several events", candidates=[row["event"] for row in found.values()][:20])
    return next(iter(found))
