"""Files renamed, moved, copied, packed, restored and shared; folders."""

from typing import Any

from runtime.contract import WorldSpec

ARCHIVE = (
    {"table": "files", "id": "file_900", "name": "Course.zip", "kind": "document", "size_mb": 3.0,
     "folder": "Documents", "modified": "2026-02-01"},
    {"table": "archive_entries", "id": "entry_001", "archive": "Course.zip", "name": "Week_1.pdf", "kind": "document",
     "size_mb": 2.0, "modified": "2026-01-12"},
    {"table": "archive_entries", "id": "entry_002", "archive": "Course.zip", "name": "Resume.pdf", "kind": "document",
     "size_mb": 1.0, "modified": "2026-01-13"},
)  # fmt: skip


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_a_file_gets_another_name_and_keeps_its_ending(phone: Any) -> None:
    seen = phone.call("manage_file", action="rename", fileName="lease contract", newName="Flat 2026")
    assert phone.diff_since_last_call() == {"files/file_003": {"name": ("Lease_Contract.pdf", "Flat 2026.pdf")}}
    assert seen.data["was"] == "Documents/Lease_Contract.pdf"


def test_a_file_moves_and_is_copied(phone: Any) -> None:
    phone.call("manage_file", action="move", fileName="boarding pass", folder="my documents folder")
    assert phone.diff_since_last_call() == {"files/file_005": {"folder": ("Downloads", "Documents")}}
    made = phone.call("manage_file", action="copy", fileName="Resume.pdf").data["file"]
    assert (made["id"], made["name"], made["folder"]) == ("file_016", "Resume (copy).pdf", "Documents")
    made = phone.call("manage_file", action="copy", fileName="budget 2026", folder="downloads").data["file"]
    assert (made["name"], made["folder"], made["modified"]) == ("Budget_2026.xlsx", "Downloads", "2026-03-02")


def test_file_errors(phone: Any) -> None:
    assert phone.call("manage_file", action="rename", fileName="resume").failure.details == {"argument": "newName"}
    assert code(phone.call("manage_file", action="rename", fileName="resume", newName="cv.docx")) == 400
    assert code(phone.call("manage_file", action="rename", fileName="receipt groceries", newName="Beach_Sunset")) == 409
    seen = phone.call("manage_file", action="move", fileName="resume", folder="Taxes")
    assert (seen.failure.status, "`manage_folder`" in seen.failure.message) == (404, True)
    assert code(phone.call("manage_file", action="copy", fileName="tax return")) == 404
    phone.call("manage_file", action="copy", fileName="resume")
    assert code(phone.call("manage_file", action="copy", fileName="Resume.pdf")) == 409


def test_a_folder_is_made_filled_renamed_and_deleted(phone: Any) -> None:
    phone.call("manage_folder", action="create", folder="Taxes")
    assert phone.diff_since_last_call() == {"folders/Taxes": {"name": "Taxes", "system": False}}
    phone.call("manage_file", action="move", fileName="car insurance", folder="taxes")
    phone.call("manage_folder", action="rename", folder="taxes", newFolder="Money")
    assert phone.diff_since_last_call() == {
        "files/file_006": {"folder": ("Taxes", "Money")},
        "folders/Taxes": None,
        "folders/Money": {"name": "Money", "system": False},
    }
    assert phone.call("manage_folder", action="query", folder="money").data["files"] == ["Car_Insurance.pdf"]
    assert phone.call("manage_folder", action="delete", folder="Money").failure.details == {
        "files": ["Car_Insurance.pdf"]
    }
    phone.call("delete_file", fileName="car insurance")
    assert phone.call("manage_folder", action="delete", folder="Money").data == {"deleted": "Money"}


def test_folder_errors(phone: Any) -> None:
    assert code(phone.call("manage_folder", action="create", folder="downloads")) == 409
    assert code(phone.call("manage_folder", action="create", folder="a/b")) == 400
    assert code(phone.call("manage_folder", action="delete", folder="Music")) == 409
    assert code(phone.call("manage_folder", action="query", folder="Taxes")) == 404
    assert phone.call("manage_folder", action="rename", folder="Music").failure.details == {"argument": "newFolder"}


def test_a_folder_is_zipped(phone: Any) -> None:
    seen = phone.call("manage_zip_file", action="compress", fileName="pictures folder", zipName="Snaps").data
    assert (seen["archive"]["name"], seen["archive"]["folder"], seen["files"]) == ("Snaps.zip", "Pictures", 4)
    assert seen["archive"]["size_mb"] == 9.4
    assert code(phone.call("manage_zip_file", action="compress", fileName="pictures folder", zipName="Snaps")) == 409


