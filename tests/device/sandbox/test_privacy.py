"""Blocked sensors, the private folder, lost devices, one-time codes."""

from typing import Any

from runtime.contract import WorldSpec


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_a_blocked_camera_sees_nothing(phone: Any) -> None:
    phone.call("manage_sensor_access", action="disable", sensor="camera")
    assert phone.diff_since_last_call() == {"sensors/phone": {"camera": (True, False)}}
    assert "`manage_sensor_access`" in phone.call("take_photo").failure.message
    assert code(phone.call("scan_qr_code")) == 409
    phone.call("manage_sensor_access", action="enable", sensor="camera")
    assert phone.call("scan_qr_code").failure is None


def test_sensor_errors(phone: Any) -> None:
    assert phone.call("manage_sensor_access", action="disable").failure.details == {"argument": "sensor"}
    phone.call("manage_sound_recorder", action="start")
    assert code(phone.call("manage_sensor_access", action="disable", sensor="microphone")) == 409
    phone.call("manage_sound_recorder", action="stop")
    phone.call("manage_sensor_access", action="disable", sensor="microphone")
    assert code(phone.call("manage_sound_recorder", action="start")) == 409
    assert phone.call("manage_sensor_access", action="query").data == {"camera": True, "microphone": False}


def test_a_private_file_is_not_found(phone: Any) -> None:
    before = phone.call("query_storage").data["usedGb"]
    phone.call("manage_private_folder", action="add", fileName="lease contract")
    assert sorted(phone.diff_since_last_call()) == ["files/file_003", "private_files/private_001"]
    assert phone.call("local_file_search", query="lease").data["count"] == 0
    assert phone.call("query_storage").data["usedGb"] == before
    assert phone.call("manage_private_folder", action="query").data["files"] == [
        {"name": "Lease_Contract.pdf", "sizeMb": 1.8}
    ]
    seen = phone.call("manage_private_folder", action="remove", fileName="lease contract").data
    assert seen == {"file": "Lease_Contract.pdf", "folder": "Documents"}


def test_private_folder_errors(phone: Any) -> None:
    assert code(phone.call("manage_private_folder", action="remove", fileName="resume")) == 404
    assert code(phone.call("manage_private_folder", action="add")) == 400
    phone.reset(WorldSpec(facts=({"table": "locks", "screen_lock": "none", "fingerprint": False},)))
    assert (
        "`manage_screen_lock`" in phone.call("manage_private_folder", action="add", fileName="resume").failure.message
    )


def test_a_lost_device_is_locked_when_it_answers(phone: Any) -> None:
    seen = phone.call("manage_lost_mode", action="enable", device="my tablet", message="Call 555 0199").data
    assert seen == {"message": "lock requested", "device": "Galaxy Tab"}
    assert phone.diff_since_last_call() == {
        "lost_devices/Galaxy Tab": {"device": "Galaxy Tab", "state": "locked", "message": "Call 555 0199"}
    }
    assert phone.call("manage_lost_mode", action="enable", device="old phone").data["message"] == "lock requested"
    states = [row["state"] for row in phone.call("manage_lost_mode", action="query").data["lost_devices"]]
    assert states == ["locked", "pending"]
    assert phone.call("manage_lost_mode", action="disable", device="tablet").data == {"unlocked": "Galaxy Tab"}


def test_lost_mode_errors(phone: Any) -> None:
    assert code(phone.call("manage_lost_mode", action="enable")) == 400
    assert code(phone.call("manage_lost_mode", action="enable", device="toaster")) == 404
    assert code(phone.call("manage_lost_mode", action="enable", device="earbuds")) == 409
    assert code(phone.call("manage_lost_mode", action="disable", device="laptop")) == 409


def test_a_code_lasts_half_a_minute(phone: Any) -> None:
    first = phone.call("manage_authenticator", action="query", site="github").data
    assert (first["site"], len(first["code"]), first["secondsLeft"]) == ("GitHub", 6, 30)
    phone.advance(29)
    seen = phone.call("manage_authenticator", action="query", site="GitHub").data
    assert (seen["code"], seen["secondsLeft"]) == (first["code"], 1)
    phone.advance(1)
    assert phone.call("manage_authenticator", action="query", site="GitHub").data["code"] != first["code"]


def test_codes_are_added_and_deleted(phone: Any) -> None:
    phone.call("manage_authenticator", action="add", site="Dropbox", setupKey="abcd efgh 2345 ijkl")
    assert phone.diff_since_last_call() == {
        "authenticators/authenticator_004": {
            "id": "authenticator_004", "site": "Dropbox", "setup_key": "ABCDEFGH2345IJKL"
        }
    }  # fmt: skip
    phone.call("manage_authenticator", action="delete", site="Dropbox")
    assert phone.call("manage_authenticator", action="query").data == {"sites": ["Gmail", "GitHub", "PayPal"]}


def test_code_errors(phone: Any) -> None:
    assert code(phone.call("manage_authenticator", action="add", site="Dropbox", setupKey="12345")) == 400
    assert code(phone.call("manage_authenticator", action="add", site="Dropbox")) == 400
    assert code(phone.call("manage_authenticator", action="add", site="GitHub", setupKey="ABCDEFGH2345IJKL")) == 409
    assert code(phone.call("manage_authenticator", action="query", site="eBay")) == 404
    assert code(phone.call("manage_authenticator", action="delete")) == 400
