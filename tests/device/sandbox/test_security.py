"""Locks, saved passwords, alerts and shared location."""

from runtime.contract import WorldSpec


def test_lock_an_app(phone):
    phone.call("manage_app_lock", action="enable", appName="whatsapp")
    assert phone.diff_since_last_call() == {"apps/WhatsApp": {"locked": (False, True)}}
    assert phone.call("manage_app_lock", action="query").data == {"locked_apps": ["WhatsApp"]}


def test_app_lock_errors(phone):
    assert phone.call("manage_app_lock", action="enable").failure.details["argument"] == "appName"
    assert phone.call("manage_app_lock", action="enable", appName="TikTok").failure.status == 404


def test_the_screen_lock_goes_last(phone):
    phone.call("manage_app_lock", action="enable", appName="PayPal")
    assert "`manage_biometrics`" in phone.call("manage_screen_lock", action="remove").failure.message
    phone.call("manage_biometrics", action="disable")
    seen = phone.call("manage_screen_lock", action="remove")
    assert (seen.failure.status, seen.failure.details["apps"]) == (409, ["PayPal"])
    phone.call("manage_app_lock", action="disable", appName="PayPal")
    phone.call("manage_screen_lock", action="remove")
    assert phone.diff_since_last_call() == {"locks/phone": {"screen_lock": ("pin", "none")}}
    assert phone.call("manage_screen_lock", action="remove").failure.status == 409


def test_nothing_locks_without_a_screen_lock(phone):
    phone.reset(WorldSpec(facts=({"table": "locks", "screen_lock": "none", "fingerprint": False},)))
    assert "`manage_screen_lock`" in phone.call("manage_app_lock", action="enable", appName="PayPal").failure.message
    assert "`manage_screen_lock`" in phone.call("manage_biometrics", action="enable", kind="face").failure.message


def test_set_a_pattern(phone):
    assert phone.call("manage_screen_lock", action="set", method="pattern").data == {"screen_lock": "pattern"}
    assert phone.call("manage_screen_lock", action="set").failure.details["argument"] == "method"


def test_face_unlock(phone):
    phone.call("manage_biometrics", action="enable", kind="face")
    assert phone.diff_since_last_call() == {"locks/phone": {"face": (False, True)}}
    assert phone.call("manage_biometrics", action="enable").failure.details["argument"] == "kind"


def test_a_password_is_told_for_its_site_alone(phone):
    assert phone.call("manage_password_vault", action="query", site="netflix").data["password"] == "popcorn-9-moon"
    sites = {"sites": ["Netflix", "Gmail", "Amazon", "City Library"]}
    assert phone.call("manage_password_vault", action="query").data == sites


def test_save_and_replace_a_password(phone):
    seen = phone.call("manage_password_vault", action="save", site="Bakery", password="rye-bread-3")
    assert "rye-bread-3" not in str(seen.data)
    assert list(phone.diff_since_last_call()) == ["credentials/credential_005"]
    phone.call("manage_password_vault", action="save", site="bakery", password="rye-bread-4")
    assert phone.diff_since_last_call() == {"credentials/credential_005": {"secret": ("rye-bread-3", "rye-bread-4")}}


def test_delete_a_password(phone):
    phone.call("manage_password_vault", action="delete", site="Amazon")
    assert phone.diff_since_last_call() == {"credentials/credential_003": None}
    assert phone.call("manage_password_vault", action="delete", site="Amazon").failure.status == 404


def test_vault_errors(phone):
    assert phone.call("manage_password_vault", action="save", site="Bakery").failure.details["argument"] == "password"
    assert phone.call("manage_password_vault", action="delete").failure.details["argument"] == "site"
    phone.reset(WorldSpec(denied=frozenset({"passwords"})))
    assert phone.call("manage_password_vault", action="query", site="Netflix").failure.status == 403


def test_an_alert_goes_to_the_emergency_contacts(phone):
    assert phone.call("send_emergency_alert").data["to"] == ["Maria Bennett", "Lena Fischer"]
    assert sorted(phone.diff_since_last_call()) == ["alerts/alert_001", "alerts/alert_002"]


def test_an_alert_to_one_person(phone):
    phone.call("send_emergency_alert", contact="my brother", message="The car broke down")
    alert = phone.diff_since_last_call()["alerts/alert_001"]
    assert (alert["person"], alert["message"]) == ("contact_006", "The car broke down")


def test_alert_errors(phone):
    assert phone.call("send_emergency_alert", contact="Zebulon").failure.status == 404
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("send_emergency_alert").failure.status == 409


def test_share_the_location(phone):
    phone.call("share_location", contact="Lena", duration="two hours")
    shared = {"id": "share_001", "person": "contact_008", "until": "2026-03-02T11:00"}
    assert phone.diff_since_last_call() == {"location_shares/share_001": shared}
    assert phone.call("share_location", contact="Lena").data["share"]["until"] == "2026-03-02T10:00"


def test_sharing_errors(phone):
    assert phone.call("share_location").failure.details["argument"] == "contact"
    assert phone.call("share_location", contact="Anna").failure.status == 409
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("share_location", contact="Lena").failure.details["reason"] == "offline"
