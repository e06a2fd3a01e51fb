"""The Skills of the package: real tools, procedures that keep to them, short loaders."""

import re

import pytest

from device.sandbox.registry import catalogue
from memory.tools import SPECS
from runtime.dialect import signature
from skills.loaders import SkillLoaders, library

TOOLS = frozenset(spec.name for spec in (*catalogue().specs, *SPECS))
SKILLS = {skill.name: skill for skill in library()}


def test_the_library_holds_these_skills():
    assert list(SKILLS) == [
        "ai-content-personal-assistant",
        "apps-storage-files",
        "camera-record-screenshot",
        "conflict-order-arbiter",
        "display-screen-comfort",
        "focus-sound-notifications",
        "network-connectivity",
        "power-performance-battery",
        "privacy-security-auth",
        "travel-weather-navigation",
    ]


@pytest.mark.parametrize("name", SKILLS)
def test_its_tools_exist(name):
    assert [tool for tool in SKILLS[name].tools if tool not in TOOLS] == []


@pytest.mark.parametrize("name", SKILLS)
def test_its_instructions_name_no_tool_that_it_does_not_open(name):
    mentioned = set(re.findall(r"`([a-z_]+)`", SKILLS[name].instructions))
    assert {word for word in mentioned if "_" in word} <= set(SKILLS[name].tools)
    assert {word for word in mentioned if "_" not in word} <= {"duration"}


@pytest.mark.parametrize("name", SKILLS)
def test_it_is_short_enough_for_a_small_planner(name):
    skill = SKILLS[name]
    assert len(skill.instructions) <= 1500
    assert len(skill.about) <= 90
    assert len(skill.phrases) >= 5


def test_only_the_arbiter_opens_no_tools():
    assert [name for name, skill in SKILLS.items() if not skill.tools] == ["conflict-order-arbiter"]


def test_a_loader_costs_one_short_line():
    lines = {spec.name: signature(spec) for spec in SkillLoaders().tools()}
    assert lines["skill__travel_weather_navigation"] == (
        "skill__travel_weather_navigation(reason) "
        "Weather, routes, traffic, public transport, tickets, hotels and taxis."
    )
    assert max(map(len, lines.values())) <= 160
