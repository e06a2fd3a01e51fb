"""Trains, buses and flights: timetables, flight status and tickets."""

import re
from dataclasses import dataclass

from device.sandbox.api import (
    Date,
    Domain,
    Effect,
    Sandbox,
    Text,
    Time,
    When,
    bad_argument,
    conflict,
    folded,
    not_found,
    tool,
)
from device.sandbox.rows.travel import Ticket
from device.sandbox.tools.travel_geo import kilometres, minutes
from device.sandbox.tools.travel_support import charge, coming, dollars, here, need, need_online, span_of
from runtime.contract import Json

_KINDS = {
    "train": ("train", "rail", "railway", "amtrak", "express", "intercity"),
    "bus": ("bus", "coach", "greyhound", "shuttle"),
    "subway": ("subway", "metro", "underground", "tube"),
    "tram": ("tram", "streetcar", "light rail"),
    "ferry": ("ferry", "boat", "ship"),
    "flight": ("flight", "plane", "airplane", "air", "aeroplane", "airline"),
}
_KIND = {word: kind for kind, words in _KINDS.items() for word in words}
_TICKETED = ("train", "bus", "flight", "ferry")
_MODE = {"flight": "flying"}
_FLIGHT = re.compile(r"([a-z]{2,3}|[a-z][0-9]|[0-9][a-z]) ?([0-9]{1,4})")
_AIRLINES = {
    "united": "UA", "delta": "DL", "american": "AA", "southwest": "WN", "jetblue": "B6", "lufthansa": "LH",
    "british airways": "BA", "air france": "AF", "emirates": "EK", "alaska": "AS",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Departure:
    """One line of a timetable."""

    line: str
    """Number of the train, bus or flight."""
    departs: str
    """HH:MM."""
    arrives: str
    """HH:MM."""
    price: str
    """US dollars, two decimals."""

    def told(self) -> Json:
        """As the planner reads it."""
        return {"line": self.line, "departs": self.departs, "arrives": self.arrives, "price": self.price}


def kind_of(said: str) -> str:
    """The means of transport ("trains", "the metro"); 400 with the valid ones."""
    words = folded(said).split()
    for word in (" ".join(words), *words):
        if kind := _KIND.get(word) or _KIND.get(word.removesuffix("s")) or _KIND.get(word.removesuffix("es")):
            return kind
    valid = list(_KINDS)
    raise bad_argument(
        f"`transportType` {said} is not known; use one of {', '.join(valid)}", argument="transportType", valid=valid
    )


def departures(phone: Sandbox, kind: str, start: str, end: str, day: str, after: str) -> list[Departure]:
    """Three departures of a day from HH:MM `after` on; fewer late in the evening."""
    length = kilometres(phone, start, end)
    chance = phone.chance("timetable", kind, folded(start), folded(end), day)
    every = chance.choice((20, 30, 40)) if length < 100 else chance.choice((60, 90, 120))
    minute, earliest = 5 * 60 + chance.randrange(0, 60, 5), minute_of(after)
    price = dollars(chance.randrange(0, 100, 5) + max(250, round(length * (14 if kind == "flight" else 9))))
    lasts, number = minutes(length, _MODE.get(kind, "transit")), chance.randint(100, 899)
    missed = max(0, -(-(earliest - minute) // every))
    lead = "UA " if kind == "flight" else kind[0].upper()
    return [
        Departure(f"{lead}{number + 2 * run}", _clock(leaves), _clock(leaves + lasts), price)
        for run in range(missed, missed + 3)
        if (leaves := minute + run * every) < 24 * 60
    ]


def minute_of(time: str) -> int:
    """HH:MM as minute of the day."""
    return int(time[:2]) * 60 + int(time[3:])


def _clock(minute: int) -> str:
    return f"{minute // 60 % 24:02d}:{minute % 60:02d}"


def _from(phone: Sandbox, day: str, time: str | None) -> str:
    """The time from which departures count: as said, else now on today, else the start of the day."""
    return time or (f"{phone.now:%H:%M}" if day == phone.now.date().isoformat() else "00:00")


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "when does the next bus to the mall leave",
        "trains from Boston to New York on Friday morning",
        "what time is the last subway home",
        "is there a ferry to the island tomorrow",
        "train schedule to Chicago",
    ),
)
def query_transit(
    phone: Sandbox,
    transportType: Text | None = None,
    destination: Text | None = None,
    origin: Text | None = None,
    when: When | None = None,
) -> Json:
    """Public transport times."""
    need_online(phone, "read timetables")
    kind, start = kind_of(transportType or "train"), here(phone, origin)
    end, span = destination or "city center", span_of(phone, when)
    day = span.first.isoformat()
    found = departures(phone, kind, start, end, day, _from(phone, day, span.time))
    if not found:
        raise not_found(f"no {kind} from {start} to {end} runs any more on {day}; ask for another day")
    return {
        "transport": kind,
        "origin": start,
        "destination": end,
        "date": day,
        "departures": [each.told() for each in found],
    }


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects=Effect.PAY,
    phrases=(
        "book me a train to Chicago on Monday",
        "I want to fly to Rome next Friday, get me a seat",
        "get a bus ticket from Denver to Boulder for tomorrow at nine",
        "buy a plane ticket to London",
        "I need a ferry ticket for Saturday morning",
    ),
)
def book_ticket(
    phone: Sandbox,
    transportType: Text | None = None,
    destination: Text | None = None,
    origin: Text | None = None,
    date: Date | None = None,
    time: Time | None = None,
) -> Json:
    """Book train, bus or flight tickets."""
    kind = kind_of(need(transportType, "transportType", "say train, bus, flight or ferry"))
    if kind not in _TICKETED:
        raise bad_argument(f"no tickets for a {kind}; use one of {', '.join(_TICKETED)}", argument="transportType")
    end, day = need(destination, "destination", "say where to go"), coming(phone, date, time)
    start = here(phone, origin)
    found = departures(phone, kind, start, end, day, _from(phone, day, time))
    if not found:
        raise not_found(f"no {kind} from {start} to {end} leaves on {day} at that time; ask for another day")
    first, table = found[0], phone.table(Ticket)
    if table.find(line=first.line, date=day, time=first.departs, destination=end):
        raise conflict(f"`{first.line}` to {end} on {day} at {first.departs} is booked already")
    charge(phone, first.price, f"{kind} company", f"{kind} ticket")
    row = Ticket(phone.new_id("ticket"), kind, first.line, start, end, day, first.departs, first.price)
    return {"ticket": table.insert(row), "arrives": first.arrives}


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "is UA 482 on time",
        "has my flight been delayed",
        "what gate does delta 1170 leave from",
        "status of my flight to Dallas",
        "when does BA 212 land",
    ),
)
def query_flight(phone: Sandbox, flight: Text | None = None, date: Date | None = None) -> Json:
    """Flight status."""
    need_online(phone, "see flights")
    day = date or phone.now.date().isoformat()
    if code := _code(flight or ""):
        return _status(phone, code, day)
    booked = phone.table(Ticket).find(transport="flight")
    if flight is not None:
        said = set(folded(flight).split())
        booked = [t for t in booked if said & set(folded(f"{t.destination} {t.origin} {t.line}").split())] or [
            t for t in booked if said <= {"my", "next", "flight"}
        ]
    if not booked:
        raise not_found(f"no booked flight matches {flight or 'this'}; say its number, such as `UA 482`")
    return {"flights": [_booked(phone, ticket) for ticket in booked]}


