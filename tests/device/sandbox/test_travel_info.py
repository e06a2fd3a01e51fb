"""Weather, traffic, routes, warnings and the position. The clock stands at Monday 2026-03-02, 09:00."""

from runtime.contract import WorldSpec


def test_weather_of_tomorrow_is_the_same_when_asked_again(phone):
    first = phone.call("get_weather", location="Paris", when="tomorrow")
    assert first.data["location"] == "Paris"
    assert first.data["date"] == "2026-03-03"
    assert first.data["low_c"] < first.data["high_c"]
    assert phone.call("get_weather", location="paris", when="tomorrow").data["sky"] == first.data["sky"]


def test_weather_of_a_weekend_has_two_days_and_answers_the_condition(phone):
    seen = phone.call("get_weather", when="this weekend", condition="umbrella")
    assert [day["date"] for day in seen.data["days"]] == ["2026-03-07", "2026-03-08"]
    wet = any(day["sky"] in ("rain", "thunderstorm") for day in seen.data["days"])
    assert seen.data["asked"] == {"umbrella": wet}


def test_weather_knows_no_day_beyond_the_forecast(phone):
    seen = phone.call("get_weather", when="2026-06-02")
    assert (seen.failure.status, seen.failure.details) == (404, {"until": "2026-04-01"})


def test_weather_needs_the_internet(phone):
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("get_weather").failure.status == 409


def test_traffic_goes_to_work_when_nothing_is_said(phone):
    seen = phone.call("get_traffic", when="5 pm")
    assert (seen.data["origin"], seen.data["destination"], seen.data["time"]) == ("Riverton", "work", "17:00")
    assert seen.data["traffic"] in ("moderate", "heavy")


def test_traffic_needs_two_places(phone):
    seen = phone.call("get_traffic", destination="the airport", origin="airport")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "destination")


def test_distance_between_known_cities(phone):
    # great circle Boston - New York 306 km, times 1.2 for the road
    seen = phone.call("plan_route", want="distance", origin="Boston", destination="New York")
    assert (seen.data["kilometres"], seen.data["miles"]) == (368.0, 228.7)


def test_duration_depends_on_the_mode(phone):
    # 368 km at 60 km/h
    seen = phone.call("plan_route", want="duration", origin="Boston", destination="New York", mode="by car")
    assert (seen.data["mode"], seen.data["minutes"]) == ("driving", 368)


def test_directions_home_name_the_address(phone):
    seen = phone.call("plan_route", want="directions", destination="home")
    assert seen.data["destination"] == "home, 21 Willow Avenue"
    assert len(seen.data["steps"]) == 3


def test_route_without_a_destination(phone):
    seen = phone.call("plan_route", want="directions")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "destination"})


def test_route_by_an_unknown_mode(phone):
    seen = phone.call("plan_route", want="distance", destination="work", mode="teleport")
    assert seen.failure.details["valid"] == ["driving", "walking", "cycling", "transit", "flying"]


def test_travel_alert(phone):
    seen = phone.call("query_travel_alert", location="Egypt")
    assert seen.data["location"] == "Egypt"
    assert seen.data["level"] in (1, 2, 3, 4)


def test_travel_alert_needs_a_location(phone):
    seen = phone.call("query_travel_alert")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "location"})


def test_location_of_the_phone(phone):
    seen = phone.call("query_location")
    assert (seen.data["city"], seen.data["address"]) == ("Riverton", "3 Union Street")


def test_location_may_be_denied(phone):
    phone.reset(WorldSpec(denied=frozenset({"location"})))
    seen = phone.call("query_location")
    assert (seen.failure.status, seen.failure.details) == (403, {"permission": "location"})
