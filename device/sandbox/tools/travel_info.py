"""Weather, traffic, routes and where the phone is: facts of the open world, the same in every replay."""

from datetime import date, timedelta
from random import Random
from typing import Literal

from device.sandbox.api import Domain, Effect, Sandbox, Text, When, bad_argument, conflict, folded, not_found, tool
from device.sandbox.rows.system_setup import LocationServices
from device.sandbox.rows.travel import Position, SavedPlace
from device.sandbox.tools.travel_geo import kilometres, minutes, mode_of
from device.sandbox.tools.travel_support import here, need, need_online, span_of
from runtime.contract import Json

FORECAST_DAYS = 30
"""How far the forecast reaches."""
SHOWN_DAYS = 7
"""Days of a stretch that are told."""

_SKIES = ("sunny", "partly cloudy", "cloudy", "rain", "thunderstorm", "windy", "fog", "snow")
_WORDS = {
    "rain": ("rain", "umbrella", "wet", "shower", "drizzle", "raincoat"),
    "snow": ("snow", "blizzard", "sleet"),
    "thunderstorm": ("storm", "thunder", "lightning"),
    "sunny": ("sun", "clear", "bright"),
    "windy": ("wind", "gust", "breez"),
    "fog": ("fog", "mist"),
    "cloudy": ("cloud", "overcast"),
    "cold": ("cold", "chill", "freez", "coat", "jacket", "frost"),
    "hot": ("hot", "warm", "heat"),
}


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "do I need an umbrella today",
        "how cold does it get in Chicago tonight",
        "what's it like outside",
        "weather in Madrid this weekend",
        "is it going to snow on Friday",
        "forecast for tomorrow please",
    ),
)
def get_weather(
    phone: Sandbox, location: Text | None = None, when: When | None = None, condition: Text | None = None
) -> Json:
    """Weather forecast."""
    need_online(phone, "fetch the weather")
    place, span = here(phone, location), span_of(phone, when)
    last = phone.now.date() + timedelta(days=FORECAST_DAYS)
    if span.first > last:
        raise not_found(f"no forecast for {span.first}; it reaches until {last}", until=last.isoformat())
    days = [_weather(phone, place, day) for day in span.days[:SHOWN_DAYS]]
    answer: Json = {"location": place, **days[0]} if len(days) == 1 else {"location": place, "days": days}
    if condition is not None:
        answer["asked"] = {condition: any(_is(day, condition) for day in days)}
    return answer


def _weather(phone: Sandbox, place: str, day: str) -> Json:
    """One day: a season from the month (northern half of the globe) and the chance of the place."""
    chance = phone.chance("weather", folded(place), day)
    warmth = 13 - 11 * abs(date.fromisoformat(day).month - 7) / 3.5
    high = round(warmth + 9 + chance.uniform(-6, 6))
    low = high - chance.randint(5, 12)
    sky = chance.choice([sky for sky in _SKIES if sky != "snow" or low <= 1])
    wet = sky in ("rain", "thunderstorm", "snow")
    return {
        "date": day,
        "sky": sky,
        "high_c": high,
        "low_c": low,
        "high_f": round(high * 9 / 5 + 32),
        "low_f": round(low * 9 / 5 + 32),
        "rain_percent": chance.randint(60, 95) if wet else chance.randint(0, 25),
    }


