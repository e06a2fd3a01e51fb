"""What happens to calls: the log, the voicemail, forwarding, and numbers that are blocked.

The network takes a moment to forward: what was asked for is pending until `ready_at`, and a query says so.
"""

from datetime import timedelta
from typing import Literal

from device.sandbox.api import (
    Contact,
    Date,
    Domain,
    Effect,
    Json,
    OnOff,
    Person,
    PhoneNumber,
    Sandbox,
    bad_argument,
    conflict,
    not_found,
    tool,
)
from device.sandbox.rows.calling import BlockedNumber, Forwarding, Voicemail
from device.sandbox.rows.communication import Call
from device.sandbox.tools.finding import wants_all
from device.sandbox.tools.lookup import need_signal

SWITCHING = timedelta(seconds=30)
"""How long the network takes to forward."""
_SHOWN = 10
_DIRECTIONS = {"incoming": "in", "outgoing": "out", "missed": "missed"}


def reach(phone: Sandbox, contact: str | None, number: str | None, argument: str = "contact") -> tuple[str, str]:
    """Name and number of who is meant; 400 naming `argument` when nobody is, 409 for a contact without a number."""
    if number is not None:
        return next((row.name for row in phone.table(Person).all() if row.phone == number), ""), number
    if contact is None:
        raise bad_argument(f"`{argument}` is missing: who, by `contact` or `phoneNumber`", argument=argument)
    person = phone.contact(contact)
    if not person.phone:
        raise conflict(f"`{person.name}` has no phone number; give `phoneNumber`", argument="phoneNumber")
    return person.name, person.phone


@tool(
    Domain.CALLS,
    permission="call_log",
    effects=Effect.READ,
    phrases=(
        "who called me",
        "did I miss any calls",
        "show the call log",
        "when did I last talk to Diana on the phone",
        "calls I made yesterday",
    ),
)
def query_call_history(
    phone: Sandbox,
    contact: Contact | None = None,
    kind: Literal["incoming", "outgoing", "missed"] | None = None,
    date: Date | None = None,
) -> Json:
    """Call log: incoming, outgoing and missed calls."""
    calls = phone.table(Call).all()
    if kind is not None:
        calls = [call for call in calls if call.direction == _DIRECTIONS[kind]]
    if contact is not None:
        person = phone.contact(contact)
        calls = [call for call in calls if call.who == person.name or (person.phone and call.phone == person.phone)]
    if date is not None:
        calls = [call for call in calls if call.moment.startswith(date)]
    calls.sort(key=lambda call: call.moment, reverse=True)
    return {"total": len(calls), "calls": calls[:_SHOWN]}


@tool(
    Domain.CALLS,
    permission="voicemail",
    effects={"delete": Effect.DELETE},
    phrases=(
        "play my voicemail",
        "do I have new voicemails",
        "what did Diana say on the voicemail",
        "erase the voicemail from the landlord",
        "clear my voicemail box",
    ),
)
def manage_voicemail(
    phone: Sandbox, action: Literal["query", "play", "delete"], contact: Contact | None = None
) -> Json:
    """List, play or delete voicemails."""
    everything = wants_all(contact)
    rows = _voicemails(phone, None if everything else contact)
    if action == "query":
        fresh = sum(not row.heard for row in rows)
        shown = [{"id": row.id, "from": row.who or row.phone, "moment": row.moment, "heard": row.heard} for row in rows]
        return {"total": len(rows), "new": fresh, "voicemails": shown[:_SHOWN]}
    if not rows:
        raise not_found(f"there is no voicemail from `{contact}`" if contact else "the voicemail is empty")
    if action == "play":
        need_signal(phone, "reach the voicemail")
        picked = next((row for row in rows if not row.heard), rows[0])
        return {"playing": phone.table(Voicemail).update(picked, heard=True)}
    if contact is None:
        raise bad_argument("`manage_voicemail` delete needs `contact`: whose voicemail, or all", argument="contact")
    return _erased(phone, rows, everything)


def _voicemails(phone: Sandbox, said: str | None) -> list[Voicemail]:
    """Voicemails of who is meant (a contact, or the digits of a number), the newest first."""
    rows = sorted(phone.table(Voicemail).all(), key=lambda row: row.moment, reverse=True)
    if said is None:
        return rows
    digits = "".join(sign for sign in said if sign.isdigit())
    if len(digits) > 4:
        return [row for row in rows if row.phone.endswith(digits)]
    person = phone.contact(said)
    return [row for row in rows if row.who == person.name or (person.phone and row.phone == person.phone)]


