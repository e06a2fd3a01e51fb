"""Videos, live television, downloads for offline use."""

import pytest


def test_a_clip_of_the_gallery_plays_offline(phone):
    phone.call("manage_airplane_mode", action="enable")
    seen = phone.call("play_video", title="cat jumping")
    assert (seen.data["kind"], seen.data["title"], seen.data["source"]) == ("video", "Cat Jumping", "gallery")
    assert phone.call("control_playback", action="pause").data["state"] == "paused"


def test_a_film_is_streamed_by_an_installed_video_app(phone):
    assert phone.call("play_video", title="Inception", service="netflix").data["source"] == "Netflix"
    assert phone.diff_since_last_call()["apps/Netflix"] == {"running": (False, True)}
    assert phone.call("play_video", title="Inception", service="Gmail").failure.details["valid"] == [
        "YouTube",
        "Netflix",
    ]
    phone.call("manage_airplane_mode", action="enable")
    failure = phone.call("play_video", title="Inception").failure
    assert (failure.status, "`manage_airplane_mode`" in failure.message) == (409, True)


@pytest.mark.parametrize(
    ("setting", "value", "change"),
    [
        ("quality", "full hd", {"quality": ("auto", "1080p")}),
        ("speed", "double speed", {"speed": (1.0, 2.0)}),
        ("speed", "1.5x", {"speed": (1.0, 1.5)}),
        ("subtitles", "spanish", {"subtitles": ("off", "Spanish")}),
    ],
)
def test_video_settings(phone, setting, value, change):
    phone.call("play_video", title="graduation")
    phone.call("set_video_playback", setting=setting, value=value)
    assert phone.diff_since_last_call() == {"video_settings/phone": change}


def test_video_settings_need_a_video_and_a_value_that_exists(phone):
    assert phone.call("set_video_playback", setting="speed", value="2").failure.status == 409
    phone.call("play_music", song="Yellow")
    assert "`play_video`" in phone.call("set_video_playback", setting="speed", value="2").failure.message
    phone.call("play_video", title="graduation")
    assert phone.call("set_video_playback", setting="speed", value="ten times").failure.status == 400
    assert phone.call("set_video_playback", setting="quality").failure.details["argument"] == "value"
    assert phone.call("set_video_playback", setting="subtitles", value="klingon").failure.status == 400


def test_4k_is_streamed_over_wifi_alone(phone):
    phone.call("play_video", title="Inception")
    phone.call("manage_wifi", action="disable")
    failure = phone.call("set_video_playback", setting="quality", value="4k").failure
    assert (failure.status, "`manage_wifi`" in failure.message) == (409, True)
    phone.call("manage_wifi", action="enable")
    phone.call("manage_wifi", action="connect", network="Home")
    assert phone.call("set_video_playback", setting="quality", value="4k").data["video"]["quality"] == "4k"


@pytest.mark.parametrize(
    ("said", "title"), [("channel five", "Kids Planet"), ("wild nature", "Wild Nature"), (None, "First News")]
)
def test_channels(phone, said, title):
    seen = phone.call("watch_tv", channel=said)
    assert (seen.data["kind"], seen.data["title"]) == ("tv", title)


def test_channels_that_can_not_be_watched(phone):
    assert phone.call("watch_tv", channel="channel 99").failure.status == 404
    assert phone.call("watch_tv", channel="sports").failure.details["candidates"] == ["Sports Arena", "Sports Live"]
    assert phone.call("watch_tv", channel="Cinema Gold").failure.status == 403
    phone.call("watch_tv", channel="5")
    assert "live" in phone.call("set_video_playback", setting="speed", value="2").failure.message


def test_a_download_is_complete_only_when_its_time_has_come(phone):
    seen = phone.call("download_media", action="start", title="focus playlist")
    assert seen.data == {"message": "download of Focus requested", "id": "download_001", "size_mb": 27.0}
    row = phone.call("download_media", action="query", title="focus").data["downloads"][0]
    assert (row["state"], row["ready_at"]) == ("downloading", "2026-03-02T09:00:30")
    phone.advance(30)
    assert phone.call("download_media", action="query").data["downloads"][0]["state"] == "complete"
    assert phone.call("download_media", action="cancel", title="focus").failure.status == 409
    phone.call("download_media", action="delete", title="focus")
    assert phone.call("download_media", action="query").data == {"downloads": []}


def test_without_wifi_a_download_is_accepted_and_waits(phone):
    phone.call("manage_wifi", action="disable")
    assert "requested" in phone.call("download_media", action="start", title="Inception").data["message"]
    phone.advance(3600)
    assert phone.call("download_media", action="query").data["downloads"][0]["state"] == "waiting for Wi-Fi"
    assert phone.call("download_media", action="start", title="Inception").failure.status == 409
    phone.call("manage_wifi", action="enable")
    phone.call("manage_wifi", action="connect", network="Home")
    assert phone.call("download_media", action="start", title="Inception").data["id"] == "download_001"


def test_a_downloaded_episode_plays_offline(phone):
    phone.call("download_media", action="start", title="Science Friday")
    phone.advance(60)
    phone.call("manage_airplane_mode", action="enable")
    seen = phone.call("play_podcast", podcast="Science Friday", episode="38")
    assert (seen.data["title"], seen.data["source"]) == ("Sleep and Memory", "library")


def test_download_errors(phone):
    assert phone.call("download_media", action="start").failure.details["argument"] == "title"
    assert "`play_podcast`" in phone.call("download_media", action="start", title="History Hour").failure.message
    assert phone.call("download_media", action="cancel", title="Focus").failure.status == 404
