"""`pocket skills` through the real command line."""

import json
import zipfile
from pathlib import Path

import pytest

from runtime.cli import root
from skills.artifact import read_artifact, shipped

TEA = "---\nname: tea-time\ndescription: Tea.\nmetadata:\n  tools: manage_countdown\n---\nBoil.\n"


@pytest.fixture
def pocket(home, capsys):
    """Run `pocket skills ...`; exit code, standard output, standard error."""

    def run(*args):
        code = root.main(["skills", *map(str, args)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_the_skills_are_listed_and_shown(pocket):
    rows = json.loads(pocket("list", "--json")[1])
    assert len(rows) == 26
    assert {row["shelf"] for row in rows} == {"library", "more"}
    assert "smart-home" in pocket("list")[1]
    shown = json.loads(pocket("show", "smart-home", "--json")[1])
    assert shown["tools"] == ["control_light", "control_smart_plug", "start_cleaning", "brew_coffee", "trigger_task"]
    assert "# Smart home" in pocket("show", "smart-home")[1]
    assert pocket("show", "moon")[0::2] == (2, "pocket: there is no Skill `moon`. See `pocket skills list`.\n")


@pytest.mark.model
def test_compiling_gives_what_the_package_ships(pocket, home):
    code, out, _ = pocket("compile", "--json")
    done = json.loads(out)
    own = read_artifact(Path(done["file"]))
    assert (code, done["tools"], done["skills"]) == (0, 231, 26)
    assert Path(done["file"]).is_relative_to(home)
    assert own.model_copy(update={"shipped": ""}) == shipped()


@pytest.mark.model
def test_the_check_is_whole_and_counts_tokens(pocket):
    code, out, _ = pocket("check", "--subsets", "100", "--json")
    found = json.loads(out)
    assert (code, found["unexposed_mentions"], found["unmapped"], found["over_limit"]) == (0, 0, 0, 0)
    assert 0 < found["tokens_mean"] < found["tokens_max"] <= 200


@pytest.mark.model
def test_a_gap_is_an_error_and_nothing_is_written(pocket, home):
    (home / "own.toml").write_text('[owners]\nmanage_note = "smart-home"\n', encoding="utf-8")
    code, _, err = pocket("compile", "--overrides", home / "own.toml")
    assert code == 2
    assert err == (
        "`owners.manage_note` is `smart-home`, a Skill that does not open it; it is opened by "
        "`ai-content-personal-assistant`, `notes-lists-lookups`.\n"
        "pocket: 1 of this must be settled first; nothing was written.\n"
    )
    assert list(home.rglob("guidance.json")) == []


def test_a_pack_is_installed_exported_and_removed(pocket, home):
    with zipfile.ZipFile(home / "tea.zip", "w") as archive:
        archive.writestr("tea-time/SKILL.md", TEA)
        archive.writestr("README.md", "hello")
    code, out, err = pocket("install", home / "tea.zip")
    assert (code, out.startswith("installed tea-time, sha256:")) == (0, True)
    assert "left out README.md: it belongs to no Skill" in err
    for _ in range(2):  # the second replaces the first
        assert pocket("export", home / "out.zip", "tea-time", "smart-home")[0] == 0
    assert zipfile.ZipFile(home / "out.zip").namelist() == [
        "smart-home/SKILL.md", "smart-home/guidance.toml", "tea-time/SKILL.md",
    ]  # fmt: skip
    assert pocket("remove", "tea-time")[:2] == (0, "removed tea-time\n")
    assert len(json.loads(pocket("list", "--json")[1])) == 26


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ("metadata:\n  tools: manage_countdown\n", ""),
        ("metadata:\n  tools: manage_countdown boil tee\n",
         "tea-time names what is no tool here: `boil`, `tee`; correct `metadata.tools`, install it again\n"),
        ("allowed-tools: manage_countdown\n",
         "tea-time opens no tools: they are named in its `metadata`, as `tools: NAME NAME`\n"),
    ],
)  # fmt: skip
def test_what_a_pack_opens_is_looked_at_when_it_is_installed(pocket, home, fields, said):
    (home / "tea-time").mkdir()
    (home / "tea-time" / "SKILL.md").write_text(f"---\nname: tea-time\ndescription: Tea.\n{fields}---\nBoil.\n")
    code, _, err = pocket("install", home / "tea-time")
    assert (code, err) == (0, f"{said}`skills.use=true` offers it; `pocket skills compile` draws its guidance.\n")


def test_a_pack_that_cant_be_read_is_refused_by_its_place_in_the_pack(pocket, home):
    (home / "pack" / "one").mkdir(parents=True)
    (home / "pack" / "one" / "SKILL.md").write_text("---\nname: two\ndescription: x\n---\nBoil.\n")
    assert pocket("install", home / "pack")[2] == (
        f"pocket: the pack `{home / 'pack'}` is refused: `one/SKILL.md`: field `name` is `two`; it must be the name of "
        "its folder, `one`. Nothing was installed.\n"
    )


def test_a_pack_that_leads_out_is_refused(pocket, home):
    with zipfile.ZipFile(home / "bad.zip", "w") as archive:
        archive.writestr("tea-time/SKILL.md", TEA)
        archive.writestr("../evil/SKILL.md", TEA)
    code, out, err = pocket("install", home / "bad.zip")
    assert (code, out) == (2, "")
    assert "the name `../evil/SKILL.md` could lead out of its folder. Nothing was installed." in err


@pytest.mark.parametrize("name", ["gone/out.zip", "taken/out"])
def test_a_place_that_can_not_be_written(pocket, home, name):
    (home / "taken").write_text("mine", encoding="utf-8")
    code, out, err = pocket("export", home / name, "smart-home")
    assert (code, out, err.startswith(f"pocket: `{home / name}` can't be written: ")) == (2, "", True)


def test_an_export_over_a_file_is_refused(pocket, home):
    (home / "taken").write_text("mine", encoding="utf-8")
    code, _, err = pocket("export", home / "taken")
    assert (code, "is a file. Name a folder, or a file that ends in .zip." in err) == (2, True)
    assert (home / "taken").read_text(encoding="utf-8") == "mine"
