"""Clock and calendar of the world: what time it is where, and which day is what.

Zones come from the IANA database: every city that names a zone is known, beside the countries and places of `PLACES`.
"""

import datetime as dt
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from device.sandbox.api import Date, Domain, Effect, Sandbox, Text, Time, bad_argument, not_found, tool
from device.sandbox.rows.system_settings import Region
from device.spoken import days
from device.spoken.text import fold_text
from runtime.contract import Json

PLACES: dict[str, str] = {
    "new york city": "America/New_York", "nyc": "America/New_York", "boston": "America/New_York",
    "miami": "America/New_York",
    "washington": "America/New_York", "washington dc": "America/New_York", "atlanta": "America/New_York",
    "philadelphia": "America/New_York", "florida": "America/New_York", "pittsburgh": "America/New_York",
    "ohio": "America/New_York", "eastern": "America/New_York", "est": "America/New_York", "edt": "America/New_York",
    "et": "America/New_York", "usa": "America/New_York", "united states": "America/New_York",
    "us": "America/New_York",
    "texas": "America/Chicago", "houston": "America/Chicago", "dallas": "America/Chicago",
    "austin": "America/Chicago",
    "new orleans": "America/Chicago", "minneapolis": "America/Chicago", "central": "America/Chicago",
    "cst": "America/Chicago", "cdt": "America/Chicago", "ct": "America/Chicago", "colorado": "America/Denver",
    "salt lake city": "America/Denver", "mountain": "America/Denver", "mst": "America/Denver",
    "arizona": "America/Phoenix",
    "california": "America/Los_Angeles", "san francisco": "America/Los_Angeles", "seattle": "America/Los_Angeles",
    "portland": "America/Los_Angeles", "las vegas": "America/Los_Angeles", "san diego": "America/Los_Angeles",
    "san jose": "America/Los_Angeles", "la": "America/Los_Angeles", "pacific": "America/Los_Angeles",
    "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "pt": "America/Los_Angeles",
    "hawaii": "Pacific/Honolulu",
    "alaska": "America/Anchorage", "canada": "America/Toronto", "montreal": "America/Toronto",
    "ottawa": "America/Toronto",
    "calgary": "America/Edmonton", "mexico": "America/Mexico_City", "brazil": "America/Sao_Paulo",
    "rio de janeiro": "America/Sao_Paulo", "argentina": "America/Argentina/Buenos_Aires", "chile": "America/Santiago",
    "peru": "America/Lima", "colombia": "America/Bogota", "uk": "Europe/London", "england": "Europe/London",
    "britain": "Europe/London", "united kingdom": "Europe/London", "scotland": "Europe/London",
    "edinburgh": "Europe/London",
    "manchester": "Europe/London", "wales": "Europe/London", "ireland": "Europe/Dublin", "france": "Europe/Paris",
    "germany": "Europe/Berlin", "munich": "Europe/Berlin", "frankfurt": "Europe/Berlin", "hamburg": "Europe/Berlin",
    "spain": "Europe/Madrid", "barcelona": "Europe/Madrid", "italy": "Europe/Rome", "milan": "Europe/Rome",
    "netherlands": "Europe/Amsterdam", "belgium": "Europe/Brussels", "switzerland": "Europe/Zurich",
    "geneva": "Europe/Zurich", "austria": "Europe/Vienna", "sweden": "Europe/Stockholm", "norway": "Europe/Oslo",
    "denmark": "Europe/Copenhagen", "finland": "Europe/Helsinki", "poland": "Europe/Warsaw",
    "greece": "Europe/Athens",
    "portugal": "Europe/Lisbon", "turkey": "Europe/Istanbul", "ukraine": "Europe/Kiev", "russia": "Europe/Moscow",
    "egypt": "Africa/Cairo", "kenya": "Africa/Nairobi", "nigeria": "Africa/Lagos",
    "south africa": "Africa/Johannesburg",
    "cape town": "Africa/Johannesburg", "israel": "Asia/Jerusalem", "uae": "Asia/Dubai", "india": "Asia/Kolkata",
    "delhi": "Asia/Kolkata", "new delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "bangalore": "Asia/Kolkata",
    "pakistan": "Asia/Karachi", "china": "Asia/Shanghai", "beijing": "Asia/Shanghai", "shenzhen": "Asia/Shanghai",
    "japan": "Asia/Tokyo", "osaka": "Asia/Tokyo", "kyoto": "Asia/Tokyo", "korea": "Asia/Seoul",
    "south korea": "Asia/Seoul",
    "taiwan": "Asia/Taipei", "thailand": "Asia/Bangkok", "vietnam": "Asia/Ho_Chi_Minh", "hanoi": "Asia/Bangkok",
    "indonesia": "Asia/Jakarta", "bali": "Asia/Makassar", "philippines": "Asia/Manila",
    "malaysia": "Asia/Kuala_Lumpur",
    "australia": "Australia/Sydney", "new zealand": "Pacific/Auckland", "wellington": "Pacific/Auckland",
    "gmt": "Etc/GMT", "utc": "Etc/UTC", "cet": "Europe/Paris",
}  # fmt: skip
"""Countries (the zone of their largest city), cities without a zone of their own, and names of zones; folded."""

