"""Tables, meals and online orders.

A restaurant of the phone's own city is a row with opening hours; one elsewhere is taken by its name. What was
eaten or bought is paid from the main account; a table costs nothing.
"""

from datetime import timedelta
from typing import Literal

from device.sandbox.api import Domain, Effect, Sandbox, Text, When, bad_argument, conflict, folded, not_found, tool
from device.sandbox.rows.travel import Position, Reservation, ShoppingOrder, TakeawayOrder, Venue
from device.sandbox.tools.by_name import bare, named, only
from device.sandbox.tools.travel_places import is_kind, local
from device.sandbox.tools.travel_support import charge, coming, dollars, here, moment_of, need, need_online, span_of
from runtime.contract import Json

_PICKUP = frozenset(
    ("takeaway", "take away", "takeout", "take out", "pickup", "pick up", "to go", "carryout", "collection")
)


@tool(
    Domain.TRAVEL,
    effects={"cancel": Effect.DELETE},
    phrases=(
        "book a table for two at Luigi's tonight at eight",
        "I'd like a table somewhere Italian tomorrow at seven",
        "reserve a spot for me and my parents at a steakhouse on Sunday noon",
        "when is my dinner reservation",
        "cancel the table at Saffron House",
        "get us into a good sushi bar for 6 people",
    ),
)
def manage_reservation(
    phone: Sandbox,
    action: Literal["create", "query", "cancel"],
    restaurant: Text | None = None,
    placeType: Text | None = None,
    cuisine: Text | None = None,
    location: Text | None = None,
    when: When | None = None,
    partySize: Text | None = None,
    sort: Text | None = None,
) -> Json:
    """Restaurant reservations."""
    need_online(phone, "reach restaurants")
    if action == "create":
        return _reserve(phone, _choice(phone, restaurant, placeType, cuisine, location), location, when, partySize)
    every = rows = phone.table(Reservation).all()
    if restaurant:
        rows = named(rows, restaurant, lambda row: row.restaurant)
    if when:
        days = span_of(phone, when).days
        rows = [row for row in rows if row.date in days]
    if action == "query":
        return {"count": len(rows), "reservations": sorted(rows, key=lambda row: (row.date, row.time))}
    said = " on ".join(part for part in (restaurant, when) if part) or "this request"
    table = only(rows, "reservation", said, lambda row: f"{row.restaurant} {row.date}", [r.restaurant for r in every])
    phone.table(Reservation).delete(table)
    return {"cancelled": table}


def _choice(
    phone: Sandbox, name: str | None, kind: str | None, cuisine: str | None, location: str | None
) -> Venue | str:
    """The restaurant that was named, or the best rated one that fits; its name alone where it has no row."""
    if name:
        return next(iter(local(phone, None, None, name)), name)
    if not (kind or cuisine or location):
        raise bad_argument(
            "`restaurant` is missing; say its name, its cuisine or the kind of place", argument="restaurant"
        )
    place = here(phone, location)
    if folded(place) == folded(phone.one(Position).city):
        fitting = [venue for venue in local(phone, kind, cuisine) if venue.cuisine]
        if fitting:
            return fitting[0]
        cuisines = sorted({venue.cuisine.split()[0] for venue in phone.table(Venue).all() if venue.cuisine})
        said = " ".join(word for word in (cuisine, kind) if word)
        raise not_found(f"no {said} in {place}; there is {', '.join(cuisines)}", cuisines=cuisines)
    chance = phone.chance("table", folded(place), folded(kind or ""), folded(cuisine or ""))
    front = chance.choice(("Blue", "Golden", "Corner", "River", "Little"))
    return f"{front} {(cuisine or kind or 'restaurant').title()}"


