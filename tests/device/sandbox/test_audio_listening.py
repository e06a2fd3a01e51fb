"""Radio, podcasts, audiobooks, sounds, the buttons of the player; games, media, camera and recorders."""

import pytest

from runtime.contract import WorldSpec


@pytest.mark.parametrize(
    ("said", "name"), [("101.3", "Rock Antenna"), ("eighty eight point five", "Jazz 24"), ("classic fm", "Classic FM")]
)
def test_a_station_is_tuned(phone, said, name):
    assert phone.call("play_radio", station=said).data["title"] == name


def test_radio_by_genre(phone):
    seen = phone.call("play_radio", genre="jazz")
    assert (seen.data["title"], seen.data["source"]) == ("Jazz 24", "FM 88.5")


def test_other_stations_come_over_the_internet(phone):
    assert phone.call("play_radio", station="Radio Nowhere").data["source"] == "stream"
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("play_radio", station="Radio Nowhere").failure.details["reason"] == "offline"
    assert phone.call("play_radio", station="Jazz 24").failure is None


def test_the_latest_episode(phone):
    seen = phone.call("play_podcast", podcast="heavyweight", episode="the latest one")
    assert (seen.data["title"], seen.data["artist"]) == ("The Letter", "Heavyweight")


@pytest.mark.parametrize("said", ["episode number eleven", "11", "the bicycle"])
def test_an_episode_by_number_or_title(phone, said):
    assert phone.call("play_podcast", podcast="Heavyweight", episode=said).data["title"] == "The Bicycle"


def test_the_next_episode(phone):
    phone.call("play_podcast", podcast="Heavyweight", episode="11")
    assert phone.call("play_podcast", podcast="Heavyweight", episode="next episode").data["title"] == "The Letter"
    assert phone.call("control_playback", action="previous").data["title"] == "The Bicycle"


def test_a_missing_episode_lists_what_there_is(phone):
    seen = phone.call("play_podcast", podcast="History Hour", episode="99")
    assert (seen.failure.status, seen.failure.details["candidates"]) == (404, ["History Hour 5: The Silk Road"])


def test_an_episode_that_is_not_downloaded_needs_a_network(phone):
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("play_podcast", podcast="Science Friday").failure.status == 409
    assert phone.call("play_podcast", podcast="Science Friday", episode="37").data["title"] == "Deep Sea Light"


def test_a_book_goes_on_where_it_was(phone):
    seen = phone.call("play_audiobook", title="animal farm")
    assert (seen.data["title"], seen.data["chapter"]) == ("Animal Farm", 4)


def test_a_book_from_the_beginning(phone):
    phone.call("play_audiobook", title="Dracula", playback="start over")
    assert phone.diff_since_last_call()["audiobooks/book_003"] == {"chapter": (12, 1)}


def test_a_chapter(phone):
    assert phone.call("play_audiobook", title="Emma", playback="chapter five").data["chapter"] == 5
    seen = phone.call("play_audiobook", title="Emma", playback="chapter 56")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "playback")


def test_books_by_one_author_are_asked_about(phone):
    seen = phone.call("play_audiobook", author="Jane Austen")
    assert (seen.failure.status, seen.failure.details["candidates"]) == (409, ["Emma", "Pride and Prejudice"])


def test_a_book_that_is_not_here(phone):
    assert phone.call("play_audiobook", title="Moby Dick").failure.status == 404


def test_ambient_sound_and_own_recording(phone):
    assert phone.call("play_audio", name="ocean waves sound").data["title"] == "Ocean Waves"
    assert phone.call("play_audio", name="piano practice").data["source"] == "Piano_Practice.m4a"


def test_an_unknown_sound(phone):
    assert phone.call("play_audio", name="white noise").failure.status == 404
    assert phone.call("play_audio").failure.details["argument"] == "name"


def test_pause_keeps_the_place(phone):
    phone.call("play_music", song="Hello")
    phone.advance(75)
    assert phone.call("control_playback", action="pause").data["position_s"] == 75
    phone.advance(600)
    resumed = phone.call("control_playback", action="resume").data
    assert (resumed["state"], resumed["position_s"]) == ("playing", 75)


def test_buttons_need_something_that_plays(phone):
    assert phone.call("control_playback", action="pause").failure.status == 409
    phone.call("play_music", song="Hello")
    assert phone.call("control_playback", action="resume").failure.status == 409
    assert phone.call("control_playback", action="stop").data["state"] == "idle"


def test_the_queue_ends_unless_it_repeats(phone):
    phone.call("play_music", album="Nevermind")
    assert phone.call("control_playback", action="next").data["title"] == "Lithium"
    assert phone.call("control_playback", action="next").failure.status == 409
    phone.call("set_music_play_mode", mode="repeat_all")
    assert phone.call("control_playback", action="next").data["title"] == "Smells Like Teen Spirit"


def test_a_stream_goes_on(phone):
    phone.call("play_music", artist="The Lighthouse")
    assert phone.call("control_playback", action="next").data["title"] == "The Lighthouse - track 2"
    assert phone.call("control_playback", action="previous").data["title"] == "The Lighthouse - track 1"
    assert phone.call("control_playback", action="previous").failure.status == 409


def test_a_game_starts(phone):
    phone.call("launch_game", game="candy crush")
    assert phone.diff_since_last_call() == {"apps/Candy Crush": {"running": (False, True)}}


def test_a_game_must_be_named_and_installed(phone):
    assert phone.call("launch_game").failure.details == {"argument": "game", "valid": ["Candy Crush"]}
    assert "`install_app`" in phone.call("launch_game", game="chess").failure.message
    assert phone.call("launch_game", game="Pinball").failure.status == 404


def test_search_media(phone):
    seen = phone.call("search_media", title="The Crown", mediaType="television show")
    assert seen.data == {"items": [{"title": "The Crown", "mediaType": "tv show", "where": "streaming"}], "total": 1}


def test_search_media_offline_finds_what_is_held(phone):
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("search_media", title="Emma").data["items"][0]["where"] == "audiobooks"
    assert phone.call("search_media", title="The Crown").failure.status == 404


def test_a_photo_is_a_file(phone):
    assert phone.call("take_photo", camera="front").data["photo"]["name"] == "IMG_20260302_016_front.jpg"
    assert list(phone.diff_since_last_call()) == ["files/file_016"]


def test_a_photo_needs_the_camera(phone):
    phone.reset(WorldSpec(denied=frozenset({"camera"})))
    assert phone.call("take_photo").failure.details["permission"] == "camera"


def test_the_screen_recorder_runs_once(phone):
    phone.call("control_screen_recorder", action="start")
    assert phone.diff_since_last_call() == {"recorders/phone": {"screen_since": ("", "2026-03-02T09:00:00")}}
    assert phone.call("control_screen_recorder", action="start").failure.status == 409
    phone.advance(10)
    assert phone.call("control_screen_recorder", action="stop").data["file"]["size_mb"] == 12.1
    assert phone.call("control_screen_recorder", action="stop").failure.status == 409
    assert phone.call("control_screen_recorder", action="query").data["recording"] is False


def test_a_voice_memo_gets_its_title(phone):
    phone.call("manage_sound_recorder", action="start", title="garden ideas")
    seen = phone.call("manage_sound_recorder", action="stop")
    assert seen.data["file"]["name"] == "Garden_ideas.m4a"
    found = phone.call("manage_sound_recorder", action="query", title="garden ideas").data
    assert [file["id"] for file in found["recordings"]] == ["file_016"]


def test_nothing_to_stop(phone):
    assert phone.call("manage_sound_recorder", action="stop").failure.status == 409