def _code(said: str) -> str:
    """`UA 482` for "ua482", "flight UA 482" or "united 482"; empty where no flight number was said."""
    text = re.sub(r"\b(my|flight|number|airlines?|airways?)\b", " ", folded(said.replace("british airways", "ba")))
    text = " ".join(text.split())
    for name, code in _AIRLINES.items():
        text = text.replace(name, code.casefold())
    found = _FLIGHT.fullmatch(text)
    return f"{found[1].upper()} {found[2]}" if found else ""


def _booked(phone: Sandbox, ticket: Ticket) -> Json:
    """Status of a booked flight: its times are those of the ticket, and the delay."""
    planned = minute_of(ticket.time)
    lasts = minutes(kilometres(phone, ticket.origin, ticket.destination), "flying")
    return _status(phone, ticket.line, ticket.date, planned, lasts) | {"destination": ticket.destination}


def _status(phone: Sandbox, code: str, day: str, planned: int | None = None, lasts: int | None = None) -> Json:
    """Status of one flight; planned departure (minute of the day) and duration are drawn where no ticket says them."""
    chance = phone.chance("flight", code, day)
    departs = chance.randrange(6 * 60, 22 * 60, 5) if planned is None else planned
    lasts = chance.randrange(60, 300, 5) if lasts is None else lasts
    delay = chance.choice((0, 0, 0, 15, 40, 75))
    return {
        "flight": code,
        "date": day,
        "status": f"delayed {delay} minutes" if delay else "on time",
        "departs": _clock(departs + delay),
        "arrives": _clock(departs + delay + lasts),
        "gate": f"{chance.choice('ABCD')}{chance.randint(1, 40)}",
    }
