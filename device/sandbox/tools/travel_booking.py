"""Taxis, hotel rooms and rental cars: booked for a day ahead, paid from the main account."""

from device.sandbox.api import Date, Domain, Effect, Sandbox, Text, Time, bad_argument, conflict, folded, tool
from device.sandbox.rows.travel import CarRental, HotelStay, Ride
from device.sandbox.tools.travel_geo import kilometres
from device.sandbox.tools.travel_support import charge, coming, dollars, here, need
from runtime.contract import Json

SEATS = {"taxi": 4, "minivan": 7, "limousine": 4, "rideshare": 4, "premium": 4}
"""Passengers that a vehicle takes."""
_VEHICLE = {
    "taxi": ("taxi", "cab", "car", "ride", "taxicab", "yellow cab"),
    "minivan": ("minivan", "van", "minibus", "xl", "suv", "big car"),
    "limousine": ("limousine", "limo"),
    "rideshare": ("rideshare", "uber", "lyft", "pool", "shared ride", "uberpool", "uberx"),
    "premium": ("premium", "black car", "luxury", "luxury car", "uberblack"),
}
_VEHICLES = {word: vehicle for vehicle, words in _VEHICLE.items() for word in words}
MAX_NIGHTS = 30
MAX_GUESTS = 8
DAY_RATE = {"compact": 39, "economy": 34, "midsize": 48, "suv": 69, "van": 84, "convertible": 95, "luxury": 140}
"""US dollars a day for each class of car."""
_CAR = {"small": "compact", "cheap": "economy", "medium": "midsize", "sedan": "midsize", "cabriolet": "convertible"} | {
    "minivan": "van", "jeep": "suv", "sports": "luxury", "cabrio": "convertible"
}  # fmt: skip


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects=Effect.PAY,
    phrases=(
        "get me a cab to the airport",
        "I need a taxi at six tomorrow morning",
        "call an uber to the office",
        "book a van for five people to the stadium",
        "order me a ride home from the bar",
    ),
)
def book_taxi(
    phone: Sandbox,
    vehicle: Text | None = None,
    service: Text | None = None,
    destination: Text | None = None,
    origin: Text | None = None,
    date: Date | None = None,
    time: Time | None = None,
    passengers: int | None = None,
) -> Json:
    """Book a taxi or ride."""
    end, start = need(destination, "destination", "say where to go"), here(phone, origin)
    kind, people = _vehicle(vehicle), 1 if passengers is None else passengers
    if not 1 <= people <= SEATS[kind]:
        raise bad_argument(
            f"a {kind} takes 1 to {SEATS[kind]} people, not {people}", argument="passengers", limit=SEATS[kind]
        )
    today = phone.now.date().isoformat()
    if time is None and date not in (None, today):
        raise bad_argument(f"`time` is missing; say when on {date} the ride starts", argument="time")
    at = time or f"{phone.now:%H:%M}"
    day = coming(phone, date or today, at)
    if phone.table(Ride).find(date=day, time=at, destination=end):
        raise conflict(f"a ride to {end} on {day} at {at} is booked already")
    length = kilometres(phone, start, end)
    price = dollars(350 + round(length * 145) * (2 if kind in ("limousine", "premium") else 1))
    company = service or ("Uber" if kind == "rideshare" else "City Cabs")
    charge(phone, price, company, "ride")
    ride = Ride(phone.new_id("ride"), kind, company, start, end, day, at, people, price)
    return {"ride": phone.table(Ride).insert(ride)}


def _vehicle(said: str | None) -> str:
    """The vehicle that was said, a taxi where nothing was; 400 with the valid ones."""
    if said is None:
        return "taxi"
    if (kind := _VEHICLES.get(folded(said)) or _VEHICLES.get(folded(said).removesuffix("s"))) is None:
        raise bad_argument(
            f"`vehicle` {said} is not known; use one of {', '.join(SEATS)}", argument="vehicle", valid=list(SEATS)
        )
    return kind


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects=Effect.PAY,
    phrases=(
        "book a room in Seattle for two nights",
        "find me a hotel in Paris from Friday",
        "I need somewhere to sleep in Boston on the 12th",
        "reserve a hotel for three guests near Union Square",
        "get us a place to stay in Miami next weekend",
    ),
)
def book_hotel(
    phone: Sandbox,
    location: Text | None = None,
    date: Date | None = None,
    nights: int | None = None,
    guests: int | None = None,
) -> Json:
    """Book a hotel room."""
    place, day = need(location, "location", "say the city"), coming(phone, date)
    stay = _count("nights", nights, MAX_NIGHTS)
    people = _count("guests", guests, MAX_GUESTS)
    if phone.table(HotelStay).find(lambda row: row.date == day and folded(row.location) == folded(place)):
        raise conflict(f"a hotel in {place} from {day} on is booked already")
    chance = phone.chance("hotel", folded(place))
    hotel = f"{chance.choice(('Grand', 'Park', 'Riverside', 'Station', 'Garden'))} Hotel {place}"
    price = dollars(chance.randrange(6900, 18900, 100) * stay * ((people + 1) // 2))
    charge(phone, price, hotel, "hotel")
    row = HotelStay(phone.new_id("hotel"), hotel, place, day, stay, people, price)
    return {"stay": phone.table(HotelStay).insert(row)}


def _count(argument: str, said: int | None, limit: int) -> int:
    """A number from 1 to `limit`, 1 where nothing was said."""
    number = 1 if said is None else said
    if not 1 <= number <= limit:
        raise bad_argument(f"`{argument}` is {number}; say 1 to {limit}", argument=argument, limit=limit)
    return number


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects=Effect.PAY,
    phrases=(
        "rent a car in Dallas next Monday for three days",
        "I want to hire a convertible this weekend",
        "get me an SUV from the 4th",
        "reserve a small rental car at the airport",
        "need a van for moving on Saturday",
    ),
)
def rent_car(
    phone: Sandbox,
    location: Text | None = None,
    date: Date | None = None,
    days: int | None = None,
    carType: Text | None = None,
) -> Json:
    """Rent a car."""
    day, length, car, place = (
        coming(phone, date),
        _count("days", days, MAX_NIGHTS),
        _car(carType),
        here(phone, location),
    )
    if phone.table(CarRental).find(date=day):
        raise conflict(f"a rental car for {day} is booked already")
    price = dollars(DAY_RATE[car] * 100 * length)
    charge(phone, price, "City Rentals", "rental car")
    row = CarRental(phone.new_id("rental"), car, place, day, length, price)
    return {"rental": phone.table(CarRental).insert(row)}


def _car(said: str | None) -> str:
    """The class of car that was said, compact where none was; 400 with the valid ones."""
    if said is None:
        return "compact"
    word = folded(said).removesuffix(" car").removesuffix(" one")
    if (car := _CAR.get(word, word)) not in DAY_RATE:
        raise bad_argument(
            f"`carType` {said} is not known; use one of {', '.join(DAY_RATE)}", argument="carType", valid=list(DAY_RATE)
        )
    return car
