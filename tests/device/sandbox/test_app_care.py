"""Updates, stored data, second copies, defaults, background, limits and kinds of notifications of apps."""

from typing import Any

from runtime.contract import WorldSpec


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_an_update_is_requested_and_loads(phone: Any) -> None:
    assert phone.call("manage_app_update", action="check").data["available"] == 3
    seen = phone.call("manage_app_update", action="install", appName="whatsapp").data
    assert seen == {"message": "update requested", "requested": ["WhatsApp"], "skipped": []}
    assert phone.diff_since_last_call() == {
        "app_updates/WhatsApp": {"requested": ("", "2026-03-02T09:00:00"), "ready_at": ("", "2026-03-02T09:02:04")}
    }
    assert phone.call("manage_app_update", action="check", appName="WhatsApp").data["updates"][0]["state"] == "loading"
    phone.advance(124)
    seen = phone.call("manage_app_update", action="check", appName="WhatsApp").data
    assert seen["updates"] == [{"app": "WhatsApp", "version": "3.12", "sizeMb": 64.0, "state": "installed"}]
    assert code(phone.call("manage_app_update", action="install", appName="WhatsApp")) == 409


def test_updating_all_leaves_out_what_is_open(phone: Any) -> None:
    phone.call("open_app", appName="Facebook")
    seen = phone.call("manage_app_update", action="install").data
    assert seen["requested"] == ["WhatsApp", "Google Maps"]
    assert seen["skipped"] == [{"app": "Facebook", "reason": "open; use `close_app` first"}]
    assert phone.call("manage_app_update", action="install", appName="all").failure.details == {"apps": ["Facebook"]}


def test_update_errors(phone: Any) -> None:
    assert code(phone.call("manage_app_update", action="install", appName="Spotify")) == 409
    assert code(phone.call("manage_app_update", action="check", appName="Blorf")) == 404
    phone.call("manage_airplane_mode", action="enable")
    assert "offline" in phone.call("manage_app_update", action="install").failure.message


def test_cache_and_data_of_one_app(phone: Any) -> None:
    seen = phone.call("manage_app_data", action="query", appName="Telegram").data
    assert seen == {"appName": "Telegram", "appMb": 130.0, "cacheMb": 45.5, "dataMb": 156.0}
    seen = phone.call("manage_app_data", action="clear_cache", appName="Telegram").data
    assert (seen["freedMb"], seen["signedOut"]) == (45.5, False)
    assert phone.diff_since_last_call() == {
        "app_data/Telegram": {"app": "Telegram", "cache_mb": 0.0, "data_mb": 156.0},
        "storage/phone": {"cache_mb": (1840.0, 1794.5)},
    }
    assert phone.call("manage_app_data", action="clear_data", appName="Telegram").data["freedMb"] == 156.0


def test_data_errors(phone: Any) -> None:
    assert code(phone.call("manage_app_data", action="clear_data", appName="Camera")) == 409
    phone.call("open_app", appName="Uber")
    assert "`close_app`" in phone.call("manage_app_data", action="clear_data", appName="Uber").failure.message
    assert code(phone.call("manage_app_data", action="query")) == 400


def test_the_cache_of_an_app_goes_with_all_caches(phone: Any) -> None:
    phone.call("clean_storage", category="cache")
    assert phone.call("manage_app_data", action="query", appName="Telegram").data["cacheMb"] == 0.0


def test_an_app_is_cloned_once(phone: Any) -> None:
    phone.call("manage_app_clone", action="create", appName="WhatsApp")
    assert phone.diff_since_last_call() == {"app_clones/WhatsApp": {"app": "WhatsApp", "created": "2026-03-02"}}
    assert code(phone.call("manage_app_clone", action="create", appName="WhatsApp")) == 409
    assert phone.call("manage_app_clone", action="query").data["clones"] == [
        {"app": "WhatsApp", "created": "2026-03-02"}
    ]
    assert phone.call("manage_app_clone", action="remove", appName="WhatsApp").data == {"removed": "WhatsApp"}


def test_clone_errors(phone: Any) -> None:
    assert code(phone.call("manage_app_clone", action="create", appName="Calculator")) == 409
    assert code(phone.call("manage_app_clone", action="remove", appName="Telegram")) == 404
    assert phone.call("manage_app_clone", action="create").failure.details == {"argument": "appName"}


