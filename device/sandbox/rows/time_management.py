"""Rows of the clock and calendar apps, and those that a fresh phone holds.

Days and times are text in canonical form ("YYYY-MM-DD", "HH:MM", "" for none) so that a row compares as it prints.
"""

from dataclasses import dataclass
from datetime import timedelta

from device.sandbox.api import Sandbox, plant, row


@row("alarms", key="id")
@dataclass(frozen=True, slots=True)
class Alarm:
    """One alarm."""

    id: str
    """`alarm_001`."""
    time: str
    """HH:MM."""
    date: str
    """Day of a single alarm, first day of a repeated one."""
    title: str = ""
    """What it is for."""
    repeat: str = ""
    """Canonical recurrence; "" rings once."""


@row("events", key="id")
@dataclass(frozen=True, slots=True)
class Event:
    """One calendar event."""

    id: str
    """`event_001`."""
    event: str
    """Title."""
    date: str
    """Day, the first one of a repeated event."""
    time: str = ""
    """HH:MM; "" lasts all day."""
    person: str = ""
    """Who takes part, as said."""
    location: str = ""
    """Where, as said."""
    repeat: str = ""
    """Canonical recurrence; "" happens once."""


@row("reminders", key="id")
@dataclass(frozen=True, slots=True)
class Reminder:
    """One reminder."""

    id: str
    """`reminder_001`."""
    text: str
    """What to remember."""
    date: str = ""
    """Day; "" has none."""
    time: str = ""
    """HH:MM; "" is any time of the day."""
    repeat: str = ""
    """Canonical recurrence; "" reminds once."""


@row("countdowns", key="id")
@dataclass(frozen=True, slots=True)
class Countdown:
    """One countdown timer."""

    id: str
    """`countdown_001`."""
    label: str
    """Name; the length where none was said."""
    seconds: int
    """Full length."""
    state: str = "running"
    """`running`, `paused` or `stopped`; a running one whose end has passed has rung."""
    ends_at: str = ""
    """ISO moment of the end while running."""
    remaining: int = 0
    """Seconds left while paused."""


@row("stopwatch")
@dataclass(frozen=True, slots=True)
class Stopwatch:
    """The stopwatch."""

    running: bool = False
    """Whether it counts."""
    started_at: str = ""
    """ISO moment of the last start."""
    elapsed: int = 0
    """Seconds counted before that."""
    laps: tuple[int, ...] = ()
    """Seconds on the watch at each lap."""


@row("rules", key="id")
@dataclass(frozen=True, slots=True)
class Rule:
    """One thing to do later, or whenever something happens."""

    id: str
    """`rule_001`."""
    task: str
    """What to do, in plain words."""
    condition: str = ""
    """When to do it, in plain words."""
    due: str = ""
    """ISO moment from which it is due; "" waits for the condition alone."""


WEEKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
WEEKEND = "FREQ=WEEKLY;BYDAY=SA,SU"

_EVENTS: tuple[tuple[int, str, str, str, str, str], ...] = (
    (0, "15:00", "Team meeting", "", "Room 4B", ""),
    (1, "09:30", "Dentist appointment", "", "Smile Dental", ""),
    (2, "10:00", "Project review", "Priya", "Room 2A", ""),
    (3, "15:00", "Team meeting", "", "Room 4B", ""),
    (4, "12:30", "Lunch with Tom", "Tom", "Green Fork Cafe", ""),
    (5, "08:00", "Yoga class", "", "Riverside Gym", "FREQ=WEEKLY"),
    (8, "14:00", "Car service", "", "Hill Street Garage", ""),
    (13, "", "Mom's birthday", "Mom", "", "FREQ=YEARLY"),
)
"""Days from today, time, title, person, place, recurrence."""

_REMINDERS: tuple[tuple[int | None, str, str, str], ...] = (
    (0, "16:00", "Call the bank", ""),
    (1, "18:00", "Water the plants", "FREQ=WEEKLY"),
    (2, "20:00", "Take out the trash", "FREQ=WEEKLY"),
    (None, "", "Renew passport", ""),
)
"""Days from today (None: undated), time, text, recurrence."""


@plant
def time_management(phone: Sandbox) -> None:
    """Two alarms, eight events, four reminders; no timer runs and no rule waits."""
    today = phone.now.date()
    alarms, events, reminders = phone.table(Alarm), phone.table(Event), phone.table(Reminder)
    alarms.insert(Alarm(phone.new_id("alarm"), "06:30", today.isoformat(), "Wake up", WEEKDAYS))
    alarms.insert(Alarm(phone.new_id("alarm"), "09:00", today.isoformat(), "Weekend lie-in", WEEKEND))
    for ahead, time, title, person, place, repeat in _EVENTS:
        day = (today + timedelta(days=ahead)).isoformat()
        events.insert(Event(phone.new_id("event"), title, day, time, person, place, repeat))
    for shift, time, text, repeat in _REMINDERS:
        day = "" if shift is None else (today + timedelta(days=shift)).isoformat()
        reminders.insert(Reminder(phone.new_id("reminder"), text, day, time, repeat))