def test_an_archive_leaves_alone_what_is_there(phone: Any) -> None:
    phone.reset(WorldSpec(facts=ARCHIVE))
    assert phone.call("manage_zip_file", action="query", fileName="course").data["count"] == 2
    seen = phone.call("manage_zip_file", action="extract", fileName="Course.zip").data
    assert seen == {"folder": "Documents", "extracted": ["Week_1.pdf"], "skipped": ["Resume.pdf"]}
    assert code(phone.call("manage_zip_file", action="extract", fileName="Course.zip")) == 409


def test_zip_errors(phone: Any) -> None:
    assert code(phone.call("manage_zip_file", action="extract", fileName="resume")) == 400
    assert code(phone.call("manage_zip_file", action="compress", fileName="thesis")) == 404
    phone.reset(WorldSpec(facts=(*ARCHIVE, {"table": "storage", "total_gb": 25.0, "trash_mb": 365.0})))
    assert "`clean_storage`" in phone.call("manage_zip_file", action="extract", fileName="Course.zip").failure.message


def test_a_deleted_file_comes_back(phone: Any) -> None:
    phone.call("delete_file", fileName="cat jumping")
    assert phone.call("manage_trash", action="query").data["count"] == 4
    assert phone.call("manage_trash", action="restore", fileName="cat jumping").data == {
        "restored": ["Videos/Cat_Jumping.mp4"], "skipped": []
    }  # fmt: skip
    changed = phone.diff_since_last_call()
    assert changed["storage/phone"] == {"trash_mb": (410.5, 365.0)}
    assert changed["files/file_016"]["name"] == "Cat_Jumping.mp4"


def test_restoring_all_leaves_what_has_a_successor(phone: Any) -> None:
    phone.call("manage_file", action="rename", fileName="whiteboard", newName="x")
    phone.call("delete_file", fileName="resume")
    phone.call("manage_file", action="rename", fileName="lease contract", newName="Resume")
    seen = phone.call("manage_trash", action="restore", fileName="everything").data
    assert seen["restored"] == ["Documents/Old_Slides.pptx", "Pictures/Blurry_Dog.jpg", "Videos/Concert_Clip.mp4"]
    assert seen["skipped"] == [{"name": "Resume.pdf", "reason": "`Documents` holds a file of that name"}]


def test_trash_errors(phone: Any) -> None:
    assert phone.call("manage_trash", action="restore").failure.details == {"argument": "fileName"}
    assert code(phone.call("manage_trash", action="restore", fileName="resume")) == 404
    phone.call("clean_storage", category="trash")
    assert phone.call("manage_trash", action="query").data == {"count": 0, "files": []}
    assert code(phone.call("manage_trash", action="restore", fileName="all")) == 409


def test_a_shared_file_is_on_its_way_first(phone: Any) -> None:
    seen = phone.call("manage_file_sharing", action="share", fileName="resume", contact="my wife", access="edit").data
    assert (seen["message"], seen["file"], seen["access"]) == ("sharing requested", "Resume.pdf", "edit")
    assert phone.call("manage_file_sharing", action="query").data["shares"][0]["state"] == "uploading"
    phone.advance(5)
    shown = phone.call("manage_file_sharing", action="query", fileName="resume").data["shares"]
    assert [(one["file"], one["access"], one["state"]) for one in shown] == [("Resume.pdf", "edit", "reachable")]
    assert phone.call("manage_file_sharing", action="stop", fileName="resume").data["stopped"] == 1


def test_a_large_file_waits_for_wifi(phone: Any) -> None:
    phone.call("manage_wifi", action="disable")
    seen = phone.call("manage_file_sharing", action="share", fileName="graduation", contact="my wife").data
    assert seen["message"] == "sharing requested"
    phone.advance(86_400)
    assert phone.call("manage_file_sharing", action="query").data["shares"][0]["state"] == "waiting_for_wifi"


def test_sharing_errors(phone: Any) -> None:
    assert phone.call("manage_file_sharing", action="share", fileName="resume").failure.details == {
        "argument": "contact"
    }
    assert code(phone.call("manage_file_sharing", action="stop", fileName="resume")) == 409
    assert code(phone.call("manage_file_sharing", action="share", fileName="resume", contact="Zebediah")) == 404
    phone.call("manage_airplane_mode", action="enable")
    assert code(phone.call("manage_file_sharing", action="share", fileName="resume", contact="my wife")) == 409
