"""Calls, messages, emails, social accounts and posts. Their moments lie shortly before the phone's clock."""

from dataclasses import dataclass
from datetime import timedelta

from device.sandbox.api import Sandbox, plant, row


@row("calls", key="id")
@dataclass(frozen=True, slots=True)
class Call:
    """One entry of the call log."""

    id: str
    """Seeded id, `call_001`."""
    direction: str
    """in, out or missed."""
    who: str
    """Name of the contact; empty for a bare number."""
    phone: str
    """The number."""
    moment: str
    """ISO minute."""


@row("messages", key="id")
@dataclass(frozen=True, slots=True)
class Message:
    """One text message."""

    id: str
    """Seeded id, `message_001`."""
    direction: str
    """in or out."""
    who: str
    """Name of the contact; empty for a bare number."""
    phone: str
    """The number."""
    content: str
    """The text."""
    moment: str
    """ISO minute."""


@row("emails", key="id")
@dataclass(frozen=True, slots=True)
class Email:
    """One email."""

    id: str
    """Seeded id, `email_001`."""
    folder: str
    """inbox, sent, archive or spam."""
    who: str
    """The other side: sender of what came in, recipient of what was sent."""
    address: str
    """The other side's address."""
    subject: str
    """Subject line."""
    content: str
    """Plain text."""
    moment: str
    """ISO minute."""
    read: bool = False
    """Whether the user has read it."""


@row("social_accounts", key="network")
@dataclass(frozen=True, slots=True)
class SocialAccount:
    """One network that the user is signed in to."""

    network: str
    """Facebook, Instagram, Twitter, ..."""
    handle: str
    """The user's name there."""


@row("posts", key="id")
@dataclass(frozen=True, slots=True)
class Post:
    """One post in a feed."""

    id: str
    """Seeded id, `post_001`."""
    network: str
    """Where it stands."""
    author: str
    """Who wrote it; `me` for the user."""
    content: str
    """The text."""
    moment: str
    """ISO minute."""


@row("call_interception", key="category")
@dataclass(frozen=True, slots=True)
class Interception:
    """One kind of unwanted call that may be blocked."""

    category: str
    """one_ring, marketing or international."""
    enabled: bool = False
    """Whether such calls are blocked."""


_EMAILS = (
    (
        "inbox",
        "Diana Novak",
        "diana.novak@example.com",
        "Budget review",
        "Please look at it by Friday.",
        40,
        False,
    ),
    ("inbox", "Diana Novak", "diana.novak@example.com", "Team lunch", "Shall we try the new noodle place?", 1500, True),
    ("inbox", "City Library", "loans@citylibrary.org", "Two books are due", "Your loans end this week.", 190, False),
    ("inbox", "SkyJet", "bookings@skyjet.com", "Your boarding pass", "Gate opens 45 minutes before.", 300, False),
    (
        "inbox",
        "Parcel Post",
        "track@parcelpost.com",
        "Your parcel is on its way",
        "Delivery after 2.",
        700,
        True,
    ),
    ("inbox", "Samir Haddad", "samir.haddad@example.com", "Hiking photos", "The link is below.", 2900, True),
    ("inbox", "Green Energy", "bills@greenenergy.com", "Your monthly bill", "The amount is 64.20.", 4300, False),
    ("archive", "Diana Novak", "diana.novak@example.com", "Welcome aboard", "Glad to have you here.", 90000, True),
    ("sent", "Samir Haddad", "samir.haddad@example.com", "Weekend plan", "Saturday at nine works.", 3100, True),
    ("spam", "Prize Desk", "win@prizedesk.biz", "You have won", "Claim it now.", 500, False),
)
_ACCOUNTS = (("Facebook", "me.myself"), ("Instagram", "me.pictures"), ("Twitter", "me_short"))
_POSTS = (
    ("Facebook", "Diana Novak", "Moved into the new flat!", 90),
    ("Facebook", "Samir Haddad", "Looking for a fourth player on Sunday.", 1600),
    ("Instagram", "Chloe Martin", "Sunrise over the lake", 30),
    ("Instagram", "Samir Haddad", "Trail number nine", 2900),
    ("Twitter", "City Transit", "Line 4 is running late this morning.", 20),
    ("Twitter", "Chloe Martin", "Coffee first.", 130),
)
_CALLS = (("in", "Diana Novak", "+15550103", 75), ("missed", "", "+15550190", 200), ("out", "", "+15550171", 1500))


@plant
def communication(phone: Sandbox) -> None:
    """Ten emails, three accounts with six posts, three calls, and nothing blocked."""

    def ago(minutes: int) -> str:
        return (phone.now - timedelta(minutes=minutes)).isoformat(timespec="minutes")

    for folder, who, address, subject, content, minutes, read in _EMAILS:
        mail = Email(phone.new_id("email"), folder, who, address, subject, content, ago(minutes), read)
        phone.table(Email).insert(mail)
    for network, handle in _ACCOUNTS:
        phone.table(SocialAccount).insert(SocialAccount(network, handle))
    for network, author, content, minutes in _POSTS:
        phone.table(Post).insert(Post(phone.new_id("post"), network, author, content, ago(minutes)))
    for direction, who, number, minutes in _CALLS:
        phone.table(Call).insert(Call(phone.new_id("call"), direction, who, number, ago(minutes)))
    for category in ("one_ring", "marketing", "international"):
        phone.table(Interception).insert(Interception(category))
