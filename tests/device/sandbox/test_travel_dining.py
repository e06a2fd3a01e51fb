"""Tables, meals, online orders. The clock stands at Monday 2026-03-02, 09:00."""


def test_a_table_at_a_named_restaurant(phone):
    seen = phone.call("manage_reservation", action="create", restaurant="luigi's", when="tonight at 8", partySize=4)
    assert phone.diff_since_last_call() == {"reservations/reservation_002": seen.data["reservation"]}
    assert seen.data["reservation"] == {
        "id": "reservation_002",
        "restaurant": "Luigi's",
        "location": "Riverton",
        "date": "2026-03-02",
        "time": "20:00",
        "party": "4",
    }


def test_the_best_rated_table_of_a_cuisine(phone):
    seen = phone.call(
        "manage_reservation", action="create", cuisine="japanese", when="tomorrow 7 pm", partySize="me and my brother"
    )
    assert seen.data["reservation"]["restaurant"] == "Sakura Garden"
    assert seen.data["reservation"]["party"] == "me and my brother"


def test_a_table_needs_to_know_for_how_many(phone):
    seen = phone.call("manage_reservation", action="create", restaurant="Luigi's", when="tonight at 8")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "partySize"})


def test_a_table_needs_an_hour(phone):
    seen = phone.call("manage_reservation", action="create", restaurant="Luigi's", when="friday", partySize="2")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "when"})


def test_a_table_while_the_restaurant_is_closed(phone):
    seen = phone.call("manage_reservation", action="create", restaurant="Luigi's", when="tomorrow 8 am", partySize="2")
    assert (seen.failure.status, seen.failure.details) == (409, {"opens": "11:30", "closes": "23:00"})


def test_a_cuisine_that_nobody_cooks(phone):
    seen = phone.call("manage_reservation", action="create", cuisine="martian", when="tonight at 8", partySize="2")
    assert seen.failure.status == 404


def test_the_reserved_table_is_listed_and_cancelled(phone):
    assert phone.call("manage_reservation", action="query").data["count"] == 1
    phone.call("manage_reservation", action="cancel", restaurant="Saffron House")
    assert phone.diff_since_last_call() == {"reservations/reservation_001": None}


def test_no_table_to_cancel(phone):
    seen = phone.call("manage_reservation", action="cancel", restaurant="Burger Barn")
    assert (seen.failure.status, seen.failure.details) == (404, {"valid": ["Saffron House"]})


def test_a_pizza_comes_from_the_best_kitchen_for_it(phone):
    seen = phone.call("manage_takeaway", action="order", food="pepperoni pizza")
    order = seen.data["order"]
    assert (order["restaurant"], order["order_type"], order["status"]) == ("Luigi's", "delivery", "preparing")
    assert phone.diff_since_last_call()["payments/payment_001"]["amount"] == order["price"]


def test_a_restaurant_that_does_not_deliver(phone):
    seen = phone.call("manage_takeaway", action="order", food="duck", restaurant="Le Petit Jardin")
    assert (seen.failure.status, seen.failure.details) == (409, {"restaurant": "Le Petit Jardin"})
    again = phone.call("manage_takeaway", action="order", food="duck", restaurant="Le Petit Jardin", orderType="pickup")
    assert again.data["order"]["order_type"] == "takeaway"


def test_whether_a_restaurant_delivers(phone):
    seen = phone.call("manage_takeaway", action="query", restaurant="Golden Wok")
    assert seen.data == {"orders": [], "restaurant": "Golden Wok", "takeaway": True, "delivers": True}


def test_an_order_of_nothing(phone):
    assert phone.call("manage_takeaway", action="order").failure.details == {"argument": "food"}


def test_an_online_order_is_placed_and_paid(phone):
    order = phone.call("manage_shopping_order", action="place", item="phone charger").data["order"]
    assert (order["id"], order["status"]) == ("order_004", "processing")
    assert phone.diff_since_last_call()["payments/payment_001"]["amount"] == order["price"]


def test_where_the_shoes_are(phone):
    (order,) = phone.call("manage_shopping_order", action="query", item="shoes").data["orders"]
    assert (order["item"], order["status"], order["arrives"]) == ("running shoes", "shipped", "2026-03-03")


def test_a_cancelled_order_stays_in_the_history(phone):
    phone.call("manage_shopping_order", action="cancel", item="desk lamp")
    assert phone.diff_since_last_call() == {"shopping_orders/order_001": {"status": ("processing", "cancelled")}}


def test_what_is_shipped_can_not_be_cancelled(phone):
    assert phone.call("manage_shopping_order", action="cancel", item="running shoes").failure.status == 409


def test_an_order_that_was_never_made(phone):
    assert phone.call("manage_shopping_order", action="query", item="canoe").failure.status == 404
