"""Migration, second screen, printing, pairing log. The tablet answers; the old phone and the earbuds don't."""

from typing import Any

from runtime.contract import WorldSpec


def code(seen: Any) -> int:
    return int(seen.failure.status)


def test_a_migration_moves_what_the_other_device_takes(phone: Any) -> None:
    seen = phone.call("manage_device_migration", action="start", device="my tablet")
    # 60 + 120 + 900 + 600 seconds
    assert (seen.data["message"], seen.data["readyAt"]) == ("migration started", "2026-03-02T09:28:00")
    assert phone.call("manage_device_migration", action="query").data["status"] == "running"
    assert code(phone.call("manage_device_migration", action="start", device="MacBook")) == 409
    phone.advance(1_680)
    assert phone.call("manage_device_migration", action="query").data == {
        "status": "finished", "device": "Galaxy Tab", "direction": "send",
        "moved": ["contacts", "photos", "apps"], "failed": ["messages"],
    }  # fmt: skip
    assert code(phone.call("manage_device_migration", action="cancel")) == 409


def test_a_migration_of_one_kind_is_cancelled(phone: Any) -> None:
    phone.call("manage_device_migration", action="start", device="MacBook", direction="receive", content="photos")
    seen = phone.call("manage_device_migration", action="cancel")
    assert (seen.data["status"], seen.data["content"]) == ("cancelled", ["photos"])
    assert phone.diff_since_last_call() == {"migrations/migration_001": {"cancelled": (False, True)}}


def test_migrations_that_can_not_be(phone: Any) -> None:
    assert code(phone.call("manage_device_migration", action="query")) == 404
    assert phone.call("manage_device_migration", action="start").failure.details["argument"] == "device"
    assert phone.call("manage_device_migration", action="start", device="old phone").failure.details == {
        "device": "Old Phone"
    }
    assert code(phone.call("manage_device_migration", action="start", device="my watch")) == 409
    assert code(phone.call("manage_device_migration", action="start", device="tablet", content="messages")) == 409


def test_a_second_screen(phone: Any) -> None:
    phone.call("manage_multi_screen", action="start", device="the tablet", mode="duplicate")
    assert phone.diff_since_last_call() == {
        "multi_screen/phone": {"active": (False, True), "screen": ("", "Galaxy Tab"), "mode": ("extend", "duplicate")}
    }
    assert code(phone.call("manage_multi_screen", action="start", device="laptop")) == 409
    assert code(phone.call("control_screen_casting", action="start")) == 409
    assert phone.call("manage_multi_screen", action="stop").data["multiScreen"]["active"] is False
    assert code(phone.call("manage_multi_screen", action="stop")) == 409


def test_a_cast_stands_in_the_way_of_a_second_screen(phone: Any) -> None:
    phone.call("control_screen_casting", action="start")
    seen = phone.call("manage_multi_screen", action="start", device="tablet")
    assert seen.failure.details == {"target": "Living Room TV"}
    assert code(phone.call("manage_multi_screen", action="start", device="the tv")) == 400


def test_printing(phone: Any) -> None:
    seen = phone.call("manage_printer", action="print", fileName="lease contract", copies="three")
    assert seen.data == {
        "message": "sent to Home Printer", "id": "print_001", "file": "Lease_Contract.pdf", "copies": 3
    }  # fmt: skip
    assert phone.diff_since_last_call()["printers/Home Printer"] == {"paper": (40, 37)}
    assert phone.call("manage_printer", action="query").data["job"]["status"] == "running"
    phone.advance(60)
    assert phone.call("manage_printer", action="query").data["job"]["printed"] == 3
    assert code(phone.call("manage_printer", action="cancel")) == 409


def test_a_printer_that_runs_out_of_paper_says_so_only_when_asked(phone: Any) -> None:
    seen = phone.call("manage_printer", action="print", fileName="Resume.pdf", copies="5", printer="office printer")
    assert seen.data["message"] == "sent to Office Laser"
    phone.advance(100)
    assert phone.call("manage_printer", action="query").data["job"] == {
        "file": "Resume.pdf", "printer": "Office Laser", "status": "finished", "printed": 3, "wanted": 5,
        "problem": "out of paper",
    }  # fmt: skip


def test_prints_that_can_not_be(phone: Any) -> None:
    assert phone.call("manage_printer", action="print").failure.details["argument"] == "fileName"
    assert code(phone.call("manage_printer", action="print", fileName="moon landing")) == 404
    for copies in ("0", "2.5", "51"):
        assert code(phone.call("manage_printer", action="print", fileName="Resume.pdf", copies=copies)) == 400
    assert code(phone.call("manage_printer", action="print", fileName="Resume.pdf", printer="library")) == 409
    assert (
        code(phone.call("manage_printer", action="print", fileName="Resume.pdf", printer="laser", ink="color")) == 409
    )
    assert code(phone.call("manage_printer", action="print", fileName="Resume.pdf", printer="basement")) == 404


def test_a_print_is_cancelled(phone: Any) -> None:
    phone.call("manage_printer", action="print", fileName="Resume.pdf", ink="black_white")
    phone.call("manage_printer", action="cancel")
    assert phone.diff_since_last_call() == {"print_jobs/print_001": {"cancelled": (False, True)}}


def test_pairing_log(phone: Any) -> None:
    assert phone.call("query_pairing_log", device="the car").data == {
        "events": [{"id": "pairing_003", "device": "My Car", "event": "paired", "at": "2026-02-10T08:00"}], "total": 1
    }  # fmt: skip
    seen = phone.call("query_pairing_log", event="failed", date="yesterday").data
    assert [event["at"] for event in seen["events"]] == ["2026-03-01T22:00"]
    assert phone.call("query_pairing_log").data["total"] == 6
    assert code(phone.call("query_pairing_log", device="toaster")) == 404


def test_files_are_kept_from_the_printer_without_permission(phone: Any) -> None:
    phone.reset(WorldSpec(denied=frozenset({"storage"})))
    assert code(phone.call("manage_printer", action="print", fileName="Resume.pdf")) == 403
