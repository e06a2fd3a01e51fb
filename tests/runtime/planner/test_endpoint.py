"""The endpoint planner over real HTTP: a scripted server for what goes wrong, llama.cpp's own for what is right."""

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
import pytest

from runtime.contract import Ask, CancelToken, Deadline, Decision, Finish, InfrastructureError, ParseError, ToolCall
from runtime.planner.endpoint import EndpointPlanner, functions, read_message
from runtime.planner.settings import PlannerSettings
from tests.chat import chat_server
from tests.runtime.planner.conftest import ALARM, LIGHT, view_of


@dataclass
class Server:
    """Plays answers in order (status, body, headers); the last one repeats."""

    answers: list[tuple[int, object, dict[str, str]]] = field(default_factory=list)
    requests: list[tuple[dict[str, str], dict]] = field(default_factory=list)
    spec: str = ""

    def next(self, body: dict) -> tuple[int, object, dict[str, str]]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture
def server() -> Iterator[Server]:
    plan = Server()
    with chat_server(plan.next) as chat:
        plan.spec, plan.requests = f"{chat.url}#tiny", chat.requests
        yield plan


def reply(*calls: tuple[str, object], content: str | None = None, why: str = "tool_calls") -> tuple[int, object, dict]:
    native = [
        {"id": f"x{index}", "type": "function", "function": {"name": name, "arguments": arguments}, "later_field": 1}
        for index, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": content, "tool_calls": native or None, "reasoning": None}
    usage = {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 3}, "new": 1}
    return 200, {"choices": [{"message": message, "finish_reason": why, "index": 0}], "usage": usage, "extra": {}}, {}


def decide(server: Server, **changes: object):
    planner = EndpointPlanner(server.spec, PlannerSettings().model_copy(update=changes))
    try:
        return planner.decide(view_of("wake me at seven"), Deadline(20))
    finally:
        planner.close()


def test_native_calls_become_actions(server):
    server.answers = [reply(("manage_alarm", '{"action": "create"}'), ("control_flashlight", '{"action": "enable"}'))]
    decision = decide(server)
    assert decision.actions == (
        ToolCall(id="0.0a", name="manage_alarm", arguments={"action": "create"}),
        ToolCall(id="0.0b", name="control_flashlight", arguments={"action": "enable"}),
    )
    assert decision.usage.model_dump() == {"prompt_tokens": 9, "cached_tokens": 3, "output_tokens": 4}
    assert (decision.tokens, decision.prompt_ids) == (None, None)
    _, sent = server.requests[0]
    assert (sent["path"], sent["model"], sent["tool_choice"]) == ("/v1/chat/completions", "tiny", "required")
    assert sent["messages"][-1] == {"role": "user", "content": "wake me at seven"}


def test_tools_and_actions_are_offered_as_functions():
    offered = functions([ALARM, LIGHT])
    assert [entry["function"]["name"] for entry in offered] == [
        "manage_alarm",
        "control_flashlight",
        "ask",
        "refuse",
        "finish",
    ]
    assert offered[0]["function"]["parameters"]["properties"]["time"] == {"type": "string"}  # no `x-spoken`


def test_the_three_actions(server):
    server.answers = [reply(("ask", '{"question": "When?"}')), reply(("finish", {"answer": "Done."}))]
    assert decide(server).actions == (Ask(question="When?"),)
    assert decide(server).actions == (Finish(answer="Done."),)


@pytest.mark.parametrize(
    "arguments", ['{"action": ', "", "[]", '"text"', "null", None, 7, '{"action": "create"} trailing', "[" * 100_000]
)
def test_bad_arguments_are_never_an_empty_call(server, arguments):
    server.answers = [reply(("manage_alarm", arguments))]
    (action,) = decide(server).actions
    assert isinstance(action, ParseError)
    assert len(action.raw) <= 700


def test_one_bad_call_spoils_the_decision(server):
    server.answers = [reply(("control_flashlight", '{"action": "enable"}'), ("manage_alarm", "{"))]
    assert [type(action) for action in decide(server).actions] == [ParseError]
    server.answers = [reply(("control_flashlight", '{"action": "enable"}'), ("finish", '{"answer": "ok"}'))]
    assert "stand alone" in decide(server).actions[0].message


def test_a_cut_off_answer_says_so(server):
    server.answers = [reply(("manage_alarm", '{"action": "cre'), why="length")]
    assert decide(server).actions[0].truncated
    server.answers = [reply(content="I would", why="length")]
    assert decide(server).actions[0].truncated


def test_text_is_an_answer_or_our_dialect(server):
    server.answers = [reply(content="It is four.", why="stop")]
    assert decide(server).actions == (Finish(answer="It is four."),)
    server.answers = [
        reply(content='<tool_call>{"name": "lock", "arguments": {}}</tool_call>', why="stop"),
    ]
    assert decide(server).actions == (ToolCall(id="0.0a", name="lock", arguments={}),)
    server.answers = [reply(content="", why="stop")]
    assert isinstance(decide(server).actions[0], ParseError)


@pytest.mark.parametrize(
    ("message", "actions", "raw"),
    [
        ({"content": "Hi \ud83d"}, (Finish(answer="Hi \ufffd"),), None),
        ({"content": "Hi \ud83d\ude00"}, (Finish(answer="Hi \U0001f600"),), None),
        (
            {"content": "\ude00", "tool_calls": [{"function": {"name": "lock", "arguments": '{"a": "\ud83d\ude00"}'}}]},
            (ToolCall(id="0a", name="lock", arguments={"a": "\U0001f600"}),),
            '\ufffd<tool_call>{"name": "lock", "arguments": {"a": "\U0001f600"}}</tool_call>',
        ),
    ],
)
def test_half_a_character_is_replaced_and_torn_pairs_are_joined(message, actions, raw):
    thought, said, found = read_message(message, "0", "stop")
    assert found == actions
    assert raw in (None, said)
    Decision(actions=found, raw=said, thought=thought).model_dump_json()  # a trace can hold it


