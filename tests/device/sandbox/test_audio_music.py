"""Music: library and stream, play mode, opinions, playlists."""

import pytest

from runtime.contract import WorldSpec


def playing(phone):
    player = phone.call("identify_music").data["playing"]
    return player["title"], player.get("artist")


def test_a_song_of_the_library_plays(phone):
    seen = phone.call("play_music", song="bohemian rhapsody")
    changed = phone.diff_since_last_call()["player/phone"]
    assert changed["title"] == ("", "Bohemian Rhapsody")
    assert changed["artist"] == ("", "Queen")
    assert changed["state"] == ("idle", "playing")
    assert seen.data["source"] == "library"


def test_no_argument_plays_the_library(phone):
    assert phone.call("play_music").data["title"] == "Bohemian Rhapsody"


def test_the_newest_of_an_artist_comes_first(phone):
    seen = phone.call("play_music", artist="Adele", sort="latest")
    assert (seen.data["title"], seen.data["order"]) == ("Hello", "newest")


def test_popular_rock_of_the_seventies(phone):
    seen = phone.call("play_music", genre="rock", year="seventies", sort="top")
    assert (seen.data["title"], seen.data["period"]) == ("Bohemian Rhapsody", "1970s")
    assert phone.call("control_playback", action="next").data["title"] == "Hotel California"


@pytest.mark.parametrize(
    ("said", "period"), [("1986", "1986"), ("80s", "1980s"), ("the nineties", "1990s"), ("2010s", "2010s")]
)
def test_years_and_decades(phone, said, period):
    assert phone.call("play_music", artist="Nobody Known", year=said).data["period"] == period


def test_an_unreadable_year_is_refused(phone):
    seen = phone.call("play_music", year="long ago")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "year")


def test_an_unknown_order_is_refused(phone):
    seen = phone.call("play_music", artist="Queen", sort="loudest")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "sort")


def test_what_the_library_lacks_is_streamed(phone):
    seen = phone.call("play_music", song="Paper Boats", artist="The Lighthouse", service="Deezer")
    assert (seen.data["title"], seen.data["artist"], seen.data["source"]) == ("Paper Boats", "The Lighthouse", "Deezer")


def test_streaming_needs_a_network(phone):
    phone.call("manage_airplane_mode", action="enable")
    seen = phone.call("play_music", song="Paper Boats")
    assert (seen.failure.status, seen.failure.details["reason"]) == (409, "offline")
    assert "`manage_airplane_mode`" in seen.failure.message
    assert phone.diff_since_last_call() == {}
    assert phone.call("play_music", song="Yesterday").failure is None


def test_a_playlist_plays_in_its_order(phone):
    seen = phone.call("play_music", playlist="my road trip playlist")
    assert (seen.data["title"], seen.data["artist"]) == ("Take It Easy", "Eagles")


def test_an_unknown_playlist_names_those_there_are(phone):
    seen = phone.call("play_music", playlist="Yoga")
    assert seen.failure.status == 404
    assert seen.failure.details["candidates"] == ["Dinner", "Focus", "Morning Run", "Party", "Road Trip"]


def test_a_playlist_of_a_service_is_streamed(phone):
    assert phone.call("play_music", playlist="Yoga", service="Spotify").data["source"] == "Spotify"


def test_play_mode(phone):
    phone.call("set_music_play_mode", mode="repeat_one")
    assert phone.diff_since_last_call() == {"player/phone": {"mode": ("sequential", "repeat_one")}}


def test_play_mode_is_one_of_four(phone):
    assert phone.call("set_music_play_mode", mode="random").failure.status == 400


def test_a_liked_genre_is_kept_once(phone):
    phone.call("rate_music", opinion="like", genre="jazz")
    first = {"id": "taste_001", "subject": "genre", "name": "jazz", "opinion": "like"}
    assert phone.diff_since_last_call() == {"tastes/taste_001": first}
    phone.call("rate_music", opinion="dislike", genre="Jazz")
    assert phone.diff_since_last_call() == {"tastes/taste_001": {"opinion": ("like", "dislike")}}


def test_rating_takes_what_plays(phone):
    phone.call("play_music", song="Clocks")
    seen = phone.call("rate_music", opinion="like")
    assert (seen.data["taste"]["subject"], seen.data["taste"]["name"]) == ("song", "Clocks")


def test_rating_needs_something(phone):
    seen = phone.call("rate_music", opinion="like")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "song")


def test_identify_what_plays(phone):
    phone.call("play_music", song="Take Five")
    song = {"title": "Take Five", "artist": "Dave Brubeck", "album": "Time Out", "genre": "jazz", "year": 1959}
    assert phone.call("identify_music").data["song"] == song


def test_identify_a_named_song(phone):
    assert phone.call("identify_music", song="Jolene").data["songs"][0]["artist"] == "Dolly Parton"


def test_identify_needs_music(phone):
    assert phone.call("identify_music").failure.status == 409
    assert phone.call("identify_music", song="Paper Boats").failure.status == 404


def test_identify_needs_the_microphone(phone):
    phone.reset(WorldSpec(denied=frozenset({"microphone"})))
    seen = phone.call("identify_music", song="Jolene")
    assert (seen.failure.status, seen.failure.details["permission"]) == (403, "microphone")


def test_add_a_song_to_a_playlist(phone):
    phone.call("manage_playlist", action="add", playlist="my dinner playlist", song="blue in green", owner="my")
    item = {"id": "track_020", "playlist_id": "playlist_002", "title": "Blue in Green", "artist": "Miles Davis"}
    assert phone.diff_since_last_call() == {"playlist_items/track_020": item}


def test_add_what_plays(phone):
    phone.call("play_music", song="Paper Boats", artist="The Lighthouse")
    seen = phone.call("manage_playlist", action="add", playlist="focus", itemType="track")
    assert (seen.data["item"]["title"], seen.data["item"]["artist"]) == ("Paper Boats", "The Lighthouse")


def test_the_same_song_is_added_once(phone):
    assert phone.call("manage_playlist", action="add", playlist="Party", song="Thriller").failure.status == 409


def test_a_playlist_is_created_read_and_not_made_twice(phone):
    made = phone.call("manage_playlist", action="create", playlist="Yoga").data["playlist"]
    assert made == {"id": "playlist_006", "name": "Yoga", "belongs_to": "me"}
    assert phone.call("manage_playlist", action="query", playlist="Yoga").data["songs"] == 0
    assert phone.call("manage_playlist", action="create", playlist="yoga").failure.status == 409


def test_remove_a_song(phone):
    phone.call("manage_playlist", action="remove", playlist="Party", song="thriller")
    assert phone.diff_since_last_call() == {"playlist_items/track_018": None}
    assert phone.call("manage_playlist", action="remove", playlist="Party", song="thriller").failure.status == 404


def test_playlist_errors_name_the_argument(phone):
    assert phone.call("manage_playlist", action="add", song="Hurt").failure.details["argument"] == "playlist"
    assert phone.call("manage_playlist", action="add", playlist="Party").failure.details["argument"] == "song"
    assert phone.call("manage_playlist", action="add", playlist="Yoga", song="Hurt").failure.status == 404


def test_list_the_playlists(phone):
    lists = phone.call("manage_playlist", action="query").data["playlists"]
    assert [(p["name"], p["songs"]) for p in lists][:2] == [("Morning Run", 4), ("Dinner", 4)]
