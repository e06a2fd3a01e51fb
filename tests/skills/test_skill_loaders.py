"""Loading a Skill by a tool: what comes back, and what does not."""

import pytest

from runtime.contract import CancelToken, Deadline, Effect, ErrorCode, ToolCall
from skills.loaders import SkillLoaders
from skills.skill import Skill

CALM = Skill(
    name="calm-evenings",
    description="Dim the lights. Use it when the day ends.",
    tools=("control_light", "manage_dnd", "manage_moon"),
    phrases=("wind down",),
    instructions="Dim first.",
)


@pytest.fixture
def loaders():
    return SkillLoaders([CALM], lambda: ("manage_dnd", "control_light", "manage_wifi"))


def load(loaders, name="skill__calm_evenings", deadline=None, **arguments):
    return loaders.execute(ToolCall(id="s0a", name=name, arguments=arguments), deadline or Deadline.never(), "run:s0a")


def test_a_skill_gives_instructions_and_the_tools_that_exist(loaders):
    seen = load(loaders, reason="the day ends")
    assert seen.data == {
        "status": "loaded",
        "skill": "calm-evenings",
        "loaded_tools": ["control_light", "manage_dnd"],
        "unknown_tools": ["manage_moon"],
        "instructions": "Dim first.",
    }
    assert (seen.call.name, seen.diff.empty) == ("skill__calm_evenings", True)


def test_a_loader_is_a_tool_that_only_reads(loaders):
    (spec,) = loaders.tools()
    assert (spec.name, spec.description) == ("skill__calm_evenings", "Dim the lights.")
    assert spec.effects == {Effect.READ}
    assert spec.examples == ("Use it when the day ends.", "wind down")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "`reason` is missing: why this Skill helps, in a few words"),
        ({"reason": " "}, "`reason` is missing: why this Skill helps, in a few words"),
        ({"reason": "x" * 301}, "`reason` has 301 characters; the limit is 300"),
        ({"reason": "late", "tool": "x"}, "there is no argument `tool`; give `reason` alone"),
    ],
)
def test_a_wrong_argument_loads_nothing(loaders, arguments, message):
    seen = load(loaders, **arguments)
    assert (seen.failure.code, seen.failure.message) == (ErrorCode.BAD_ARGUMENT, message)
    assert seen.data == {}


def test_an_unknown_skill_and_a_late_call_fail(loaders):
    assert load(loaders, "skill__moon", reason="x").failure.code is ErrorCode.UNKNOWN_TOOL
    assert load(loaders, deadline=Deadline(0.0), reason="x").failure.code is ErrorCode.TIMEOUT
    cancel = CancelToken()
    cancel.cancel()
    assert load(loaders, deadline=Deadline(None, cancel), reason="x").failure.code is ErrorCode.CANCELLED
