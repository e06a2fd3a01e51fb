"""Events from outside: a message that comes in, a call that is missed, while the phone is busy with something else.

They are no doing of the planner's: their rows are left out of the diff that is judged, as long as they stay as they
came. Whoever answers the message that nobody asked about has changed the phone, and that is seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from device.sandbox.rows.communication import Call, Message
from device.sandbox.sandbox import Sandbox
from runtime.contract import Phone, StateDiff

NUMBER = "+1 555 0100"
"""Of a stranger; the number range is kept free for stories."""
WORDS = (
    "Your parcel is at the front desk.",
    "Reminder: the building's water is off tonight.",
    "Hi, is this still your number?",
)


@dataclass(frozen=True, slots=True)
class Happening:
    """A row that came from outside."""

    table: str
    """Its table."""
    key: str
    """Its key."""


def happening(phone: Phone, dice: Random) -> list[Happening]:
    """Let something happen on a phone; only a sandbox has an outside of its own."""
    if not isinstance(phone, Sandbox):
        return []
    moment = f"{phone.now:%Y-%m-%dT%H:%M}"
    if dice.random() < 0.5:
        row = Message(id="message_outside", direction="in", who="", phone=NUMBER, content=dice.choice(WORDS),
                      moment=moment)  # fmt: skip
        phone.table(Message).insert(row)
        return [Happening("messages", row.id)]
    missed = Call(id="call_outside", direction="missed", who="", phone=NUMBER, moment=moment)
    phone.table(Call).insert(missed)
    return [Happening("calls", missed.id)]


def without(diff: StateDiff, happened: Sequence[Happening]) -> StateDiff:
    """The diff less the rows that came from outside and stayed as they came."""
    places = {(one.table, one.key) for one in happened}
    kept = [change for change in diff.changes if (change.table, change.key) not in places or not _as_it_came(change)]
    return StateDiff(changes=tuple(kept)) if len(kept) < len(diff.changes) else diff


def _as_it_came(change: object) -> bool:
    after = getattr(change, "after", None) or {}
    return after.get("phone") == NUMBER and after.get("direction") in ("in", "missed")
