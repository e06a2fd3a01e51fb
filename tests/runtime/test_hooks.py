"""Programs of the user's own around calls."""

import json
import sys

import pytest

from runtime.contract import Deadline, Decision, ErrorCode, Failure, Observation
from runtime.executor import Executor
from runtime.guard import AllowAll, DenyAll, EffectGuard
from runtime.hooks import CommandHook
from runtime.users import NoUser

ECHO = "import json, sys; told = json.load(sys.stdin); "


class Watching:
    """A hook that keeps what it sees, refuses one tool and remarks on every result."""

    def __init__(self, refused=""):
        self.seen, self.refused = [], refused

    def before(self, call, spec, episode, deadline):
        self.seen.append(("before", call.name, spec.name, episode))
        return Failure(code=ErrorCode.CONFLICT, message="not now") if call.name == self.refused else None

    def after(self, call, seen, episode, deadline):
        self.seen.append(("after", call.name, seen.ok, episode))
        return [Observation(call_id="", data={"remark": call.name})]


@pytest.fixture
def apply(phone):
    """Apply actions with everything exposed and some hooks."""

    def run(*actions, hooks, approver=None):
        executor = Executor(phone, EffectGuard(approver or AllowAll()), NoUser(), hooks=hooks)
        return executor.apply(Decision(actions=actions), executor.offered(), "run", Deadline.never())

    return run


def command(code, event="before", seconds=20.0):
    """A hook that is a line of Python."""
    return CommandHook([sys.executable, "-c", code], event, seconds)


def before(hook, tool_call):
    return hook.before(tool_call("control_lamp", action="on"), None, "run", Deadline.never())


def test_hooks_see_a_call_before_and_after_it(apply, tool_call, phone):
    hook = Watching()
    seen, remark = apply(tool_call("control_lamp", action="on", room="kitchen"), hooks=[hook])
    assert hook.seen == [("before", "control_lamp", "control_lamp", "run"), ("after", "control_lamp", True, "run")]
    assert (seen.ok, remark.call_id, remark.data) == (True, "", {"remark": "control_lamp"})


def test_what_hooks_say_stands_after_all_results(apply, tool_call):
    first, second = tool_call("control_lamp", action="on"), tool_call("control_lamp", action="off")
    seen = apply(first, second.model_copy(update={"id": "b"}), hooks=[Watching()])
    assert [one.call_id for one in seen] == [first.id, "b", "", ""]


def test_a_hook_stops_a_call(apply, tool_call, phone):
    hook = Watching(refused="control_lamp")
    (seen,) = apply(tool_call("control_lamp", action="on", room="kitchen"), hooks=[hook])
    assert (seen.failure.code, seen.failure.message) == (ErrorCode.CONFLICT, "not now")
    assert phone.keys == []
    assert [event for event, *_ in hook.seen] == ["before"]


def test_hooks_see_nothing_that_schema_or_guard_refused(apply, tool_call):
    hook = Watching()
    apply(tool_call("control_lamp", action="onn"), hooks=[hook])
    apply(tool_call("pay_bill", bill="rent", count=1), hooks=[hook], approver=DenyAll())
    assert hook.seen == []


def test_a_program_agrees_by_its_exit_code(tool_call):
    assert before(command(ECHO + "sys.exit(0)"), tool_call) is None
    why = before(command(ECHO + "print('no', told['call']['name']); print('more'); sys.exit(2)"), tool_call)
    assert (why.code, why.message) == (
        ErrorCode.REFUSED_BY_GUARD,
        f"the hook `{sys.executable}` refused `control_lamp`: no control_lamp",
    )


@pytest.mark.parametrize(
    ("code", "message"),
    [("raise SystemExit(3)", "failed: it gave no reason"), ("import time; time.sleep(60)", "longer than 0.5 s")],
)
def test_a_program_that_fails_has_not_agreed(tool_call, code, message):
    why = before(command(code, seconds=0.5 if "sleep" in code else 20.0), tool_call)
    assert why.code is ErrorCode.REFUSED_BY_GUARD
    assert message in why.message


def test_a_program_does_not_outlive_a_cancelled_run(tool_call):
    deadline = Deadline.never()
    deadline.cancel.cancel()
    why = command("import time; time.sleep(60)").before(tool_call("control_lamp", action="on"), None, "run", deadline)
    assert why.message == f"the hook `{sys.executable}` failed: the run was cancelled"


def test_a_program_that_is_not_there_has_not_agreed(tool_call):
    why = before(CommandHook(["/no/such/program"], "before"), tool_call)
    assert why.message == "the hook `/no/such/program` failed: No such file or directory"


def test_what_a_program_prints_afterwards_is_an_observation(tool_call):
    hook = command(ECHO + "print(json.dumps([told['event'], told['call'], told['result']]))", "after")
    call = tool_call("control_lamp", action="on")
    assert hook.before(call, None, "run", Deadline.never()) is None
    (said,) = hook.after(call, Observation(call_id="s0", data={"lamp": "on"}), "run", Deadline.never())
    assert json.loads(said.data["hook"]) == [
        "after", {"name": "control_lamp", "arguments": {"action": "on"}}, {"lamp": "on"},
    ]  # fmt: skip
    quiet = command("pass", "after")
    assert quiet.after(call, Observation(call_id="s0"), "run", Deadline.never()) == ()


def test_a_program_may_print_much_and_is_cut(tool_call):
    (said,) = command("print('x' * 100_000)", "after").after(
        tool_call("control_lamp", action="on"), Observation(call_id="s0"), "run", Deadline.never()
    )
    assert len(said.data["hook"]) == 4096