def test_default_app(phone: Any) -> None:
    phone.call("manage_default_app", action="set", role="music", appName="YouTube")
    assert phone.diff_since_last_call() == {"default_apps/music": {"app": ("Spotify", "YouTube")}}
    assert phone.call("manage_default_app", action="query", role="browser").data == {"defaults": {"browser": "Browser"}}


def test_default_app_errors(phone: Any) -> None:
    seen = phone.call("manage_default_app", action="set", role="maps", appName="Calculator")
    assert (seen.failure.status, seen.failure.details) == (409, {"candidates": ["Google Maps"]})
    assert code(phone.call("manage_default_app", action="set", role="maps", appName="Waze")) == 404
    assert phone.call("manage_default_app", action="set", appName="Waze").failure.details["argument"] == "role"
    assert code(phone.call("manage_default_app", action="query", role="camera")) == 400


def test_background_activity(phone: Any) -> None:
    phone.call("manage_background_activity", action="restrict", appName="Facebook")
    assert phone.diff_since_last_call() == {"app_background/Facebook": {"app": "Facebook", "restricted": True}}
    assert phone.call("manage_background_activity", action="query").data == {"restricted_apps": ["Facebook"]}
    phone.call("manage_background_activity", action="allow", appName="Facebook")
    seen = phone.call("manage_background_activity", action="query", appName="Facebook").data
    assert seen == {"appName": "Facebook", "restricted": False}


def test_background_errors(phone: Any) -> None:
    assert code(phone.call("manage_background_activity", action="restrict", appName="Clock")) == 409
    assert code(phone.call("manage_background_activity", action="restrict")) == 400
    phone.call("manage_battery", action="set", mode="super_saving")
    assert (
        "`manage_battery`" in phone.call("manage_background_activity", action="allow", appName="Uber").failure.message
    )


def test_a_daily_limit(phone: Any) -> None:
    phone.call("manage_app_timer", action="set", appName="YouTube", duration="half an hour")
    assert phone.diff_since_last_call() == {"app_timers/YouTube": {"app": "YouTube", "duration": 1800}}
    limit = phone.call("manage_app_timer", action="query", appName="YouTube").data["limits"][0]
    assert (limit["app"], limit["minutesADay"]) == ("YouTube", 30)
    assert limit["leftToday"] == max(30 - limit["usedToday"], 0)
    phone.call("manage_app_timer", action="remove", appName="YouTube")
    assert phone.diff_since_last_call() == {"app_timers/YouTube": None}


def test_limit_errors(phone: Any) -> None:
    assert code(phone.call("manage_app_timer", action="set", appName="YouTube", duration="30 seconds")) == 400
    assert code(phone.call("manage_app_timer", action="set", appName="Phone", duration="1 hour")) == 409
    assert code(phone.call("manage_app_timer", action="remove", appName="YouTube")) == 404
    assert phone.call("manage_app_timer", action="set", appName="YouTube").failure.details == {"argument": "duration"}


def test_kinds_of_notifications(phone: Any) -> None:
    phone.call("manage_notification_channel", action="disable", appName="Amazon", channel="promotions")
    assert list(phone.diff_since_last_call()) == ["notification_channels/Amazon/promotions"]
    seen = phone.call("manage_notification_channel", action="query", appName="Amazon").data["channels"]
    assert seen == {"messages": True, "promotions": False, "reminders": True, "updates": True}


def test_channel_errors(phone: Any) -> None:
    assert phone.call("manage_notification_channel", action="disable", appName="Amazon").failure.details == {
        "argument": "channel"
    }
    phone.call("manage_notification", action="disable", appName="Amazon")
    seen = phone.call("manage_notification_channel", action="enable", appName="Amazon", channel="updates")
    assert (seen.failure.status, "`manage_notification`" in seen.failure.message) == (409, True)


def test_previews_on_the_lock_screen(phone: Any) -> None:
    phone.call("manage_notification_preview", action="hide", appName="WhatsApp")
    assert phone.call("manage_notification_preview", action="query").data == {
        "allApps": True, "hidden_apps": ["WhatsApp"]
    }  # fmt: skip
    phone.call("manage_notification_preview", action="hide")
    assert phone.diff_since_last_call() == {"notification_previews/*": {"shown": (True, False)}}
    assert code(phone.call("manage_notification_preview", action="show", appName="WhatsApp")) == 409


def test_previews_need_a_screen_lock(phone: Any) -> None:
    phone.reset(WorldSpec(facts=({"table": "locks", "screen_lock": "none", "fingerprint": False},)))
    assert "`manage_screen_lock`" in phone.call("manage_notification_preview", action="hide").failure.message
