"""Calls, messages and contacts."""

import pytest

from runtime.contract import WorldSpec


def test_a_message_to_a_contact(phone):
    phone.call("send_message", contact="my brother", content="I'm late")
    sent = {
        "id": "message_001", "direction": "out", "who": "Tom Bennett", "phone": "+15550106",
        "content": "I'm late", "moment": "2026-03-02T09:00",
    }  # fmt: skip
    assert phone.diff_since_last_call() == {"messages/message_001": sent}


def test_a_message_to_a_number(phone):
    sent = phone.call("send_message", phoneNumber="+1 555 0103", content="hello").data["sent"]
    assert (sent["who"], sent["phone"]) == ("Diana Novak", "+15550103")


@pytest.mark.parametrize(
    ("arguments", "missing"), [({"content": "hi"}, "contact"), ({"contact": "Tom"}, "content"), ({}, "contact")]
)
def test_a_message_needs_somebody_and_words(phone, arguments, missing):
    seen = phone.call("send_message", **arguments)
    assert (seen.failure.status, seen.failure.details["argument"]) == (400, missing)


def test_two_annas_are_asked_about(phone):
    seen = phone.call("send_message", contact="Anna", content="hi")
    names = [candidate["name"] for candidate in seen.failure.details["candidates"]]
    assert (seen.failure.status, names) == (409, ["Anna Keller", "Anna Petrova"])


def test_nobody_by_that_name(phone):
    assert phone.call("make_call", contact="Zebulon").failure.status == 404


def test_no_message_from_the_air(phone):
    phone.call("manage_airplane_mode", action="enable")
    seen = phone.call("send_message", contact="Tom", content="hi")
    assert (seen.failure.status, "`manage_airplane_mode`" in seen.failure.message) == (409, True)
    assert phone.call("make_call", contact="Tom").failure.status == 409


def test_a_call_is_logged(phone):
    seen = phone.call("make_call", contact="mom")
    assert (seen.data["call"]["who"], seen.data["call"]["direction"]) == ("Maria Bennett", "out")
    assert list(phone.diff_since_last_call()) == ["calls/call_004"]


def test_a_call_needs_somebody_and_the_permission(phone):
    assert phone.call("make_call").failure.details["argument"] == "contact"
    phone.reset(WorldSpec(denied=frozenset({"calls"})))
    assert phone.call("make_call", contact="mom").failure.status == 403


def test_a_contact_without_a_number(phone):
    phone.call("add_contact", name="Ines Duarte", email="ines at mail dot com")
    assert phone.call("make_call", contact="Ines").failure.status == 409


def test_add_a_contact(phone):
    phone.call("add_contact", name="Ines Duarte", phoneNumber="555 0177", email="Ines@mail dot com")
    added = phone.diff_since_last_call()["contacts/contact_013"]
    assert (added["name"], added["phone"], added["email"]) == ("Ines Duarte", "5550177", "ines@mail.com")


def test_a_contact_is_added_once(phone):
    assert phone.call("add_contact", name="tom bennett", phoneNumber="5550199").failure.status == 409
    assert phone.call("add_contact", name="Tommy", phoneNumber="+15550106").failure.status == 409


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"phoneNumber": "5550177"}, "name"),
        ({"name": "Ines"}, "phoneNumber"),
        ({"name": "Ines", "email": "x"}, "email"),
    ],
)
def test_a_contact_needs_a_name_and_a_number(phone, arguments, wrong):
    assert phone.call("add_contact", **arguments).failure.details["argument"] == wrong


@pytest.mark.parametrize(
    ("field", "column", "value"),
    [
        ("phone number", "phone", "+15550108"),
        ("home phone number", "phone", "+15550108"),
        ("e-mail", "email", "lena.fischer@example.com"),
        ("birthday", "birthday", "1990-10-25"),
        ("home address", "address", "21 Willow Avenue, Riverton"),
    ],
)
def test_a_detail_of_a_contact(phone, field, column, value):
    seen = phone.call("query_contact", person="my wife", field=field)
    assert seen.data == {"name": "Lena Fischer", "field": column, "value": value}


def test_query_contact_errors(phone):
    assert phone.call("query_contact", person="Lena", field="shoe size").failure.details["argument"] == "field"
    assert phone.call("query_contact", person="Samir", field="relation").failure.status == 404
    assert phone.call("query_contact").data["total"] == 12


def test_delete_a_contact(phone):
    phone.call("delete_contact", name="Miguel Santos")
    assert phone.diff_since_last_call() == {"contacts/contact_011": None}
    assert phone.call("delete_contact", name="Miguel Santos").failure.status == 404
    assert phone.call("delete_contact", name="Anna").failure.status == 409


def test_block_marketing_calls(phone):
    phone.call("manage_call_interception", action="enable", category="marketing")
    assert phone.diff_since_last_call() == {"call_interception/marketing": {"enabled": (False, True)}}
    phone.call("manage_call_interception", action="disable")
    assert phone.diff_since_last_call() == {"call_interception/marketing": {"enabled": (True, False)}}


def test_blocking_needs_a_category(phone):
    assert phone.call("manage_call_interception", action="enable").failure.details["argument"] == "category"
    assert len(phone.call("manage_call_interception", action="query").data["rules"]) == 3
