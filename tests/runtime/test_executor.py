"""What reaches the phone, and what is answered before it does."""

import pytest

from runtime.contract import (
    Ask,
    CancelToken,
    Deadline,
    Decision,
    ErrorCode,
    Finish,
    ParseError,
    TextPart,
)
from runtime.executor import Executor
from runtime.guard import AllowAll, DenyAll, EffectGuard
from runtime.users import NoUser, ScriptedUser


@pytest.fixture
def apply(phone):
    """Apply actions with everything exposed; the observations."""

    def run(*actions, approver=None, user=None, deadline=None, exposed=None):
        executor = Executor(phone, EffectGuard(approver or AllowAll()), user or NoUser())
        offered = executor.offered()
        until = deadline or Deadline.never()
        return executor.apply(Decision(actions=actions), offered if exposed is None else exposed, "run", until)

    return run


def failure(seen):
    return seen.failure.code, seen.failure.message


def test_an_unknown_tool_names_the_near_ones(apply, tool_call, phone):
    (seen,) = apply(tool_call("control_lamb", action="on"))
    message = "there is no tool `control_lamb`; did you mean `control_lamp`? Use one of those shown."
    assert failure(seen) == (ErrorCode.UNKNOWN_TOOL, message)
    assert phone.keys == []


def test_a_tool_that_is_not_exposed_is_unknown(apply, tool_call, phone):
    (seen,) = apply(tool_call("read_notes"), exposed=phone.specs[:1])
    assert seen.failure.code is ErrorCode.UNKNOWN_TOOL


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("control_lamp", {}, "`control_lamp` needs `action`, one of `on`, `off`, `query`."),
        (
            "control_lamp",
            {"action": "onn"},
            "`action` is `'onn'`; it must be one of `on`, `off`, `query`; did you mean `on`?",
        ),
        (
            "control_lamp",
            {"action": "on", "rom": "x"},
            "`control_lamp` has no argument `rom`; did you mean `room`? It takes `action`, `room`.",
        ),
        (
            "delete_note",
            {"title": "x", "colour": "red"},
            "`delete_note` has no argument `colour`. It takes `title`.",
        ),
        ("pay_bill", {"count": "two"}, "`count` is `'two'`; it must be a whole number."),
        ("delete_note", {"title": 5}, "`title` is `5`; it must be text."),
        ("delete_note", {"title": "x" * 4001}, "`title` has 4,001 characters; the limit is 4,000. Shorten it."),
    ],
)
def test_wrong_arguments_never_run(apply, tool_call, phone, name, arguments, message):
    (seen,) = apply(tool_call(name, **arguments))
    assert failure(seen) == (ErrorCode.BAD_ARGUMENT, message)
    assert phone.keys == []


def test_a_malformed_action_is_answered_and_never_run(apply, phone):
    (seen,) = apply(ParseError(message="not JSON", raw="{{", truncated=True))
    assert failure(seen) == (ErrorCode.MALFORMED_CALL, "not JSON")
    assert seen.failure.details == {"truncated": True}
    assert phone.keys == []


def test_a_write_is_read_back_and_a_read_is_not(apply, tool_call):
    written, read = apply(tool_call("control_lamp", action="on"), tool_call("control_lamp", action="query"))
    assert written.evidence.facts["rows"] == [{"table": "lamps", "key": "kitchen", "row": {"is": "on"}}]
    assert read.evidence is None


def test_what_the_guard_refuses_never_runs(apply, tool_call, phone):
    (seen,) = apply(tool_call("delete_note", title="milk"), approver=DenyAll())
    assert seen.failure.code is ErrorCode.REFUSED_BY_GUARD
    assert "`delete_note` would delete (title = 'milk')." in seen.failure.message
    assert phone.notes == {"milk": "buy milk"}


def test_nothing_runs_after_the_deadline(apply, tool_call, phone):
    (seen,) = apply(tool_call("control_lamp", action="on"), deadline=Deadline(0))
    assert failure(seen) == (
        ErrorCode.TIMEOUT,
        "no time was left for `control_lamp` (`budget.seconds`); it did not run.",
    )
    assert phone.keys == []


def test_nothing_runs_after_a_cancel(apply, tool_call, phone):
    cancel = CancelToken()
    cancel.cancel()
    (seen,) = apply(tool_call("control_lamp", action="on"), deadline=Deadline(None, cancel))
    assert seen.failure.code is ErrorCode.CANCELLED
    assert phone.keys == []


def test_a_question_goes_to_the_user(apply):
    (seen,) = apply(Ask(question="which?"), user=ScriptedUser(["the blue one"]))
    assert (seen.call_id, seen.parts) == ("", (TextPart(text="the blue one"),))
    assert apply(Ask(question="which?")) == []


def test_a_finish_has_no_observation(apply):
    assert apply(Finish(answer="ok")) == []
