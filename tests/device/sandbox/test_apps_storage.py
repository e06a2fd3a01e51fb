"""Apps, their permissions and notifications; files and room on the phone."""

from typing import Any


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_app_opens_and_closes(phone: Any) -> None:
    seen = phone.call("open_app", appName="maps")
    assert (seen.data["appName"], seen.data["package_name"]) == ("Google Maps", "com.googlemaps.app")
    assert phone.diff_since_last_call() == {
        "apps/Google Maps": {"running": (False, True)}, "screen/phone": {"view": ("home", "Google Maps")}
    }  # fmt: skip
    phone.call("close_app", appName="Google Maps")
    assert phone.diff_since_last_call()["screen/phone"] == {"view": ("Google Maps", "home")}


def test_open_and_close_errors(phone: Any) -> None:
    assert phone.call("open_app", appName="Duolingo").failure.details == {"appName": "Duolingo"}
    assert code(phone.call("open_app", appName="Blorf")) == 404
    assert code(phone.call("close_app", appName="Spotify")) == 409


def test_locked_app_stays_closed(phone: Any) -> None:
    phone.call("manage_app_lock", action="enable", appName="Gallery")
    assert code(phone.call("open_app", appName="photos")) == 409


def test_app_is_installed(phone: Any) -> None:
    phone.call("install_app", appName="signal")
    assert phone.diff_since_last_call() == {"apps/Signal": {"installed": (False, True)}}


def test_install_errors(phone: Any) -> None:
    assert code(phone.call("install_app", appName="Spotify")) == 409
    assert code(phone.call("install_app", appName="Blorf")) == 404
    phone.call("manage_airplane_mode", action="enable")
    assert code(phone.call("install_app", appName="Signal")) == 409


def test_app_is_uninstalled(phone: Any) -> None:
    phone.call("uninstall_app", appName="Candy Crush")
    assert phone.diff_since_last_call() == {"apps/Candy Crush": {"installed": (True, False)}}
    assert code(phone.call("uninstall_app", appName="Candy Crush")) == 404
    assert code(phone.call("uninstall_app", appName="Camera")) == 409


def test_permission_is_granted_and_revoked(phone: Any) -> None:
    phone.call("manage_app_permission", action="grant", appName="Telegram", permission="camera")
    assert phone.diff_since_last_call() == {
        "apps/Telegram": {"permissions": (["contacts", "notifications"], ["camera", "contacts", "notifications"])}
    }
    seen = phone.call("manage_app_permission", action="revoke", appName="Uber", permission="location").data
    assert seen == {"appName": "Uber", "permissions": ["notifications"], "changed": True}
    assert (
        phone.call("manage_app_permission", action="revoke", appName="Uber", permission="location").data["changed"]
        is False
    )


def test_permissions_are_read(phone: Any) -> None:
    seen = phone.call("manage_app_permission", action="query", permission="microphone").data
    assert seen["apps"] == ["Phone", "Camera", "WhatsApp"]
    assert phone.call("manage_app_permission", action="query", appName="Gallery").data["permissions"] == ["storage"]


def test_permission_arguments_are_asked_for(phone: Any) -> None:
    assert phone.call("manage_app_permission", action="grant", appName="Uber").failure.details == {
        "argument": "permission"
    }
    assert phone.call("manage_app_permission", action="query").failure.details == {"argument": "appName"}


def test_files_are_found(phone: Any) -> None:
    assert phone.call("local_file_search", query="the lease contract").data["files"][0]["name"] == "Lease_Contract.pdf"
    assert phone.call("local_file_search", fileType="video").data["count"] == 2
    assert [f["name"] for f in phone.call("local_file_search", date="yesterday").data["files"]] == [
        "Receipt_Groceries.jpg"
    ]
    assert phone.call("local_file_search", query="tax return").data == {"count": 0, "files": []}
    assert code(phone.call("local_file_search", fileType="spreadsheet")) == 400


def test_deleted_file_lies_in_the_trash(phone: Any) -> None:
    phone.call("delete_file", fileName="cat jumping")
    changed = phone.diff_since_last_call()
    trashed = changed.pop("trashed_files/trash_004")
    assert changed == {"files/file_015": None, "storage/phone": {"trash_mb": (365.0, 410.5)}}
    assert (trashed["name"], trashed["folder"]) == ("Cat_Jumping.mp4", "Videos")
    assert code(phone.call("delete_file", fileName="cat jumping")) == 404


def test_storage_is_cleaned_once(phone: Any) -> None:
    assert phone.call("clean_storage", category="cache").data["freedMb"] == 1840.0
    assert code(phone.call("clean_storage", category="cache")) == 409
    phone.call("clean_storage", category="downloads")
    assert sorted(phone.diff_since_last_call()) == ["files/file_005", "files/file_006"]


def test_storage_adds_up(phone: Any) -> None:
    before = phone.call("query_storage").data
    assert round(before["usedGb"] + before["freeGb"], 2) == 128.0
    phone.call("clean_storage", category="cache")
    after = phone.call("query_storage").data
    assert round(after["freeGb"] - before["freeGb"], 2) == 1.84
    assert code(phone.call("query_storage", unit="MB")) == 400


def test_notifications(phone: Any) -> None:
    assert phone.call("manage_notification", action="query", appName="WhatsApp").data["count"] == 2
    phone.call("manage_notification", action="clear", appName="WhatsApp")
    assert sorted(phone.diff_since_last_call()) == ["notifications/notification_002", "notifications/notification_005"]
    phone.call("manage_notification", action="disable", appName="Instagram")
    assert phone.diff_since_last_call() == {"apps/Instagram": {"notifications": (True, False)}}
    assert phone.call("manage_notification", action="clear", appName="all").data == {"cleared": 3}
    assert code(phone.call("manage_notification", action="clear")) == 409
    assert phone.call("manage_notification", action="disable").failure.details == {"argument": "appName"}


def test_game_mode(phone: Any) -> None:
    assert phone.call("manage_game_manager", action="enable").data == {"enabled": True, "games": ["Candy Crush"]}
    phone.call("manage_battery", action="set", mode="super_saving")
    assert code(phone.call("manage_game_manager", action="enable")) == 409
