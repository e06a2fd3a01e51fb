"""The keyword agent: patterns, and what it does after a result."""

import pytest

from runtime.contract import Ask, Deadline, Finish, Json, Refuse, ToolCall
from runtime.planner.keyword import KeywordPlanner
from runtime.planner.slots import fill, slot
from tests.runtime.planner.conftest import ALARM, LIGHT, View, spec, view_of

NOW = Deadline(1)


def test_the_first_tool_is_called_with_what_patterns_find():
    decision = KeywordPlanner().decide(view_of("wake me at half past seven and call it morning run"), NOW)
    assert decision.actions == (
        ToolCall(
            id="k2",
            name="manage_alarm",
            arguments={"action": "create", "time": "half past seven", "label": "morning run"},
        ),
    )


def test_recall_order_comes_before_the_order_shown():
    class Recalled(View):
        recalled = (LIGHT, ALARM)

    view = view_of("turn off the light")
    recalled = Recalled(view.pieces, 0, 0, view.exposed, view.messages)
    assert KeywordPlanner().decide(recalled, NOW).actions[0].arguments == {"action": "disable"}


def test_a_missing_argument_is_asked_for():
    tool = spec("call", ["contact"], contact={"type": "string", "x-spoken": "contact"})
    assert KeywordPlanner().decide(view_of("make a call", [tool]), NOW).actions == (
        Ask(question="Which contact do you mean?"),
    )


@pytest.mark.parametrize(("content", "kind"), [('{"ok": true}', Finish), ('{"error": "not_found"}', Refuse)])
def test_a_result_ends_it(content, kind):
    view = view_of("wake me at seven")
    view.messages.append({"role": "tool", "tool_call_id": "k2", "content": content})
    assert isinstance(KeywordPlanner().decide(view, NOW).actions[0], kind)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"error": "not_found", "status": 404, "message": "no note 7"}', "it did not work: no note 7"),
        ('{"error": "not_found", "mess ... 9 characters left out', 'it did not work: {"error": "not_found", "mess ...'),
    ],
)
def test_a_refusal_says_the_message_of_the_failure(content, reason):
    view = view_of("open note 7")
    view.messages.append({"role": "tool", "tool_call_id": "k2", "content": content})
    assert KeywordPlanner().decide(view, NOW).actions[0].reason.startswith(reason)


def test_without_tools_it_refuses():
    assert KeywordPlanner().decide(view_of("hello", []), NOW).actions == (Refuse(reason="no tool is offered"),)


@pytest.mark.parametrize(
    ("kind", "request_text", "value"),
    [
        ("time", "wake me at 6:45 am please", "6:45 am"),
        ("time", "at quarter to nine", "quarter to nine"),
        ("date", "remind me the day after tomorrow", "the day after tomorrow"),
        ("date", "on March 3rd at noon", "March 3rd"),
        ("duration", "set a timer for ten minutes", "ten minutes"),
        ("recurrence", "wake me every weekday", "every weekday"),
        ("percent", "brightness to 40%", "40%"),
        ("amount", "send $20 to Ann", "$20"),
        ("phone_number", "call +44 20 7946 0000 now", "+44 20 7946 0000"),
        ("contact", "text my mom hello", "mom"),
        ("contact", "call Anna Lee now", "Anna Lee"),
        ("time", "hello there", None),
    ],
)
def test_spoken_kinds(kind: str, request_text: str, value: str | None):
    assert slot("x", {"type": "string", "x-spoken": kind}, request_text, required=True) == value


def test_plain_kinds():
    properties: Json = {
        "count": {"type": "integer"},
        "flag": {"type": "boolean"},
        "song": {"type": "string"},
        "artist": {"type": "string"},
    }
    assert fill(spec("t", [], **properties), "play Yellow by Coldplay 3 times") == {
        "count": 3,
        "song": "Yellow",
        "artist": "Coldplay 3 times",
    }
    assert fill(spec("t", [], **properties), 'play "Blue in Green"') == {"song": "Blue in Green"}


def test_a_value_is_used_once():
    times = {"type": "string", "x-spoken": "time"}
    assert fill(spec("t", [], start=times, end=times), "from 9:00 to 10:30") == {"start": "9:00", "end": "10:30"}
