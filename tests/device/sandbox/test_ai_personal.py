"""Searching personal information, and leaving a dialogue."""

import pytest

from runtime.contract import Deadline, ToolCall, WorldSpec


@pytest.mark.parametrize(
    ("query", "source", "title"),
    [
        ("my license plate", None, "license plate"),
        ("router", None, "Router"),
        ("lease contract", "files", "Lease Contract.pdf"),
        ("hiking photos", "email", "Hiking photos"),
        ("dentist appointment", "calendar", "Dentist appointment"),
        ("landlord", "contacts", "Miguel Santos"),
    ],
)
def test_what_is_found(phone, query, source, title):
    given = {} if source is None else {"source": source}
    assert phone.call("search_personal_information", query=query, **given).data["best"][0]["title"] == title


def test_passwords_are_not_searched_and_nothing_is_nothing(phone):
    assert phone.call("search_personal_information", query="tulip garden").data == {"total": 0, "best": []}
    assert phone.call("search_personal_information", query="x", source="diary").failure.status == 400
    phone.reset(WorldSpec(denied=frozenset({"personal_data"})))
    assert phone.call("search_personal_information", query="router").failure.status == 403


def talking(phone):
    phone.reset(WorldSpec(facts=({"table": "multimodal_dialogue", "active": True, "topic": "the garden", "turns": 6},)))
    return phone


def test_a_dialogue_is_left(phone):
    talking(phone).call("multimodal_dialogue_exit")
    changed = {"active": (True, False), "topic": ("the garden", ""), "turns": (6, 0)}
    assert phone.diff_since_last_call() == {"multimodal_dialogue/phone": changed}


def test_its_summary_becomes_a_note(phone):
    seen = talking(phone).call("multimodal_dialogue_exit", summary="save")
    assert seen.data["summary"]["content"] == "6 turns about the garden"
    assert phone.diff_since_last_call()["notes/note_004"]["title"] == "Dialogue summary"


def test_no_dialogue_no_exit(phone):
    assert phone.call("multimodal_dialogue_exit").failure.status == 409
    call = ToolCall(id="c", name="multimodal_dialogue_exit", arguments={"summary": "print"})
    assert talking(phone).execute(call, Deadline.never()).failure.status == 400
