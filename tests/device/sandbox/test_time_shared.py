"""Invitations and the shared calendar."""

import pytest

from runtime.contract import WorldSpec


def test_accepting_puts_the_event_into_the_calendar(phone):
    phone.call("manage_invitation", action="accept", event="garden party")
    diff = phone.diff_since_last_call()
    assert diff["invitations/invitation_002"] == {"answer": ("", "accepted")}
    made = diff["events/event_009"]
    assert (made["event"], made["date"], made["time"], made["person"]) == (
        "Garden party", "2026-03-08", "15:00", "Samir Haddad",
    )  # fmt: skip


def test_declining_takes_it_out_again(phone):
    phone.call("manage_invitation", action="accept", person="Samir")
    phone.call("manage_invitation", action="decline", event="garden party")
    assert phone.diff_since_last_call() == {
        "events/event_009": None,
        "invitations/invitation_002": {"answer": ("accepted", "declined")},
    }


def test_an_hour_that_is_taken_must_be_freed(phone):
    seen = phone.call("manage_invitation", action="accept", event="budget call")
    assert (seen.failure.status, "`manage_schedule`" in seen.failure.message) == (409, True)
    assert seen.failure.details["candidates"] == ["event_001"]
    phone.call("manage_schedule", action="update", event="team meeting", date="today", time="17:00")
    assert phone.call("manage_invitation", action="accept", event="budget call").ok


def test_open_invitations_are_listed(phone):
    phone.call("manage_invitation", action="tentative", event="budget call")
    seen = phone.call("manage_invitation", action="query")
    assert [row["event"] for row in seen.data["invitations"]] == ["Design critique", "Garden party"]
    assert phone.call("manage_invitation", action="query", event="budget").data["invitations"][0]["answer"] == (
        "tentative"
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"action": "accept"}, 400),
        ({"action": "accept", "event": "moon landing"}, 404),
        ({"action": "decline", "person": "Diana"}, 409),
    ],
)
def test_which_invitation_must_be_clear(phone, arguments, status):
    assert phone.call("manage_invitation", **arguments).failure.status == status


def test_an_answer_needs_the_network_and_is_given_once(phone):
    phone.call("manage_invitation", action="decline", event="garden party")
    assert phone.call("manage_invitation", action="decline", event="garden party").failure.status == 409
    phone.call("manage_airplane_mode", action="enable")
    assert phone.call("manage_invitation", action="decline", event="budget call").failure.status == 409


def test_a_shared_calendar_is_pending_until_taken_up(phone):
    seen = phone.call("manage_calendar_sharing", action="share", contact="my wife", access="edit")
    assert seen.data == {"message": "invitation to the calendar sent to Lena Fischer", "access": "edit"}
    made = phone.diff_since_last_call()["calendar_shares/calendar_share_001"]
    assert (made["person"], made["access"], made["ready_at"]) == ("contact_008", "edit", "2026-03-02T09:10:00")
    shown = phone.call("manage_calendar_sharing", action="query").data["shares"]
    assert shown == [{"name": "Lena Fischer", "access": "edit", "state": "pending"}]
    phone.advance(600)
    assert phone.call("manage_calendar_sharing", action="query").data["shares"][0]["state"] == "active"


def test_access_changes_and_sharing_stops(phone):
    phone.call("manage_calendar_sharing", action="share", contact="Tom")
    assert phone.call("manage_calendar_sharing", action="share", contact="Tom").failure.status == 409
    phone.call("manage_calendar_sharing", action="share", contact="Tom", access="edit")
    assert phone.diff_since_last_call() == {"calendar_shares/calendar_share_001": {"access": ("view", "edit")}}
    phone.call("manage_calendar_sharing", action="stop", contact="Tom")
    assert phone.diff_since_last_call() == {"calendar_shares/calendar_share_001": None}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"action": "share"}, 400),
        ({"action": "share", "contact": "Anna"}, 409),
        ({"action": "stop", "contact": "Tom"}, 404),
        ({"action": "share", "contact": "Tom", "access": "own"}, 400),
    ],
)
def test_what_sharing_needs(phone, arguments, status):
    assert phone.call("manage_calendar_sharing", **arguments).failure.status == status


def test_sharing_needs_the_permission(phone):
    phone.reset(WorldSpec(denied=frozenset({"calendar_sharing"})))
    assert phone.call("manage_calendar_sharing", action="query").failure.status == 403
