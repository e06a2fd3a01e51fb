"""Compiling: what is missing, ambiguous, unknown or too long is an error, and nothing else changes the artifact."""

import pytest

from runtime.contract import UserError
from skills.artifact import read_artifact, schema_digest, shipped, stale, write_artifact
from skills.compile import compile_guidance, places_in, read_sources
from skills.guide import read_general
from skills.loaders import LIBRARY, MORE, SkillLoaders


@pytest.fixture
def problems(tool, source, general, count):
    """The problems of Skills over the tools `a_one`, `b_two` and `c_three`."""

    def find(*sources, tools="a_one b_two c_three", **more):
        specs = [tool(name) for name in tools.split()]
        return compile_guidance(specs, sources, general(**more), count)[1]

    return find


def test_every_tool_belongs_to_one_skill(tool, source, general, count):
    specs = [tool(name) for name in ("a_one", "b_two", "c_three")]
    sources = [source("first", "a_one b_two"), source("second", "c_three b_two")]
    artifact, problems = compile_guidance(specs, sources, general({"b_two": "second"}), count)
    assert problems == []
    assert {name: entry.skill for name, entry in artifact.tools.items()} == {
        "a_one": "first",
        "b_two": "second",
        "c_three": "second",
    }
    assert artifact.skills == {"first": ("a_one",), "second": ("b_two", "c_three")}


def test_a_gap_and_an_ambiguity_are_errors(problems, source):
    assert problems(source("first", "a_one b_two"), source("second", "b_two")) == [
        "the tool `b_two` belongs to `first`, `second`. Say which in `[owners]`.",
        "the tool `c_three` belongs to no Skill. Name it in `metadata.tools` of one, or in `[owners]`.",
    ]


def test_a_wrong_choice_is_an_error(problems, source):
    whole = source("first", "a_one b_two c_three")
    assert problems(whole, source("second"), owners={"a_one": "second"}) == [
        "`owners.a_one` is `second`, a Skill that does not open it; it is opened by `first`."
    ]
    assert problems(whole, owners={"d_four": "first"}) == ["`owners.d_four`: there is no tool `d_four`."]


def test_tools_of_others_get_their_skill_by_a_pattern(tool, source, general, count):
    specs = [tool(name) for name in ("a_one", "files_read", "files_write")]
    sources = [source("first", "a_one"), source("second")]
    artifact, problems = compile_guidance(specs, sources, general({"files_*": "second"}), count)
    assert problems == []
    assert artifact.skills == {"first": ("a_one",), "second": ("files_read", "files_write")}
    _, problems = compile_guidance(specs[:1], sources, general({"files_*": "second"}), count)
    assert problems == ["`owners.files_*`: there is no tool `files_*`."]


def test_an_unknown_tool_names_file_and_field(problems, source):
    wrong = source("first", "a_one b_two c_three d_four", ensures=("e_five: done = true",))
    assert problems(wrong) == [
        "`shelf/first/SKILL.md`: field `metadata.tools` names `d_four`, which is no tool.",
        "`shelf/first/SKILL.md`: field `metadata.ensures` names `e_five`, which is no tool.",
    ]


def test_a_rule_may_name_tools_in_braces_alone(problems, source):
    rules = [{"text": "Use a_one first."}, {"text": "Then {d_four}."}, {"text": "{b_two} after {a_one}."}]
    assert problems(source("first", "a_one b_two c_three", rule=rules)) == [
        "a rule of `first` names `a_one` without braces, so it could not be left out: Use a_one first.",
        "a rule of `first` names `d_four`, which is no tool: Then {d_four}.",
    ]
    routes = [{"a_one": "this", "b_two": "not a_one"}]
    assert problems(source("first", "a_one b_two c_three", route=routes)) == [
        "a route of `first` names `a_one` in the text of `b_two`."
    ]


def test_a_cycle_and_an_unknown_skill_are_errors(problems, source):
    ring = [source("first", "a_one b_two c_three", uses=("second",)), source("second", uses=("third",))]
    assert problems(*ring, source("third", uses=("first",))) == [
        "`shelf/first/SKILL.md`: field `metadata.uses` makes a cycle: first -> second -> third -> first."
    ]
    assert problems(*ring) == ["`shelf/second/SKILL.md`: field `metadata.uses` names `third`, which is no Skill."]


def test_what_is_too_long_is_an_error(problems, source):
    rules = [{"text": "one two three four five six seven eight nine ten eleven twelve"}]
    assert problems(source("first", "a_one b_two c_three", rule=rules)) == [
        "a rule of `first` has 13 tokens; the limit is 12: one two three four five six seven eight nine ten eleven "
        "twelve"
    ]
    assert problems(source("first", "a_one b_two c_three"), limits={"instructions": 1}) == [
        "`shelf/first/SKILL.md`: the instructions have 2 tokens; the limit is 1."
    ]


def test_a_name_stands_once_over_all_shelves(tmp_path):
    for shelf in ("one", "two"):
        (tmp_path / shelf / "tea-time").mkdir(parents=True)
        text = "---\nname: tea-time\ndescription: Tea.\n---\nBoil."
        (tmp_path / shelf / "tea-time" / "SKILL.md").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"field `name` is `tea-time`, as in .*one/tea-time/SKILL.md`\. Rename one\."):
        read_sources([*places_in(tmp_path / "one"), *places_in(tmp_path / "two")])


def test_the_artifact_survives_its_file(tool, source, general, count, tmp_path):
    specs = [tool("a_one"), tool("b_two")]
    sources = [
        source("first", "a_one b_two", rule=[{"text": "Look at {a_one}."}], route=[{"a_one": "x", "b_two": "y"}])
    ]
    artifact, _ = compile_guidance(specs, sources, general(), count, shipped="0123")
    write_artifact(artifact, tmp_path / "sub" / "guidance.json")
    assert read_artifact(tmp_path / "sub" / "guidance.json") == artifact


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "`the file`"), ('{"format": 2}', "`format`"), ('{"format": 1, "colour": 3}', "run `pocket skills compile`")],
)
def test_a_file_that_is_none_says_to_compile(tmp_path, text, message):
    path = tmp_path / "guidance.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as error:
        read_artifact(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


def test_another_schema_is_said_in_one_line(tool, source, general, count):
    specs = [tool("a_one"), tool("b_two")]
    artifact, _ = compile_guidance(specs, [source("first", "a_one b_two")], general(), count)
    assert stale(artifact, specs) == ""
    assert stale(artifact, specs[:1]) == ""
    other = [tool("a_one", "Does more."), specs[1], tool("c_three"), *SkillLoaders([]).tools()]
    assert stale(artifact, other) == (
        "the guidance was compiled for other tools (`a_one` changed, `c_three` is new), which get none now; "
        "run `pocket skills compile`"
    )
    assert schema_digest(specs[0]) == schema_digest(specs[0].model_copy(update={"examples": ("do it",)}))


def test_the_package_ships_what_its_skills_compile_to(every_tool, count):
    sources = read_sources([*places_in(LIBRARY), *places_in(MORE)])
    artifact, problems = compile_guidance(list(every_tool.values()), sources, read_general(), count)
    kept = shipped()
    # sizes are in tokens of the embedded planner, which this test does without
    assert problems == []
    assert (kept.schemas, kept.sources, kept.tools, kept.skills) == (
        artifact.schemas, artifact.sources, artifact.tools, artifact.skills,
    )  # fmt: skip
    assert [rule.text for rule in kept.rules] == [rule.text for rule in artifact.rules]
    assert all(rule.tokens for rule in kept.rules)
