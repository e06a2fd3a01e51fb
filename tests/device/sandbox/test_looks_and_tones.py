"""Wallpaper, theme, ringtone, notification sound."""


def test_wallpaper(phone):
    phone.call("set_wallpaper", photo="the beach sunset picture", target="lock")
    assert phone.diff_since_last_call() == {"looks/phone": {"lock": ("", "Beach_Sunset.jpg")}}
    assert phone.call("set_wallpaper", photo="Birthday_Cake.jpg").data == {
        "home": "Birthday_Cake.jpg", "lock": "Birthday_Cake.jpg",
    }  # fmt: skip


def test_wallpaper_errors(phone):
    assert phone.call("set_wallpaper", photo="resume").failure.status == 400
    assert phone.call("set_wallpaper", photo="unicorn").failure.status == 404


def test_an_installed_theme_brings_its_own_wallpapers(phone):
    phone.call("set_wallpaper", photo="whiteboard", target="home")
    phone.call("manage_theme", action="apply", theme="forest theme")
    changed = {"applied": ("Classic", "Forest"), "home": ("Whiteboard.png", "")}
    assert phone.diff_since_last_call() == {"looks/phone": changed}


def test_a_theme_of_the_shop_comes_later(phone):
    assert "requested" in phone.call("manage_theme", action="apply", theme="Sunrise").data["message"]
    seen = phone.call("manage_theme", action="query").data
    assert (seen["current"], seen["downloading"]) == ("Classic", "Sunrise")
    phone.advance(90)
    assert phone.call("manage_theme", action="query").data["current"] == "Sunrise"


def test_theme_errors(phone):
    assert phone.call("manage_theme", action="apply").failure.details["argument"] == "theme"
    assert "Midnight" in phone.call("manage_theme", action="apply", theme="unicorn").failure.details["valid"]
    phone.call("manage_airplane_mode", action="enable")
    assert "`manage_airplane_mode`" in phone.call("manage_theme", action="apply", theme="Sunrise").failure.message


def test_ringtone_for_all_and_for_one(phone):
    phone.call("set_ringtone", ringtone="marimba")
    assert phone.diff_since_last_call() == {"tone_settings/phone": {"ringtone": ("Opening Bells", "Marimba")}}
    seen = phone.call("set_ringtone", ringtone="rainy evening", contact="my mom")
    assert seen.data == {"ringtone": "Rainy_Evening.mp3", "for": "Maria Bennett"}
    assert phone.diff_since_last_call() == {
        "own_tones/contact_001": {"whose": "contact_001", "tone": "Rainy_Evening.mp3"}
    }
    phone.call("set_ringtone", ringtone="harp", contact="Maria Bennett")
    assert phone.diff_since_last_call() == {"own_tones/contact_001": {"tone": ("Rainy_Evening.mp3", "Harp")}}


def test_ringtone_errors(phone):
    assert "Marimba" in phone.call("set_ringtone", ringtone="unicorn").failure.details["valid"]
    assert phone.call("set_ringtone", ringtone="harp", contact="Anna").failure.status == 409
    phone.call("set_sound_mode", mode="silent")
    assert "silent" in phone.call("set_ringtone", ringtone="harp").data["note"]


def test_notification_sound(phone):
    phone.call("set_notification_sound", sound="glass")
    assert phone.diff_since_last_call() == {"tone_settings/phone": {"sound": ("Droplet", "Glass")}}
    phone.call("set_notification_sound", sound="whistle", appName="gmail")
    assert phone.diff_since_last_call() == {"own_tones/Gmail": {"whose": "Gmail", "tone": "Whistle"}}


def test_notification_sound_errors(phone):
    assert phone.call("set_notification_sound", sound="marimba").failure.status == 404
    phone.call("manage_notification", action="disable", appName="Gmail")
    failure = phone.call("set_notification_sound", sound="glass", appName="Gmail").failure
    assert (failure.status, "`manage_notification`" in failure.message) == (409, True)
