"""Files of rules: what is wrong is said with file and field."""

import pytest

from runtime.contract import UserError
from skills.guide import GENERAL, Guide, read_general, read_guide


def test_a_file_of_rules_is_read(tmp_path):
    rule = '[[rule]]\ntext = "Save first."\nwhen = "power_off"\npriority = 1\n'
    (tmp_path / "guidance.toml").write_text(f'{rule}\n[[route]]\na_one = "this"\nb_two = "that"\n', encoding="utf-8")
    guide = read_guide(tmp_path)
    (rule,), (route,) = (one.rule("power") for one in guide.rule), guide.routes("power")
    assert (rule.text, rule.when, rule.priority, rule.skill, rule.kind) == (
        "Save first.", ("power_off",), 1, "power", "domain",
    )  # fmt: skip
    assert [(choice.tool, choice.text) for choice in route.choices] == [("a_one", "this"), ("b_two", "that")]
    assert read_guide(tmp_path / "none") == Guide()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rule]]\n", "field `rule.0.text`: field required. Correct it."),
        ('[[rule]]\ntext = "a"\ncolour = 1\n', "there is no field `rule.0.colour`. Use `rule`, `route`."),
        ('[[rule]]\ntext = "a {B}"\n', "field `rule.0.text`: `B` in braces is no tool name. Correct it."),
        ('[[rule]]\ntext = "a"\nwhen = "Wi-Fi"\n', "field `rule.0.when`: `Wi-Fi` is no tool name; write names with"),
        ('[[rule]]\ntext = "a"\nkind = "never"\n', "field `rule.0.kind`: input should be"),
        ('[[route]]\na_one = "this"\n', "field `route`: a route names two tools or more, each with what it is for."),
        ('protocol = "x"\n', "there is no field `protocol`. Use `rule`, `route`."),
        ("[[rule]\n", "is not TOML"),
    ],
)
def test_a_wrong_file_names_the_field(tmp_path, text, message):
    path = tmp_path / "guidance.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as error:
        read_guide(tmp_path)
    assert str(error.value).startswith(f"`{path}`")
    assert message in str(error.value)


def test_overrides_are_laid_over_what_holds_for_all(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('[owners]\nmanage_note = "ai-content-personal-assistant"\n[limits]\ntotal = 90\n', encoding="utf-8")
    general, own = read_general(), read_general(overrides=path)
    assert (general.owners["manage_note"], own.owners["manage_note"]) == (
        "notes-lists-lookups", "ai-content-personal-assistant",
    )  # fmt: skip
    assert (own.limits.total, own.limits.domain, own.rule) == (90, general.limits.domain, general.rule)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[limits]\nall = 3\n", "there is no field `limits.all`. Use `total`, `general`"),
        ("[limits]\ntotal = 0\n", "field `limits.total`: input should be greater than or equal to 1. Correct it."),
        ("[colours]\n", "there is no field `colours`. Use `owners`, `limits`, `rule`, `route`."),
    ],
)
def test_wrong_overrides_name_the_field(tmp_path, text, message):
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as error:
        read_general(overrides=path)
    assert str(error.value).startswith(f"`{path}`")
    assert message in str(error.value)


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path):
    with pytest.raises(UserError, match="can't be read: No such file"):
        read_general(overrides=tmp_path / "none.toml")
    (tmp_path / "large.toml").write_text("#" * 65_537, encoding="utf-8")
    with pytest.raises(UserError, match="has 65,537 bytes; the limit is 65,536"):
        read_general(overrides=tmp_path / "large.toml")
    assert GENERAL.is_file()