def _is(day: Json, condition: str) -> bool:
    """Whether the weather of `day` is what was asked for ("umbrella" asks for rain)."""
    said = folded(condition)
    meant = next((sky for sky, stems in _WORDS.items() if any(stem in said for stem in stems)), said)
    if meant == "cold":
        return bool(day["low_c"] <= 5)
    if meant == "hot":
        return bool(day["high_c"] >= 24)
    return meant in day["sky"] or (meant == "rain" and day["sky"] == "thunderstorm")


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "how's traffic to work",
        "any jams on the way to the airport",
        "will the roads be busy at five",
        "is there an accident on my route home",
        "traffic from downtown to the stadium",
    ),
)
def get_traffic(
    phone: Sandbox, destination: Text | None = None, origin: Text | None = None, when: When | None = None
) -> Json:
    """Traffic on the way."""
    need_online(phone, "see the traffic")
    start, end = here(phone, origin), here(phone, destination or "work")
    length = kilometres(phone, start, end)
    span = span_of(phone, when)
    time = span.time or f"{phone.now:%H:%M}"
    chance = phone.chance("traffic", folded(start), folded(end), span.first.isoformat(), time[:2])
    rush = time[:2] in ("07", "08", "16", "17", "18") and span.first.weekday() < 5
    level = chance.choice(("heavy", "heavy", "moderate")) if rush else chance.choice(("light", "light", "moderate"))
    free = minutes(length, "driving")
    delay = {"light": 0, "moderate": 4 + free // 10, "heavy": 9 + free // 4}[level]
    return {"origin": start, "destination": end, "date": span.first.isoformat(), "time": time, "traffic": level} | {
        "delay_minutes": delay,
        "travel_minutes": free + delay,
        "incident": _incident(chance, level),
    }


def _incident(chance: Random, level: str) -> str:
    if level != "heavy":
        return "none"
    return chance.choice(("none", "accident", "road works", "stalled vehicle"))


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "how do I get to the museum",
        "how far is it from Boston to New York",
        "how long does it take to walk to the station",
        "navigate home",
        "directions to 12 Oak Street by bike",
        "what's the distance to the airport",
        "when would I get to the office",
        "lead me to a coffee shop",
    ),
)
def plan_route(
    phone: Sandbox,
    want: Literal["directions", "distance", "duration"],
    destination: Text | None = None,
    origin: Text | None = None,
    mode: Text | None = None,
) -> Json:
    """Directions, distance and travel time."""
    end = here(phone, need(destination, "destination", "say where to go"))
    need_online(phone, "plan a route")
    start, way = here(phone, origin), mode_of(mode)
    length = kilometres(phone, start, end)
    answer: Json = {"origin": start, "destination": _address(phone, end), "mode": way}
    if want != "duration":
        answer |= {"kilometres": length, "miles": round(length * 0.621371, 1)}
    if want != "distance":
        answer["minutes"] = minutes(length, way)
    if want == "directions":
        answer["steps"] = _steps(phone, start, end)
    return answer


def _address(phone: Sandbox, place: str) -> str:
    """The address of a saved place ("home"), else the place as said."""
    saved = phone.table(SavedPlace).get(folded(place).removeprefix("my "))
    return f"{saved.name}, {saved.address}" if saved else place


def _steps(phone: Sandbox, start: str, end: str) -> list[str]:
    chance = phone.chance("route", folded(start), folded(end))
    streets = chance.sample(("Elm Avenue", "Union Street", "Harbor Road", "Park Lane", "Highway 36", "Mill Road"), 3)
    turns = [chance.choice(("left", "right")) for _ in range(2)]
    return [f"head {chance.choice(('north', 'south', 'east', 'west'))} on {streets[0]}"] + [
        f"turn {turn} onto {street}" for turn, street in zip(turns, streets[1:], strict=True)
    ]


@tool(
    Domain.TRAVEL,
    effects=Effect.READ,
    phrases=(
        "is it safe to travel to Egypt right now",
        "any travel warnings for Mexico",
        "travel advisory for where I'm headed",
        "should I worry about going to Istanbul",
    ),
)
def query_travel_alert(phone: Sandbox, location: Text | None = None) -> Json:
    """Travel warnings."""
    place = need(location, "location", "say the country or city")
    if not any(letter.isalpha() for letter in place):
        raise bad_argument(f"`location` {place} names no place; say a country or a city", argument="location")
    need_online(phone, "look for warnings")
    chance = phone.chance("alert", folded(place), f"{phone.now:%Y-%m}")
    level = chance.choices((1, 2, 3, 4), weights=(50, 30, 15, 5))[0]
    advice = ("usual care", "increased care", "reconsider travel", "do not travel")[level - 1]
    reason = "none" if level == 1 else chance.choice(("petty crime", "storms", "demonstrations", "strikes"))
    return {"location": place, "level": level, "advice": advice, "reason": reason}


@tool(
    Domain.TRAVEL,
    permission="location",
    effects=Effect.READ,
    phrases=("where am I", "what street is this", "which city are we in", "tell me my current location", "am I lost"),
)
def query_location(phone: Sandbox) -> Json:
    """Where the phone is now."""
    if not phone.one(LocationServices).enabled:
        raise conflict("location services are off; use `manage_location_services` enable first", location="off")
    position = phone.one(Position)
    return {
        "city": position.city,
        "address": position.address,
        "latitude": position.latitude,
        "longitude": position.longitude,
    }
