"""Families that look up a person first."""

from evalkit.suites.core.dependent import Family
from runtime.contract import Json, Split


def _field(field: str) -> Json:
    return {"name": "query_contact", "arguments": {"person": "{person_contact}", "field": field}}


FAMILIES = (
    Family(
        name="route_to_a_contact",
        split=Split.TRAIN,
        calls=(
            _field("address"),
            {"name": "plan_route", "arguments": {"want": "directions", "destination": "$1.data.value"}},
        ),
        templates=(
            "how do i get to {person_contact}'s house",
            "give me directions to where {person_contact} lives",
            "navigate to {person_contact}'s place, the address is in my contacts",
            "i'm driving over to {person_contact}'s, show me the way",
            "look up the address of {person_contact} and take me there",
            "directions to {person_contact}'s home address",
            "find out where {person_contact} lives and plan a route there",
            "i need to get to {person_contact}'s home, which way do i go",
        ),
    ),
    Family(
        name="email_to_a_looked_up_address",
        split=Split.TRAIN,
        calls=(
            _field("email"),
            {"name": "send_email", "arguments": {"recipient": "$1.data.value", "content": "{email_text}"}},
        ),
        templates=(
            "look up {person_contact}'s email and write them {email_text}",
            "find the email address of {person_contact}, then send a mail there saying {email_text}",
            "check my contacts for {person_contact}'s email and mail {email_text}",
            "get {person_contact}'s mail address and email them {email_text}",
            "what's {person_contact}'s email? send {email_text} to it",
            "see which email i have for {person_contact} and send {email_text}",
            "use the address in my contacts to email {person_contact} that {email_text}",
            "pull up {person_contact}'s email address and send this: {email_text}",
        ),
    ),
    Family(
        name="pass_on_a_number",
        split=Split.TEST,
        calls=(
            _field("phone"),
            {"name": "send_message", "arguments": {"contact": "{person_contact_2}", "content": "$1.data.value"}},
        ),
        templates=(
            "text {person_contact_2} the phone number of {person_contact}",
            "{person_contact_2} needs {person_contact}'s number, message it over",
            "pass {person_contact}'s phone number on to {person_contact_2} in a text",
            "could you share {person_contact}'s number with {person_contact_2} by message",
            "dig out {person_contact}'s number and text it to {person_contact_2}",
            "send {person_contact_2} a text with {person_contact}'s phone number",
        ),
    ),
)
