"""Rows beside calls and messages: voicemails, forwarding, blocked numbers, group chats."""

from dataclasses import dataclass
from datetime import timedelta

from device.sandbox.api import Sandbox, plant, row


@row("voicemails", key="id")
@dataclass(frozen=True, slots=True)
class Voicemail:
    """One message on the voicemail."""

    id: str
    """`voicemail_001`."""
    who: str
    """Name of the caller; "" for a bare number."""
    phone: str
    """The caller's number."""
    text: str
    """What was said."""
    moment: str
    """ISO minute at which it was left."""
    heard: bool = False
    """Whether the user has listened to it."""


@row("call_forwarding", key="condition")
@dataclass(frozen=True, slots=True)
class Forwarding:
    """One condition under which calls go to another number."""

    condition: str
    """`always`, `busy`, `no_answer` or `unreachable`."""
    enabled: bool = False
    """Whether it was asked for."""
    phone_number: str = ""
    """Where the calls go."""
    ready_at: str = ""
    """ISO moment from which the network forwards."""


@row("blocked_numbers", key="phone_number")
@dataclass(frozen=True, slots=True)
class BlockedNumber:
    """One number whose calls and messages don't get through."""

    phone_number: str
    """Digits, with `+` before a country code."""
    who: str = ""
    """Name of the contact; "" for a bare number."""


@row("group_chats", key="id")
@dataclass(frozen=True, slots=True)
class GroupChat:
    """One conversation of several people."""

    id: str
    """`chat_001`."""
    name: str
    """What it is called."""
    people: tuple[str, ...] = ()
    """Names of the others, in the order in which they came."""


@row("group_messages", key="id")
@dataclass(frozen=True, slots=True)
class GroupMessage:
    """One message that the user wrote to a group."""

    id: str
    """`group_message_001`."""
    chat: str
    """Id of the group."""
    content: str
    """The text."""
    moment: str
    """ISO minute."""


CONDITIONS = ("always", "busy", "no_answer", "unreachable")
_VOICEMAILS = (
    ("Diana Novak", "+15550103", "Please send me the slides before noon.", 50, False),
    ("Priya Raman", "+15550110", "Your check-up is confirmed for next week.", 1300, True),
    ("", "+15550190", "This is the garage, your car is ready.", 200, False),
    ("Miguel Santos", "+15550111", "The plumber comes on Thursday morning.", 4400, True),
)
"""Name, number, words, minutes ago, heard."""
_GROUPS = (
    ("Bennett family", ("Maria Bennett", "Robert Bennett", "Tom Bennett", "Grace Bennett")),
    ("Hiking crew", ("Samir Haddad", "Chloe Martin")),
)


@plant
def calling(phone: Sandbox) -> None:
    """Four voicemails of which two are new, two groups, one blocked number; nothing is forwarded."""
    for who, number, text, minutes, heard in _VOICEMAILS:
        left = (phone.now - timedelta(minutes=minutes)).isoformat(timespec="minutes")
        phone.table(Voicemail).insert(Voicemail(phone.new_id("voicemail"), who, number, text, left, heard))
    for condition in CONDITIONS:
        phone.table(Forwarding).insert(Forwarding(condition))
    phone.table(BlockedNumber).insert(BlockedNumber("+15550666"))
    for name, people in _GROUPS:
        phone.table(GroupChat).insert(GroupChat(phone.new_id("chat"), name, people))
