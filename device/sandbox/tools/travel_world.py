"""The rows that every world has for travel, money and health, dated from the phone's clock."""

from datetime import timedelta

from device.sandbox.api import Sandbox, plant
from device.sandbox.rows.health import HealthRecord
from device.sandbox.rows.money import Account, Bill, PaymentApp
from device.sandbox.rows.travel import Reservation, SavedPlace, ShoppingOrder, Venue

_VENUES = (
    ("Luigi's", "restaurant", "italian", 4.6, 2, "11:30", "23:00", True),
    ("Trattoria Sole", "restaurant", "italian pizza", 4.3, 2, "17:00", "23:00", True),
    ("Saffron House", "restaurant", "indian", 4.5, 2, "11:00", "22:00", True),
    ("Sakura Garden", "restaurant", "japanese sushi", 4.7, 3, "12:00", "22:30", True),
    ("El Farolito", "restaurant", "mexican", 4.2, 1, "10:00", "23:30", True),
    ("Golden Wok", "restaurant", "chinese", 4.1, 1, "11:00", "22:00", True),
    ("Bangkok Corner", "restaurant", "thai", 4.4, 2, "12:00", "22:00", True),
    ("Le Petit Jardin", "restaurant", "french", 4.8, 4, "18:00", "23:00", False),
    ("Burger Barn", "restaurant", "american burger", 3.9, 1, "10:00", "24:00", True),
    ("Prime & Oak", "steakhouse", "american steak", 4.5, 4, "17:00", "23:00", False),
    ("Daily Grind", "cafe", "coffee", 4.4, 1, "06:30", "18:00", False),
    ("The Copper Tap", "bar", "pub", 4.0, 2, "15:00", "24:00", False),
    ("Maple Pharmacy", "pharmacy", "", 4.2, 2, "08:00", "21:00", False),
    ("Corner Market", "supermarket grocery store", "", 4.0, 2, "07:00", "22:00", False),
    ("Pine Street Gas", "gas station", "", 3.7, 2, "05:00", "24:00", False),
    ("City Art Museum", "museum", "", 4.7, 2, "10:00", "18:00", False),
    ("Riverside Park", "park", "", 4.8, 1, "06:00", "22:00", False),
    ("First Union Bank", "bank", "", 3.8, 1, "09:00", "17:00", False),
    ("Iron Works Gym", "gym", "", 4.3, 2, "05:00", "23:00", False),
    ("Union Cinema", "cinema theater", "", 4.2, 2, "11:00", "24:00", False),
    ("Lakeview Hospital", "hospital", "", 4.1, 1, "00:00", "24:00", False),
    ("Central Library", "library", "", 4.6, 1, "09:00", "20:00", False),
)
"""name, kind, cuisine, rating, price, opens, closes, delivers."""
_PLACES = (
    ("home", "21 Willow Avenue"),
    ("work", "400 Harbor Road"),
    ("gym", "77 Foundry Lane"),
    ("school", "9 Hill Road"),
)
_BILLS = (
    ("electricity", "84.20", 6),
    ("water", "37.50", 9),
    ("internet", "59.99", 3),
    ("phone", "45.00", 12),
    ("rent", "1250.00", 15),
    ("credit card", "312.48", 8),
)
_MEASURES = (
    ("steps", "steps", 4200, 11800, 0),
    ("weight", "kilograms", 70.5, 72.5, 1),
    ("sleep", "hours", 5.8, 8.4, 1),
    ("heart_rate", "beats per minute", 58, 74, 0),
)
HEALTH_DAYS = 14
"""Days of health records, today included."""


@plant
def places(phone: Sandbox) -> None:
    """Saved places and the venues of the city."""
    for name, address in _PLACES:
        phone.table(SavedPlace).insert(SavedPlace(name, address))
    for columns in _VENUES:
        phone.table(Venue).insert(Venue(phone.new_id("venue"), *columns))


@plant
def money(phone: Sandbox) -> None:
    """Accounts, open bills, payment apps."""
    for name, balance in (("checking", "2450.00"), ("savings", "8200.00"), ("vacation", "640.00")):
        phone.table(Account).insert(Account(name, balance))
    for name, due, days in _BILLS:
        phone.table(Bill).insert(Bill(name, due, (phone.now.date() + timedelta(days=days)).isoformat()))
    for name in ("Pocket Pay", "PayPal", "Venmo"):
        phone.table(PaymentApp).insert(PaymentApp(name))


@plant
def bookings(phone: Sandbox) -> None:
    """One table reserved, three online orders at different stages."""
    today = phone.now.date()
    reserved = (today + timedelta(days=3)).isoformat()
    phone.table(Reservation).insert(
        Reservation(phone.new_id("reservation"), "Saffron House", "Riverton", reserved, "19:00", "2")
    )
    orders = (
        ("desk lamp", "34.99", 4, "processing"),
        ("running shoes", "89.00", 1, "shipped"),
        ("coffee beans", "18.50", -2, "delivered"),
    )
    for item, price, days, status in orders:
        arrives = (today + timedelta(days=days)).isoformat()
        phone.table(ShoppingOrder).insert(ShoppingOrder(phone.new_id("order"), item, price, arrives, status))


@plant
def health(phone: Sandbox) -> None:
    """Two weeks of steps, weight, sleep and heart rate."""
    for back in range(HEALTH_DAYS):
        day = (phone.now.date() - timedelta(days=back)).isoformat()
        for kind, unit, low, high, digits in _MEASURES:
            value = round(phone.chance("health", kind, day).uniform(low, high), digits)
            phone.table(HealthRecord).insert(HealthRecord(phone.new_id("health"), kind, day, value, unit))
