"""Where the phone is, what it knows around it, and what was booked with it.

1. Position and saved places; venues with opening hours.
2. Bookings: tickets, rides, hotel stays, cars, tables, meals and online orders. A row is made by a booking tool and
   carries a status and a confirmation code.
"""

from dataclasses import dataclass

from device.sandbox.api import row


@row("position")
@dataclass(frozen=True, slots=True)
class Position:
    """Where the phone is now: one row."""

    city: str = "Riverton"
    """City; used wherever a location was left out."""
    address: str = "3 Union Street"
    """Street and number."""
    latitude: float = 40.0215
    """Degrees north."""
    longitude: float = -104.9312
    """Degrees east."""


@row("saved_places", key="name")
@dataclass(frozen=True, slots=True)
class SavedPlace:
    """A place that the user named."""

    name: str
    """`home`, `work`, ..."""
    address: str
    """Street and number."""


@row("venues", key="id")
@dataclass(frozen=True, slots=True)
class Venue:
    """A restaurant, shop or sight in the phone's own city."""

    id: str
    """`venue_001`."""
    name: str
    """As on its sign."""
    kind: str
    """`restaurant`, `pharmacy`, `museum`, ..."""
    cuisine: str
    """What is cooked, empty where nothing is."""
    rating: float
    """Stars, 1 to 5."""
    price: int
    """1 cheap to 4 expensive."""
    opens: str
    """HH:MM."""
    closes: str
    """HH:MM, `24:00` at midnight."""
    delivers: bool = False
    """Whether it delivers meals."""


@row("tickets", key="id")
@dataclass(frozen=True, slots=True)
class Ticket:
    """A booked ticket for train, bus, flight or ferry."""

    id: str
    """Confirmation id."""
    transport: str
    """`train`, `bus`, `flight` or `ferry`."""
    line: str
    """Number of the train, bus or flight."""
    origin: str
    """Place of departure."""
    destination: str
    """Place of arrival."""
    date: str
    """Day of departure."""
    time: str
    """HH:MM of departure."""
    price: str
    """US dollars, two decimals."""
    status: str = "booked"
    """`booked`."""


@row("rides", key="id")
@dataclass(frozen=True, slots=True)
class Ride:
    """A booked taxi or ride."""

    id: str
    """Confirmation id."""
    vehicle: str
    """`taxi`, `minivan`, ..."""
    service: str
    """Who drives."""
    origin: str
    """Where the ride starts."""
    destination: str
    """Where it ends."""
    date: str
    """Day of the pick-up."""
    time: str
    """HH:MM of the pick-up."""
    passengers: int
    """People."""
    price: str
    """US dollars, two decimals."""
    status: str = "booked"
    """`booked`."""


@row("hotel_stays", key="id")
@dataclass(frozen=True, slots=True)
class HotelStay:
    """A booked hotel room."""

    id: str
    """Confirmation id."""
    hotel: str
    """Name of the hotel."""
    location: str
    """City or quarter."""
    date: str
    """First day."""
    nights: int
    """Nights."""
    guests: int
    """People."""
    price: str
    """US dollars for the whole stay, two decimals."""
    status: str = "booked"
    """`booked`."""


@row("car_rentals", key="id")
@dataclass(frozen=True, slots=True)
class CarRental:
    """A rented car."""

    id: str
    """Confirmation id."""
    car: str
    """Class of the car: `compact`, `suv`, ..."""
    location: str
    """Where it is picked up."""
    date: str
    """First day."""
    days: int
    """Days."""
    price: str
    """US dollars for all days, two decimals."""
    status: str = "booked"
    """`booked`."""


@row("reservations", key="id")
@dataclass(frozen=True, slots=True)
class Reservation:
    """A reserved table; cancelling removes the row."""

    id: str
    """Confirmation id."""
    restaurant: str
    """Name of the restaurant."""
    location: str
    """Its city or quarter."""
    date: str
    """Day."""
    time: str
    """HH:MM."""
    party: str
    """Who comes, as said: `4`, `me and my brother`."""


@row("takeaway_orders", key="id")
@dataclass(frozen=True, slots=True)
class TakeawayOrder:
    """An ordered meal."""

    id: str
    """Confirmation id."""
    food: str
    """What was ordered, as said."""
    restaurant: str
    """Who cooks."""
    order_type: str
    """`delivery` or `takeaway`."""
    price: str
    """US dollars, two decimals."""
    ready_at: str
    """HH:MM at which it arrives or can be fetched."""
    status: str = "preparing"
    """`preparing`, `on the way` or `delivered`."""


@row("shopping_orders", key="id")
@dataclass(frozen=True, slots=True)
class ShoppingOrder:
    """An online order; a cancelled one stays in the history."""

    id: str
    """Confirmation id."""
    item: str
    """What was bought."""
    price: str
    """US dollars, two decimals."""
    arrives: str
    """Expected or actual day of arrival."""
    status: str = "processing"
    """`processing`, `shipped`, `delivered` or `cancelled`."""
