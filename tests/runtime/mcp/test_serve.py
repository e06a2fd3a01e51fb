"""`pocket mcp serve` in a process of its own, spoken to by the SDK's client: the guard holds, the trace has it all."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from contextlib import closing
from functools import partial
from types import SimpleNamespace

import anyio
import pytest
from mcp import Client, StdioServerParameters, types

from memory.sqlite import open_database
from runtime.contract import Confirm, Deadline, ToolCall
from runtime.guard import Rule, RuleBook, Verdict
from runtime.mcp.service import Job, Service
from runtime.trace import TraceReader

SERVE = "import sys; from runtime.cli.root import main; sys.exit(main(['mcp', 'serve', *sys.argv[1:]]))"
ALARM = {"action": "create", "time": "7:30", "title": "morning"}


@pytest.fixture
def talk(tmp_path):
    """Run a conversation with a fresh server; `answers` are what the user says, None: the client can't ask."""
    home = tmp_path / "home"

    def run(conversation, *more, answers=None, mode="auto"):
        asked = []

        async def on_elicit(context, params):
            asked.append(params.message)
            return answers.pop(0)

        environment = {"POCKET_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path), "POCKET_PHONE__SEED": "3"}
        server = StdioServerParameters(command=sys.executable, args=["-c", SERVE, *more], env=environment)

        async def talked():
            callback = on_elicit if answers is not None else None
            async with Client(server, elicitation_callback=callback, mode=mode) as client:
                return await conversation(client)

        return anyio.run(talked), asked

    run.home = home
    return run


YES = types.ElicitResult(action="accept", content={"agree": True})
NO = types.ElicitResult(action="decline")
UNCLEAR = types.ElicitResult(action="accept", content={"agree": "maybe"})


async def _delete_alarm(client):
    """Set an alarm, delete it, look."""
    await client.call_tool("manage_alarm", ALARM)
    deleted = await client.call_tool("manage_alarm", {"action": "delete", "title": "morning"})
    left = await client.call_tool("manage_alarm", {"action": "query", "title": "morning"})
    return deleted, left


def test_it_offers_the_phones_tools_and_says_what_changed(talk):
    async def conversation(client):
        listed = await client.list_tools()
        return listed.tools, await client.call_tool("manage_alarm", ALARM), await client.call_tool("no_tool", {})

    (tools, made, unknown), asked = talk(conversation, "--domain", "time")
    alarm = next(tool for tool in tools if tool.name == "manage_alarm")
    assert alarm.annotations.destructive_hint and not alarm.annotations.read_only_hint
    told = made.structured_content
    assert told["executed"]["time"] == "07:30"
    assert [change["table"] for change in told["changed"]] == ["alarms"]
    assert told["read_back"]["differs"] == []
    assert (unknown.is_error, unknown.structured_content["error"]) == (True, "unknown_tool")
    assert asked == []


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_deletes_is_asked_of_the_clients_user(talk, mode):
    (deleted, left), asked = talk(_delete_alarm, "--domain", "time", answers=[YES], mode=mode)
    assert asked == ["`manage_alarm` would delete (action = 'delete', title = 'morning')."]
    assert not deleted.is_error
    assert "morning" not in str(left.structured_content.get("result"))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("answer", [NO, UNCLEAR])
def test_without_a_clear_yes_nothing_is_done(talk, mode, answer):
    (deleted, left), asked = talk(_delete_alarm, answers=[answer], mode=mode)
    assert len(asked) == 1
    assert deleted.structured_content["error"] == "refused_by_guard"
    assert "morning" in str(left.structured_content["result"])


def test_a_client_that_can_ask_nobody_is_refused_and_told_the_rule(talk):
    (deleted, left), _ = talk(_delete_alarm)
    assert deleted.structured_content["error"] == "refused_by_guard"
    assert deleted.structured_content["message"].startswith("nobody could be asked about this: `manage_alarm` would")
    assert deleted.structured_content["message"].endswith(
        "The user can allow it: `pocket approvals add allow --tool manage_alarm --effect delete`."
    )
    assert "morning" in str(left.structured_content["result"])


@pytest.fixture
def raw(tmp_path):
    """A server that is spoken to line by line: send a message; read until one has this key and value."""
    environment = {**os.environ, "POCKET_HOME": str(tmp_path / "home"), "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "-c", SERVE, "--domain", "time"], env=environment, text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip

    def send(method, params, **more):
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}) + "\n")
        process.stdin.flush()

    def until(key, value):
        return next(said for line in process.stdout if (said := json.loads(line)).get(key) == value)

    process.send, process.until, process.traces = send, until, tmp_path / "home" / "data" / "traces.sqlite3"
    yield process
    process.kill()
    process.wait()


