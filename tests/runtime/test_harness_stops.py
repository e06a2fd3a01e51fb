"""The loop ends only through named stops."""

import pytest

from runtime.contract import (
    Ask,
    Budget,
    CancelToken,
    Deadline,
    Finish,
    InfrastructureError,
    ParseError,
    Refuse,
    SetupError,
    Stop,
    TaskView,
    UserError,
    WorldSpec,
)
from runtime.harness import run_episode
from runtime.users import ScriptedUser

TASK = TaskView(request="light in the kitchen")


def test_finish_ends_it_and_the_phone_has_changed(rooms_of, script, tool_call, phone):
    episode = run_episode(TASK, rooms_of(script(tool_call("control_lamp", action="on"), Finish(answer="it is on"))))
    assert (episode.stop, episode.stop_detail, len(episode.steps)) == (Stop.FINISHED, "it is on", 2)
    assert phone.lamps == {"kitchen": "on"}
    assert episode.confirmation.confirmed


def test_refuse_ends_it(rooms_of, script):
    episode = run_episode(TASK, rooms_of(script(Refuse(reason="no such lamp"))))
    assert (episode.stop, episode.stop_detail) == (Stop.REFUSED, "no such lamp")
    assert not episode.confirmation.confirmed


def test_a_question_that_nobody_answers_ends_it(rooms_of, script):
    episode = run_episode(TASK, rooms_of(script(Ask(question="which room?"))))
    assert (episode.stop, episode.stop_detail) == (Stop.ASKED, "which room?")


def test_an_answer_lets_it_go_on(rooms_of, script, tool_call):
    planner = script(Ask(question="on or off?"), tool_call("control_lamp", action="on"), Finish(answer="ok"))
    episode = run_episode(TASK, rooms_of(planner, user=ScriptedUser(["on please"])))
    assert episode.stop is Stop.FINISHED
    assert planner.saw[1].endswith("<|im_start|>user\non please<|im_end|>\n<|im_start|>assistant\n")
    assert planner.messages[1][-1] == {"role": "user", "content": "on please"}


def test_the_budget_of_steps(rooms_of, script, tool_call, phone):
    planner = script(*[tool_call("control_lamp", action=("on", "off")[i % 2]) for i in range(3)])
    episode = run_episode(TASK.model_copy(update={"budget": Budget(steps=3)}), rooms_of(planner))
    assert (episode.stop, len(episode.steps)) == (Stop.BUDGET, 3)
    assert episode.stop_detail == "3 steps; the limit is 3 (`budget.steps`)"


def test_the_budget_of_output_tokens(rooms_of, script, tool_call):
    planner = script(tool_call("control_lamp", action="on"), spends=700)
    episode = run_episode(TASK.model_copy(update={"budget": Budget(output_tokens=1000)}), rooms_of(planner))
    assert (episode.stop, len(episode.steps)) == (Stop.BUDGET, 2)
    assert episode.stop_detail == "1400 output tokens; the limit is 1000 (`budget.output_tokens`)"


def test_the_budget_of_seconds(rooms_of, script):
    episode = run_episode(TASK.model_copy(update={"budget": Budget(seconds=0)}), rooms_of(script(Finish())))
    assert (episode.stop, episode.steps) == (Stop.BUDGET, ())
    assert "budget.seconds" in episode.stop_detail


def test_the_window(rooms_of, script, tool_call, phone):
    phone.long = 5000
    planner = script(tool_call("read_notes"), window=600)
    episode = run_episode(TASK, rooms_of(planner))
    assert episode.stop is Stop.BUDGET
    assert "planner.context_tokens" in episode.stop_detail


def test_stuck_is_never_called_finished(rooms_of, script, tool_call):
    episode = run_episode(TASK, rooms_of(script(tool_call("control_lamp", action="on", room="cellar"))))
    assert (episode.stop, episode.stop_detail) == (Stop.STUCK, "the same action failed 3 times running")


def test_malformed_actions_are_seen_and_end_as_stuck(rooms_of, script):
    planner = script(*[ParseError(message=f"bad {i}", raw=f"bad {i}") for i in range(3)])
    episode = run_episode(TASK, rooms_of(planner))
    assert (episode.stop, episode.stop_detail) == (Stop.STUCK, "3 malformed actions running")
    assert '{"error": "malformed_call", "status": 400, "message": "bad 0"}' in planner.saw[1]


def test_cancelled_before_the_next_step(rooms_of, script, tool_call, phone):
    cancel = CancelToken()
    cancel.cancel()
    planner = script(tool_call("control_lamp", action="on"))
    episode = run_episode(TASK, rooms_of(planner), Deadline(None, cancel))
    assert (episode.stop, episode.steps, phone.lamps) == (Stop.CANCELLED, (), {"kitchen": "off"})


def test_what_a_cancel_cuts_off_is_no_step_and_no_failure(rooms_of, script):
    for broken in (ParseError(message="the action was cancelled", raw="<tool", truncated=True), InfrastructureError()):
        cancel = CancelToken()
        planner = script(broken)
        decide = planner.decide
        planner.decide = lambda *given, c=cancel, d=decide: (c.cancel(), d(*given))[1]
        episode = run_episode(TASK, rooms_of(planner), Deadline(None, cancel))
        assert (episode.stop, episode.steps) == (Stop.CANCELLED, ())
        assert episode.confirmation.reasons == ("it ended as `cancelled`: the run was cancelled",)


def test_a_phone_or_model_that_is_gone_is_infrastructure(rooms_of, script, tool_call, phone):
    phone.broken = True
    episode = run_episode(TASK, rooms_of(script(tool_call("control_lamp", action="on"))))
    assert (episode.stop, episode.stop_detail) == (Stop.INFRASTRUCTURE, "the phone is gone")
    phone.broken = False
    episode = run_episode(TASK, rooms_of(script(InfrastructureError("no model"))))
    assert (episode.stop, episode.stop_detail) == (Stop.INFRASTRUCTURE, "no model")


def test_a_broken_installation_raises(rooms_of, script):
    with pytest.raises(SetupError, match="reinstall"):
        run_episode(TASK, rooms_of(script(SetupError("the model is damaged; reinstall"))))


@pytest.mark.parametrize("request_text", ["", "   ", "\n\t"])
def test_an_empty_request_is_wrong_use(rooms_of, script, request_text):
    with pytest.raises(UserError, match="the request is empty"):
        run_episode(TaskView(request=request_text), rooms_of(script(Finish())))


def test_a_long_request_is_wrong_use(rooms_of, script):
    with pytest.raises(UserError, match=r"100,000 characters; the limit is 8,000 \(`budget.request_chars`\)"):
        run_episode(TaskView(request="x" * 100_000), rooms_of(script(Finish())))


def test_ids_of_calls_are_ours_and_keys_are_never_reused(rooms_of, script, tool_call, phone):
    both = (tool_call("control_lamp", action="on"), tool_call("read_notes"))
    episode = run_episode(TASK, rooms_of(script(both, tool_call("control_lamp", action="off"), Finish())))
    assert [seen.call_id for step in episode.steps for seen in step.observations] == ["s0a", "s0b", "s1a"]
    assert phone.keys == [f"{episode.id}:s0a", f"{episode.id}:s0b", f"{episode.id}:s1a"]


def test_a_replay_is_equal_to_the_letter(rooms_of, script, tool_call, phone):
    def once():
        phone.reset(WorldSpec())
        return run_episode(TASK, rooms_of(script(tool_call("control_lamp", action="on"), Finish(answer="done"))))

    assert once().canonical() == once().canonical()