@pytest.mark.parametrize("arguments", [{"a": "\ud83d"}, '{"a": "\ud83d"}', '{"a": "\\ud83d"}', "\ud83d"])
def test_half_a_character_in_arguments_is_refused_not_changed(arguments):
    message = {"tool_calls": [{"function": {"name": "lock\ud83d", "arguments": arguments}}]}
    thought, said, found = read_message(message, "0", "stop")
    assert isinstance(found[0], ParseError)
    Decision(actions=found, raw=said, thought=thought).model_dump_json()


def test_a_busy_server_is_tried_again(server):
    server.answers = [(429, "slow down", {"retry-after": "0"}), (503, "loading", {}), reply(("lock", "{}"))]
    assert decide(server).actions[0].name == "lock"
    assert len(server.requests) == 3


def test_retries_end(server):
    server.answers = [(500, "broken\nin two lines", {})]
    with pytest.raises(InfrastructureError, match="status 500: broken in two lines"):
        decide(server, retries=1)
    assert len(server.requests) == 2


def test_a_refusal_is_not_repeated(server):
    server.answers = [(401, {"error": "no key"}, {})]
    with pytest.raises(InfrastructureError, match="status 401"):
        decide(server)
    assert len(server.requests) == 1


@pytest.mark.parametrize("answer", ["<html>", "[]", {"choices": []}, {"choices": None}, {"choices": ["x"]}])
def test_an_answer_of_another_kind_is_infrastructure(server, answer):
    server.answers = [(200, answer, {})]
    with pytest.raises(InfrastructureError):
        decide(server)


def test_nobody_listens():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    planner = EndpointPlanner(f"http://127.0.0.1:{port}/v1#m", PlannerSettings(retries=1))
    with pytest.raises(InfrastructureError, match="Is the server up"):
        planner.decide(view_of("x"), Deadline(10))
    planner.close()


def test_cancelled_and_late_calls_do_not_reach_the_server(server):
    server.answers = [reply(("lock", "{}"))]
    cancel = CancelToken()
    cancel.cancel()
    planner = EndpointPlanner(server.spec)
    for deadline in (Deadline(10, cancel), Deadline(0)):
        with pytest.raises(InfrastructureError):
            planner.decide(view_of("x"), deadline)
    planner.close()
    assert server.requests == []


def test_a_cancel_hangs_up_on_a_server_that_does_not_answer():
    asked, hung_up, cancel, caught = threading.Event(), threading.Event(), CancelToken(), []

    def silent(listener: socket.socket) -> None:
        line, _ = listener.accept()
        with line:
            while b"wake me" not in (data := line.recv(65536)):
                assert data
            asked.set()
            line.recv(1)  # returns when the other side closes
            hung_up.set()

    def decide() -> None:
        planner = EndpointPlanner(f"http://127.0.0.1:{port}/v1#m")
        try:
            planner.decide(view_of("wake me"), Deadline(600, cancel))
        except InfrastructureError as error:
            caught.append(str(error))
        assert hung_up.wait(30)  # before the client is closed
        planner.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        threads = [threading.Thread(target=silent, args=(listener,), daemon=True)]
        threads.append(threading.Thread(target=decide, daemon=True))
        for thread in threads:
            thread.start()
        assert asked.wait(30)
        cancel.cancel()
        threads[1].join(30)
    assert not threads[1].is_alive() and hung_up.is_set()
    assert "the run was cancelled" in caught[0]


def test_the_key_is_sent_and_never_shown(server, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("MY_KEY", "s3cret-key")
    server.answers = [(400, "wrong", {})]
    with pytest.raises(InfrastructureError) as caught:
        decide(server, api_key_env="MY_KEY")
    assert server.requests[0][0]["Authorization"] == "Bearer s3cret-key"
    planner = EndpointPlanner(server.spec, PlannerSettings(api_key_env="MY_KEY"))
    shown = [str(caught.value), caplog.text, planner.identity, json.dumps(planner.sampling), repr(vars(planner))]
    planner.close()
    assert not any("s3cret-key" in text for text in shown)


@pytest.fixture(scope="module")
def llama_server() -> Iterator[str]:
    uvicorn = pytest.importorskip("uvicorn")
    from llama_cpp.server.app import create_app
    from llama_cpp.server.settings import ModelSettings, ServerSettings

    from runtime.planner.embedded import base_file

    model = ModelSettings(
        model=str(base_file()), n_ctx=2048, n_threads=1, chat_format="chatml-function-calling", verbose=False
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = create_app(server_settings=ServerSettings(host="127.0.0.1", port=port), model_settings=[model])
    running = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{port}/v1"
    for _ in range(200):
        try:
            httpx.get(f"{address}/models", timeout=1)
            break
        except httpx.HTTPError:
            time.sleep(0.1)
    yield f"{address}#base"
    running.should_exit = True
    thread.join(10)


@pytest.mark.model
def test_the_server_of_llama_cpp_answers_with_native_calls(llama_server):
    planner = EndpointPlanner(llama_server, PlannerSettings(tool_choice="auto", max_output_tokens=64))
    decision = planner.decide(view_of("turn on the light", [LIGHT]), Deadline(120))
    planner.close()
    assert decision.usage.prompt_tokens > 0
    assert decision.tokens is None
    assert decision.actions[0].kind in ("call", "ask", "refuse", "finish", "parse_error")
    assert decision.raw