def _asked_to_delete(raw):
    """Greet, set an alarm, have it deleted; returns when the question is asked."""
    me = {"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
          "clientInfo": {"name": "by hand", "version": "1"}}  # fmt: skip
    raw.send("initialize", me, id=1)
    raw.until("id", 1)
    raw.send("notifications/initialized", {})
    raw.send("tools/call", {"name": "manage_alarm", "arguments": ALARM}, id=2)
    raw.until("id", 2)
    raw.send("tools/call", {"name": "manage_alarm", "arguments": {"action": "delete", "title": "morning"}}, id=3)
    raw.until("method", "elicitation/create")


def test_a_call_that_its_client_takes_back_ends_no_session(raw):
    _asked_to_delete(raw)
    raw.send("notifications/cancelled", {"requestId": 3})
    raw.send("tools/call", {"name": "manage_alarm", "arguments": {"action": "query", "title": "morning"}}, id=4)
    assert "morning" in str(raw.until("id", 4)["result"]["structuredContent"]["result"])
    raw.stdin.close()
    assert (raw.wait(60), raw.stderr.read()) == (0, "")
    with closing(TraceReader(raw.traces, open_database)) as reader:
        _, taken_back, after = reader.episode(reader.find("last")).steps
    assert taken_back.observations[0].failure.message.startswith("it was broken off before anybody agreed to this: ")
    assert after.observations[0].ok


def test_a_client_that_leaves_in_the_middle_of_a_call_leaves_no_traceback(raw):
    _asked_to_delete(raw)
    raw.stdin.close()
    assert (raw.wait(60), raw.stderr.read()) == (0, "")


def test_a_question_whose_line_ends_is_no_yes():
    async def gone(*_):
        raise asyncio.CancelledError

    service = Service(desk=None)
    service._loop = asyncio.new_event_loop()
    thread = threading.Thread(target=service._loop.run_forever)
    thread.start()
    line = SimpleNamespace(session=SimpleNamespace(elicit_form=gone), request_id=1)
    call = ToolCall(id="a", name="manage_alarm", arguments={})
    question = Confirm(call=call, effects=("delete",), facts="It would delete.")
    try:
        assert service._ask(Job("manage_alarm", {}, line, None), question, Deadline(10.0)) is False
    finally:
        service._loop.call_soon_threadsafe(service._loop.stop)
        thread.join()
        service._loop.close()


def test_a_rule_of_the_user_allows_it_unasked(talk):
    book = RuleBook(talk.home / "data" / "approvals.jsonl")
    book.add(Rule(verdict=Verdict.ALLOW, tool="manage_alarm", effects=frozenset({"delete"})))
    (deleted, _), _ = talk(_delete_alarm)
    assert not deleted.is_error


def test_an_answer_counts_for_the_call_that_was_asked_about_alone(talk):
    async def forged(client):
        await client.call_tool("manage_alarm", ALARM)
        delete = {"action": "delete", "title": "morning"}
        first = await client.session.call_tool("manage_alarm", delete, allow_input_required=True)
        said = {"input_responses": {"agree": YES}, "allow_input_required": True}
        call = partial(client.session.call_tool, "manage_alarm", **said)
        other = await call({**delete, "title": "other"}, request_state=first.request_state)
        return other, await call(delete, request_state="mine"), await call(delete, request_state=first.request_state)

    found, _ = talk(forged, answers=[])
    assert [type(one).__name__ for one in found] == ["InputRequiredResult"] * 3


def test_a_session_is_an_episode_of_the_trace(talk):
    talk(_delete_alarm)
    reader = TraceReader(talk.home / "data" / "traces.sqlite3", open_database)
    (summary,) = reader.page()
    episode = reader.episode(summary.id)
    assert summary.request.startswith("(calls of the MCP client mcp")
    assert (summary.stop, episode.trainable, len(episode.steps)) == ("finished", "none", 3)
    assert [step.decision.actions[0].arguments["action"] for step in episode.steps] == ["create", "delete", "query"]


def test_only_what_reads_is_offered_where_that_is_asked(talk):
    async def conversation(client):
        return (await client.list_tools()).tools, await client.call_tool("manage_alarm", ALARM)

    (tools, refused), _ = talk(conversation, "--read-only")
    assert tools and all(tool.annotations.read_only_hint for tool in tools)
    assert refused.structured_content["error"] == "unknown_tool"
