"""What a person does with Skills: their own packs in the guidance, and guidance that has become stale."""

import pytest

from skills.adapter import Adapter
from skills.artifact import shipped
from skills.desk import Desk

TEA = "---\nname: tea-time\ndescription: Tea.\nmetadata:\n  tools: manage_countdown\n---\nBoil.\n"
RULE = '[[rule]]\ntext = "Tea takes four minutes[ of {manage_countdown}]."\nwhen = "manage_stopwatch"\npriority = 1\n'
OWNER = '[owners]\nmanage_countdown = "tea-time"\n'


@pytest.fixture
def desk(tmp_path):
    """A desk with a Skill for tea, which opens a tool that another Skill opens too."""
    place = tmp_path / "tea-time"
    place.mkdir()
    (place / "SKILL.md").write_text(TEA, encoding="utf-8")
    (place / "guidance.toml").write_text(RULE, encoding="utf-8")
    (tmp_path / "own.toml").write_text(OWNER, encoding="utf-8")
    desk = Desk(tmp_path / "skills")
    desk.install(place)
    return desk


def test_guidance_of_a_pack_is_drawn_when_it_is_compiled(desk, every_tool, count, tmp_path):
    specs = list(every_tool.values())
    assert desk.compile(specs, count)[1] == [
        "the tool `manage_countdown` belongs to `alarms-tasks-timers`, `tea-time`. Say which in `[owners]`."
    ]
    artifact, problems = desk.compile(specs, count, tmp_path / "own.toml")
    assert problems == []
    assert desk.write(artifact) == tmp_path / "skills" / "guidance.json"
    used, line = desk.in_use()
    assert (used, line) == (artifact, "")
    assert used.tools["manage_countdown"].skill == "tea-time"
    assert "- Tea takes four minutes." in Adapter(used).guidance([every_tool["manage_stopwatch"]], 0)
    assert desk.adapter(specs).digest == artifact.digest
    assert desk.adapter(specs, {"library"}).digest == shipped().digest


def test_a_pack_that_is_not_compiled_yet_is_said(desk, every_tool, count):
    found = desk.check(list(every_tool.values()), count, subsets=5)
    assert (found.recompile, found.whole) == (True, False)
    assert desk.in_use() == (shipped(), "")


def test_guidance_of_another_version_is_not_used_and_one_line_says_so(desk, every_tool, count, tmp_path, caplog):
    specs = list(every_tool.values())
    artifact, _ = desk.compile(specs, count, tmp_path / "own.toml")
    desk.write(artifact.model_copy(update={"shipped": "another"}))
    line = (
        f"the guidance `{desk.compiled}` was compiled beside another version of the package and is not used; "
        "run `pocket skills compile`"
    )
    assert desk.in_use() == (shipped(), line)
    assert desk.stale(specs) == line
    assert desk.adapter(specs).digest == shipped().digest
    assert [record.getMessage() for record in caplog.records] == [line]


def test_the_shelves_hold_what_they_are_called(desk):
    assert len(desk.skills({"library"})) == 10
    assert [skill.name for skill in desk.skills({"packs"})] == ["tea-time"]
    assert len(desk.skills()) == 27
    assert (desk.shelf_of("smart-home"), desk.shelf_of("tea-time")) == ("more", "packs")
