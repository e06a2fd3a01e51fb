"""Filming, camera settings, albums."""

import pytest


def test_a_minute_of_film(phone):
    phone.call("record_video", action="start", camera="front")
    changed = {"since": ("", "2026-03-02T09:00:00"), "camera": ("back", "front")}
    assert phone.diff_since_last_call() == {"video_camera/phone": changed}
    assert phone.call("record_video", action="start").failure.status == 409
    phone.advance(60)
    file = phone.call("record_video", action="stop").data["file"]
    assert (file["name"], file["size_mb"]) == ("VID_20260302_016_front.mp4", 126.1)
    assert phone.call("record_video", action="query").data["recording"] is False


def test_filming_needs_the_microphone(phone):
    assert phone.call("record_video", action="stop").failure.status == 409
    phone.call("manage_sound_recorder", action="start")
    failure = phone.call("record_video", action="start").failure
    assert (failure.status, "`manage_sound_recorder`" in failure.message) == (409, True)


@pytest.mark.parametrize(
    ("setting", "value", "change"),
    [
        ("timer", "ten seconds", {"timer": ("off", "10")}),
        ("flash", "off", {"flash": ("auto", "off")}),
        ("mode", "portrait mode", {"mode": ("photo", "portrait")}),
        ("video_quality", "4K", {"video_quality": ("1080p", "4k")}),
        ("grid", "on", {"grid": ("off", "on")}),
    ],
)
def test_camera_settings(phone, setting, value, change):
    phone.call("manage_camera_settings", action="set", setting=setting, value=value)
    assert phone.diff_since_last_call() == {"camera_settings/phone": change}


def test_camera_settings_that_do_not_fit(phone):
    assert phone.call("manage_camera_settings", action="set").failure.details["argument"] == "setting"
    assert phone.call("manage_camera_settings", action="set", setting="flash").failure.details["argument"] == "value"
    wrong = phone.call("manage_camera_settings", action="set", setting="timer", value="7 seconds").failure
    assert wrong.details["valid"] == ["off", "3", "5", "10"]
    phone.call("manage_battery", action="set", mode="super_saving")
    failure = phone.call("manage_camera_settings", action="set", setting="video_quality", value="4k").failure
    assert (failure.status, "`manage_battery`" in failure.message) == (409, True)
    phone.call("record_video", action="start")
    busy = phone.call("manage_camera_settings", action="set", setting="video_quality", value="720p").failure
    assert "`record_video`" in busy.message


def test_an_album_is_made_filled_and_deleted(phone):
    phone.call("manage_album", action="create", album="Italy")
    assert phone.diff_since_last_call() == {"albums/album_004": {"id": "album_004", "name": "Italy"}}
    seen = phone.call("manage_album", action="add", album="italy album", photo="beach sunset and birthday cake photo")
    assert seen.data == {"album": "Italy", "added": ["Beach_Sunset.jpg", "Birthday_Cake.jpg"]}
    phone.call("manage_album", action="delete", album="Italy")
    assert [key for key in phone.diff_since_last_call() if key.startswith("files")] == []
    assert phone.call("manage_album", action="query", album="Italy").failure.status == 404


def test_what_is_missing_is_named_and_the_rest_is_added(phone):
    seen = phone.call("manage_album", action="add", album="Family", photo="Birthday_Cake.jpg, the unicorn")
    assert seen.data == {"album": "Family", "added": ["Birthday_Cake.jpg"], "not_found": ["the unicorn"]}
    assert phone.call("manage_album", action="add", album="Family", photo="the unicorn").failure.status == 404


def test_taking_a_picture_out_of_an_album(phone):
    assert phone.call("manage_album", action="query", album="holidays").data["files"] == [
        "Beach_Sunset.jpg",
        "Graduation.mp4",
    ]
    phone.call("manage_album", action="remove", album="holidays", photo="beach sunset")
    assert phone.call("manage_album", action="query", album="holidays").data["files"] == ["Graduation.mp4"]
    assert phone.call("manage_album", action="remove", album="holidays", photo="whiteboard").failure.status == 404


def test_album_errors(phone):
    assert phone.call("manage_album", action="create").failure.details["argument"] == "album"
    assert phone.call("manage_album", action="create", album="family").failure.status == 409
    assert phone.call("manage_album", action="add", album="family").failure.details["argument"] == "photo"
