"""Equaliser, noise of headphones, sleep timer, play queue."""

import pytest


def test_equalizer(phone):
    phone.call("manage_equalizer", action="set", preset="bass_boost")
    assert phone.diff_since_last_call() == {"equalizer/phone": {"preset": ("flat", "bass_boost")}}
    assert phone.call("manage_equalizer", action="query").data == {"preset": "bass_boost"}


def test_equalizer_errors(phone):
    assert phone.call("manage_equalizer", action="set").failure.details["argument"] == "preset"
    assert phone.call("manage_equalizer", action="set", preset="techno").failure.status == 400


def test_noise_control_needs_headphones(phone):
    failure = phone.call("control_headphone_noise", action="transparency").failure
    assert (failure.status, "`manage_bluetooth`" in failure.message, "AirBuds Pro" in failure.message) == (
        409,
        True,
        True,
    )
    phone.call("manage_bluetooth", action="connect", device="headphones")
    phone.call("control_headphone_noise", action="transparency")
    assert phone.diff_since_last_call() == {"headphone_noise/phone": {"mode": ("off", "transparency")}}
    seen = phone.call("control_headphone_noise", action="query")
    assert seen.data == {"headphones": "AirBuds Pro", "noise_mode": "transparency"}


def test_the_sleep_timer_pauses_what_plays(phone):
    phone.call("play_audio", name="rain")
    assert (
        phone.call("manage_sleep_timer", action="start", duration="20 minutes").data["ends_at"] == "2026-03-02T09:20:00"
    )
    phone.advance(1199)
    assert phone.call("manage_sleep_timer", action="query").data["player"] == "playing"
    phone.advance(601)
    seen = phone.call("manage_sleep_timer", action="query")
    assert (seen.data["running"], seen.data["player"]) == (False, "paused")
    assert phone.call("control_playback", action="pause").failure.status == 409
    assert phone.call("control_playback", action="resume").data["position_s"] == 1200


def test_a_cancelled_sleep_timer_stops_nothing(phone):
    phone.call("play_audio", name="rain")
    phone.call("manage_sleep_timer", action="start", duration="20 minutes")
    phone.call("manage_sleep_timer", action="cancel")
    phone.advance(1800)
    assert phone.call("manage_sleep_timer", action="query").data == {"running": False, "player": "playing"}


def test_sleep_timer_errors(phone):
    assert phone.call("manage_sleep_timer", action="start", duration="20 minutes").failure.status == 409
    assert phone.call("manage_sleep_timer", action="cancel").failure.status == 409
    phone.call("play_audio", name="rain")
    assert phone.call("manage_sleep_timer", action="start").failure.details["argument"] == "duration"


@pytest.mark.parametrize(
    ("action", "song", "after"),
    [
        ("add", "Yellow", ["Gymnopedie No. 1", "Moonlight Sonata", "Yellow"]),
        ("play_next", "Yellow", ["Yellow", "Gymnopedie No. 1", "Moonlight Sonata"]),
        ("remove", "moonlight sonata", ["Gymnopedie No. 1"]),
        ("clear", None, []),
    ],
)
def test_queue(phone, action, song, after):
    phone.call("play_music", playlist="Focus")
    start = {"playing": "Clair de Lune", "next": ["Gymnopedie No. 1", "Moonlight Sonata"]}
    assert phone.call("manage_play_queue", action="query").data == start
    assert phone.call("manage_play_queue", action=action, song=song).data["next"] == after


def test_the_next_song_is_the_one_put_there(phone):
    phone.call("play_music", playlist="Focus")
    phone.call("manage_play_queue", action="play_next", song="Hurt")
    assert phone.call("control_playback", action="next").data["title"] == "Hurt"


def test_queue_errors(phone):
    assert phone.call("manage_play_queue", action="query").failure.status == 409
    phone.call("play_radio", station="Jazz 24")
    assert "`play_music`" in phone.call("manage_play_queue", action="clear").failure.message
    phone.call("play_music", playlist="Focus")
    assert phone.call("manage_play_queue", action="add").failure.details["argument"] == "song"
    assert phone.call("manage_play_queue", action="add", song="Zebra Polka").failure.status == 404
    assert phone.call("manage_play_queue", action="remove", song="Yellow").failure.status == 404
