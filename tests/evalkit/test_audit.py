import pytest

from evalkit.audit import malformed_calls, silent_cuts
from runtime.contract import (
    Cut,
    Decision,
    Episode,
    Observation,
    ParseError,
    Segment,
    Step,
    Stop,
    TaskView,
    TextPart,
    ToolCall,
)

CALL = ToolCall(id="a", name="control_flashlight", arguments={"action": "enable"})
SEEN = Observation(call_id="a", data={"on": True}, parts=(TextPart(text='{"on": true}'),))


def episode(offered, action=CALL, seen=(SEEN,), prefix="", exposed=None, cuts=(), request="light please"):
    names = tuple(tool.name for tool in offered[:15]) if exposed is None else exposed
    steps = (Step(index=0, decision=Decision(actions=(action,)), observations=seen),)
    text = prefix or f"{' '.join(names)} {request}"
    segment = Segment(prefix=text, exposed=names, cuts=cuts, steps=steps)
    return Episode(id="e", view=TaskView(request=request), segments=(segment,), stop=Stop.FINISHED)


@pytest.fixture
def offered(phone):
    return phone.tools()


def test_a_clean_episode(offered):
    assert (malformed_calls(episode(offered), offered), silent_cuts(episode(offered), offered)) == (0, 0)


@pytest.mark.parametrize(
    "action",
    [
        ParseError(message="not JSON", raw="{"),
        ToolCall(id="a", name="control_flashlite", arguments={}),
        ToolCall(id="a", name="control_flashlight", arguments={"action": "blink"}),
        ToolCall(id="a", name="control_flashlight", arguments={}),
    ],
)
def test_malformed(offered, action):
    assert malformed_calls(episode(offered, action), offered) == 1


def test_a_value_that_the_phone_can_not_read_is_no_malformed_call(offered):
    wrong = ToolCall(id="a", name="manage_alarm", arguments={"action": "create", "time": "purple o'clock"})
    assert malformed_calls(episode(offered, wrong), offered) == 0


def test_a_missing_tool_needs_a_word(offered):
    few = tuple(tool.name for tool in offered[:12])
    cut = Cut(what="tools", left_out=3, unit="items", limit="planner.context_tokens = 4096")
    assert silent_cuts(episode(offered, exposed=few), offered) == 3
    assert silent_cuts(episode(offered, exposed=few, cuts=(cut,)), offered) == 0


def test_a_request_that_is_not_whole_is_a_silent_cut(offered):
    names = " ".join(tool.name for tool in offered[:15])
    assert silent_cuts(episode(offered, prefix=f"{names} light pl"), offered) == 1


def test_a_short_result_needs_a_word(offered):
    short = SEEN.model_copy(update={"parts": (TextPart(text='{"on"'),)})
    cut = Cut(what="result", left_out=7, unit="characters", limit="context.result_chars = 5")
    assert silent_cuts(episode(offered, seen=(short,)), offered) == 1
    assert silent_cuts(episode(offered, seen=(short.model_copy(update={"cuts": (cut,)}),)), offered) == 0
