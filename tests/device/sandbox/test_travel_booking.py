"""Taxis, hotels, rental cars. The clock stands at Monday 2026-03-02, 09:00; the checking account holds 2450.00."""


def test_a_taxi_for_tomorrow_morning(phone):
    seen = phone.call("book_taxi", destination="airport", time="6 tomorrow morning", passengers=3)
    ride = seen.data["ride"]
    assert (ride["vehicle"], ride["service"], ride["origin"]) == ("taxi", "City Cabs", "Riverton")
    assert (ride["date"], ride["time"], ride["passengers"]) == ("2026-03-03", "06:00", 3)
    assert set(phone.diff_since_last_call()) == {"accounts/checking", "payments/payment_001", "rides/ride_001"}


def test_a_taxi_has_four_seats(phone):
    seen = phone.call("book_taxi", destination="airport", passengers=6)
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "passengers", "limit": 4})


def test_a_taxi_needs_a_destination(phone):
    assert phone.call("book_taxi").failure.details == {"argument": "destination"}


def test_a_taxi_on_another_day_needs_a_time(phone):
    assert phone.call("book_taxi", destination="work", date="friday").failure.details == {"argument": "time"}


def test_a_hotel_room_for_two_nights(phone):
    seen = phone.call("book_hotel", location="Seattle", date="friday", nights=2, guests=2)
    stay = seen.data["stay"]
    assert (stay["id"], stay["location"], stay["date"]) == ("hotel_001", "Seattle", "2026-03-06")
    assert (stay["nights"], stay["guests"], stay["status"]) == (2, 2, "booked")


def test_a_hotel_room_in_the_past(phone):
    seen = phone.call("book_hotel", location="Seattle", date="yesterday")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "date"})


def test_a_hotel_room_that_is_too_dear(phone):
    phone.call("transfer_money", amount="$2440", recipient="savings")
    seen = phone.call("book_hotel", location="Seattle", date="friday")
    assert (seen.failure.status, seen.failure.details["balance"]) == (409, "10.00")
    assert phone.diff_since_last_call() == {}


def test_a_rental_car_costs_its_day_rate(phone):
    # suv: 69 dollars a day, three days
    seen = phone.call("rent_car", date="saturday", days=3, carType="SUV")
    assert (seen.data["rental"]["car"], seen.data["rental"]["price"]) == ("suv", "207.00")
    assert phone.diff_since_last_call()["accounts/checking"] == {"balance": ("2450.00", "2243.00")}


def test_an_unknown_class_of_car(phone):
    seen = phone.call("rent_car", date="sunday", carType="tank")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "carType")


def test_a_second_car_on_one_day(phone):
    phone.call("rent_car", date="saturday")
    assert phone.call("rent_car", date="saturday").failure.status == 409
