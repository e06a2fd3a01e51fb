"""Accounts, bills and the ledger of payments. Amounts are text with two decimals, so that no cent is lost to floats."""

from dataclasses import dataclass

from device.sandbox.api import row


@row("accounts", key="name")
@dataclass(frozen=True, slots=True)
class Account:
    """A bank account."""

    name: str
    """`checking`, `savings`, ..."""
    balance: str
    """What is on it, two decimals."""
    currency: str = "USD"
    """ISO 4217 code."""


@row("payments", key="id")
@dataclass(frozen=True, slots=True)
class Payment:
    """One line of the ledger: money that left or moved between accounts."""

    id: str
    """Confirmation id."""
    account: str
    """Account that paid."""
    payee: str
    """Who got it: a contact, an own account, a company."""
    amount: str
    """Two decimals."""
    currency: str
    """ISO 4217 code."""
    date: str
    """Day on which it leaves the account."""
    purpose: str
    """`transfer`, `bill`, `train ticket`, ..."""
    status: str = "done"
    """`done`, or `scheduled` for a later day."""


@row("bills", key="name")
@dataclass(frozen=True, slots=True)
class Bill:
    """A bill of this month."""

    name: str
    """`electricity`, `rent`, ..."""
    due: str
    """What is still to pay, two decimals."""
    due_date: str
    """Last day to pay."""
    status: str = "open"
    """`open`, `scheduled` or `paid`."""


@row("payment_apps", key="name")
@dataclass(frozen=True, slots=True)
class PaymentApp:
    """An app that shows payment codes."""

    name: str
    """As the app calls itself."""
    shown_at: str = ""
    """When its code was last brought to the screen, empty if never."""
