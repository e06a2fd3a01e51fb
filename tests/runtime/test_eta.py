"""The instructions are data under a schema."""

import pytest

from runtime.contract import SetupError, UserError
from runtime.eta import FOLDER, load_eta


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_every_file_holds_the_schema_and_its_own_name(path):
    assert load_eta(path.stem).name == path.stem


def test_the_general_instructions():
    assert load_eta("general").text == (
        "You act on a phone. Call one tool at a time, with values as the user said them. If something needed is "
        "missing, ask. If no tool fits, refuse. When all is done, finish with a short answer."
    )


def test_a_change_changes_the_digest(tmp_path):
    text = (FOLDER / "general.toml").read_text()
    (tmp_path / "general.toml").write_text(text.replace("short answer", "brief answer"))
    assert load_eta("general", tmp_path).digest != load_eta("general").digest


def test_an_unknown_name():
    with pytest.raises(UserError, match=r"no instructions `generl`. Set `context.eta` to one of `explicit`, `general`"):
        load_eta("generl")


@pytest.mark.parametrize(
    "text",
    ["name = ", 'name = "x"\nversion = 1\n', 'name = "x"\nversion = 1\nextra = 2\n[components]\na = "b"\n'],
)
def test_a_file_that_breaks_the_schema(tmp_path, text):
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(SetupError, match="can't be read"):
        load_eta("x", tmp_path)


def test_instructions_that_every_episode_would_pay_for(tmp_path):
    (tmp_path / "x.toml").write_text('name = "x"\nversion = 1\n[components]\na = "' + "b" * 601 + '"\n')
    with pytest.raises(SetupError, match="601 characters; the limit is 600"):
        load_eta("x", tmp_path)
