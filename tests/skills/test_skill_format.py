"""Reading a SKILL.md: what is taken, and what a wrong one is told."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.contract import UserError
from skills.loaders import read_library
from skills.skill import Skill, parse_skill, read_skill

PATH = Path("library/calm-evenings/SKILL.md")

GOOD = """---
name: calm-evenings
description: >-
  Dim the lights. Use it when
  the day ends.
license: Apache-2.0
metadata:
  tools: >-
    control_light
    manage_dnd
  phrases: wind down | it is late
---

# Evenings

Dim first.
---
Then be quiet.
"""


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_a_skill_is_read():
    assert parse_skill(GOOD, PATH) == Skill(
        name="calm-evenings",
        description="Dim the lights. Use it when the day ends.",
        tools=("control_light", "manage_dnd"),
        phrases=("wind down", "it is late"),
        instructions="# Evenings\n\nDim first.\n---\nThen be quiet.",
    )
    assert parse_skill(GOOD, PATH).about == "Dim the lights."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# Evenings", "line 1 must be `---`, the start of the frontmatter with `name` and `description`."),
        ("---\nname: x\n", "the frontmatter has no end. Close it with a line `---`."),
        (
            changed("name: calm-evenings\n", ""),
            "field `name` is missing; it must be 1 to 64 of a-z, 0-9 and single `-`.",
        ),
        (
            changed("name: calm-evenings", "name: Calm_Evenings"),
            "field `name` is `Calm_Evenings`; it must be 1 to 64 of a-z, 0-9 and single `-`.",
        ),
        (
            changed("name: calm-evenings", "name: calm-mornings"),
            "field `name` is `calm-mornings`; it must be the name of its folder, `calm-evenings`.",
        ),
        (
            changed("Dim the lights. Use it when\n  the day ends.", "x" * 1025),
            f"field `description` is `{'x' * 80}`; it must be a text of 1 to 1,024 characters.",
        ),
        (
            changed("license: Apache-2.0", "tools: a b"),
            "there is no field `tools`. Use `name`, `description`, `license`, `compatibility`, `metadata`, "
            "`allowed-tools`; own data goes under `metadata`.",
        ),
        (
            changed("control_light\n", "controlLight\n"),
            "field `metadata.tools` is `controlLight`; it must be tool names with spaces between, "
            "such as `manage_wifi`.",
        ),
        (
            changed("manage_dnd\n", "control_light\n"),
            "field `metadata.tools` is `control_light`; it must name each tool once.",
        ),
        (
            changed("phrases: wind down | it is late", "phrases: [wind down]"),
            "field `metadata.phrases` is `['wind down']`; it must be a text.",
        ),
        (
            changed("license: Apache-2.0", "license: a: b"),
            "the frontmatter is not YAML in line 6: mapping values are not allowed here. Quote texts that hold `:`.",
        ),
        (
            changed("# Evenings\n\nDim first.\n---\nThen be quiet.\n", ""),
            "there are no instructions. Write them after the second line `---`.",
        ),
        (
            changed("Then be quiet.", "x" * 8000),
            "the instructions have 8,027 characters; the limit is 8,000. Shorten them.",
        ),
        (
            "---\n- a\n---\nx",
            "field `frontmatter` is `['a']`; it must be fields with values, such as `name: my-skill`.",
        ),
    ],
)
def test_a_wrong_skill_names_file_field_and_what_is_expected(text, message):
    with pytest.raises(UserError) as error:
        parse_skill(text, PATH)
    assert str(error.value) == f"`{PATH}`: {message}"


def test_yaml_can_not_make_objects():
    with pytest.raises(UserError, match="is not YAML"):
        parse_skill(changed("license: Apache-2.0", "license: !!python/object/apply:os.getcwd []"), PATH)


@given(st.text(max_size=200))
def test_any_text_is_a_skill_or_a_user_error(text):
    for candidate in (text, f"---\n{text}\n---\nbody", changed("Apache-2.0", f"|\n {text}")):
        try:
            assert parse_skill(candidate, PATH).name == "calm-evenings"
        except UserError as error:
            assert str(PATH) in str(error)


def test_a_folder_of_skills_is_read_by_name(tmp_path):
    for slug in ("calm-evenings", "bright-days"):
        (tmp_path / slug).mkdir()
        (tmp_path / slug / "SKILL.md").write_text(GOOD.replace("calm-evenings", slug), encoding="utf-8")
    (tmp_path / "README.md").write_text("no Skill", encoding="utf-8")
    assert [skill.name for skill in read_library(tmp_path)] == ["bright-days", "calm-evenings"]


def test_files_that_are_none_are_refused(tmp_path):
    with pytest.raises(UserError, match="there is no folder"):
        read_library(tmp_path / "none")
    with pytest.raises(UserError, match="can't be read: No such file"):
        read_skill(tmp_path / "SKILL.md")
    path = tmp_path / "SKILL.md"
    path.write_bytes(b"---\nname: \xff\n---\n")
    with pytest.raises(UserError, match="is not UTF-8"):
        read_skill(path)
    path.write_bytes(b"x" * 65537)
    with pytest.raises(UserError, match="has 65,537 bytes; the limit is 65,536"):
        read_skill(path)
