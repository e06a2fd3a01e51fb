import json

import pytest
from typer.testing import CliRunner

from evalkit.cases.case import Case, load_cases
from evalkit.cases.order import attempts
from evalkit.cases.twelve import judged
from evalkit.cli import app
from evalkit.commands.cases import _print
from runtime.contract import SetupError

CASES = load_cases()
VARIANTS = [(case, wrong) for case in CASES for wrong in case.wrong]


def failed(case, script, stage):
    return [check.name for check in judged(case, script, stage) if not check.passed]


def test_every_figure_of_the_paper_has_its_case():
    assert [case.figure for case in CASES] == [f"Figure {number}" for number in range(8, 20)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_right_path_passes(case, stage):
    assert failed(case, case.right, stage) == []


@pytest.mark.parametrize(("case", "wrong"), VARIANTS, ids=[f"{case.name}-{wrong.name}" for case, wrong in VARIANTS])
def test_a_wrong_variant_fails_for_its_reason(case, wrong, stage):
    assert any(wrong.fails in name for name in failed(case, wrong.steps, stage))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_doing_nothing_and_saying_done_fails(case, stage):
    assert failed(case, ({"finish": "All done."},), stage) != []


def test_steps_go_through_the_harness(stage):
    """What is played is an episode of the loop: recalled or shown tools, read-back, a named stop."""
    case = next(one for one in CASES if one.name == "cast_to_another_screen")
    played = stage.play(case.task(stage.specs), case.right)
    assert [(one.name, one.worked) for one in attempts(played.episode)] == [("control_screen_casting", True)] * 2
    last = played.episode.steps[1].observations[0]
    assert last.evidence.facts["rows"][0]["row"]["target"] == "Bedroom TV"
    assert played.episode.confirmation.confirmed


def test_a_tool_that_nobody_has_is_said(stage):
    case = CASES[-1].model_copy(update={"right": ({"name": "open_window", "arguments": {}}, {"finish": "x"})})
    with pytest.raises(SetupError, match="case `the_middle_one` calls `open_window`"):
        case.task(stage.specs)


def test_a_path_to_a_result_that_is_not_there_fails_and_says_so(stage):
    steps = ({"name": "manage_dnd", "arguments": {"action": "query"}},
             {"name": "open_app", "arguments": {"appName": "$1.data.app"}})  # fmt: skip
    case = CASES[0].model_copy(update={"right": steps})
    played = stage.play(case.task(stage.specs), steps)
    assert (played.episode.stop, "no `app`" in played.episode.stop_detail) == ("budget", True)


def test_a_case_needs_a_wrong_variant_and_a_state():
    whole = CASES[0].model_dump()
    for field in ("wrong", "state"):
        with pytest.raises(ValueError, match=field):
            Case.model_validate({**whole, field: []})


@pytest.mark.slow
def test_the_command_prints_figures(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    done = CliRunner().invoke(app, ["cases", "--json"], catch_exceptions=False)
    report = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (report["n"], report["passed"], report["wrong"], report["wrong_passed"]) == (12, 12, 46, 0)


def test_people_see_a_line_for_each_path(capsys):
    line = {"name": "a_case", "passed": False, "differs": ["`notes` has the insert"],
            "wrong": [{"name": "late", "passed": True, "astray": False, "failed_by": []}]}  # fmt: skip
    _print({"n": 1, "passed": 0, "wrong": 1, "wrong_passed": 1, "astray": 0, "cases": [line]})
    shown = capsys.readouterr().out
    for part in ("FAILED  a_case", "`notes` has the insert", "wrong: late PASSED", "0 of 1 passed",
                 "1 of 1 wrong variants passed"):  # fmt: skip
        assert part in shown
