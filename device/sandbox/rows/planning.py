"""Rows of planning: pinned cities, the bedtime, day counters, focus sessions, tasks, invitations, a shared calendar."""

from dataclasses import dataclass
from datetime import timedelta

from device.sandbox.api import Sandbox, plant, row


@row("world_clock", key="city")
@dataclass(frozen=True, slots=True)
class WorldCity:
    """One city on the world clock."""

    city: str
    """As the user calls it."""
    zone: str = "Etc/UTC"
    """Its IANA zone."""


@row("bedtime")
@dataclass(frozen=True, slots=True)
class Bedtime:
    """The sleep schedule."""

    enabled: bool = False
    """Whether the phone keeps to it."""
    bedtime: str = "22:30"
    """HH:MM at which the night begins."""
    wake_time: str = "06:30"
    """HH:MM at which it ends."""


@row("day_counters", key="id")
@dataclass(frozen=True, slots=True)
class DayCounter:
    """One counter of the days that are left."""

    id: str
    """`counter_001`."""
    title: str
    """What is waited for."""
    date: str
    """The day itself."""


@row("focus_sessions", key="id")
@dataclass(frozen=True, slots=True)
class FocusSession:
    """One stretch of undisturbed work."""

    id: str
    """`focus_001`."""
    label: str
    """What is worked on; "" for nothing in particular."""
    seconds: int
    """Full length."""
    state: str = "running"
    """`running`, `paused` or `stopped`; a running one whose end has passed is finished."""
    ends_at: str = ""
    """ISO moment of the end while running."""
    remaining: int = 0
    """Seconds left while paused."""
    silenced: bool = False
    """Whether it was this session that turned do not disturb on."""


@row("tasks", key="id")
@dataclass(frozen=True, slots=True)
class Task:
    """One task with a due date and a priority."""

    id: str
    """`task_001`."""
    task: str
    """What is to be done."""
    date: str = ""
    """The day on which it is due; "" for none."""
    priority: str = "medium"
    """`low`, `medium` or `high`."""
    done: bool = False
    """Whether it is completed."""


@row("invitations", key="id")
@dataclass(frozen=True, slots=True)
class Invitation:
    """One invitation to an event of somebody else."""

    id: str
    """`invitation_001`."""
    event: str
    """Title of the event."""
    date: str
    """Its day."""
    time: str
    """HH:MM."""
    organizer: str
    """Who invites."""
    location: str = ""
    """Where it happens."""
    answer: str = ""
    """`accepted`, `declined` or `tentative`; "" until it is answered."""


@row("calendar_shares", key="id")
@dataclass(frozen=True, slots=True)
class CalendarShare:
    """One person who may see the calendar."""

    id: str
    """`calendar_share_001`."""
    person: str
    """Id of the contact."""
    name: str
    """Name of the contact."""
    access: str = "view"
    """`view` or `edit`."""
    ready_at: str = ""
    """ISO moment at which the person takes the offer up; until then nobody sees anything."""


_CITIES = (("Reykjavik", "Atlantic/Reykjavik"), ("Honolulu", "Pacific/Honolulu"))
_COUNTERS = ((46, "Summer house opening"), (120, "Driving test"))
_TASKS = (
    ("Finish the travel expenses", 3, "high"),
    ("Compare phone contracts", 12, "low"),
    ("Prepare the onboarding plan", 6, "medium"),
)
_INVITATIONS = (
    ("Design critique", 2, "16:00", "Diana Novak", "Room 5"),
    ("Garden party", 6, "15:00", "Samir Haddad", "88 King Street"),
    ("Budget call", 0, "15:30", "Diana Novak", ""),
)
"""Title, days from today, time, organizer, place; the last one falls into the hour of the team meeting."""


@plant
def planning(phone: Sandbox) -> None:
    """Two cities, two counters, three open tasks, three unanswered invitations; the calendar is shared with nobody."""

    def ahead(days: int) -> str:
        return (phone.now.date() + timedelta(days=days)).isoformat()

    for city, zone in _CITIES:
        phone.table(WorldCity).insert(WorldCity(city, zone))
    for days, title in _COUNTERS:
        phone.table(DayCounter).insert(DayCounter(phone.new_id("counter"), title, ahead(days)))
    for text, days, priority in _TASKS:
        phone.table(Task).insert(Task(phone.new_id("task"), text, ahead(days), priority))
    for event, days, time, organizer, place in _INVITATIONS:
        invited = Invitation(phone.new_id("invitation"), event, ahead(days), time, organizer, place)
        phone.table(Invitation).insert(invited)
