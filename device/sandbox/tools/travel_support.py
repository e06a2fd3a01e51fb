"""What the travel tools share: days and moments out of a spoken `when`, money, and the account that pays.

Facts about the open world are drawn from `phone.chance(topic, place, day)`: any place has an answer, and the same
question gets the same answer in every replay.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from device.sandbox.api import Sandbox, bad_argument, conflict, folded
from device.sandbox.rows.money import Account, Payment
from device.sandbox.rows.network import Radios, online
from device.sandbox.rows.travel import Position
from device.spoken.record import When, canonical_when

MAIN_ACCOUNT = "checking"
"""Pays for bookings and orders."""


@dataclass(frozen=True, slots=True)
class Span:
    """The days that a spoken `when` covers."""

    first: date
    """First day."""
    last: date
    """Last day, itself included."""
    time: str | None
    """HH:MM where a time of day was said."""

    @property
    def days(self) -> list[str]:
        """Every day, YYYY-MM-DD."""
        return [(self.first + timedelta(days=n)).isoformat() for n in range((self.last - self.first).days + 1)]


def span_of(phone: Sandbox, when: str | None) -> Span:
    """The days of canonical text `when`; today where nothing, or only a time, was said."""
    said = (canonical_when(when) if when else None) or When()
    first = date.fromisoformat(said.date) if said.date else phone.now.date()
    last = date.fromisoformat(said.end_date) if said.end_date else first
    return Span(first, max(first, last), said.time)


def moment_of(phone: Sandbox, when: str) -> tuple[str, str | None]:
    """Day and time of canonical text `when`: a time that has passed today means tomorrow's."""
    said = canonical_when(when) or When()
    if said.date is None and said.time is not None and said.time <= f"{phone.now:%H:%M}":
        return (phone.now.date() + timedelta(days=1)).isoformat(), said.time
    return said.date or phone.now.date().isoformat(), said.time


def at_of(phone: Sandbox, when: str) -> str | None:
    """`when` as YYYY-MM-DDTHH:MM where it lies ahead, None where it means now."""
    day, time = moment_of(phone, when)
    at = f"{day}T{time}" if time else f"{day}T09:00"
    return at if at > f"{phone.now:%Y-%m-%dT%H:%M}" else None


def coming(phone: Sandbox, day: str | None, time: str | None = None, argument: str = "date") -> str:
    """`day`, which must not lie in the past; 400 naming `argument` where it is missing or past."""
    if not day:
        raise bad_argument(f"`{argument}` is missing; say the day", argument=argument)
    at = datetime.fromisoformat(f"{day}T{time or '23:59'}")
    if at < phone.now.replace(second=0, microsecond=0):
        said = f"{day} {time}" if time else day
        raise bad_argument(f"{said} has passed; it is {phone.now:%Y-%m-%d %H:%M} now", argument=argument)
    return day


def need(value: str | None, argument: str, hint: str) -> str:
    """`value`, which the action needs; 400 naming `argument` where it was left out."""
    if not value:
        raise bad_argument(f"`{argument}` is missing; {hint}", argument=argument)
    return value


def need_online(phone: Sandbox, what: str) -> None:
    """409 where the phone can't reach the internet to `what`, naming the tool that opens a way."""
    if not online(phone):
        way = (
            "turn airplane mode off with `manage_airplane_mode`"
            if phone.one(Radios).airplane_mode
            else "use `manage_wifi`"
        )
        raise conflict(f"the phone is offline and can't {what}; {way} first", reason="offline")


def here(phone: Sandbox, place: str | None) -> str:
    """`place`, or the city in which the phone is; "here" and "near me" mean the latter."""
    if place is None or folded(place) in HERE:
        return phone.one(Position).city
    return place


HERE = frozenset(
    (
        "here",
        "me",
        "near me",
        "nearby",
        "my area",
        "around here",
        "around me",
        "my location",
        "current location",
        "local",
    )
).union(("my current location", "my city", "in my area", "close by", "this area", "my place", "my town"))
"""What people say for the place where they are."""


def dollars(cents: int) -> str:
    """Cents as text with two decimals."""
    return f"{cents // 100}.{cents % 100:02d}"


def text_of(amount: Decimal) -> str:
    """An amount as text with two decimals."""
    return f"{amount:.2f}"


def debit(phone: Sandbox, account: Account, amount: Decimal) -> Account:
    """Take `amount` from `account`; 409 offline, and with balance and amount where it is not covered."""
    need_online(phone, "pay")
    if Decimal(account.balance) < amount:
        raise conflict(
            f"`{account.name}` holds {account.balance} {account.currency}, less than {text_of(amount)}; "
            "choose a smaller amount or another account",
            balance=account.balance,
            amount=text_of(amount),
            account=account.name,
        )
    return phone.table(Account).update(account, balance=text_of(Decimal(account.balance) - amount))


def charge(phone: Sandbox, price: str, payee: str, purpose: str) -> Payment:
    """Pay `price` dollars from the main account and write it into the ledger."""
    account = debit(phone, phone.table(Account).need(MAIN_ACCOUNT, "account"), Decimal(price))
    day = phone.now.date().isoformat()
    payment = Payment(phone.new_id("payment"), account.name, payee, price, account.currency, day, purpose)
    return phone.table(Payment).insert(payment)
