"""The call log, the voicemail, forwarding, blocked numbers."""

import pytest

from runtime.contract import WorldSpec


def test_the_call_log(phone):
    assert [call["id"] for call in phone.call("query_call_history").data["calls"]] == [
        "call_001",
        "call_002",
        "call_003",
    ]
    assert [call["phone"] for call in phone.call("query_call_history", kind="missed").data["calls"]] == ["+15550190"]
    assert phone.call("query_call_history", contact="my boss").data["total"] == 1
    assert phone.call("query_call_history", date="yesterday").data["calls"][0]["direction"] == "out"


def test_the_call_log_knows_who_is_meant(phone):
    assert phone.call("query_call_history", contact="Zebulon").failure.status == 404
    assert phone.call("query_call_history", contact="Anna").failure.status == 409
    assert phone.call("query_call_history", kind="lost").failure.status == 400
    phone.reset(WorldSpec(denied=frozenset({"call_log"})))
    assert phone.call("query_call_history").failure.status == 403


def test_the_newest_new_voicemail_is_played(phone):
    seen = phone.call("manage_voicemail", action="play")
    assert seen.data["playing"]["text"] == "Please send me the slides before noon."
    assert phone.diff_since_last_call() == {"voicemails/voicemail_001": {"heard": (False, True)}}


def test_voicemails_of_somebody(phone):
    seen = phone.call("manage_voicemail", action="query", contact="my landlord").data
    assert (seen["total"], seen["new"], seen["voicemails"][0]["id"]) == (1, 0, "voicemail_004")
    assert phone.call("manage_voicemail", action="play", contact="555 0190").data["playing"]["id"] == "voicemail_003"


def test_clearing_the_voicemail_keeps_what_is_new(phone):
    seen = phone.call("manage_voicemail", action="delete", contact="all")
    assert seen.data == {"deleted": ["voicemail_002", "voicemail_004"], "keptNew": ["voicemail_001", "voicemail_003"]}
    assert phone.call("manage_voicemail", action="delete", contact="all").failure.status == 409


def test_one_voicemail_goes(phone):
    phone.call("manage_voicemail", action="delete", contact="my dentist")
    assert phone.diff_since_last_call() == {"voicemails/voicemail_002": None}


def test_what_the_voicemail_needs(phone):
    assert phone.call("manage_voicemail", action="delete").failure.details["argument"] == "contact"
    assert phone.call("manage_voicemail", action="play", contact="Tom").failure.status == 404
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("manage_voicemail", action="play").failure.status == 409


def test_forwarding_is_pending_before_it_is_active(phone):
    seen = phone.call("manage_call_forwarding", action="enable", condition="busy", contact="Tom")
    assert seen.data == {"message": "requested from the network", "condition": "busy", "to": "Tom Bennett"}
    assert phone.diff_since_last_call() == {
        "call_forwarding/busy": {
            "enabled": (False, True), "phone_number": ("", "+15550106"), "ready_at": ("", "2026-03-02T09:00:30"),
        }
    }  # fmt: skip
    states = phone.call("manage_call_forwarding", action="query", condition="busy").data["forwarding"]
    assert states == [{"condition": "busy", "state": "pending", "phoneNumber": "+15550106"}]
    phone.advance(30)
    assert phone.call("manage_call_forwarding", action="query", condition="busy").data["forwarding"][0]["state"] == (
        "active"
    )


def test_forwarding_everything_comes_first(phone):
    phone.call("manage_call_forwarding", action="enable", phoneNumber="555 0142")
    assert phone.call("manage_call_forwarding", action="enable", condition="busy", contact="Tom").failure.status == 409
    assert phone.call("manage_call_forwarding", action="disable").data == {"disabled": ["always"]}
    assert phone.call("manage_call_forwarding", action="disable").failure.status == 409
    assert phone.call("manage_call_forwarding", action="enable", condition="busy", contact="Tom").ok


def test_what_forwarding_needs(phone):
    seen = phone.call("manage_call_forwarding", action="enable")
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, "phoneNumber")
    phone.call("manage_block_list", action="block", contact="Tom")
    blocked = phone.call("manage_call_forwarding", action="enable", contact="Tom")
    assert (blocked.failure.status, "`manage_block_list`" in blocked.failure.message) == (409, True)
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("manage_call_forwarding", action="enable", phoneNumber="555 0142").failure.status == 409


def test_a_number_is_blocked_and_unblocked(phone):
    phone.call("manage_block_list", action="block", contact="my landlord")
    row = {"phone_number": "+15550111", "who": "Miguel Santos"}
    assert phone.diff_since_last_call() == {"blocked_numbers/+15550111": row}
    assert phone.call("manage_block_list", action="query", contact="my landlord").data["blocked"] is True
    phone.call("manage_block_list", action="unblock", phoneNumber="+1 555 0111")
    assert phone.diff_since_last_call() == {"blocked_numbers/+15550111": None}
    assert phone.call("manage_block_list", action="query").data["count"] == 1


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"action": "block"}, 400),
        ({"action": "block", "phoneNumber": "+1 555 0666"}, 409),
        ({"action": "unblock", "contact": "Tom"}, 404),
        ({"action": "block", "contact": "Zebulon"}, 404),
    ],
)
def test_what_the_block_list_needs(phone, arguments, status):
    assert phone.call("manage_block_list", **arguments).failure.status == status
