"""The screen as one tool: an element by its words."""

import pytest

from evalkit.android.screen_tool import ScreenTool, named
from runtime.contract import Deadline, Element, ErrorCode, Observation, TextPart, ToolCall, ToolFailure

SCREEN = (
    Element(id="a1", role="button", label="Display & touch, Dark theme, font size", actions=("tap",)),
    Element(id="a2", role="switch", label="Dark theme (off)", actions=("tap",)),
    Element(id="a3", role="field", label="Minute: 05 (focused)", actions=("tap", "type")),
    Element(id="a4", role="list", label="", actions=("scroll",)),
    Element(id="a5", role="button", label="Open", actions=("tap",)),
    Element(id="a6", role="button", label="Open", actions=("tap",)),
    Element(id="a7", role="text", label="Delete contact?, Chloe will be deleted"),
)


class Fake:
    """A screen that notes what is done."""

    def __init__(self):
        self.done = []

    def observe(self, deadline):
        return SCREEN

    def act(self, element, action, text, deadline):
        self.done.append((element, action, text))
        return Observation(call_id="", parts=(TextPart(text="after"),))


@pytest.mark.parametrize(
    ("words", "action", "found"),
    [
        ("dark theme", "tap", "a2"),
        ("Display & touch", "tap", "a1"),
        ("Minute", "type", "a3"),
        ("list", "scroll", "a4"),
        ("Delete contact?", "tap", "a7"),
    ],
)
def test_an_element_is_named_by_its_words_without_state_value_and_summary(words, action, found):
    assert named(words, action, SCREEN).id == found


def test_two_that_are_called_the_same_and_one_that_is_not_there_are_refused():
    with pytest.raises(ToolFailure) as twice:
        named("Open", "tap", SCREEN)
    assert (twice.value.code, "2 elements" in twice.value.message) == (ErrorCode.CONFLICT, True)
    with pytest.raises(ToolFailure) as gone:
        named("Bluetooth", "tap", SCREEN)
    assert gone.value.code is ErrorCode.NOT_FOUND
    assert "`Dark theme`" in gone.value.message


def act(tool, **arguments):
    return tool.execute(ToolCall(id="c1", name="use_screen", arguments=arguments), Deadline(5))


def test_a_call_acts_on_the_screen_and_a_failure_is_an_observation():
    screen = Fake()
    tool = ScreenTool(screen)
    looked = act(tool, action="look")
    assert looked.data["screen"][1] == "a2 switch Dark theme (off)"
    assert act(tool, action="tap", element="a5").data == {"screen": ["after"]}
    assert act(tool, action="open", text="Clock").ok
    assert act(tool, action="type", element="Minute", text="30").ok
    assert act(tool, action="back").call.landed == "yes"
    refused = act(tool, action="tap", element="a99")
    assert (refused.ok, refused.call.landed, refused.call_id) == (False, "no", "c1")
    assert screen.done == [("a5", "tap", ""), ("", "open", "Clock"), ("a3", "type", "30"), ("", "back", "")]


def test_an_id_that_an_action_has_shown_names_its_element():
    screen = Fake()
    tool = ScreenTool(screen)
    screen.act = lambda *given: Observation(call_id="", parts=(TextPart(text=f"ab7 button {given[0]}\nz"),))
    assert act(tool, action="back").data == {"screen": ["ab7 button ", "z"]}
    assert act(tool, action="tap", element="ab7").data["screen"][0] == "ab7 button ab7"
    assert act(tool, action="tap", element="a1").failure.code is ErrorCode.NOT_FOUND
