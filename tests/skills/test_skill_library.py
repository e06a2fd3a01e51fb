"""The Skills of the package: real tools, procedures that keep to them, short loaders."""

import re

import pytest

from device.sandbox.registry import catalogue
from memory.tools import SPECS
from runtime.contract import Deadline, Domain, ToolCall, digest_of
from runtime.dialect import signature
from runtime.layout import quoted_json
from runtime.shown import SKILL_CHARS
from skills.artifact import shipped
from skills.loaders import SkillLoaders, library, loader_name, more

TOOLS = {spec.name: spec for spec in (*catalogue().specs, *SPECS)}
SKILLS = {skill.name: skill for skill in (*library(), *more())}
LOADED = {"name", "description", "tools", "phrases", "instructions"}
"""What a planner is shown of a Skill."""


def test_the_library_holds_these_skills():
    assert [skill.name for skill in library()] == [
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


def test_the_further_skills_are_these():
    assert [skill.name for skill in more()] == [
        "alarms-tasks-timers",
        "app-limits-folders",
        "assistant-practice",
        "calendar-meetings",
        "calls-messages-people",
        "food-health-outings",
        "home-screen-access",
        "mail-posts-sharing",
        "money-orders",
        "music-listening",
        "notes-lists-lookups",
        "other-devices",
        "smart-home",
        "system-accounts",
        "typing-buttons-gestures",
        "video-tv-games",
    ]


def test_what_the_first_ten_load_stays_as_it_is():
    # the suite `bench` and the shipped planner know these texts: a change makes both stale
    kept = [skill.model_dump(mode="json", include=LOADED) for skill in library()]
    assert digest_of(kept) == "c960cfc81e5f1805"


def test_every_domain_has_skills():
    owners = {Domain(TOOLS[name].domain): entry.skill for name, entry in shipped().tools.items()}
    assert set(owners) == set(Domain)


@pytest.mark.parametrize("name", SKILLS)
def test_its_tools_exist(name):
    assert [tool for tool in SKILLS[name].tools if tool not in TOOLS] == []


@pytest.mark.parametrize("name", SKILLS)
def test_its_instructions_name_no_tool_that_it_does_not_open(name):
    mentioned = set(re.findall(r"`([a-z_]+)`", SKILLS[name].instructions))
    assert {word for word in mentioned if "_" in word} <= set(SKILLS[name].tools)
    assert {word for word in mentioned if "_" not in word} <= {"duration", "when"}


@pytest.mark.parametrize("name", SKILLS)
def test_it_is_short_enough_for_a_small_planner(name):
    skill = SKILLS[name]
    assert len(skill.instructions) <= 1500
    assert len(skill.about) <= 90
    assert len(skill.phrases) >= 5
    call = ToolCall(id="s0", name=loader_name(name), arguments={"reason": "why not"})
    loaded = SkillLoaders([skill], lambda: TOOLS).execute(call, Deadline.never())
    assert len(quoted_json(loaded.data)) <= SKILL_CHARS


def test_only_the_arbiter_opens_no_tools():
    assert [name for name, skill in SKILLS.items() if not skill.tools] == ["conflict-order-arbiter"]


def test_a_loader_costs_one_short_line():
    lines = {spec.name: signature(spec) for spec in SkillLoaders(tuple(SKILLS.values())).tools()}
    assert lines["skill__travel_weather_navigation"] == (
        "skill__travel_weather_navigation(reason) "
        "Weather, routes, traffic, public transport, tickets, hotels and taxis."
    )
    assert max(map(len, lines.values())) <= 160
