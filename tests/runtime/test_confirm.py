"""What is confirmed, and every reason why not."""

import pytest

from runtime.contract import (
    Ask,
    ErrorCode,
    Evidence,
    ExecutedCall,
    Failure,
    Finish,
    Observation,
    RowChange,
    StateDiff,
    TaskView,
)
from runtime.guard import DenyAll
from runtime.harness import run_episode
from runtime.readback import disagreement

TASK = TaskView(request="light in the kitchen")


@pytest.fixture
def word(rooms_of, script):
    """The confirmation after these steps."""

    def run(*steps, **more):
        return run_episode(TASK, rooms_of(script(*steps), **more)).confirmation

    return run


def test_a_write_that_was_read_back(word, tool_call):
    assert word(tool_call("control_lamp", action="on"), Finish(answer="on")).confirmed


def test_a_read_is_an_answer(word, tool_call):
    assert word(tool_call("read_notes"), Finish()).confirmed


def test_words_alone_are_no_answer(word):
    reasons = ("no call succeeded, so nothing was done and no answer was read",)
    assert word(Finish()).reasons == word(Finish(answer="done")).reasons == reasons


def test_another_ending(word):
    assert word(Ask(question="which?")).reasons == ("it ended as `asked`: which?",)


def test_a_write_that_was_not_read_back(word, tool_call, phone):
    phone.reads_back = False
    assert word(tool_call("control_lamp", action="on"), Finish()).reasons == ("`control_lamp` was not read back",)


def test_a_row_that_reads_otherwise(word, tool_call, phone):
    rows = {"rows": [{"table": "lamps", "key": "kitchen", "row": {"is": "off"}}]}
    phone.read_back = lambda call, seen: Evidence(source="dump", facts=rows)
    reasons = word(tool_call("control_lamp", action="on"), Finish()).reasons
    assert reasons == ("`control_lamp`: `lamps` `kitchen` reads {'is': 'off'}, not {'is': 'on'}",)


def test_a_row_that_differs_from_the_call(word, tool_call, phone):
    rows = {"rows": [{"table": "lamps", "key": "kitchen", "row": {"is": "on"}}], "differs": ["lamps.is"]}
    phone.read_back = lambda call, seen: Evidence(source="dump", facts=rows)
    reasons = word(tool_call("control_lamp", action="on"), Finish()).reasons
    assert reasons == ("`control_lamp`: the phone reads back something else at `lamps.is`",)


def test_a_row_that_was_not_read(word, tool_call, phone):
    phone.read_back = lambda call, seen: Evidence(source="dump", facts={"rows": []})
    reasons = word(tool_call("control_lamp", action="on"), Finish()).reasons
    assert reasons == ("`control_lamp`: `lamps` `kitchen` was not read back",)


def test_a_deleted_row_is_gone(word, tool_call):
    assert word(tool_call("delete_note", title="milk"), Finish()).confirmed


def test_an_error_that_nothing_made_good(word, tool_call):
    failed = tool_call("control_lamp", action="on", room="cellar")
    reasons = word(tool_call("read_notes"), failed, Finish(answer="done")).reasons
    assert reasons == ("`control_lamp` failed (not_found): there is no lamp in `cellar`",)


def test_a_failed_write_needs_its_own_success(word, tool_call):
    failed, read = tool_call("control_lamp", action="on", room="cellar"), tool_call("read_notes")
    assert not word(failed, read, Finish(answer="done")).confirmed
    assert word(failed, tool_call("control_lamp", action="on"), Finish(answer="done")).confirmed


def test_a_refusal_of_the_guard_is_an_error(word, tool_call):
    steps = (tool_call("read_notes"), tool_call("pay_bill", bill="rent"), Finish(answer="paid"))
    reasons = word(*steps, approver=DenyAll()).reasons
    assert [reason.partition(":")[0] for reason in reasons] == ["`pay_bill` failed (refused_by_guard)"]


def test_what_an_mcp_server_did_is_never_confirmed_and_the_reason_says_what_is_left():
    assert disagreement("mcp__files__write_note", Observation(call_id="a", data={"said": "written"})) == (
        "`mcp__files__write_note` ran on the MCP server `files`, and what it changed there can't be read back: look "
        "there. A tool that only reads counts as an answer once you say so: "
        "`pocket mcp accept files --read mcp__files__write_note`"
    )


LAMP = StateDiff(changes=(RowChange(table="lamps", key="kitchen", before={"is": "off"}, after={"is": "on"}),))


@pytest.mark.parametrize(
    ("landed", "diff", "reason"),
    [
        ("no", StateDiff(), "no call succeeded, so nothing was done and no answer was read"),
        ("unknown", StateDiff(), "no call succeeded, so no answer was read; whether something was done is not known"),
        ("yes", LAMP, "no call succeeded, so no answer was read; what was changed on the way stays"),
    ],
)
def test_it_is_not_said_that_nothing_was_done_where_that_is_not_known(word, tool_call, phone, landed, diff, reason):
    def broken_off(call, deadline, key=""):
        executed = ExecutedCall(name=call.name, arguments=call.arguments, idempotency_key=key, landed=landed)
        failure = Failure(code=ErrorCode.TIMEOUT, message="no answer")
        return Observation(call_id=call.id, call=executed, failure=failure, diff=diff)

    phone.execute = broken_off
    assert word(tool_call("control_lamp", action="on"), Finish(answer="on")).reasons[0] == reason
