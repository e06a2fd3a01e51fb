"""The calendar with other people: answers to invitations, and who may see or change it.

1. Accepting puts the event into the calendar; an hour that is taken is 409 until the other event moves.
2. Sharing is offered, and begins when the person takes it up: until `ready_at` a query shows it as pending.
"""

from datetime import timedelta
from typing import Literal

from device.sandbox.api import Contact, Domain, Effect, Json, Sandbox, Text, bad_argument, conflict, not_found, tool
from device.sandbox.rows.planning import CalendarShare, Invitation
from device.sandbox.rows.time_management import Event
from device.sandbox.tools.dated import on_day
from device.sandbox.tools.finding import briefly, named, only, said_as
from device.sandbox.tools.lookup import need_online

TAKE_UP = timedelta(minutes=10)
"""How long a person takes to accept a shared calendar."""
_ANSWERS = {"accept": "accepted", "decline": "declined", "tentative": "tentative"}


@tool(
    Domain.TIME,
    permission="calendar",
    effects={"accept": Effect.SEND, "decline": Effect.SEND, "tentative": Effect.SEND},
    phrases=(
        "accept the invitation to the design critique",
        "decline Samir's garden party",
        "which invitations haven't I answered",
        "say maybe to the budget call invite",
        "tell Diana I'm coming to her meeting",
        "any new event invites",
        "decline the training I was asked to attend",
    ),
)
def manage_invitation(
    phone: Sandbox,
    action: Literal["accept", "decline", "tentative", "query"],
    event: Text | None = None,
    person: Contact | None = None,
) -> Json:
    """Answer invitations to events."""
    rows = phone.table(Invitation).all()
    rows = rows if event is None else named(rows, event, lambda row: row.event, "invitation", "invite")
    rows = rows if person is None else named(rows, person, lambda row: row.organizer)
    if action == "query":
        rows = rows if event or person else [row for row in rows if not row.answer]
        return {"count": len(rows), "invitations": [_shown(row) for row in rows]}
    if event is None and person is None:
        raise bad_argument(
            f"`manage_invitation` {action} needs `event`: to what, or of which `person`", argument="event"
        )
    rows = [row for row in rows if not row.answer] or rows
    hint = "list them with `manage_invitation` query"
    found = only(rows, "invitation", said_as(event=event, person=person), lambda row: row.event, hint)
    return {"invitation": _shown(_answered(phone, found, _ANSWERS[action]))}


def _answered(phone: Sandbox, row: Invitation, answer: str) -> Invitation:
    """The invitation with its answer sent, and the calendar to match."""
    if row.answer == answer:
        raise conflict(f"the invitation `{row.event}` is {answer} already", id=row.id)
    need_online(phone, "answer invitations")
    events = phone.table(Event)
    own = [held for held in events.find(event=row.event, date=row.date) if held.time == row.time]
    if answer == "accepted" and not own:
        if taken := [held for held in on_day(events.all(), row.date) if _clash(held.time, row.time)]:
            raise conflict(
                f"`{taken[0].event}` is at {taken[0].time} on {row.date}; move it with `manage_schedule` update, "
                "or answer tentative",
                candidates=[taken[0].id],
            )
        events.insert(Event(phone.new_id("event"), row.event, row.date, row.time, row.organizer, row.location))
    elif answer == "declined":
        for held in own:
            events.delete(held)
    return phone.table(Invitation).update(row, answer=answer)


def _clash(held: str, wanted: str) -> bool:
    """Whether two times lie within one hour; all-day events clash with nothing."""
    if not held or not wanted:
        return False
    first, second = (int(time[:2]) * 60 + int(time[3:]) for time in (held, wanted))
    return abs(first - second) < 60


def _shown(row: Invitation) -> Json:
    shown = {"id": row.id, "event": row.event, "date": row.date, "time": row.time, "organizer": row.organizer}
    return briefly(shown | {"location": row.location}) | {"answer": row.answer or "none"}


@tool(
    Domain.TIME,
    permission="calendar_sharing",
    effects={"share": Effect.GRANT},
    phrases=(
        "share my calendar with Lena",
        "let Tom edit my calendar",
        "who can see my calendar",
        "stop sharing the calendar with my boss",
        "give Priya read access to my calendar",
    ),
)
def manage_calendar_sharing(
    phone: Sandbox,
    action: Literal["share", "stop", "query"],
    contact: Contact | None = None,
    access: Literal["view", "edit"] | None = None,
) -> Json:
    """Share the calendar with a person."""
    table = phone.table(CalendarShare)
    if contact is None:
        if action == "query":
            return {"count": len(table.all()), "shares": [_share(phone, row) for row in table.all()]}
        raise bad_argument(f"`manage_calendar_sharing` {action} needs `contact`", argument="contact")
    person = phone.contact(contact)
    held = next(iter(table.find(person=person.id)), None)
    if action == "share":
        if not person.email:
            raise conflict(f"`{person.name}` has no email address to invite", argument="contact")
        need_online(phone, "share the calendar")
        return _offered(phone, person.id, person.name, held, access)
    if held is None:
        there = [row.name for row in table.all()]
        raise not_found(
            f"the calendar is not shared with `{person.name}`; it is with {', '.join(there) or 'nobody'}",
            candidates=there,
        )
    if action == "query":
        return {"count": 1, "shares": [_share(phone, held)]}
    table.delete(held)
    return {"stopped": held.name}


def _offered(phone: Sandbox, person: str, name: str, held: CalendarShare | None, access: str | None) -> Json:
    """Offer the calendar, or change what somebody may do who has it."""
    table = phone.table(CalendarShare)
    if held is None:
        ready = (phone.now + TAKE_UP).isoformat(timespec="seconds")
        table.insert(CalendarShare(phone.new_id("calendar_share"), person, name, access or "view", ready))
        return {"message": f"invitation to the calendar sent to {name}", "access": access or "view"}
    if access in (None, held.access):
        raise conflict(f"the calendar is shared with `{name}` to {held.access} already", id=held.id)
    return {"message": f"{name} may {access} the calendar now", "access": table.update(held, access=access).access}


def _share(phone: Sandbox, row: CalendarShare) -> Json:
    active = row.ready_at <= phone.now.isoformat(timespec="seconds")
    return {"name": row.name, "access": row.access, "state": "active" if active else "pending"}
