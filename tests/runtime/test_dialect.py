"""Text of a planner to actions: what can't be written down or is cut is one malformed action and never a call."""

import pytest

from runtime.contract import Finish, ParseError, ToolCall
from runtime.dialect import action_from, parse_decision


def block(body: str) -> str:
    return f"<tool_call>{body}</tool_call>"


def test_a_whole_emoji_is_text():
    text = block('{"name": "add_note", "arguments": {"content": "party \\ud83c\\udf89"}}')
    assert parse_decision(text, "0.") == ("", (ToolCall(id="0.a", name="add_note", arguments={"content": "party 🎉"}),))


@pytest.mark.parametrize(
    "body",
    [
        '{"name": "add_note", "arguments": {"content": "\\ud83d bad"}}',
        '{"name": "add_note", "arguments": {"\\ud83d": "x"}}',
        '{"name": "add_note", "arguments": {"parts": ["x", {"y": "\\udf89"}]}}',
        '{"name": "finish", "arguments": {"answer": "\\ud83d"}}',
    ],
)
def test_half_a_character_is_malformed_wherever_it_stands(body):
    _, (action,) = parse_decision(block(body), "0.")
    assert isinstance(action, ParseError)
    assert "half a character" in action.message
    action.model_dump_json()  # a trace can hold it


def test_an_endpoints_native_call_is_held_to_the_same():
    assert isinstance(action_from("add_note", {"content": "\udf89"}, "c1", "raw"), ParseError)
    assert action_from("finish", {"answer": "done"}, "c1", "raw") == Finish(answer="done")
