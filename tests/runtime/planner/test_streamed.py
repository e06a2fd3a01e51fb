"""An endpoint that answers in pieces: told as they come, put together whole, and never half."""

import json

import pytest

from runtime.contract import Deadline, Finish, InfrastructureError, ToolCall
from runtime.planner.endpoint import EndpointPlanner
from runtime.planner.settings import PlannerSettings
from runtime.planner.streamed import merged, words
from tests.chat import chat_server
from tests.runtime.planner.conftest import view_of


def event(**delta):
    why = delta.pop("why", None)
    return "data: " + json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": why}]})


def piece(index, name=None, arguments=None):
    return event(tool_calls=[{"index": index, "id": f"x{index}", "function": {"name": name, "arguments": arguments}}])


USAGE = 'data: {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}'
CALL = [
    piece(0, "manage_alarm", ""),
    piece(0, None, '{"action":'),
    piece(0, None, ' "create"}'),
    event(why="tool_calls"),
]


def asked(lines, listener=None, status=200, **changes):
    """What a planner decides over a server that streams these lines, and the request that it sent."""
    body = "\n\n".join(lines)
    with chat_server(lambda _: (status, body, {"content-type": "text/event-stream; charset=utf-8"})) as chat:
        planner = EndpointPlanner(f"{chat.url}#tiny", PlannerSettings(stream=True, retries=0, **changes))
        planner.listener = listener
        try:
            return planner.decide(view_of("wake me at seven"), Deadline(20)), chat.requests[0][1]
        finally:
            planner.close()


def test_a_call_in_pieces_is_one_call_and_is_heard_as_it_comes():
    heard = []
    decision, request = asked([*CALL, USAGE, "data: [DONE]"], heard.append)
    (action,) = decision.actions
    assert isinstance(action, ToolCall)
    assert (action.name, action.arguments) == ("manage_alarm", {"action": "create"})
    assert heard == ["manage_alarm", '{"action":', ' "create"}']
    assert (decision.usage.prompt_tokens, decision.usage.output_tokens) == (9, 4)
    assert (request["stream"], request["stream_options"]) == (True, {"include_usage": True})


def test_two_calls_may_come_in_turns():
    lines = [piece(1, "lock", "{}"), piece(0, "manage_alarm", "{}"), event(why="tool_calls")]
    decision, _ = asked(lines)
    assert [action.name for action in decision.actions] == ["manage_alarm", "lock"]


def test_a_text_is_the_answer():
    decision, _ = asked([": a comment", event(content="It is "), event(content="seven."), event(why="stop")])
    assert decision.actions == (Finish(answer="It is seven."),)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (CALL[:3], "no JSON"),
        ([*CALL[:2], "data: {broken"], "no JSON"),
        ([*CALL[:2], 'data: {"error": {"message": "out of memory"}}'], "no JSON"),
        ([], "no JSON"),
    ],
)
def test_a_stream_that_breaks_off_is_no_decision(lines, said):
    with pytest.raises(InfrastructureError, match=said):
        asked(lines)


def test_a_server_that_answers_in_one_piece_all_the_same_is_understood():
    reply = {"choices": [{"message": {"content": "fine"}, "finish_reason": "stop"}]}
    with chat_server(lambda _: (200, reply, {"content-type": "application/json"})) as chat:
        planner = EndpointPlanner(f"{chat.url}#tiny", PlannerSettings(stream=True))
        assert planner.decide(view_of("how are you"), Deadline(20)).actions == (Finish(answer="fine"),)
        planner.close()


def test_nothing_is_asked_to_stream_by_default():
    with chat_server(lambda _: "fine") as chat:
        planner = EndpointPlanner(f"{chat.url}#tiny")
        planner.decide(view_of("how are you"), Deadline(20))
        planner.close()
    assert "stream" not in chat.requests[0][1]


@pytest.mark.parametrize(
    "line", ["", ": comment", "event: x", "data: [DONE]", "data: 3", "data: {", 'data: {"choices": 1}']
)
def test_what_adds_nothing_is_silent(line):
    assert words(line) == ""


def test_an_end_of_the_server_counts_and_what_follows_does_not():
    text = "\n".join([event(content="a", why="stop"), "data: [DONE]", event(content="b")])
    assert merged(text)["choices"][0]["message"]["content"] == "a"