_AREAS = ("Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")
_TAILS = (" standard time", " daylight time", " time zone", " timezone", " time")
SYNODIC_MONTH = 29.530588853
"""Mean days from new moon to new moon."""
NEW_MOON = dt.date(2000, 1, 6)
"""Day of a new moon from which the phases are counted."""
PHASES = (
    "new moon", "waxing crescent", "first quarter", "waxing gibbous", "full moon", "waning gibbous", "last quarter",
    "waning crescent",
)  # fmt: skip


@cache
def _cities() -> dict[str, str]:
    """Folded last part of every zone's name -> the zone: "reykjavik" -> Atlantic/Reykjavik."""
    zones = sorted(zone for zone in available_timezones() if zone.startswith(_AREAS))
    return {fold_text(zone.rsplit("/", 1)[1].replace("_", " ")): zone for zone in reversed(zones)}


def zone_of(place: str) -> str:
    """The IANA zone of a city, country or zone name as said; 404 where none is known."""
    said = fold_text(place)
    for tail in _TAILS:
        said = said.removesuffix(tail)
    whole = said, *(fold_text(part) for part in place.split(",")[:1]), fold_text(place.rsplit(",", maxsplit=1)[-1])
    for name in whole:
        if zone := PLACES.get(name) or _cities().get(name):
            return zone
    if place in available_timezones():
        return place
    raise not_found(f"no time zone is known for `{place}`; name a large city of that zone", location=place)


def _offset(moment: dt.datetime) -> float:
    """Hours ahead of UTC."""
    shift = moment.utcoffset()
    return (shift.total_seconds() if shift else 0.0) / 3_600


@tool(
    Domain.TIME,
    effects=Effect.READ,
    phrases=(
        "what does the clock say",
        "which day is it today",
        "what's the time in Tokyo right now",
        "what weekday is the third of May",
        "tell me the date in Sydney",
    ),
)
def query_datetime(phone: Sandbox, location: Text | None = None, date: Date | None = None) -> Json:
    """Current time or date, here or elsewhere."""
    home = phone.one(Region).timezone
    zone = home if location is None else zone_of(location)
    here = phone.now.replace(tzinfo=ZoneInfo(home)).astimezone(ZoneInfo(zone))
    if date is not None:
        day = dt.date.fromisoformat(date)
        return {"date": date, "weekday": f"{day:%A}", "days_from_today": (day - here.date()).days}
    seen = {"date": here.date().isoformat(), "time": f"{here:%H:%M}", "weekday": f"{here:%A}", "timezone": zone}
    return seen if location is None else seen | {"location": location}


