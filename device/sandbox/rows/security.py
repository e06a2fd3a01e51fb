"""Locks, saved passwords, and who hears of an emergency or sees where the phone is."""

from dataclasses import dataclass

from device.sandbox.api import (
    Person,
    Sandbox,
    plant,
    row,
)


@row("locks")
@dataclass(frozen=True, slots=True)
class Locks:
    """How the phone is unlocked."""

    screen_lock: str = "pin"
    """none, pin, pattern or password."""
    fingerprint: bool = True
    """Whether a finger unlocks."""
    face: bool = False
    """Whether a face unlocks."""


@row("credentials", key="id")
@dataclass(frozen=True, slots=True)
class Credential:
    """One saved password."""

    id: str
    """Seeded id, `credential_001`."""
    site: str
    """Where it is used."""
    secret: str
    """The password; told only to a query for this site."""


@row("emergency_contacts", key="person")
@dataclass(frozen=True, slots=True)
class EmergencyContact:
    """Who hears of an emergency when nobody was named."""

    person: str
    """Id of the contact."""


@row("alerts", key="id")
@dataclass(frozen=True, slots=True)
class Alert:
    """One emergency alert that was sent."""

    id: str
    """Seeded id, `alert_001`."""
    person: str
    """Id of the contact."""
    message: str
    """What it said."""
    moment: str
    """ISO minute."""


@row("location_shares", key="id")
@dataclass(frozen=True, slots=True)
class LocationShare:
    """One person who sees where the phone is."""

    id: str
    """Seeded id, `share_001`."""
    person: str
    """Id of the contact."""
    until: str
    """ISO minute at which it ends."""


_PASSWORDS = (
    ("Netflix", "popcorn-9-moon"), ("Gmail", "tulip.Garden.51"), ("Amazon", "box-of-Rain7"),
    ("City Library", "dusty shelf 12"),
)  # fmt: skip


@plant
def security(phone: Sandbox) -> None:
    """Four saved passwords; wife and mother are the emergency contacts."""
    for site, secret in _PASSWORDS:
        phone.table(Credential).insert(Credential(phone.new_id("credential"), site, secret))
    for person in phone.table(Person).all():
        if person.relation in ("wife", "mom"):
            phone.table(EmergencyContact).insert(EmergencyContact(person.id))
