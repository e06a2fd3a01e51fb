"""Tools, a counter of tokens and Skills of a few lines, for the tests of what is made of them."""

from pathlib import Path

import pytest

from device.sandbox.registry import catalogue
from memory.tools import SPECS
from runtime.contract import Domain, ToolSpec
from skills.compile import Source
from skills.guide import GeneralGuide, Guide
from skills.skill import Skill


def made(name, description="Does it."):
    """A tool of that name."""
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    return ToolSpec(name=name, domain=Domain.SYSTEM, description=description, parameters=schema)


@pytest.fixture(scope="session")
def every_tool():
    """The phone's tools and the memory's, by name."""
    return {spec.name: spec for spec in (*catalogue().specs, *SPECS)}


@pytest.fixture
def count():
    """Words as tokens: enough to see that sizes are kept."""
    return lambda text: len(text.split())


@pytest.fixture
def tool():
    """Makes a tool."""
    return made


@pytest.fixture
def source():
    """Makes a Skill with tools and rules, as it is compiled."""

    def make(name, tools="", **more):
        guide = {key: more.pop(key) for key in ("rule", "route") if key in more}
        skill = Skill(name=name, description="About it.", tools=tuple(tools.split()), instructions="Do it.", **more)
        return Source(Path("shelf") / name / "SKILL.md", skill, Guide.model_validate(guide))

    return make


@pytest.fixture
def general():
    """Makes the file that holds for all."""

    def make(owners=None, **more):
        limits = {"total": 60, "general": 20, "domain": 30, "routing": 20, "turns": 20, "rule": 12}
        limits |= {"instructions": 40, "nearest": 3} | more.pop("limits", {})
        return GeneralGuide.model_validate(
            {"protocol": "Load the Skill that fits.", "limits": limits, "owners": owners or {}, **more}
        )

    return make
