"""What is asked about before it runs."""

import io

import pytest
from rich.console import Console

from runtime.contract import Approver, Deadline, Effect
from runtime.guard import AgreeBeforehand, AllowAll, DenyAll, EffectGuard, InteractiveApprover, facts_of


class Recorder(Approver):
    """Remembers the questions and says yes."""

    def __init__(self):
        self.questions = []

    def approve(self, question, deadline):
        self.questions.append(question)
        return True


@pytest.mark.parametrize("effect", [Effect.PAY, Effect.DELETE, Effect.INSTALL, Effect.GRANT, Effect.POWER])
def test_what_can_not_be_taken_back_is_asked_about(make_spec, tool_call, effect):
    recorder = Recorder()
    spec = make_spec("act", {}, effects=frozenset({effect}))
    assert EffectGuard(recorder).check(tool_call("act"), spec, Deadline.never()) is None
    assert [question.effects for question in recorder.questions] == [(effect.value,)]


@pytest.mark.parametrize("effect", [Effect.READ, Effect.WRITE, Effect.SEND])
def test_the_rest_is_not(make_spec, tool_call, effect):
    spec = make_spec("act", {}, effects=frozenset({effect}))
    assert EffectGuard(DenyAll()).check(tool_call("act"), spec, Deadline.never()) is None


def test_the_action_decides_where_the_tool_tells_them_apart(make_spec, tool_call):
    actions = {"query": frozenset({Effect.READ}), "delete": frozenset({Effect.DELETE})}
    spec = make_spec("notes", {"action": {}}, effects=frozenset({Effect.READ, Effect.DELETE}), action_effects=actions)
    guard = EffectGuard(DenyAll())
    assert guard.check(tool_call("notes", action="query"), spec, Deadline.never()) is None
    assert guard.check(tool_call("notes", action="delete"), spec, Deadline.never()) is not None


def test_the_facts_are_one_sentence_with_the_values(phone, tool_call):
    recorder = Recorder()
    EffectGuard(recorder).check(tool_call("pay_bill", bill="rent", count=2), phone.specs[2], Deadline.never())
    assert recorder.questions[0].facts == "`pay_bill` would pay (bill = 'rent', count = 2)."


def test_the_facts_of_a_strangers_tool_say_what_is_known_of_it(tool_call):
    called = tool_call("mcp__files__look", path="x")
    server = "`mcp__files__look` would be called on the MCP server `files`, where it"
    assert facts_of(called, [Effect.DELETE]) == f"{server} may change, send and delete (path = 'x')."
    assert facts_of(called, [Effect.READ]) == f"{server} only reads (path = 'x')."


def test_the_list_of_effects_is_configurable(phone, tool_call):
    guard = EffectGuard(DenyAll(), asked=[Effect.WRITE, Effect.PAY])
    assert guard.check(tool_call("delete_note", title="milk"), phone.specs[1], Deadline.never()) is None
    assert guard.check(tool_call("pay_bill"), phone.specs[2], Deadline.never()) is not None


def test_without_a_terminal_nobody_agrees(phone, tool_call):
    shown = io.StringIO()
    asks = InteractiveApprover(Console(file=shown, width=200))
    for approver in (asks, AgreeBeforehand(asks)):
        refusal = EffectGuard(approver).check(tool_call("pay_bill"), phone.specs[2], Deadline.never())
        assert refusal.startswith("nobody could be asked about this: `pay_bill` would pay.")
    assert shown.getvalue().splitlines()[:2] == [
        "`pay_bill` would pay.",
        "no terminal to ask at, so the answer is no; to agree beforehand: pocket approvals add allow --tool pay_bill "
        "--effect pay",
    ]


@pytest.mark.parametrize(
    ("typed", "agreed"), [("y", True), (" YES ", True), ("", False), ("n", False), ("sure", False)]
)
def test_only_a_clear_yes_is_a_yes(phone, tool_call, monkeypatch, typed, agreed):
    monkeypatch.setattr("sys.stdin", FakeTerminal(typed + "\n"))
    approver = InteractiveApprover(Console(file=io.StringIO()))
    refusal = EffectGuard(approver).check(tool_call("pay_bill"), phone.specs[2], Deadline.never())
    assert (refusal is None) is agreed
    assert agreed or refusal.startswith("the user did not agree to this: ")


class FakeTerminal(io.StringIO):
    """Typed lines."""

    def isatty(self):
        return True


def test_allow_all_and_deny_all(phone, tool_call):
    assert EffectGuard(AllowAll()).check(tool_call("pay_bill"), phone.specs[2], Deadline.never()) is None
    assert EffectGuard(DenyAll()).check(tool_call("pay_bill"), phone.specs[2], Deadline.never()) is not None


@pytest.mark.parametrize("wrap", [lambda one: one, AgreeBeforehand])
@pytest.mark.parametrize(("nobody", "said"), [(True, "nobody could be asked"), (False, "the user did not agree")])
def test_a_no_says_whether_anybody_was_asked(phone, tool_call, wrap, nobody, said):
    class Silent(Approver):
        unasked = nobody

        def approve(self, question, deadline):
            return False

    refusal = EffectGuard(wrap(Silent())).check(tool_call("pay_bill"), phone.specs[2], Deadline.never())
    assert said in refusal


def test_a_question_that_was_broken_off_is_no_refusal_of_the_user(phone, tool_call):
    class BrokenOff(Approver):
        def approve(self, question, deadline):
            deadline.cancel.cancel()
            return False

    refusal = EffectGuard(BrokenOff()).check(tool_call("pay_bill"), phone.specs[2], Deadline.never())
    assert refusal.startswith("it was broken off before anybody agreed to this: `pay_bill` would pay.")
