"""The Scenario Adapter at request time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skills.adapter import Adapter, forms
from skills.check import check, named
from skills.compile import compile_guidance
from skills.desk import Desk
from skills.loaders import SkillLoaders


@pytest.fixture
def tools(tool):
    """Four tools by name."""
    return {name: tool(name) for name in ("cast_screen", "join_screen", "power_off", "write_note")}


@pytest.fixture
def adapter(tools, source, general, count):
    """An adapter over two small Skills."""
    screens = source(
        "screens", "cast_screen join_screen",
        rule=[
            {"text": "Stop the cast before {join_screen}.", "when": "cast_screen"},
            {"text": "Keep the screen that was settled.", "kind": "turns", "when": "cast_screen join_screen"},
            {"text": "One screen at a time."},
        ],
        route=[{"cast_screen": "TV", "join_screen": "tablet"}],
    )  # fmt: skip
    power = source("power", "power_off write_note", rule=[
        {"text": "Save[ with {write_note}], then switch off.", "when": "power_off", "priority": 1},
    ])  # fmt: skip
    rules = [{"text": "Look first.", "kind": "general"}, {"text": "What was said holds.", "kind": "turns"}]
    artifact, problems = compile_guidance(list(tools.values()), [screens, power], general(rule=rules), count)
    assert problems == []
    return Adapter(artifact)


def said(adapter, tools, names, turns=0):
    return adapter.guidance([tools[name] for name in names.split()], turns).splitlines()


def test_general_rules_always_hold(adapter, tools):
    assert said(adapter, tools, "write_note") == ["- Look first."]


def test_rules_of_other_tools_are_gone_and_families_shrink(adapter, tools):
    assert said(adapter, tools, "join_screen") == ["- Look first.", "- One screen at a time."]
    assert said(adapter, tools, "power_off") == ["- Look first.", "- Save, then switch off."]
    assert said(adapter, tools, "write_note power_off") == ["- Look first.", "- Save with write_note, then switch off."]


def test_candidates_are_told_apart_and_the_most_important_rule_comes_first(adapter, tools):
    assert said(adapter, tools, "cast_screen join_screen power_off") == [
        "- Look first.",
        "- Save, then switch off.",
        "- Stop the cast before join_screen.",
        "- One screen at a time.",
        "- TV: cast_screen; tablet: join_screen",
    ]


def test_a_dialogue_adds_what_holds_over_turns(adapter, tools):
    assert said(adapter, tools, "cast_screen", turns=2) == [
        "- Look first.",
        "- One screen at a time.",
        "- What was said holds.",
        "- Keep the screen that was settled.",
    ]


def test_only_the_nearest_tools_bring_guidance(adapter, tools):
    lines = said(adapter, tools, "write_note join_screen cast_screen power_off")
    assert lines[-1] == "- TV: cast_screen; tablet: join_screen"
    assert not any("switch off" in line for line in lines)


def test_where_skill_tools_are_exposed_the_protocol_is_all(adapter, tools, source):
    (loader,) = SkillLoaders([source("screens", "cast_screen").skill]).tools()
    assert adapter.guidance([tools["cast_screen"], loader, tools["power_off"]], 3) == "- Load the Skill that fits."


def test_a_tool_with_another_schema_counts_as_not_there(adapter, tools, tool):
    other = tool("join_screen", "Does something else.")
    assert adapter.guidance([tools["cast_screen"], other], 0).splitlines() == [
        "- Look first.",
        "- One screen at a time.",
    ]
    assert adapter.guidance([tool("new_tool")], 0) == ""


def test_sections_and_the_whole_keep_to_their_limits(tools, source, general, count):
    rules = [{"text": f"Rule number {number}.", "when": "power_off"} for number in range(9)]
    own = source("power", "power_off write_note cast_screen join_screen", rule=rules)
    artifact, _ = compile_guidance(list(tools.values()), [own], general(limits={"domain": 9}), count)
    assert Adapter(artifact).guidance([tools["power_off"]], 0).splitlines() == [
        "- Rule number 0.",
        "- Rule number 1.",
    ]
    artifact, _ = compile_guidance(list(tools.values()), [own], general(limits={"total": 7}), count)
    assert Adapter(artifact).guidance([tools["power_off"]], 0).splitlines() == ["- Rule number 0."]


def test_both_forms_for_whoever_trains_or_compares(adapter, tools):
    assert forms([tools["write_note"]], adapter=adapter) == ("", "- Look first.")


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_nothing_but_what_is_exposed_is_ever_named(every_tool, data):
    names = data.draw(st.lists(st.sampled_from(sorted(every_tool)), min_size=1, max_size=30, unique=True))
    turns = data.draw(st.integers(0, 3))
    text = Adapter().guidance([every_tool[name] for name in names], turns)
    assert named(text, frozenset(every_tool)) <= set(names)
    assert text == Adapter().guidance([every_tool[name] for name in names], turns)


def test_the_figures_over_two_thousand_subsets(every_tool, count, tmp_path):
    found = Desk(tmp_path).check(list(every_tool.values()), count, subsets=2000)
    assert (found.subsets, found.unexposed_mentions, found.revealed, found.unmapped) == (2000, 0, 0, 0)
    assert (found.over_limit, found.problems, found.recompile, found.unsaid) == (0, (), False, ())
    assert found.tools == len(every_tool) == 231
    assert found.whole


def test_a_guidance_that_names_too_much_is_noticed(adapter, tools):
    rules = [rule.model_copy(update={"text": "Then join_screen."}) for rule in adapter.artifact.rules]
    dishonest = adapter.artifact.model_copy(update={"rules": tuple(rules)})
    found = check(dishonest, list(tools.values()), [], lambda text: len(text.split()), subsets=50)
    assert found.unexposed_mentions > 0
    assert not found.whole


def test_a_tool_that_is_not_mapped_is_noticed(adapter, tools, tool):
    found = check(adapter.artifact, [*tools.values(), tool("new_tool")], [], len, subsets=5)
    assert found.unmapped == 1