def _erased(phone: Sandbox, rows: list[Voicemail], everything: bool) -> Json:
    """All of one person gone; or all that were heard, while new ones stay and are named."""
    gone = [row for row in rows if row.heard or not everything]
    if not gone:
        raise conflict("all voicemails are new; listen to them first with action play", new=len(rows))
    for row in gone:
        phone.table(Voicemail).delete(row)
    return {"deleted": [row.id for row in gone], "keptNew": [row.id for row in rows if row not in gone]}


@tool(
    Domain.CALLS,
    permission="call_settings",
    phrases=(
        "forward my calls to Tom",
        "send calls to 555 0142 when I'm busy",
        "stop forwarding calls",
        "are my calls being diverted",
        "divert unanswered calls to the office number",
        "while my line is busy pass callers on to Lena",
    ),
)
def manage_call_forwarding(
    phone: Sandbox,
    action: OnOff,
    condition: Literal["always", "busy", "no_answer", "unreachable"] | None = None,
    contact: Contact | None = None,
    phoneNumber: PhoneNumber | None = None,
) -> Json:
    """Forward incoming calls to another number."""
    table = phone.table(Forwarding)
    rows = [row for row in table.all() if condition in (None, row.condition)]
    if action == "query":
        return {"forwarding": [_state(phone, row) for row in rows]}
    need_signal(phone, "change call forwarding")
    if action == "disable":
        rows = [row for row in rows if row.enabled or condition]
        if not rows:
            raise conflict("no call forwarding is on; see it with action query")
        off = [table.update(row, enabled=False, phone_number="", ready_at="") for row in rows]
        return {"disabled": [row.condition for row in off]}
    return _forwarded(phone, condition or "always", contact, phoneNumber)


def _forwarded(phone: Sandbox, condition: str, contact: str | None, number: str | None) -> Json:
    who, digits = reach(phone, contact, number, "phoneNumber")
    if phone.table(BlockedNumber).get(digits):
        raise conflict(f"`{who or digits}` is blocked; unblock it with `manage_block_list` first", phoneNumber=digits)
    table = phone.table(Forwarding)
    if condition != "always" and table.need("always").enabled:
        raise conflict("all calls are forwarded `always`; disable that first", condition="always")
    ready = (phone.now + SWITCHING).isoformat(timespec="seconds")
    row = table.update(condition, enabled=True, phone_number=digits, ready_at=ready)
    return {"message": "requested from the network", "condition": row.condition, "to": who or digits}


def _state(phone: Sandbox, row: Forwarding) -> Json:
    if not row.enabled:
        return {"condition": row.condition, "state": "off"}
    ready = row.ready_at <= phone.now.isoformat(timespec="seconds")
    return {"condition": row.condition, "state": "active" if ready else "pending", "phoneNumber": row.phone_number}


@tool(
    Domain.CALLS,
    permission="call_settings",
    phrases=(
        "block 555 0190",
        "put my ex-landlord on the block list",
        "unblock Chloe",
        "whom have I blocked",
        "never let this number reach me again",
        "let Chloe get through to me again",
        "keep Paul from calling me",
    ),
)
def manage_block_list(
    phone: Sandbox,
    action: Literal["block", "unblock", "query"],
    contact: Contact | None = None,
    phoneNumber: PhoneNumber | None = None,
) -> Json:
    """Block or unblock a person or number."""
    table = phone.table(BlockedNumber)
    if action == "query" and contact is None and phoneNumber is None:
        return {"count": len(table.all()), "blocked": table.all()}
    who, digits = reach(phone, contact, phoneNumber)
    held = table.get(digits)
    if action == "query":
        return {"phoneNumber": digits, "blocked": held is not None}
    if action == "block":
        if held is not None:
            raise conflict(f"`{who or digits}` is blocked already", phoneNumber=digits)
        return {"blocked": table.insert(BlockedNumber(digits, who))}
    if held is None:
        there = [row.who or row.phone_number for row in table.all()]
        raise not_found(f"`{who or digits}` is not blocked; blocked are {', '.join(there) or 'none'}", candidates=there)
    table.delete(held)
    return {"unblocked": held}
