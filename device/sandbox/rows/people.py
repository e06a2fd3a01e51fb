"""The phone's contacts. Two of them are called Anna, so that a first name alone may need a question."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.sandbox.registry import plant
from device.sandbox.row import row

if TYPE_CHECKING:
    from device.sandbox.sandbox import Sandbox


@row("contacts", key="id")
@dataclass(frozen=True, slots=True)
class Person:
    """One contact."""

    id: str
    """Seeded id, `contact_001`."""
    name: str
    """Full name."""
    phone: str = ""
    """Digits, with `+` before a country code."""
    email: str = ""
    """Address of the mail."""
    relation: str = ""
    """What the user calls this person: `mom`, `boss`; empty for none."""
    address: str = ""
    """Street and town."""
    birthday: str = ""
    """`YYYY-MM-DD`."""


_DEFAULT = (
    ("Maria Bennett", "+15550101", "maria.bennett@example.com", "mom", "12 Maple Street, Riverton", "1965-05-14"),
    ("Robert Bennett", "+15550102", "rob.bennett@example.com", "dad", "12 Maple Street, Riverton", "1962-09-30"),
    ("Diana Novak", "+15550103", "diana.novak@example.com", "boss", "400 Harbor Road, Lakeside", "1978-11-02"),
    ("Anna Keller", "+15550104", "anna.keller@example.com", "", "7 Orchard Lane, Riverton", "1991-03-21"),
    ("Anna Petrova", "+15550105", "anna.petrova@example.com", "", "33 Mill Street, Lakeside", "1989-12-08"),
    ("Tom Bennett", "+15550106", "tom.bennett@example.com", "brother", "5 Station Road, Hillford", "1994-07-17"),
    ("Grace Bennett", "+15550107", "grace.bennett@example.com", "grandma", "2 Chapel Close, Riverton", "1938-04-03"),
    ("Lena Fischer", "+15550108", "lena.fischer@example.com", "wife", "21 Willow Avenue, Riverton", "1990-10-25"),
    ("Samir Haddad", "+15550109", "samir.haddad@example.com", "", "88 King Street, Lakeside", "1987-01-19"),
    ("Priya Raman", "+15550110", "priya.raman@example.com", "dentist", "16 Market Square, Riverton", "1975-06-11"),
    ("Miguel Santos", "+15550111", "miguel.santos@example.com", "landlord", "9 Bridge Street, Riverton", "1959-02-27"),
    ("Chloe Martin", "+15550112", "chloe.martin@example.com", "", "54 Park View, Hillford", "1993-08-06"),
)


@plant
def contacts(phone: "Sandbox") -> None:
    """Twelve contacts."""
    table = phone.table(Person)
    for columns in _DEFAULT:
        table.insert(Person(phone.new_id("contact"), *columns))
