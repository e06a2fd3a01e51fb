"""Contacts, calls, messages: content providers for what is kept, intents for what reaches other people."""

from device.android.errors import bad_argument, conflict, not_found
from device.android.screen import DumpProblem, fold, read_dump
from device.android.state import content
from device.android.state.people import (
    CONTACT_DATA,
    EMAIL_TYPE,
    NAME_TYPE,
    PHONE_TYPE,
    RAW_CONTACTS,
    messages,
    plain_number,
)
from device.android.state.reading import Reading, Rows
from device.android.tools.registry import offered
from device.android.work import Answer, Work
from device.spoken import fold_text, match_contact
from runtime.contract import Json

_FIELDS = {"phone": {"phone", "number", "mobile", "cell"}, "email": {"email", "mail"}}
"""What of a contact the phone tells, and the words for it."""
_SEND_WORDS = ("send", "send sms", "send message", "send mms")


@offered("add_contact", needs="WRITE_CONTACTS")
def add_contact(
    phone: Work, name: str | None = None, phoneNumber: str | None = None, email: str | None = None
) -> Answer:
    """A raw contact without account, with its name, number and address."""
    if name is None:
        raise bad_argument("`name` is missing: whose contact", argument="name")
    phone.watch("contacts")
    if any(fold_text(row["name"]) == fold_text(name) for row in phone.before["contacts"].values()):
        raise conflict(f"a contact `{name}` exists already")
    phone.run("content", "insert", "--uri", RAW_CONTACTS, "--bind", "account_type:n:", "--bind", "account_name:n:")
    ids = {row["_id"] for row in phone.look().rows(RAW_CONTACTS, ("_id", "deleted"))}
    made = sorted(ids - set(phone.before["contacts"]), key=int)[-1:]
    if not made:
        raise conflict("the phone took the new contact and does not list it", "unknown")
    for kind, value in ((NAME_TYPE, name), (PHONE_TYPE, phoneNumber), (EMAIL_TYPE, email)):
        if value is not None:
            columns = content.binds(raw_contact_id=int(made[0]), mimetype=kind, data1=value)
            phone.run("content", "insert", "--uri", CONTACT_DATA, *columns)
    phone.expect("contacts", made[0], name=name, phone=phoneNumber or "", email=email or "")
    return lambda seen: {"contact": seen["contacts"][made[0]]}


@offered("delete_contact", needs="WRITE_CONTACTS")
def delete_contact(phone: Work, name: str) -> Answer:
    """One contact."""
    found = contact(phone, name)
    phone.run("content", "delete", "--uri", RAW_CONTACTS, "--where", f"_id={found['id']}")
    phone.expect_gone("contacts", found["id"])
    return {"deleted": found}


@offered("query_contact", needs="READ_CONTACTS")
def query_contact(phone: Work, person: str | None = None, field: str | None = None) -> Answer:
    """All contacts, or one, or one of its columns."""
    if person is None:
        phone.watch("contacts")
        names = sorted(row["name"] for row in phone.before["contacts"].values())
        return {"contacts": names, "total": len(names)}
    found = contact(phone, person)
    if field is None:
        return {"contact": found}
    words = set(fold_text(field).replace("e-mail", "email").replace("e mail", "email").split())
    column = next((name for name, said in _FIELDS.items() if words & said), "")
    if not column:
        raise not_found(f"contacts here have no `{field}`", candidates=list(_FIELDS))
    if not found[column]:
        raise not_found(f"no {column} is saved for `{found['name']}`", contact=found["name"])
    return {"name": found["name"], "field": column, "value": found[column]}


def contact(phone: Work, said: str) -> Json:
    """The one contact that a name means."""
    phone.watch("contacts")
    rows = list(phone.before["contacts"].values())
    names = match_contact(said, [row["name"] for row in rows])
    hits = [row for row in rows if row["name"] in names]
    if not hits:
        raise not_found(f"no contact is called `{said}`", candidates=[row["name"] for row in rows][:20])
    if len(hits) > 1:
        raise conflict(f"`{said}` could be several contacts", candidates=[row["name"] for row in hits])
    return hits[0]


