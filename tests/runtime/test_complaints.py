"""What users of other harnesses complain of, one test a complaint: none of it can happen here.

Further ones stand with their features: `test_sections.py` (a context cut in silence), `test_dialogue.py` (compaction
that cuts arguments), `test_approvals.py` (approval fatigue), `test_cli_chat.py` (hidden cost), `test_resume.py` (a
crash, gone on from, that repeats effects), `subagents/test_crew.py` (a sub-agent that describes its deliverable).
"""

import pytest

from runtime.contract import Budget, Decision, Finish, ParseError, Stop, TaskView, ToolCall
from runtime.dialect import parse_decision
from runtime.harness import run_episode

TASK = TaskView(request="light in the kitchen")
HUGE = '<tool_call>{"name": "control_lamp", "arguments": {"action": "' + "on " * 40_000


def written(text):
    """What a planner that wrote `text` decided."""
    thought, actions = parse_decision(text, "x")
    return Decision(actions=actions, raw=text, thought=thought)


@pytest.fixture
def writing(script):
    """A planner that writes texts, well-formed or not."""

    class Writer(script):
        def decide(self, context, deadline):
            self.saw.append(context.text)
            chosen = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
            return written(chosen)

    return Writer


def call(name, arguments):
    return f'<tool_call>{{"name": "{name}", "arguments": {arguments}}}</tool_call>'


ON = call("control_lamp", '{"action": "on"}')
END = call("finish", '{"answer": "It is on."}')


@pytest.mark.parametrize("arguments", ["", "{", "{'action': 'on'}", "null", "[]", '"on"', "{action: on}"])
def test_bad_json_arguments_became_an_empty_object_and_the_tool_ran(rooms_of, writing, phone, arguments):
    """The tool here needs no argument, so an empty object would have run."""
    episode = run_episode(TASK, rooms_of(writing(call("pay_bill", arguments), END)))
    assert phone.keys == [] and isinstance(episode.steps[0].decision.actions[0], ParseError)
    assert episode.steps[0].observations[0].failure.status == 400


def test_one_malformed_call_threw_the_run_away(rooms_of, writing, phone):
    episode = run_episode(TASK, rooms_of(writing("no call at all", ON, END)))
    assert (episode.stop, phone.lamps) == (Stop.FINISHED, {"kitchen": "on"})
    assert episode.confirmation.confirmed


def test_half_of_a_decision_ran_when_the_other_half_was_malformed(rooms_of, writing, phone):
    run_episode(TASK, rooms_of(writing(ON + '<tool_call>{"name": 3}</tool_call>', END)))
    assert phone.lamps == {"kitchen": "off"}


def test_a_huge_bad_payload_was_echoed_back_and_inflated_the_retry(rooms_of, writing):
    planner = writing(HUGE, END)
    episode = run_episode(TASK, rooms_of(planner))
    before, after = planner.saw
    assert len(HUGE) > 100_000 and len(after) - len(before) < 1500
    assert "characters left out" in after[len(before) :]
    assert episode.stop is Stop.FINISHED


def test_a_hallucinated_tool_killed_the_run(rooms_of, writing, phone):
    planner = writing(call("control_lampe", '{"action": "on"}'), ON, END)
    episode = run_episode(TASK, rooms_of(planner))
    assert episode.stop is Stop.FINISHED
    assert (
        episode.steps[0]
        .observations[0]
        .failure.message.startswith("there is no tool `control_lampe`; did you mean `control_lamp`?")
    )


def test_attempts_at_tools_that_are_none_were_invisible_to_the_loop_guard(rooms_of, writing):
    names = ("open_lamp", "lamp_open", "light", "lights", "turn_on", "switch", "bulb")
    episode = run_episode(TASK, rooms_of(writing(*(call(name, "{}") for name in names))))
    assert (episode.stop, episode.stop_detail) == (Stop.STUCK, "5 steps running gave only errors or empty results")


def test_identical_calls_looped_to_the_cap(rooms_of, writing):
    task = TASK.model_copy(update={"budget": Budget(steps=50)})
    episode = run_episode(task, rooms_of(writing(call("control_lamp", '{"action": "query"}'))))
    assert (episode.stop, len(episode.steps)) == (Stop.STUCK, 4)


def test_a_broken_loop_was_reported_as_a_task_completed(rooms_of, writing):
    episode = run_episode(TASK, rooms_of(writing(ON)))
    assert episode.stop is Stop.STUCK and not episode.confirmation.confirmed
    assert episode.confirmation.reasons[0].startswith("it ended as `stuck`")


def test_a_run_had_no_cap_on_what_it_costs(rooms_of, script):
    task = TASK.model_copy(update={"budget": Budget(output_tokens=25)})
    planner = script(*(ToolCall(id="x", name="read_notes", arguments={"query": str(n)}) for n in range(9)), spends=10)
    episode = run_episode(task, rooms_of(planner))
    assert (episode.stop, len(episode.steps)) == (Stop.BUDGET, 3)
    assert episode.stop_detail == "30 output tokens; the limit is 25 (`budget.output_tokens`)"


def test_words_alone_were_success(rooms_of, script):
    episode = run_episode(TASK, rooms_of(script(Finish(answer="I turned the light on."))))
    assert not episode.confirmation.confirmed
    assert episode.confirmation.reasons == ("no call succeeded, so nothing was done and no answer was read",)
