"""Backups, user profiles, battery health, the phone's name. The battery is at 76 percent, Wi-Fi is joined."""

from typing import Any

from runtime.contract import WorldSpec


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_a_backup_takes_ten_minutes(phone: Any) -> None:
    assert phone.call("manage_backup", action="start").data == {"message": "backup requested"}
    assert phone.call("manage_backup", action="query").data["status"] == "running"
    assert code(phone.call("manage_backup", action="start")) == 409
    phone.advance(599)
    assert phone.call("manage_backup", action="query").data["status"] == "running"
    phone.advance(1)
    assert phone.call("manage_backup", action="query").data == {
        "status": "finished", "automatic": False, "frequency": "weekly", "readyAt": "2026-03-02T09:10:00"
    }  # fmt: skip


def test_a_backup_on_a_low_battery_is_accepted_and_waits(phone: Any) -> None:
    phone.reset(WorldSpec(facts=({"table": "battery", "level": 15},)))
    assert phone.call("manage_backup", action="start").data == {"message": "backup requested"}
    phone.advance(3_600)
    assert phone.call("manage_backup", action="query").data["status"] == "waiting for power"
    phone.call("manage_backup", action="cancel")
    assert phone.diff_since_last_call() == {"backup/phone": {"state": ("waiting", "idle")}}


def test_a_backup_needs_wifi(phone: Any) -> None:
    phone.call("manage_wifi", action="disable")
    assert phone.call("manage_backup", action="start").failure.details == {"reason": "no wifi"}


def test_only_a_running_backup_is_cancelled(phone: Any) -> None:
    assert code(phone.call("manage_backup", action="cancel")) == 409
    phone.call("manage_backup", action="start")
    phone.call("manage_backup", action="cancel")
    assert phone.call("manage_backup", action="query").data["status"] == "none yet"


def test_automatic_backups(phone: Any) -> None:
    phone.call("manage_backup", action="enable_auto", frequency="daily")
    assert phone.diff_since_last_call() == {
        "backup/phone": {"automatic": (False, True), "frequency": ("weekly", "daily")}
    }
    assert phone.call("manage_backup", action="disable_auto").data["automatic"] is False


def test_profiles_are_created_and_switched(phone: Any) -> None:
    phone.call("manage_user_profile", action="create", profileName="Sam")
    assert phone.diff_since_last_call() == {"user_profiles/Sam": {"name": "Sam", "kind": "user", "active": False}}
    assert code(phone.call("manage_user_profile", action="create", profileName="sam")) == 409
    assert phone.call("manage_user_profile", action="switch", profileName="sam's profile").data["active"] == "Sam"
    assert phone.call("manage_user_profile", action="switch", profileName="the owner").data["active"] == "Owner"


def test_profiles_that_stay(phone: Any) -> None:
    phone.call("manage_user_profile", action="switch", profileName="guest")
    assert code(phone.call("manage_user_profile", action="delete", profileName="guest")) == 409
    assert code(phone.call("manage_user_profile", action="delete", profileName="owner")) == 409
    assert code(phone.call("manage_user_profile", action="delete", profileName="nobody")) == 404
    phone.call("manage_user_profile", action="switch", profileName="owner")
    phone.call("manage_user_profile", action="delete", profileName="guest")
    assert phone.call("manage_user_profile", action="query").data == {"profiles": ["Owner"], "active": "Owner"}


def test_the_phone_holds_five_profiles(phone: Any) -> None:
    for name in ("Ann", "Bo", "Cy"):
        phone.call("manage_user_profile", action="create", profileName=name)
    assert phone.call("manage_user_profile", action="create", profileName="Di").failure.details == {"limit": 5}
    assert phone.call("manage_user_profile", action="create").failure.details["argument"] == "profileName"


def test_battery_health(phone: Any) -> None:
    assert phone.call("manage_battery_health", action="query").data == {
        "capacityPercent": 91, "cycles": 412, "chargeLimit": 100
    }  # fmt: skip
    phone.call("manage_battery_health", action="set_limit", limit="80 percent")
    assert phone.diff_since_last_call() == {"battery_health/phone": {"charge_limit": (100, 80)}}
    for limit in ("30%", "100%", "+10"):
        assert code(phone.call("manage_battery_health", action="set_limit", limit=limit)) == 400
    assert phone.call("manage_battery_health", action="remove_limit").data["chargeLimit"] == 100


def test_the_phone_is_renamed(phone: Any) -> None:
    seen = phone.call("set_device_name", name="Night Train")
    assert seen.data == {"name": "Night Train", "before": "Pocket Phone"}
    assert phone.call("manage_device_info", item="name").data == {"name": "Night Train"}
    assert code(phone.call("set_device_name", name="x" * 33)) == 400
