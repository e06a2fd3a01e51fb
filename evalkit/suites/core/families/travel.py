"""Families that look up a journey, a place or a show first."""

from evalkit.suites.core.dependent import Family
from runtime.contract import Json, Split

_FLIGHT: Json = {"name": "query_flight", "arguments": {"flight": "{flight}"}}

FAMILIES = (
    Family(
        name="route_to_a_found_place",
        split=Split.TEST,
        calls=(
            {"name": "search_places", "arguments": {"placeType": "{place_type_near}"}},
            {"name": "plan_route", "arguments": {"want": "directions", "destination": "$1.data.places.0.name"}},
        ),
        templates=(
            "find a {place_type_near} close by and tell me how to get there",
            "where's a {place_type_near} around here? plan the route to it",
            "search for a {place_type_near} and guide me to the first one",
            "i need the nearest {place_type_near}, with directions",
            "look for a {place_type_near} and start the directions",
            "bring me to a {place_type_near} around here",
        ),
    ),
    Family(
        name="alarm_at_a_landing",
        split=Split.TRAIN,
        calls=(
            _FLIGHT,
            {"name": "manage_alarm", "arguments": {"action": "create", "time": "$1.data.arrives"}},
        ),
        templates=(
            "set an alarm for when flight {flight} lands",
            "check the arrival of {flight} and set an alarm for it",
            "alarm at the arrival time of {flight}",
            "when does {flight} arrive? set an alarm for that",
            "look up flight {flight} and have an alarm go off when it arrives",
            "i'm picking someone up from {flight}, set an alarm for its landing",
            "find out when {flight} gets in and set my alarm to it",
            "i want an alarm when {flight} touches down",
        ),
    ),
    Family(
        name="text_when_a_flight_arrives",
        split=Split.DEV,
        calls=(
            _FLIGHT,
            {"name": "send_message", "arguments": {"contact": "{person_contact}", "content": "$1.data.arrives"}},
        ),
        templates=(
            "text {person_contact} the arrival time of {flight}",
            "let {person_contact} know by message when {flight} gets in",
            "check flight {flight} and message {person_contact} when it arrives",
            "{person_contact} is waiting for {flight}, text them the arrival time",
        ),
    ),
    Family(
        name="reminder_at_a_departure",
        split=Split.TRAIN,
        calls=(
            {"name": "query_transit", "arguments": {"transportType": "{transport}", "destination": "{city}"}},
            {
                "name": "manage_reminder",
                "arguments": {"action": "create", "text": "{task_text}", "time": "$1.data.departures.0.departs"},
            },
        ),
        templates=(
            "find the next {transport} to {city} and remind me to {task_text} when it leaves",
            "remind me to {task_text} at the time the next {transport} to {city} goes",
            "when does the next {transport} leave for {city}? remind me to {task_text} then",
            "check the {transport} to {city}, and at its departure remind me to {task_text}",
            "look up the first {transport} to {city} and set a reminder to {task_text} for that time",
            "i want to {task_text} when the next {transport} to {city} departs, remind me",
            "see when the {transport} to {city} departs and remind me to {task_text} at that time",
            "set a reminder to {task_text} for the departure of the next {transport} to {city}",
        ),
    ),
    Family(
        name="calendar_entry_of_a_found_event",
        split=Split.TRAIN,
        calls=(
            {"name": "find_events", "arguments": {"eventType": "{event_type}", "location": "{city}"}},
            {
                "name": "manage_schedule",
                "arguments": {
                    "action": "create",
                    "event": "$1.data.events.0.name",
                    "date": "$1.data.events.0.date",
                    "time": "$1.data.events.0.time",
                    "location": "$1.data.events.0.where",
                },
            },
        ),
        templates=(
            "find {event_type} in {city} and put the first one in my calendar with time and place",
            "look for {event_type} in {city} and add the first to my calendar, place and time too",
            "are there {event_type} in {city}? schedule the first one for me with its place",
            "search {event_type} in {city}, then save the top one to my schedule with the venue",
            "what {event_type} are on in {city}? add the first with date, time and place to my calendar",
            "pick the first of the {event_type} in {city} and block it in my calendar with its place",
        ),
    ),
    Family(
        name="reminder_at_a_showing",
        split=Split.DEV,
        calls=(
            {"name": "find_showtimes", "arguments": {"movie": "{movie}"}},
            {
                "name": "manage_reminder",
                "arguments": {"action": "create", "text": "{task_text}", "time": "$1.data.shows.0.times.0"},
            },
        ),
        templates=(
            "when's the first showing of {movie}? remind me to {task_text} right then",
            "look up {movie} at the cinema and remind me to {task_text} when the first show starts",
            "remind me to {task_text} at the first showtime of {movie}",
            "see when {movie} plays first and give me a reminder to {task_text} at that time",
        ),
    ),
    Family(
        name="reminder_at_opening",
        split=Split.TRAIN,
        calls=(
            {"name": "query_place", "arguments": {"want": "hours", "place": "{restaurant}"}},
            {
                "name": "manage_reminder",
                "arguments": {"action": "create", "text": "{task_text}", "time": "$1.data.opens"},
            },
        ),
        templates=(
            "remind me to {task_text} when {restaurant} opens",
            "check when {restaurant} opens and remind me to {task_text} then",
            "what are the hours of {restaurant}? at opening time remind me to {task_text}",
            "set a reminder to {task_text} for the time {restaurant} opens",
            "look up {restaurant}'s hours and remind me to {task_text} when it opens",
            "as soon as {restaurant} opens i have to {task_text}, remind me",
            "find the opening time of {restaurant} and make a reminder to {task_text} for it",
            "i'll {task_text} when {restaurant} opens, so remind me then",
        ),
    ),
    Family(
        name="alarm_at_a_foreign_time",
        split=Split.TRAIN,
        calls=(
            {"name": "convert_timezone", "arguments": {"time": "{time}", "fromLocation": "{city}"}},
            {"name": "manage_alarm", "arguments": {"action": "create", "time": "$1.data.toTime"}},
        ),
        templates=(
            "set an alarm for when it's {time} in {city}",
            "what's {time} {city} time here? set an alarm for it",
            "work out when it is {time} in {city} and set an alarm for then",
            "the call is at {time} {city} time, set my alarm for that",
            "convert {time} in {city} to my time and set an alarm",
            "i need an alarm at {time} as they have it in {city}",
            "alarm for {time} over in {city}",
            "i have to be up when it's {time} in {city}, set an alarm",
        ),
    ),
)
