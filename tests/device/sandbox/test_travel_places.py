"""Places, events, showtimes. The clock stands at Monday 2026-03-02, 09:00."""


def test_italian_places_around_come_by_rating(phone):
    seen = phone.call("search_places", placeType="restaurants", location="near me", food="italian")
    assert [place["name"] for place in seen.data["places"]] == ["Luigi's", "Trattoria Sole"]


def test_places_of_another_city_are_the_same_when_asked_again(phone):
    first = phone.call("search_places", placeType="pharmacy", location="Chicago").data
    assert (first["location"], len(first["places"])) == ("Chicago", 3)
    assert phone.call("search_places", placeType="pharmacy", location="Chicago").data == first


def test_a_search_for_nothing(phone):
    seen = phone.call("search_places", location="Chicago")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "placeType"})


def test_opening_hours(phone):
    seen = phone.call("query_place", want="hours", place="luigi's")
    assert seen.data == {"place": "Luigi's", "opens": "11:30", "closes": "23:00", "open_now": False}


def test_reviews_of_a_place_that_the_phone_does_not_know(phone):
    seen = phone.call("query_place", want="reviews", place="Costco")
    assert (seen.data["place"], 3.0 <= seen.data["rating"] <= 4.9) == ("Costco", True)


def test_busyness_of_no_place(phone):
    seen = phone.call("query_place", want="busyness")
    assert (seen.failure.status, seen.failure.details) == (400, {"argument": "place"})


def test_concerts_on_saturday(phone):
    seen = phone.call("find_events", eventType="concert", when="saturday")
    assert [event["date"] for event in seen.data["events"]] == ["2026-03-07"] * 3
    assert all(event["name"].startswith("Concert at ") for event in seen.data["events"])


def test_events_that_are_over(phone):
    assert phone.call("find_events", when="yesterday").failure.status == 404


def test_showtimes_of_one_movie_in_the_evening(phone):
    seen = phone.call("find_showtimes", movie="Steel Horizon", when="today at 6 pm")
    assert (seen.data["theater"], seen.data["date"]) == ("Union Cinema", "2026-03-02")
    assert all(time >= "18:00" for time in seen.data["shows"][0]["times"])


def test_comedies(phone):
    assert [show["movie"] for show in phone.call("find_showtimes", movieType="comedies").data["shows"]] == [
        "Midnight Pantry"
    ]


def test_nothing_runs_at_midnight(phone):
    assert phone.call("find_showtimes", when="11:59 pm").failure.status == 404
