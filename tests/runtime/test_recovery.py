"""After a failure: one correction that something supports, then another tool or a question. Off by default."""

import pytest

from runtime.config import load_settings
from runtime.contract import Ask, Deadline, Decision, ErrorCode, Failure, Observation, ToolCall, ToolSpec
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.recovery import Recovery
from runtime.users import NoUser, ScriptedUser
from runtime.wiring import open_hooks

HALL = {"action": "on", "room": "hall"}  # there is no such lamp


@pytest.fixture
def play(phone, tool_call):
    """Apply calls one after another under the recovery; what came of each, and what was said beside it."""
    executor = Executor(phone, EffectGuard(AllowAll()), NoUser(), hooks=(Recovery(),))
    offered = executor.offered()

    def run(name, episode="run", **arguments):
        decision = Decision(actions=(tool_call(name, **arguments),))
        seen, *said = executor.apply(decision, offered, episode, Deadline.never())
        return seen, " ".join(one.data["recovery"] for one in said)

    return run


def test_one_correction_then_another_tool_or_a_question(play, phone):
    seen, said = play("control_lamp", **HALL)
    assert (seen.failure.code, said) == (
        "not_found",
        "one correction of `control_lamp` is left, of what the failure names; then another tool, or a question.",
    )
    seen, said = play("control_lamp", action="on", room="cellar")  # corrected, and wrong again
    assert (seen.failure.code, said) == (
        "not_found", "`control_lamp` is not tried again. Use another tool, or ask the user.",
    )  # fmt: skip
    ran = len(phone.keys)
    seen, said = play("control_lamp", action="on", room="kitchen")
    assert (seen.failure.code, seen.call, said, len(phone.keys)) == ("conflict", None, "", ran)
    assert "`control_lamp` has failed 2 times" in seen.failure.message
    assert phone.lamps == {"kitchen": "off"}


def test_a_correction_that_nothing_supports_does_not_run(play, phone):
    play("control_lamp", **HALL)
    ran = len(phone.keys)
    seen, _ = play("control_lamp", **HALL)
    assert (seen.failure.code, len(phone.keys)) == ("conflict", ran)
    assert "has just failed with `not_found`, and nothing has changed since" in seen.failure.message
    play("read_notes", query="")  # something was read since
    seen, _ = play("control_lamp", **HALL)
    assert seen.failure.code == "not_found"


def test_a_success_ends_the_matter(play):
    play("control_lamp", **HALL)
    seen, said = play("control_lamp", action="on", room="kitchen")
    assert (seen.ok, said) == (True, "")
    assert play("control_lamp", **HALL)[1].startswith("one correction")


def test_an_answer_of_the_user_begins_anew(phone, tool_call):
    executor = Executor(phone, EffectGuard(AllowAll()), ScriptedUser(["the kitchen"]), hooks=(Recovery(),))
    offered = executor.offered()
    actions = [tool_call("control_lamp", **HALL), tool_call("control_lamp", action="on", room="cellar"),
               Ask(question="Which room?"), tool_call("control_lamp", action="on", room="kitchen")]  # fmt: skip
    for action in actions:
        seen, *_ = executor.apply(Decision(actions=(action,)), offered, "run", Deadline.never())
    assert (seen.ok, phone.lamps) == (True, {"kitchen": "on"})


def test_what_may_pass_may_be_called_as_it_was(play, phone):
    real, phone._control_lamp = phone._control_lamp, lambda **_: (
        Failure(code=ErrorCode.TIMEOUT, message="no answer"), None,
    )  # fmt: skip
    seen, said = play("control_lamp", action="on")
    assert said == "`control_lamp` may be called once more as it was; then another tool, or a question."
    phone._control_lamp = real
    seen, _ = play("control_lamp", action="on")
    assert seen.ok


def test_what_would_be_valid_is_said_again(phone):
    hook = Recovery(corrections=0)
    spec = ToolSpec(name="zip_up", domain="Input & Interaction", description="Zip.", parameters={"type": "object"})
    call = ToolCall(id="a", name="zip_up", arguments={"to": 4})
    failure = Failure(code=ErrorCode.BAD_ARGUMENT, message="no", details={"valid": ["1", "2"], "secret": "x"})
    hook.after(call, Observation(call_id="a", failure=failure), "run", Deadline.never())
    refused = hook.before(call, spec, "run", Deadline.never())
    assert 'It said: {"valid":["1","2"]}.' in refused.message
    assert hook.before(call, spec, "another run", Deadline.never()) is None


def test_barren_results_are_noticed_across_names(play, phone):
    phone.notes = {}
    phone._read_notes = lambda query="": ({"notes": []}, None)
    assert play("read_notes", query="a")[1] == ""
    play("control_lamp", **HALL)
    _, said = play("read_notes", query="b")
    assert said == (
        "3 results running were failures or empty (`read_notes`, `control_lamp`). Take another way, or ask the user."
    )


def test_it_is_off_by_default(home):
    assert [type(hook) for hook in open_hooks(load_settings())] == []
    assert [type(hook) for hook in open_hooks(load_settings({"recovery": {"use": True}}))] == [Recovery]
