"""Where a setting comes from, and what is refused."""

import re

import pytest

from runtime.config import keys, load_settings
from runtime.contract import UserError


def refused(message):
    return pytest.raises(UserError, match=re.escape(message))


def test_defaults(home):
    settings = load_settings()
    assert (settings.planner.use, settings.phone.backend, settings.budget.steps) == ("embedded", "sandbox", 15)


def test_flags_win_over_the_environment_over_the_folder_over_the_user(home, monkeypatch):
    (home / "home").mkdir()
    (home / "home" / "pocket.toml").write_text("[budget]\nsteps = 1\ntools = 1\nseconds = 1\noutput_tokens = 1\n")
    (home / "pocket.toml").write_text("[budget]\nsteps = 2\ntools = 2\nseconds = 2\n")
    monkeypatch.setenv("POCKET_BUDGET__STEPS", "3")
    monkeypatch.setenv("POCKET_BUDGET__TOOLS", "3")
    budget = load_settings({"budget": {"steps": 4}}).budget
    assert (budget.steps, budget.tools, budget.seconds, budget.output_tokens) == (4, 3, 2.0, 1)


def test_assignments_read_numbers_truths_and_words(home):
    settings = load_settings(None, ["budget.steps=5", "context.now=true", "planner.use=keyword"])
    assert (settings.budget.steps, settings.context.now, settings.planner.use) == (5, True, "keyword")


def test_an_assignment_keeps_the_flags_beside_it(home):
    settings = load_settings({"phone": {"seed": 7}}, ["phone.clock=2026-03-02T09:00"])
    assert (settings.phone.seed, settings.phone.clock) == (7, "2026-03-02T09:00")


def test_an_unknown_key_in_the_file(home):
    (home / "pocket.toml").write_text("[budget]\nstep = 3\n")
    with refused("there is no key `budget.step`; did you mean `budget.steps`"):
        load_settings()


def test_a_key_in_the_wrong_section(home):
    (home / "pocket.toml").write_text("result_chars = 3\n")
    with refused("there is no key `result_chars`; did you mean `context.result_chars`? It came from `pocket.toml`."):
        load_settings()


def test_an_unknown_variable(home, monkeypatch):
    monkeypatch.setenv("POCKET_BUDGET__STEP", "3")
    with refused("there is no key `budget.step`; did you mean `budget.steps`"):
        load_settings()


def test_an_unknown_key_of_a_flag(home):
    with refused("there is no key `budget.stps`; did you mean `budget.steps`"):
        load_settings(None, ["budget.stps=3"])
    with refused("`--set budget.steps` has no value"):
        load_settings(None, ["budget.steps"])


def test_a_wrong_value(home):
    with refused("`budget.steps` is `many`: input should be a valid integer"):
        load_settings(None, ["budget.steps=many"])


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("budget.steps=0", "`budget.steps` is `0`; the least is 1"),
        ("budget.steps=-3", "`budget.steps` is `-3`"),
        ("budget.tools=0", "`budget.tools` is `0`"),
        ("budget.output_tokens=0", "`budget.output_tokens` is `0`"),
        ("budget.request_chars=0", "`budget.request_chars` is `0`"),
        ("budget.seconds=0.5", "`budget.seconds` is `0.5`"),
        ("budget.seconds=nan", "`budget.seconds` is `nan`; the least is 1, and it must be finite"),
        ("budget.seconds=inf", "`budget.seconds` is `inf`"),
        ("planner.temperature=inf", "`planner.temperature` is `inf`"),
    ],
)
def test_limits_under_which_nothing_can_be_done(home, assignment, message):
    with refused(message):
        load_settings(None, [assignment])


def test_limits_from_the_file_and_the_environment_are_checked_too(home, monkeypatch):
    (home / "pocket.toml").write_text("[budget]\nseconds = 0\n")
    with refused("`budget.seconds` is `0.0`"):
        load_settings()
    monkeypatch.setenv("POCKET_BUDGET__SECONDS", "-inf")
    with refused("`budget.seconds` is `-inf`"):
        load_settings()


def test_a_file_of_settings_that_is_a_folder_or_a_broken_link(home):
    (home / "pocket.toml").mkdir()
    with refused("`pocket.toml` is no file"):
        load_settings()
    (home / "pocket.toml").rmdir()
    (home / "pocket.toml").symlink_to(home / "nowhere")
    with refused("`pocket.toml` is no file"):
        load_settings()


def test_a_file_that_is_no_toml(home):
    (home / "pocket.toml").write_text("[budget\n")
    with refused("`pocket.toml` is not TOML"):
        load_settings()


def test_the_home_folder_and_the_key_of_an_endpoint_are_no_settings(home, monkeypatch):
    monkeypatch.setenv("POCKET_API_KEY", "secret")
    assert "secret" not in load_settings().model_dump_json()


def test_every_key_can_be_named():
    assert {"planner.use", "phone.clock", "budget.request_chars", "context.result_chars", "guard.ask"} <= set(keys())
