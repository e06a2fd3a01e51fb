"""One real server, over standard streams and over HTTP: what it declares, what it answers, how it fails."""

import os
import threading

import pytest

from runtime.contract import CancelToken, Deadline, ErrorCode, ToolFailure
from runtime.mcp.records import Limits, Server
from runtime.mcp.results import observed

FOREVER = Deadline.never()


@pytest.fixture(params=["over_stdio", "over_http"])
def link(request, link_of):
    return link_of(request.getfixturevalue(request.param))


def test_it_declares_and_answers(link, folder):
    assert [one.name for one in link.tools(FOREVER)] == ["weather", "hang", "die", "huge", "fail", "picture"]
    result = link.call("weather", {"city": "Oslo"}, "run:s0a", FOREVER)
    seen = observed(result, "stranger", 100_000)
    assert seen.data == {"from": "MCP server stranger", "structured": {"city": "Oslo", "degrees": 12}}
    assert (folder / "calls").read_text() == "weather {'city': 'Oslo'} run:s0a\n"


def test_more_than_the_limit_is_a_typed_error_and_the_next_call_works(link, capfd):
    with pytest.raises(ToolFailure) as failed:
        link.call("huge", {}, "", FOREVER)
    assert failed.value.code is ErrorCode.UNSUPPORTED
    assert "message of more than 165,536 bytes (`mcp.result_bytes`)" in failed.value.message
    assert link.call("weather", {"city": "Oslo"}, "", FOREVER).structured_content == {"city": "Oslo", "degrees": 12}
    assert "Traceback" not in capfd.readouterr().err


def test_one_that_hangs_is_left_at_its_time(over_stdio, link_of):
    link = link_of(over_stdio, Limits(seconds=1.0, connect_seconds=60.0))
    link.tools(FOREVER)
    with pytest.raises(ToolFailure) as failed:
        link.call("hang", {}, "", FOREVER)
    assert failed.value.code is ErrorCode.TIMEOUT
    assert "did not give `hang` in 1 s (`mcp.seconds`); whether it did something is unknown." in failed.value.message


def test_ctrl_c_breaks_a_call_off(link):
    link.tools(FOREVER)
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    with pytest.raises(ToolFailure) as failed:
        link.call("hang", {}, "", Deadline(None, cancel))
    assert failed.value.code is ErrorCode.CANCELLED


def test_one_that_dies_says_its_last_words_and_is_started_anew(over_stdio, link_of):
    link = link_of(over_stdio)
    link.tools(FOREVER)
    with pytest.raises(ToolFailure) as failed:
        link.call("die", {}, "", FOREVER)
    assert failed.value.code is ErrorCode.OFFLINE
    assert failed.value.message.endswith('its connection ended. It said: "out of luck".')
    assert len(link.tools(FOREVER)) == 6


def test_one_that_dies_again_and_again_is_not_started_for_ever(link_of):
    link = link_of(Server(name="bad", command=("false",)))
    said = []
    for _ in range(5):
        with pytest.raises(ToolFailure) as failed:
            link.tools(FOREVER)
        said.append(failed.value.message)
    assert said[0] == "the MCP server `bad` failed: its connection ended."
    assert said[4] == "the MCP server `bad` failed: it failed 4 times and is not started again in this run."


def test_a_program_that_is_not_there(link_of):
    with pytest.raises(ToolFailure) as failed:
        link_of(Server(name="none", command=("/no/such/program",))).tools(FOREVER)
    assert failed.value.code is ErrorCode.OFFLINE
    assert "No such file or directory" in failed.value.message


def test_one_that_speaks_no_protocol(link_of):
    link = link_of(Server(name="cat", command=("yes", "{}")), Limits(connect_seconds=1.0))
    with pytest.raises(ToolFailure) as failed:
        link.tools(FOREVER)
    assert failed.value.code is ErrorCode.TIMEOUT
    assert "did not give a greeting in 1 s" in failed.value.message


def test_nothing_of_it_runs_once_it_is_closed(over_stdio, link_of):
    link = link_of(over_stdio)
    link.tools(FOREVER)
    with pytest.raises(ToolFailure):
        link.call("die", {}, "", FOREVER)
    link.tools(FOREVER)
    link.close()
    children = [line for line in os.popen(f"ps --ppid {os.getpid()} -o args=") if "stranger.py stdio" in line]
    assert children == []


def test_a_header_whose_variable_is_not_set(link_of, monkeypatch):
    monkeypatch.delenv("NO_TOKEN", raising=False)
    server = Server(name="web", url="http://127.0.0.1:9/mcp", headers={"Authorization": "NO_TOKEN"})
    with pytest.raises(ToolFailure) as failed:
        link_of(server).tools(FOREVER)
    assert failed.value.code is ErrorCode.OFFLINE
    assert "the variable `NO_TOKEN` for the header `Authorization` is not set" in failed.value.message


def test_an_address_where_nobody_listens(link_of):
    with pytest.raises(ToolFailure) as failed:
        link_of(Server(name="web", url="http://127.0.0.1:9/mcp")).tools(FOREVER)
    assert failed.value.code is ErrorCode.OFFLINE


def test_an_error_of_a_tool_quotes_it(link):
    with pytest.raises(ToolFailure) as failed:
        observed(link.call("fail", {}, "", FOREVER), "stranger", 100_000)
    assert failed.value.code is ErrorCode.INTERNAL
    assert failed.value.message == 'the tool of the MCP server `stranger` reports an error: "no such <city>".'


def test_a_picture_is_left_out_and_named(link):
    seen = observed(link.call("picture", {}, "", FOREVER), "stranger", 100_000)
    assert seen.data["content"] == ["seen", {"image": "image/png"}]
    assert [(cut.what, cut.left_out, cut.limit) for cut in seen.cuts] == [
        ("image of the result", 4, "only text is shown")
    ]