@tool(
    Domain.TIME,
    effects=Effect.READ,
    phrases=(
        "what is 5 pm London time in Chicago",
        "how many hours ahead is Berlin",
        "time difference between Tokyo and Paris",
        "if it's noon in New York what time is it in Delhi",
        "convert three thirty to Sydney time",
    ),
)
def convert_timezone(
    phone: Sandbox, time: Time | None = None, fromLocation: Text | None = None, toLocation: Text | None = None
) -> Json:
    """Time zones and time differences."""
    if fromLocation is None and toLocation is None:
        raise bad_argument("`convert_timezone` needs `fromLocation` or `toLocation`", argument="toLocation")
    home = phone.one(Region).timezone
    source, target = (home if place is None else zone_of(place) for place in (fromLocation, toLocation))
    start = phone.now.replace(tzinfo=ZoneInfo(home)).astimezone(ZoneInfo(source))
    if time is not None:
        start = start.replace(hour=int(time[:2]), minute=int(time[3:]), second=0, microsecond=0)
    end = start.astimezone(ZoneInfo(target))
    return {
        "fromTime": f"{start:%H:%M}",
        "fromZone": source,
        "toTime": f"{end:%H:%M}",
        "toZone": target,
        "hoursAhead": _offset(end) - _offset(start),
        "dayShift": (end.date() - start.date()).days,
    }


@tool(
    Domain.TIME,
    effects=Effect.READ,
    phrases=(
        "when is Thanksgiving this year",
        "is next Monday a holiday",
        "what's the next public holiday",
        "how many days till Christmas",
        "which week of the year is it",
        "is there a full moon on Friday",
    ),
)
def calendar_service(phone: Sandbox, date: Date | None = None, holiday: Text | None = None) -> Json:
    """Holidays and almanac."""
    today = phone.now.date()
    if holiday is not None and fold_text(holiday) not in _ANY_HOLIDAY:
        return _when_is(holiday, dt.date.fromisoformat(date) if date else today, today)
    day = dt.date.fromisoformat(date) if date else today
    coming_name, coming_day = min(((name, _coming(name, day)) for name in SHOWN), key=lambda pair: pair[1])
    age = (day - NEW_MOON).days % SYNODIC_MONTH
    return {
        "date": day.isoformat(),
        "weekday": f"{day:%A}",
        "holidays": [name for name in SHOWN if days.holiday(name, day.year) == day],
        "nextHoliday": {"holiday": coming_name, "date": coming_day.isoformat()},
        "week": day.isocalendar().week,
        "dayOfYear": day.timetuple().tm_yday,
        "moon": PHASES[round(age / SYNODIC_MONTH * 8) % 8],
    }


SHOWN = (
    "new year day", "martin luther king day", "valentine day", "presidents day", "st patrick day", "good friday",
    "easter",
    "mother day", "memorial day", "juneteenth", "father day", "independence day", "labor day", "columbus day",
    "halloween",
    "veterans day", "thanksgiving", "christmas eve", "christmas day", "new year eve",
)  # fmt: skip
"""Holidays that the almanac prints, under the names that `device.spoken.days` reads."""

_ANY_HOLIDAY = frozenset(
    {"holiday", "holidays", "next holiday", "public holiday", "next public holiday", "any holiday"}
)
_POSSESSIVE = {
    "fathers": "father",
    "mothers": "mother",
    "valentines": "valentine",
    "patricks": "patrick",
    "years": "year",
}


def _coming(name: str, day: dt.date) -> dt.date:
    """The next day with that name from `day` on."""
    found = days.holiday(name, day.year)
    return found if found >= day else days.holiday(name, day.year + 1)


def _when_is(said: str, day: dt.date, today: dt.date) -> Json:
    """The next such holiday from `day` on; 404 where no day has that name."""
    name = " ".join(_POSSESSIVE.get(word, word) for word in fold_text(said).split())
    name = next((form for form in (name, f"{name} day", name.removesuffix(" day")) if form in days.HOLIDAYS), "")
    if not name:
        raise not_found(f"no holiday `{said}` is known; known are {', '.join(SHOWN[:6])} and others", known=list(SHOWN))
    found = _coming(name, day)
    return {
        "holiday": name,
        "date": found.isoformat(),
        "weekday": f"{found:%A}",
        "daysAway": (found - today) // dt.timedelta(days=1),
    }
