"""Email and social media."""

import pytest

from runtime.contract import WorldSpec


def offline(phone):
    phone.call("manage_airplane_mode", action="enable")


def test_an_email_to_a_contact(phone):
    phone.call("send_email", recipient="Chloe", subject="Sunday", content="Shall we hike?")
    sent = phone.diff_since_last_call()["emails/email_011"]
    assert (sent["folder"], sent["address"], sent["subject"]) == ("sent", "chloe.martin@example.com", "Sunday")


def test_an_email_to_a_spelled_address(phone):
    sent = phone.call("send_email", recipient="jo at mail dot com", content="hello").data["email"]
    assert sent["address"] == "jo@mail.com"


def test_a_reply_goes_to_the_sender(phone):
    sent = phone.call("send_email", subject="hiking photos", content="Great!").data["email"]
    assert (sent["address"], sent["subject"]) == ("samir.haddad@example.com", "Re: hiking photos")


@pytest.mark.parametrize(
    ("arguments", "missing"), [({"content": "hi"}, "recipient"), ({"recipient": "Chloe"}, "content")]
)
def test_an_email_needs_somebody_and_words(phone, arguments, missing):
    assert phone.call("send_email", **arguments).failure.details["argument"] == missing


def test_email_needs_a_network(phone):
    offline(phone)
    seen = phone.call("send_email", recipient="Chloe", content="hi")
    assert (seen.failure.status, seen.failure.details["reason"]) == (409, "offline")


def test_the_inbox_latest_first(phone):
    seen = phone.call("query_email").data
    assert (seen["total"], seen["unread"], seen["emails"][0]["subject"]) == (7, 4, "Budget review")
    assert phone.diff_since_last_call() == {}


def test_emails_by_sender_subject_folder_and_day(phone):
    assert phone.call("query_email", sender="Diana").data["total"] == 2
    assert phone.call("query_email", subject="boarding pass").data["emails"][0]["who"] == "SkyJet"
    assert phone.call("query_email", folder="junk").data["emails"][0]["who"] == "Prize Desk"
    assert phone.call("query_email", date="today").data["total"] == 3
    assert phone.call("query_email", date="today", time="8 am").data["total"] == 1
    assert phone.call("query_email", sender="Nobody Known").data["total"] == 0


def test_an_unknown_folder(phone):
    seen = phone.call("query_email", folder="taxes")
    assert seen.failure.details["candidates"] == ["inbox", "sent", "archive", "spam"]


def test_email_needs_its_permission(phone):
    phone.reset(WorldSpec(denied=frozenset({"email"})))
    assert phone.call("query_email").failure.status == 403


@pytest.mark.parametrize(("said", "network"), [("twitter", "Twitter"), ("X", "Twitter"), ("fb", "Facebook")])
def test_a_post(phone, said, network):
    post = phone.call("post_social", platform=said, content="Good night").data["post"]
    assert (post["network"], post["author"], post["content"]) == (network, "me", "Good night")


def test_post_errors(phone):
    named = phone.call("post_social", platform="Twitter", recipient="Acme Air", content="my bag is lost").data["post"]
    assert named["content"] == "@Acme Air my bag is lost"
    assert phone.call("post_social", platform="Twitter").failure.details["argument"] == "content"
    assert phone.call("post_social", content="hi").failure.details["argument"] == "platform"
    assert phone.call("post_social", platform="MySpace", content="hi").failure.status == 404
    offline(phone)
    assert phone.call("post_social", platform="Twitter", content="hi").failure.status == 409


def test_feeds(phone):
    assert phone.call("query_social", platform="Instagram").data["posts"][0]["content"] == "Sunrise over the lake"
    assert phone.call("query_social", person="Samir").data["total"] == 2
    assert phone.call("query_social", platform="social media", date="today").data["total"] == 4


def test_feed_errors(phone):
    assert phone.call("query_social", platform="MySpace").failure.status == 404
    offline(phone)
    assert phone.call("query_social").failure.details["reason"] == "offline"
