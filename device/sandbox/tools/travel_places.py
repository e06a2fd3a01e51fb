"""Places and what happens in them: search, reviews, busyness, opening hours, events.

In the phone's own city the venues are rows; anywhere else, and for names that no row has, the answer is drawn from
`phone.chance`, so that whatever a person names has one.
"""

from typing import Literal

from device.sandbox.api import Domain, Effect, Sandbox, Text, When, bad_argument, folded, not_found, tool
from device.sandbox.rows.travel import Position, Venue
from device.sandbox.tools.travel_support import here, need, need_online, span_of
from runtime.contract import Json

SHOWN = 5
"""Places and events that are told."""
_FOOD_PLACES = (
    "restaurant",
    "cafe",
    "coffee shop",
    "bar",
    "bakery",
    "pizzeria",
    "diner",
    "bistro",
    "pub",
    "food",
    "place",
)
_FRONT = ("Blue", "Golden", "Corner", "Old Town", "River", "Sunny", "Central", "Little")


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "find a pharmacy near me",
        "where can I get good sushi around here",
        "any museums in Chicago",
        "is there a gas station close by",
        "recommend a place for brunch",
        "where's the nearest Walmart",
        "what is there to do in Lisbon",
        "which sights would you suggest in Vienna",
    ),
)
def search_places(
    phone: Sandbox,
    placeType: Text | None = None,
    location: Text | None = None,
    food: Text | None = None,
    name: Text | None = None,
) -> Json:
    """Find restaurants, shops and sights."""
    if not (placeType or food or name):
        raise bad_argument("`placeType` is missing; say what kind of place, its food or its name", argument="placeType")
    need_online(phone, "search places")
    place = here(phone, location)
    if folded(place) == folded(phone.one(Position).city) and (found := local(phone, placeType, food, name)):
        return {"location": place, "places": [_shown(venue) for venue in found[:SHOWN]]}
    return {"location": place, "places": _drawn(phone, place, placeType, food, name)}


def local(phone: Sandbox, kind: str | None, food: str | None, name: str | None = None) -> list[Venue]:
    """Venues of the phone's city that fit, best rating first."""
    found = [
        venue
        for venue in phone.table(Venue).all()
        if (not kind or is_kind(venue, kind))
        and (not food or folded(food) in folded(f"{venue.cuisine} {venue.kind}"))
        and (not name or folded(name) in folded(venue.name))
    ]
    return sorted(found, key=lambda venue: (-venue.rating, venue.id))


def is_kind(venue: Venue, said: str) -> bool:
    """Whether `venue` is what was said: its kind, its cuisine ("pizzerias" serve pizza), or simply a place to eat."""
    word = folded(said)
    word = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    if word in ("restaurant", "food", "place to eat"):
        return bool(venue.cuisine)
    return word in folded(venue.kind) or word.removesuffix(" restaurant") in folded(venue.cuisine).split()


def _shown(venue: Venue) -> Json:
    hours = f"{venue.opens}-{venue.closes}"
    return {"name": venue.name, "kind": venue.kind, "rating": venue.rating, "price": venue.price, "hours": hours}


def _drawn(phone: Sandbox, place: str, kind: str | None, food: str | None, name: str | None) -> list[Json]:
    """Three plausible places of a city for which there are no rows."""
    what = kind or (f"{food} restaurant" if food else "shop")
    chance = phone.chance("places", folded(place), folded(what), folded(food or ""), folded(name or ""))
    fronts = [""] if name else chance.sample(_FRONT, 3)
    return [
        {
            "name": name or f"{front} {(food or what).title()}",
            "kind": what,
            "rating": round(chance.uniform(3.2, 4.9), 1),
            "price": chance.randint(1, 3),
            "address": f"{chance.randint(1, 240)} {chance.choice(('Main', 'Park', 'Mill', 'Lake'))} Street",
        }
        for front in fronts
    ]


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "is the gym crowded right now",
        "what do people say about Luigi's",
        "until when is the library open",
        "is Trattoria Sole any good",
        "how long is the wait at the diner",
    ),
)
def query_place(phone: Sandbox, want: Literal["reviews", "busyness", "hours"], place: Text | None = None) -> Json:
    """Reviews, busyness or hours of a place."""
    name = need(place, "place", "say which place")
    need_online(phone, "look a place up")
    venue = next(iter(local(phone, None, None, name)), None)
    chance = phone.chance("place", want, folded(name), f"{phone.now:%Y-%m-%dT%H}" if want == "busyness" else "")
    label = venue.name if venue else name
    if want == "reviews":
        rating = venue.rating if venue else round(chance.uniform(3.0, 4.9), 1)
        praise = chance.choice(("friendly staff", "great value", "lovely atmosphere", "quick service"))
        return {"place": label, "rating": rating, "reviews": chance.randint(20, 900), "praised_for": praise}
    if want == "busyness":
        level = chance.choice(("quiet", "a little busy", "busy", "very busy"))
        return {
            "place": label,
            "busyness": level,
            "wait_minutes": 0 if level == "quiet" else chance.randrange(0, 45, 5),
        }
    opens, closes = (
        (venue.opens, venue.closes) if venue else (f"{chance.randint(7, 10):02d}:00", f"{chance.randint(17, 22)}:00")
    )
    return {"place": label, "opens": opens, "closes": closes, "open_now": opens <= f"{phone.now:%H:%M}" < closes}


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "what's going on in town this weekend",
        "any concerts near me on Saturday",
        "find a street market tomorrow",
        "are there comedy shows in Austin",
        "things to do tonight",
    ),
)
def find_events(
    phone: Sandbox, eventType: Text | None = None, location: Text | None = None, when: When | None = None
) -> Json:
    """Events nearby."""
    need_online(phone, "look for events")
    place, span = here(phone, location), span_of(phone, when)
    if span.last < phone.now.date():
        raise not_found(f"{span.first} has passed; events are listed from {phone.now.date()} on")
    kind = eventType or "event"
    chance = phone.chance("events", folded(place), folded(kind), span.first.isoformat())
    names = chance.sample(
        ("Harbor Stage", "City Hall", "Old Mill", "Lakeside Park", "Union Theater", "Market Square"), 3
    )
    events = [
        {
            "name": _event_name(kind, spot),
            "where": spot,
            "date": chance.choice(span.days[:SHOWN]),
            "time": span.time or f"{chance.randint(10, 21)}:{chance.choice(('00', '30'))}",
            "price": f"{chance.randrange(0, 60, 5)}.00",
        }
        for spot in names
    ]
    return {"location": place, "events": sorted(events, key=lambda event: (event["date"], event["time"]))}


def _event_name(kind: str, spot: str) -> str:
    return f"{kind.capitalize()} at {spot}"
