"""Alarms and reminders: set with what is said, found again by time, day, title or text.

What an update or a deletion means must be one row: none is 404, several are 409 with the candidates.
"""

from device.sandbox.api import Date, Domain, Effect, Recurrence, Sandbox, Text, Time, bad_argument, conflict, tool
from device.sandbox.rows.time_management import Alarm, Reminder
from device.sandbox.tools.dated import Action, delete_all, first_day, listed, narrowed, on_day, once
from device.sandbox.tools.finding import bare, named, only, said_as, wants_all
from device.sandbox.tools.recurring import coming
from runtime.contract import Json


@tool(
    Domain.TIME,
    permission="alarms",
    effects={"delete": Effect.DELETE},
    phrases=(
        "wake me at seven tomorrow",
        "set an alarm for quarter to six on weekdays",
        "list the alarms that are on",
        "move my 6 am alarm to half past six",
        "get rid of the weekend alarm",
        "I need to be up by five thirty",
    ),
)
def manage_alarm(
    phone: Sandbox,
    action: Action,
    time: Time | None = None,
    date: Date | None = None,
    title: Text | None = None,
    repeat: Recurrence | None = None,
    newTime: Time | None = None,
) -> Json:
    """Set, list, change or delete alarms."""
    if action == "create":
        return _create_alarm(phone, time, date, title, once(repeat))
    rows = [row for row in phone.table(Alarm).all() if time is None or row.time == time]
    said = said_as(time=time, date=date, title=title)
    if action == "update":
        return _update_alarm(phone, rows, said, {"date": date, "title": title, "repeat": repeat, "time": newTime})
    everything = wants_all(title)
    rows = on_day(rows, date) if everything or title is None else on_day(named(rows, title, _alarm_name, "alarm"), date)
    if action == "query":
        return listed("alarms", rows, phone.now.date())
    if everything:
        return delete_all(phone, Alarm, rows, "alarm", said)
    alarm = only(rows, "alarm", said, _alarm_label, "list them with `manage_alarm` query")
    phone.table(Alarm).delete(alarm)
    return {"deleted": alarm}


def _create_alarm(phone: Sandbox, time: str | None, date: str | None, title: str | None, repeat: str) -> Json:
    if time is None:
        raise bad_argument("`manage_alarm` create needs `time`", argument="time")
    first = first_day(phone, time, date, repeat, "alarm")
    table = phone.table(Alarm)
    for row in table.find(time=time, repeat=repeat):
        if repeat or row.date == first:
            raise conflict(f"an alarm at {time} exists already: `{row.id}`", candidates=[row.id])
    return {"alarm": table.insert(Alarm(phone.new_id("alarm"), time, first, title or "", repeat))}


def _update_alarm(phone: Sandbox, rows: list[Alarm], said: str, given: dict[str, str | None]) -> Json:
    """Change the alarm found by its old time, or by its title or day; what picks none of them is the new value."""
    date, title = given["date"], given["title"]
    looked_up = said.startswith("`time`")
    changes = {name: value for name in ("time", "repeat") if (value := given[name]) is not None}
    for name, value, hits in (
        ("title", title, named(rows, title, _alarm_name, "alarm") if title else []),
        ("date", date, on_day(rows, date)),
    ):
        if value is None:
            continue
        if hits or not looked_up:
            rows, looked_up = hits, True
        else:
            changes[name] = value
    alarm = only(rows, "alarm", said, _alarm_label, "list them with `manage_alarm` query")
    if "repeat" in changes:
        changes["repeat"] = once(changes["repeat"])
    changes = {name: value for name, value in changes.items() if getattr(alarm, name) != value}
    if not changes:
        raise bad_argument(
            "`manage_alarm` update needs `newTime`, `repeat` or another `date` or `title`", argument="newTime"
        )
    changes["date"] = changes.get("date") or _still_ahead(phone, alarm, changes)
    return {"alarm": phone.table(Alarm).update(alarm, **changes)}


def _still_ahead(phone: Sandbox, alarm: Alarm, changes: dict[str, str]) -> str:
    """The alarm's day, moved on where a single alarm would now lie in the past."""
    time, repeat = changes.get("time", alarm.time), changes.get("repeat", alarm.repeat)
    passed = f"{alarm.date}T{time}" <= phone.now.strftime("%Y-%m-%dT%H:%M")
    return coming(phone.now, time).isoformat() if passed and not repeat else alarm.date


@tool(
    Domain.TIME,
    permission="reminders",
    effects={"delete": Effect.DELETE},
    phrases=(
        "remind me to call grandma at six",
        "don't let me forget the laundry tonight",
        "what do I have to remember today",
        "change the bank reminder to Thursday",
        "drop the reminder about the plants",
        "remind me every Monday to send the report",
    ),
)
def manage_reminder(
    phone: Sandbox,
    action: Action,
    text: Text | None = None,
    date: Date | None = None,
    time: Time | None = None,
    repeat: Recurrence | None = None,
) -> Json:
    """Reminders."""
    if action == "create":
        return _create_reminder(phone, text, date, time, once(repeat))
    said, table = said_as(text=text, date=date, time=time), phone.table(Reminder)
    everything = wants_all(text)
    rows = table.all() if text is None or everything else named(table.all(), text, _reminder_name, "reminder", "about")
    if action == "update":
        return _update_reminder(phone, rows, said, {"date": date, "time": time, "repeat": repeat})
    rows = [row for row in on_day(rows, date) if time in (None, row.time)]
    if action == "query":
        return listed("reminders", rows, phone.now.date())
    if everything:
        return delete_all(phone, Reminder, rows, "reminder", said)
    found = only(rows, "reminder", said, _reminder_label, "list them with `manage_reminder` query")
    table.delete(found)
    return {"deleted": found}


def _create_reminder(phone: Sandbox, text: str | None, date: str | None, time: str | None, repeat: str) -> Json:
    if text is None:
        raise bad_argument("`manage_reminder` create needs `text`", argument="text")
    day = first_day(phone, time, date, repeat, "reminder") if time or date or repeat else ""
    table = phone.table(Reminder)
    for row in table.find(date=day, time=time or ""):
        if bare(row.text) == bare(text):
            raise conflict(f"the reminder `{row.text}` exists already: `{row.id}`", candidates=[row.id])
    return {"reminder": table.insert(Reminder(phone.new_id("reminder"), text, day, time or "", repeat))}


def _update_reminder(phone: Sandbox, rows: list[Reminder], said: str, given: dict[str, str | None]) -> Json:
    if not said.startswith("`text`"):
        raise bad_argument("`manage_reminder` update needs `text`", argument="text")
    repeat = None if given["repeat"] is None else once(given["repeat"])
    rows, changes = narrowed(rows, given | {"repeat": repeat})
    found = only(rows, "reminder", said, _reminder_label, "list them with `manage_reminder` query")
    if not changes:
        raise bad_argument("`manage_reminder` update needs what changes: `date`, `time` or `repeat`", argument="time")
    if "time" in changes and not found.date and "date" not in changes:
        changes["date"] = coming(phone.now, changes["time"]).isoformat()
    return {"reminder": phone.table(Reminder).update(found, **changes)}


def _alarm_name(row: Alarm) -> str:
    return row.title


def _alarm_label(row: Alarm) -> str:
    return f"{row.title or 'alarm'} {row.time} {row.repeat or row.date}"


def _reminder_name(row: Reminder) -> str:
    return row.text


def _reminder_label(row: Reminder) -> str:
    return f"{row.text} {row.date} {row.time}".rstrip()
