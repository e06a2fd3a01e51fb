"""What a tool author needs, in one import: `from device.sandbox.api import tool, row, plant, Sandbox, ...`."""

from device.sandbox.errors import bad_argument, conflict, denied, not_found, unsupported
from device.sandbox.registry import plant
from device.sandbox.row import row
from device.sandbox.rows.people import Person
from device.sandbox.sandbox import Sandbox
from device.sandbox.tables import Table, folded, same
from device.sandbox.tool import tool
from device.sandbox.types import (
    Contact,
    Date,
    Duration,
    Money,
    Number,
    OnOff,
    Percent,
    PhoneNumber,
    Recurrence,
    Text,
    Time,
    When,
)
from runtime.contract import Domain, Effect, Json

__all__ = [
    "Contact",
    "Date",
    "Domain",
    "Duration",
    "Effect",
    "Json",
    "Money",
    "Number",
    "OnOff",
    "Percent",
    "Person",
    "PhoneNumber",
    "Recurrence",
    "Sandbox",
    "Table",
    "Text",
    "Time",
    "When",
    "bad_argument",
    "conflict",
    "denied",
    "folded",
    "not_found",
    "plant",
    "row",
    "same",
    "tool",
    "unsupported",
]
