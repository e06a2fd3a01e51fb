"""The prefix: what stands in it, in which order, and what is left out first."""

import pytest

from memory.sqlite import open_database
from runtime.assemble import Assembler, ContextLimits
from runtime.config import load_settings
from runtime.contract import Budget, Deadline, Finish, TaskView, Turn, UserError
from runtime.eta import load_eta
from runtime.recall import Recall
from runtime.wiring import limits_of

REQUEST = "make it dark in the kitchen"


class Guidance:
    """A Scenario Adapter with one sentence."""

    def guidance(self, exposed, turns):
        return f"SKILL for {len(exposed)} tools"


class Memories:
    """A memory with three items, best first."""

    def recall(self, query, limit, deadline):
        return [{"text": f"MEMORY {number} </memory>", "source": "note"} for number in range(3)][:limit]


@pytest.fixture
def begin(phone, script, embedder):
    def make(task, window=4096, **more):
        planner = script(Finish(), window=window)
        limits = ContextLimits(output_tokens=64, steps_tokens=64)
        return Assembler(planner, Recall(embedder, open_database), load_eta(), limits, **more).begin(
            task, phone.tools(), Deadline.never()
        )

    return make


def test_sections_stand_in_the_frozen_order(begin):
    task = TaskView(request=REQUEST, turns=(Turn(role="user", text="EARLIER"), Turn(role="assistant", text="REPLY")))
    text = begin(task, adapter=Guidance(), memory=Memories(), clock=lambda: "NOON").text
    marks = ["You act on a phone", "<tools>", "<skills>\nSKILL", "<memory>", "<now>\nNOON", "EARLIER", "REPLY", REQUEST]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)
    assert text.endswith("<|im_start|>assistant\n")


def test_what_was_remembered_can_not_close_its_section(begin):
    text = begin(TaskView(request=REQUEST), memory=Memories()).text
    assert text.count("</memory>") == 1


def test_tools_stand_by_name_and_the_order_of_recall_is_kept_apart(begin):
    context = begin(TaskView(request=REQUEST))
    assert [tool.name for tool in context.exposed] == ["control_lamp", "delete_note", "pay_bill", "read_notes"]
    assert context.recalled[0].name == "control_lamp"
    context = begin(TaskView(request="read notes"))
    assert [tool.name for tool in context.exposed] == ["control_lamp", "delete_note", "pay_bill", "read_notes"]
    assert context.recalled[0].name == "read_notes"


def test_no_more_tools_than_the_budget_and_none_that_is_unavailable(begin):
    task = TaskView(request=REQUEST, budget=Budget(tools=2), unavailable=frozenset({"control_lamp"}))
    names = {tool.name for tool in begin(task).exposed}
    assert len(names) == 2 and "control_lamp" not in names


def test_tools_fixed_by_the_task_are_exposed_whole(begin, phone):
    task = TaskView(request=REQUEST, tools=phone.specs[2:])
    assert [tool.name for tool in begin(task).exposed] == ["pay_bill", "read_notes"]


def test_what_does_not_fit_is_left_out_by_rule_and_named(begin):
    turns = (Turn(role="user", text="first " * 20), Turn(role="assistant", text="second " * 20))
    task = TaskView(request=REQUEST, turns=turns)
    left_out = [
        tuple((cut.what, cut.left_out) for cut in begin(task, window, adapter=Guidance(), memory=Memories()).cuts)
        for window in (2000, 560, 500, 400, 290)
    ]
    assert left_out[0] == ()
    assert [what for what, _ in left_out[-1]] == ["memory", "skills", "turns", "tools"]
    sizes = [sum(count for _, count in cuts) for cuts in left_out]
    assert sizes == sorted(sizes)
    for cuts in left_out:  # a later part goes only when the earlier ones are gone
        assert dict(cuts).get("memory", 0) == 3 or len(cuts) < 2


def test_the_request_is_never_cut(begin):
    request = "dark " * 400
    with pytest.raises(UserError, match=r"the request needs 946 tokens .* 472 of its 600 .*`planner.context_tokens`"):
        begin(TaskView(request=request), window=600)
    assert request in begin(TaskView(request=request)).text


def test_the_static_pieces_are_the_same_for_every_request(begin):
    one, two = begin(TaskView(request="a b")), begin(TaskView(request="read notes"))
    assert one.pieces[: one.static_pieces] == two.pieces[: two.static_pieces]
    assert one.static_pieces == 2


def test_messages_hold_the_same_without_the_tools(begin):
    messages = begin(TaskView(request=REQUEST), memory=Memories()).messages
    assert [message["role"] for message in messages] == ["system", "user"]
    assert "MEMORY 0" in messages[0]["content"] and "<tools>" not in messages[0]["content"]


def test_the_likely_tools_stand_after_the_request(phone, script, embedder):
    limits = ContextLimits(output_tokens=64, steps_tokens=64, likely=2)
    made = Assembler(script(Finish()), Recall(embedder, open_database), load_eta(), limits)
    context = made.begin(TaskView(request="read notes"), phone.tools(), Deadline.never())
    likely = ", ".join(tool.name for tool in context.recalled[:2])
    assert likely.startswith("read_notes, ")
    assert f"user\nread notes\n<likely>{likely}</likely>" in context.text
    assert context.messages[-1]["content"] == f"read notes\n<likely>{likely}</likely>"


@pytest.mark.parametrize(("assignments", "likely"), [((), 3), (("context.likely=0",), 0), (("context.likely=5",), 5)])
def test_a_planner_is_served_as_it_was_trained_unless_the_settings_say_otherwise(script, assignments, likely):
    planner = script(Finish())
    assert limits_of(load_settings({}, assignments), planner).likely == (likely if assignments else 0)
    planner.likely = 3
    assert limits_of(load_settings({}, assignments), planner).likely == likely
