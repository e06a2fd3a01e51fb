"""The calendar: events made with what is said, found again by title, person, day or time.

What an update or a deletion means must be one row: none is 404, several are 409 with the candidates.
"""

from device.sandbox.api import Date, Domain, Effect, Recurrence, Sandbox, Text, Time, bad_argument, conflict, tool
from device.sandbox.rows.time_management import Event
from device.sandbox.tools.dated import Action, delete_all, listed, narrowed, next_day, on_day, once
from device.sandbox.tools.finding import bare, briefly, named, only, said_as, wants_all
from device.sandbox.tools.recurring import coming
from runtime.contract import Json


@tool(
    Domain.TIME,
    permission="calendar",
    effects={"delete": Effect.DELETE},
    phrases=(
        "put lunch with Ana in my calendar for Thursday at one",
        "what's on my schedule tomorrow",
        "when is my next meeting",
        "push the project review back to four",
        "cancel the dentist appointment",
        "am I free on Friday",
        "do I have anything coming up",
        "take down today as the day we met",
    ),
)
def manage_schedule(
    phone: Sandbox,
    action: Action,
    event: Text | None = None,
    date: Date | None = None,
    time: Time | None = None,
    person: Text | None = None,
    location: Text | None = None,
    repeat: Recurrence | None = None,
) -> Json:
    """Calendar events and meetings."""
    given = {"date": date, "time": time, "person": person, "location": location, "repeat": repeat}
    if action == "create":
        return _create_event(phone, event, given)
    said = said_as(event=event, date=date, time=time, person=person, location=location)
    if action == "update":
        return _update_event(phone, event, said, given)
    rows = _events(phone, None if wants_all(event) else event, given)
    if action == "query":
        return listed("events", rows, phone.now.date())
    if wants_all(event):
        return delete_all(phone, Event, rows, "event", said)
    if said == "this request":
        raise bad_argument(
            "`manage_schedule` delete needs `event`, or its `date`, `time` or `person`", argument="event"
        )
    found = only(rows, "event", said, _event_label, "list them with `manage_schedule` query")
    phone.table(Event).delete(found)
    return {"deleted": found}


def _create_event(phone: Sandbox, event: str | None, given: dict[str, str | None]) -> Json:
    """Add an event; one that falls into the same hour is named in the answer, an equal one is 409."""
    date, time = given["date"], given["time"] or ""
    if event is None:
        raise bad_argument("`manage_schedule` create needs `event`", argument="event")
    if date is None and not time:
        raise bad_argument("`manage_schedule` create needs `date`", argument="date")
    day = date or coming(phone.now, time).isoformat()
    table = phone.table(Event)
    same_day = on_day(table.all(), day)
    for row in same_day:
        if row.time == time and bare(row.event) == bare(event):
            raise conflict(f"`{row.event}` is in the calendar on {day} already: `{row.id}`", candidates=[row.id])
    overlaps = [
        _event_label(row) for row in same_day if time and row.time and abs(_minutes(row.time) - _minutes(time)) < 60
    ]
    person, location, repeat = given["person"] or "", given["location"] or "", once(given["repeat"])
    made = table.insert(Event(phone.new_id("event"), event, day, time, person, location, repeat))
    return briefly({"event": made, "overlaps": overlaps})


def _events(phone: Sandbox, event: str | None, given: dict[str, str | None]) -> list[Event]:
    """Events that fit all that was said; without a day, those still to come where there are any."""
    rows = phone.table(Event).all()
    if event is not None:
        rows = (
            named(rows, event, _event_name, "event", "calendar", "appointment", "meeting") if _specific(event) else rows
        )
    for value, label in ((given["person"], _event_people), (given["location"], _event_place)):
        rows = rows if value is None else named(rows, value, label)
    rows = [row for row in rows if given["time"] in (None, row.time)]
    if given["date"] is not None:
        return on_day(rows, given["date"])
    return [row for row in rows if next_day(row, phone.now.date()) is not None] or rows


def _update_event(phone: Sandbox, event: str | None, said: str, given: dict[str, str | None]) -> Json:
    """Change the event found by title or person; a value that picks one of several is a lookup, else the new value."""
    if event is None and given["person"] is None:
        raise bad_argument("`manage_schedule` update needs `event`", argument="event")
    blank = dict.fromkeys(given)
    rows = _events(phone, event, blank if event else blank | {"person": given["person"]})
    repeat = None if given["repeat"] is None else once(given["repeat"])
    rows, changes = narrowed(rows, given | {"repeat": repeat})
    found = only(rows, "event", said, _event_label, "list them with `manage_schedule` query")
    if not changes:
        raise bad_argument(
            "`manage_schedule` update needs what changes: `date`, `time`, `location`, `person` or `repeat`"
        )
    return {"event": phone.table(Event).update(found, **changes)}


def _minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:])


def _specific(event: str) -> bool:
    """Whether the words name an event, and not events as such."""
    return bare(event) not in {"event", "events", "schedule", "calendar", "appointments", "meetings", "agenda", "plans"}


def _event_name(row: Event) -> str:
    return row.event


def _event_people(row: Event) -> str:
    return f"{row.person} {row.event}"


def _event_place(row: Event) -> str:
    return row.location


def _event_label(row: Event) -> str:
    return f"{row.event} {row.date} {row.time}".rstrip()