def _reserve(phone: Sandbox, spot: Venue | str, location: str | None, when: str | None, party: str | None) -> Json:
    day, time = moment_of(phone, need(when, "when", "say day and time"))
    if time is None:
        raise bad_argument(f"`when` {day} has no time of day; say the hour too", argument="when")
    coming(phone, day, time, "when")
    size = need(party, "partySize", "say for how many people")
    name = spot if isinstance(spot, str) else spot.name
    if isinstance(spot, Venue) and not spot.opens <= time < spot.closes:
        raise conflict(
            f"{name} is open {spot.opens}-{spot.closes}, not at {time}", opens=spot.opens, closes=spot.closes
        )
    table = phone.table(Reservation)
    if table.find(lambda row: row.date == day and row.time == time and bare(row.restaurant) == bare(name)):
        raise conflict(f"a table at {name} on {day} at {time} is reserved already")
    row = Reservation(phone.new_id("reservation"), name, here(phone, location), day, time, size)
    return {"reservation": table.insert(row)}


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects={"order": Effect.PAY},
    phrases=(
        "order a pizza for me",
        "get some pad thai delivered",
        "does Luigi's deliver",
        "where is my food",
        "two burgers to go from Burger Barn",
        "I'm starving, order sushi",
    ),
)
def manage_takeaway(
    phone: Sandbox,
    action: Literal["order", "query"],
    food: Text | None = None,
    restaurant: Text | None = None,
    orderType: Text | None = None,
) -> Json:
    """Order food; takeaway and delivery."""
    if action == "query":
        return _takeaways(phone, food, restaurant)
    dish = need(food, "food", "say what to order")
    delivery = orderType is None or folded(orderType) not in _PICKUP
    cook = _cook(phone, dish, restaurant)
    if isinstance(cook, Venue) and delivery and not cook.delivers:
        raise conflict(f"{cook.name} does not deliver; order with `orderType` takeaway", restaurant=cook.name)
    name = cook if isinstance(cook, str) else cook.name
    chance = phone.chance("takeaway", folded(dish), folded(name))
    price = dollars(chance.randrange(899, 2999, 50))
    ready = f"{phone.now + timedelta(minutes=chance.choice((25, 35, 45))):%H:%M}"
    charge(phone, price, name, "food")
    kind = "delivery" if delivery else "takeaway"
    row = TakeawayOrder(phone.new_id("takeaway"), dish, name, kind, price, ready)
    return {"order": phone.table(TakeawayOrder).insert(row)}


def _cook(phone: Sandbox, dish: str, restaurant: str | None) -> Venue | str:
    """Who cooks the dish: the restaurant that was named, else a venue whose kitchen fits and that delivers."""
    if restaurant:
        return next(iter(local(phone, None, None, restaurant)), restaurant)
    cuisine = next((kitchen for stem, kitchen in _DISHES.items() if stem in folded(dish)), "american")
    fitting = [venue for venue in local(phone, None, cuisine) if venue.delivers]
    return fitting[0] if fitting else "Corner Kitchen"


_DISHES = {
    "pizza": "italian", "pasta": "italian", "lasagna": "italian", "sushi": "japanese", "ramen": "japanese",
    "curry": "indian", "naan": "indian", "tikka": "indian", "biryani": "indian", "taco": "mexican",
    "burrito": "mexican", "noodle": "chinese", "dumpling": "chinese", "fried rice": "chinese", "chinese": "chinese",
    "pad thai": "thai", "indian": "indian", "mexican": "mexican", "thai": "thai", "italian": "italian",
}  # fmt: skip


def _takeaways(phone: Sandbox, food: str | None, restaurant: str | None) -> Json:
    """The meals ordered; for a named restaurant whether it delivers, too."""
    rows = phone.table(TakeawayOrder).all()
    if food:
        rows = named(rows, food, lambda row: row.food)
    answer: Json = {"orders": rows}
    if restaurant:
        answer["orders"] = named(rows, restaurant, lambda row: row.restaurant)
        if venue := next(iter(local(phone, None, None, restaurant)), None):
            answer |= {"restaurant": venue.name, "takeaway": is_kind(venue, "restaurant"), "delivers": venue.delivers}
    return answer


@tool(
    Domain.TRAVEL,
    permission="payments",
    effects={"place": Effect.PAY},
    phrases=(
        "buy a phone charger online",
        "where's my package",
        "has the keyboard shipped yet",
        "cancel my order for the desk lamp",
        "reorder the coffee beans",
        "which orders are still on the way",
    ),
)
def manage_shopping_order(
    phone: Sandbox, action: Literal["place", "query", "cancel"], item: Text | None = None
) -> Json:
    """Online shopping orders."""
    table = phone.table(ShoppingOrder)
    if action == "place":
        return _buy(phone, need(item, "item", "say what to buy"))
    rows = named(table.all(), item, lambda row: row.item, "order", "orders", "package") if item else table.all()
    if action == "query":
        if not rows:
            raise not_found(f"no order for {item}; leave `item` out to see all orders")
        return {"orders": rows}
    said = need(item, "item", "say which order")
    order = only(rows, "order", said, lambda row: row.item, [row.item for row in table.all()])
    if order.status != "processing":
        raise conflict(f"the order for {order.item} is {order.status}; only one that is processing can be cancelled")
    return {"order": table.update(order, status="cancelled")}


def _buy(phone: Sandbox, item: str) -> Json:
    table = phone.table(ShoppingOrder)
    if table.find(lambda row: row.status == "processing" and folded(row.item) == folded(item)):
        raise conflict(f"an order for {item} is processing already")
    chance = phone.chance("shop", folded(item))
    price = dollars(chance.randrange(599, 8999, 100))
    arrives = (phone.now.date() + timedelta(days=chance.randint(2, 6))).isoformat()
    charge(phone, price, "Online Shop", "shopping")
    return {"order": table.insert(ShoppingOrder(phone.new_id("order"), item, price, arrives))}
