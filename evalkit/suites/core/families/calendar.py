"""Families that read an alarm, an event or a note first."""

from evalkit.suites.core.dependent import Family
from runtime.contract import Json, Split

_EVENT: Json = {"name": "manage_schedule", "arguments": {"action": "query", "event": "{event}"}}
_PLACED: Json = {"table": "events", "id": "event_301", "event": "{event}", "date": "{date}", "time": "{time}",
                 "location": "{street}"}  # fmt: skip

FAMILIES = (
    Family(
        name="reminder_with_an_alarm",
        split=Split.TRAIN,
        calls=(
            {"name": "manage_alarm", "arguments": {"action": "query", "title": "{label}"}},
            {
                "name": "manage_reminder",
                "arguments": {"action": "create", "text": "{task_text}", "time": "$1.data.alarms.0.time"},
            },
        ),
        templates=(
            "remind me to {task_text} when my {label} alarm goes off",
            "check when the {label} alarm is and remind me to {task_text} at that time",
            "at the same time as my {label} alarm, remind me to {task_text}",
            "look at my {label} alarm and set a reminder to {task_text} for the same time",
            "set a reminder to {task_text} at whatever time my {label} alarm is set",
            "when's my {label} alarm? put a reminder to {task_text} right then",
            "my {label} alarm, remind me to {task_text} at that hour",
            "make a reminder to {task_text} that matches the time of the {label} alarm",
        ),
        plant=({"table": "alarms", "id": "alarm_301", "time": "{time}", "date": "{date}", "title": "{label}"},),
    ),
    Family(
        name="alarm_at_an_event",
        split=Split.TEST,
        calls=(
            _EVENT,
            {
                "name": "manage_alarm",
                "arguments": {"action": "create", "time": "$1.data.events.0.time", "date": "$1.data.events.0.date"},
            },
        ),
        templates=(
            "see when my {event} begins and have an alarm ring right then",
            "an alarm for the start of my {event} please",
            "the {event} is in my calendar, set an alarm for its time",
            "make the alarm go off exactly when the {event} starts",
            "find my {event} and put an alarm on the same day and time",
            "i can't miss the {event}, have the alarm sound when it begins",
        ),
        plant=(_PLACED,),
    ),
    Family(
        name="taxi_to_an_event",
        split=Split.TRAIN,
        calls=(
            _EVENT,
            {"name": "book_taxi", "arguments": {"destination": "$1.data.events.0.location"}},
        ),
        templates=(
            "get me a cab to wherever my {event} is",
            "look up where the {event} takes place and book a taxi there",
            "book a taxi to the location of my {event}",
            "i need a ride to my {event}, the address is in the calendar",
            "check my calendar for the {event} and call a cab to it",
            "order a taxi to the {event}",
            "where is my {event}? book me a ride there",
            "find the address of the {event} in my schedule and get me a taxi",
        ),
        plant=(_PLACED,),
    ),
    Family(
        name="route_to_an_event",
        split=Split.DEV,
        calls=(
            _EVENT,
            {"name": "plan_route", "arguments": {"want": "directions", "destination": "$1.data.events.0.location"}},
        ),
        templates=(
            "show me how to drive to my {event}",
            "which way to the place of the {event} in my calendar",
            "open the {event} in my schedule and guide me to its address",
            "directions to the {event}, it's in my calendar",
        ),
        plant=(_PLACED,),
    ),
    Family(
        name="text_where_an_event_is",
        split=Split.TEST,
        calls=(
            _EVENT,
            {
                "name": "send_message",
                "arguments": {"contact": "{person_contact}", "content": "$1.data.events.0.location"},
            },
        ),
        templates=(
            "text {person_contact} the address of the {event}",
            "{person_contact} doesn't know where the {event} is, message them the address from my calendar",
            "tell {person_contact} by text where my {event} takes place",
            "let {person_contact} know the location of my {event} with a message",
            "grab the location of the {event} from my schedule and text it to {person_contact}",
            "message the place of my {event} to {person_contact}",
        ),
        plant=(_PLACED,),
    ),
    Family(
        name="text_a_note",
        split=Split.TEST,
        calls=(
            {"name": "manage_note", "arguments": {"action": "query", "title": "{note_title}"}},
            {
                "name": "send_message",
                "arguments": {"contact": "{person_contact}", "content": "$1.data.notes.0.content"},
            },
        ),
        templates=(
            "text {person_contact} what my {note_title} note says",
            "open the note called {note_title} and message it to {person_contact}",
            "{person_contact} wants my {note_title} note, send it as a text",
            "copy the {note_title} note into a message for {person_contact}",
            "read my note {note_title} and text that to {person_contact}",
            "share what's in the {note_title} note with {person_contact} by text",
        ),
        plant=({"table": "notes", "id": "note_301", "content": "{note_text}", "title": "{note_title}"},),
    ),
    Family(
        name="event_on_a_holiday",
        split=Split.TEST,
        calls=(
            {"name": "calendar_service", "arguments": {"holiday": "{holiday}"}},
            {"name": "manage_schedule", "arguments": {"action": "create", "event": "{event}", "date": "$1.data.date"}},
        ),
        templates=(
            "put a {event} in the calendar on {holiday}",
            "figure out which day {holiday} falls on and schedule a {event} then",
            "i'm having a {event} on {holiday}, add it to my calendar",
            "when is {holiday}? block that day for a {event}",
            "find the date of {holiday} and create an event called {event} that day",
            "calendar entry for {holiday}: {event}",
        ),
    ),
)
