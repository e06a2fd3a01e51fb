"""Calls, text messages and the address book."""

import re
from typing import Literal

from device.sandbox.api import (
    Contact,
    Domain,
    Effect,
    Json,
    OnOff,
    Person,
    PhoneNumber,
    Sandbox,
    Text,
    bad_argument,
    conflict,
    folded,
    not_found,
    same,
    tool,
)
from device.sandbox.rows.communication import Call, Interception, Message
from device.sandbox.tools.lookup import need_signal

_FIELDS = {
    "phone": ("phone", "number", "mobile", "cell", "telephone"),
    "email": ("email", "mail"),
    "address": ("address", "home", "live", "lives", "street", "location"),
    "birthday": ("birthday", "birth", "born", "age", "old"),
    "relation": ("relation", "relationship", "related"),
}


def minute(phone: Sandbox) -> str:
    """The phone's moment as ISO text to the minute."""
    return phone.now.isoformat(timespec="minutes")


def _reach(phone: Sandbox, contact: str | None, number: str | None) -> tuple[str, str]:
    """Name and number of who is meant; 400 when nobody was named, 409 for a contact without a number."""
    if contact is None and number is None:
        raise bad_argument("`contact` is missing: who, by name or `phoneNumber`", argument="contact")
    if contact is None:
        digits = number or ""
        return next((p.name for p in phone.table(Person).all() if p.phone == digits), ""), digits
    if number is not None:
        return contact, number
    person = phone.contact(contact)
    if not person.phone:
        raise conflict(f"`{person.name}` has no phone number; give `phoneNumber`", argument="phoneNumber")
    return person.name, person.phone


@tool(
    Domain.CALLS,
    effects=Effect.SEND,
    permission="messages",
    phrases=(
        "text Laura that I'm late",
        "send a message to my brother: happy birthday",
        "write to 555 0133 I got the keys",
        "let mum know dinner is ready",
        "sms the plumber",
        "tell Samuel I'll be there at six",
    ),
)
def send_message(
    phone: Sandbox, contact: Contact | None = None, phoneNumber: PhoneNumber | None = None, content: Text | None = None
) -> Json:
    """Send a text message."""
    who, number = _reach(phone, contact, phoneNumber)
    if content is None:
        raise bad_argument(f"`content` is missing: what to write to {who or number}", argument="content")
    need_signal(phone, "send messages")
    sent = Message(phone.new_id("message"), "out", who, number, content, minute(phone))
    return {"message": f"sent to {who or number}", "sent": phone.table(Message).insert(sent)}


@tool(
    Domain.CALLS,
    effects=Effect.SEND,
    permission="calls",
    phrases=(
        "call my sister",
        "ring the office",
        "dial 415 555 0190",
        "phone Maria back",
        "I need to speak to dad",
        "get Samuel on the line",
    ),
)
def make_call(phone: Sandbox, contact: Contact | None = None, phoneNumber: PhoneNumber | None = None) -> Json:
    """Call someone."""
    who, number = _reach(phone, contact, phoneNumber)
    need_signal(phone, "call")
    made = phone.table(Call).insert(Call(phone.new_id("call"), "out", who, number, minute(phone)))
    return {"message": f"calling {who or number}", "call": made}


def email_address(said: str) -> str:
    """The address in `said` ("jo at mail dot com" too), lower case; 400 when it is none."""
    text = re.sub(r"\s+(?:dot|\.)\s+", ".", re.sub(r"\s+(?:at|@)\s+", "@", said.strip().lower()))
    if not re.fullmatch(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", text):
        raise bad_argument(f"`{said}` is no email address; say one such as name@mail.com", argument="email")
    return text


@tool(
    Domain.CALLS,
    permission="contacts",
    phrases=(
        "save this number as Tom Baker",
        "new contact: Ines, 415 555 0177",
        "put my dentist into the address book",
        "add Olga's email to my contacts",
        "remember Ken's phone number",
    ),
)
def add_contact(
    phone: Sandbox, name: Text | None = None, phoneNumber: PhoneNumber | None = None, email: Text | None = None
) -> Json:
    """Add a contact."""
    if name is None:
        raise bad_argument("`name` is missing: who is the contact", argument="name")
    if phoneNumber is None and email is None:
        raise bad_argument(f"`phoneNumber` is missing: give it or an `email` for {name}", argument="phoneNumber")
    address = email_address(email) if email else ""
    people = phone.table(Person)
    for person in people.all():
        if same(person.name, name) or (phoneNumber and person.phone == phoneNumber):
            raise conflict(f"`{person.name}` is in the contacts already", candidates=[person.name])
    made = Person(id=phone.new_id("contact"), name=name, phone=phoneNumber or "", email=address)
    return {"message": f"added {name}", "contact": people.insert(made)}


@tool(
    Domain.CALLS,
    effects=Effect.READ,
    permission="contacts",
    phrases=(
        "what's Maria's number",
        "when is my brother's birthday",
        "where does Samuel live",
        "show Laura's contact details",
        "who is in my address book",
        "do I have an email for Nina",
        "what's my boss's landline",
        "where does Tom work",
    ),
)
def query_contact(phone: Sandbox, person: Contact | None = None, field: Text | None = None) -> Json:
    """Details of a contact."""
    if person is None:
        names = sorted(row.name for row in phone.table(Person).all())
        return {"contacts": names, "total": len(names)}
    found = phone.contact(person)
    if field is None:
        return {"contact": found}
    words = set(folded(field).replace("e mail", "email").split())
    column = next((name for name, said in _FIELDS.items() if name != "phone" and words & set(said)), None)
    if column is None or words & {"number", "phone"}:
        column = "phone" if words & set(_FIELDS["phone"]) else column
    if column is None:
        raise bad_argument(f"`field` {field} is unknown; say {', '.join(_FIELDS)}", argument="field")
    value = getattr(found, column)
    if not value:
        raise not_found(f"no {column} is saved for `{found.name}`", contact=found.name)
    return {"name": found.name, "field": column, "value": value}


@tool(
    Domain.CALLS,
    effects=Effect.DELETE,
    permission="contacts",
    phrases=(
        "remove Tom from my contacts",
        "delete my old landlord's number",
        "erase the contact Maria Rossi",
        "I don't need Paul in the phone book any more",
    ),
)
def delete_contact(phone: Sandbox, name: Text) -> Json:
    """Delete a contact."""
    person = phone.contact(name)
    phone.table(Person).delete(person)
    return {"message": f"deleted {person.name}", "deleted": person.id}


@tool(
    Domain.CALLS,
    permission="call_settings",
    phrases=(
        "stop those marketing calls",
        "block one-ring scams",
        "which calls are being blocked",
        "let international calls through again",
        "no more spam calls",
    ),
)
def manage_call_interception(
    phone: Sandbox, action: OnOff, category: Literal["one_ring", "marketing", "international"] | None = None
) -> Json:
    """Block unwanted calls."""
    table = phone.table(Interception)
    rows = [row for row in table.all() if category in (None, row.category)]
    if action != "query":
        if category is None and action == "enable":
            valid = [row.category for row in rows]
            raise bad_argument(f"`category` is missing: one of {', '.join(valid)}", argument="category", valid=valid)
        rows = [table.update(row, enabled=action == "enable") for row in rows]
    return {"rules": rows}
