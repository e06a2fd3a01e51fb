"""Saved passwords, emergency alerts, sharing the location."""

from datetime import timedelta
from typing import Literal

from device.sandbox.api import (
    Contact,
    Domain,
    Duration,
    Effect,
    Json,
    Person,
    Sandbox,
    Text,
    bad_argument,
    not_found,
    tool,
)
from device.sandbox.rows.security import Alert, Credential, EmergencyContact, LocationShare
from device.sandbox.tools.lookup import need_online, need_signal, only

_HOUR = 3600


@tool(
    Domain.SECURITY,
    effects={"delete": Effect.DELETE},
    permission="passwords",
    phrases=(
        "what's my Netflix password",
        "save the password for the library site",
        "which logins are stored",
        "delete the Amazon password",
        "remember this login for Gmail",
    ),
)
def manage_password_vault(
    phone: Sandbox,
    action: Literal["query", "save", "delete"],
    site: Text | None = None,
    password: Text | None = None,
) -> Json:
    """Saved passwords."""
    table = phone.table(Credential)
    if site is None:
        if action != "query":
            raise bad_argument(f"`site` is missing: whose password to {action}", argument="site")
        return {"sites": [row.site for row in table.all()]}
    if action == "save":
        return _save(phone, site, password)
    found = only(table.all(), site, lambda row: row.site, "saved password")
    if action == "query":
        return {"site": found.site, "password": found.secret}
    table.delete(found)
    return {"message": f"deleted the password of {found.site}"}


def _save(phone: Sandbox, site: str, password: str | None) -> Json:
    """Keep a password, in place of an older one of the same site."""
    if password is None:
        raise bad_argument(f"`password` is missing: the one for {site}", argument="password")
    table = phone.table(Credential)
    old = table.find(site=site)
    if old:
        table.update(old[0], secret=password)
    else:
        table.insert(Credential(phone.new_id("credential"), site, password))
    return {"message": f"saved the password of {site}", "replaced": bool(old)}


@tool(
    Domain.SECURITY,
    effects=Effect.SEND,
    permission="emergency",
    phrases=(
        "help, I'm in danger",
        "send an SOS to my wife",
        "alert my emergency contacts",
        "I had an accident, tell mum",
        "emergency alert now",
    ),
)
def send_emergency_alert(phone: Sandbox, contact: Contact | None = None, message: Text | None = None) -> Json:
    """Emergency alert."""
    people = phone.table(Person)
    if contact is not None:
        reached = [phone.contact(contact)]
    else:
        reached = [p for e in phone.table(EmergencyContact).all() if (p := people.get(e.person)) is not None]
    if not reached:
        raise not_found("no emergency contact is left; name one as `contact`", argument="contact")
    need_signal(phone, "send an alert")
    moment = phone.now.isoformat(timespec="minutes")
    for person in reached:
        text = message or "I need help"
        phone.table(Alert).insert(Alert(phone.new_id("alert"), person.id, text, moment))
    return {"message": "alert sent", "to": [person.name for person in reached]}


@tool(
    Domain.SECURITY,
    effects=Effect.SEND,
    permission="location",
    phrases=(
        "share my location with Lena",
        "let my brother see where I am for two hours",
        "send Anna my live position",
        "show mum where I am",
    ),
)
def share_location(phone: Sandbox, contact: Contact | None = None, duration: Duration | None = None) -> Json:
    """Share my location."""
    if contact is None:
        raise bad_argument("`contact` is missing: who may see the location", argument="contact")
    person = phone.contact(contact)
    need_online(phone, "share its location")
    until = (phone.now + timedelta(seconds=duration or _HOUR)).isoformat(timespec="minutes")
    table = phone.table(LocationShare)
    old = table.find(lambda share: share.person == person.id)
    if old:
        share = table.update(old[0], until=until)
    else:
        share = table.insert(LocationShare(phone.new_id("share"), person.id, until))
    return {"message": f"{person.name} sees the location until {until}", "share": share}
