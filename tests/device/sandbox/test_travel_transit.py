"""Timetables, tickets, flights. The clock stands at Monday 2026-03-02, 09:00."""


def test_departures_of_friday_morning(phone):
    seen = phone.call("query_transit", transportType="trains", destination="Denver", when="friday at nine")
    assert (seen.data["transport"], seen.data["origin"], seen.data["date"]) == ("train", "Riverton", "2026-03-06")
    assert len(seen.data["departures"]) == 3
    assert all(each["departs"] >= "09:00" for each in seen.data["departures"])


def test_no_departures_late_at_night(phone):
    assert phone.call("query_transit", transportType="bus", destination="Denver", when="11:59 pm").failure.status == 404


def test_unknown_means_of_transport(phone):
    seen = phone.call("query_transit", transportType="rocket")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "transportType")


def test_a_ticket_is_the_first_departure_and_is_paid(phone):
    timetable = phone.call("query_transit", transportType="train", destination="Denver", when="tomorrow at nine")
    first = timetable.data["departures"][0]
    seen = phone.call("book_ticket", transportType="train", destination="Denver", date="tomorrow at nine")
    ticket = seen.data["ticket"]
    assert (ticket["id"], ticket["date"], ticket["time"]) == ("ticket_001", "2026-03-03", first["departs"])
    assert (ticket["price"], ticket["status"]) == (first["price"], "booked")
    paid = phone.diff_since_last_call()["payments/payment_001"]
    assert (paid["amount"], paid["account"], paid["purpose"]) == (first["price"], "checking", "train ticket")


def test_a_ticket_needs_a_day(phone):
    seen = phone.call("book_ticket", transportType="flight", destination="London")
    assert (seen.failure.status, seen.failure.details, phone.diff_since_last_call()) == (400, {"argument": "date"}, {})


def test_a_ticket_needs_a_means_of_transport(phone):
    seen = phone.call("book_ticket", destination="London", date="friday")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "transportType"})


def test_the_same_ticket_twice_is_a_conflict(phone):
    phone.call("book_ticket", transportType="train", destination="Denver", date="friday")
    assert phone.call("book_ticket", transportType="train", destination="Denver", date="friday").failure.status == 409


def test_flight_status_by_number(phone):
    seen = phone.call("query_flight", flight="united 482", date="tomorrow")
    assert (seen.data["flight"], seen.data["date"]) == ("UA 482", "2026-03-03")
    assert phone.call("query_flight", flight="UA482", date="tomorrow").data == seen.data


def test_flight_status_of_what_is_booked(phone):
    ticket = phone.call("book_ticket", transportType="plane", destination="London", date="friday").data["ticket"]
    seen = phone.call("query_flight", flight="my flight to London")
    assert [flight["flight"] for flight in seen.data["flights"]] == [ticket["line"]]


def test_no_such_flight_is_booked(phone):
    assert phone.call("query_flight", flight="my flight to Rome").failure.status == 404