def _number(phone: Work, said: str | None, number: str | None) -> str:
    if number is not None:
        return number
    if said is None:
        raise bad_argument("`contact` or `phoneNumber` is needed: whom", argument="contact")
    found = contact(phone, said)
    if not found["phone"]:
        raise not_found(f"`{found['name']}` has no phone number", candidates=[])
    return str(found["phone"])


@offered("make_call", needs="CALL_PHONE")
def make_call(phone: Work, contact: str | None = None, phoneNumber: str | None = None) -> Answer:
    """Dial; proved by the state of the line (`dumpsys telephony.registry`, 2 is off the hook)."""
    number = _number(phone, contact, phoneNumber)
    phone.watch_rows("_line", _line)
    phone.run("am", "start", "-a", "android.intent.action.CALL", "-d", f"tel:{number}")
    phone.expect("_line", "phone", busy=True)
    return {"calling": number}


def _line(reading: Reading) -> Rows:
    return {"phone": {"busy": "mCallState=2" in reading.text("dumpsys", "telephony.registry")}}


@offered("query_call_history", needs="READ_CALL_LOG")
def query_call_history(
    phone: Work, contact: str | None = None, kind: str | None = None, date: str | None = None
) -> Answer:
    """The call log, newest first."""
    phone.watch("calls")
    wanted = {"incoming": "in", "outgoing": "out", "missed": "missed"}.get(kind or "")
    said = fold_text(contact) if contact else ""
    rows = [
        row
        for row in phone.before["calls"].values()
        if wanted in (None, row["direction"])
        and row["moment"].startswith(date or "")
        and (not said or said in fold_text(row["who"]) or plain_number(contact or "") == plain_number(row["phone"]))
    ]
    return {"calls": sorted(rows, key=lambda row: str(row["moment"]), reverse=True)}


@offered("send_message", needs="a messages app with a `Send` button")
def send_message(
    phone: Work, contact: str | None = None, phoneNumber: str | None = None, content: str | None = None
) -> Answer:
    """The app's own composer, filled by an intent; its `Send` is pressed once; proved by the sent message itself."""
    if content is None:
        raise bad_argument("`content` is missing: what to say", argument="content")
    number = _number(phone, contact, phoneNumber)
    phone.watch_rows("messages", messages)
    extras = ("--es", "sms_body", content, "--ez", "exit_on_sent", "true")
    phone.run("am", "start", "-a", "android.intent.action.SENDTO", "-d", f"smsto:{number}", *extras)
    x, y = _send_button(phone)
    phone.run("input", "tap", str(x), str(y))
    phone.watch_rows("_outbox", lambda reading: _outbox(reading, number, content, set(phone.before["messages"])))
    phone.expect("_outbox", "phone", sent=1)
    return {"sent": content, "to": number}


def _outbox(reading: Reading, number: str, text: str, before: set[str]) -> Rows:
    sent = [
        key
        for key, row in messages(reading).items()
        if key not in before
        and row["direction"] == "out"
        and row["content"] == text
        and plain_number(row["phone"])[-7:] == plain_number(number)[-7:]
    ]
    return {"phone": {"sent": len(sent)}}


def _send_button(phone: Work) -> tuple[int, int]:
    dump = str(phone.agent.call("dumpWindowHierarchy", [False, 50], phone.deadline))
    try:
        elements = fold(read_dump(dump.encode(errors="replace"))).elements
    except DumpProblem as problem:
        raise conflict(f"the message is written but not sent: its screen can't be read: {problem}", "unknown") from None
    buttons = [one for one in elements if "tap" in one.actions]
    found = [one for one in buttons if fold_text(one.label) in _SEND_WORDS and "disabled" not in one.states]
    if len(found) != 1:
        raise conflict(f"the message is written but not sent: its screen shows {len(found)} `Send` buttons", "unknown")
    return found[0].box.centre
