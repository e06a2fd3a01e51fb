import json

import pytest
from typer.testing import CliRunner

from evalkit.cli import app
from runtime.contract import UserError

COMMANDS = ("run", "score", "compare", "report", "suites", "admit", "floors", "replay", "utterances", "memory")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command):
    shown = CliRunner().invoke(app, [command, "--help"])
    assert shown.exit_code == 0
    assert "Example: pocket eval" in shown.stdout


def test_run_prints_one_json_object_with_the_keyword_agent_beside():
    args = ["run", "--split", "dev", "--planner", "oracle", "--limit", "6", "--json"]
    report = json.loads(CliRunner().invoke(app, args, catch_exceptions=False).stdout)
    assert report["planner"] == "oracle"
    assert report["success"] == report["intervals"]["success"]["value"]
    assert {"one_call_success", "multi_call_success", "ask_success", "malformed_calls", "silent_cuts",
            "unseen_tools_success", "fingerprint", "digests", "grading"} <= set(report)  # fmt: skip
    assert report["keyword"]["tasks"] == report["tasks"] == 6


def test_run_shows_a_table_for_people():
    shown = CliRunner().invoke(app, ["run", "--split", "dev", "--planner", "null", "--limit", "3", "--no-baseline"])
    assert shown.exit_code == 0
    assert "malformed_calls" in shown.stdout


def test_suites_counts_a_split():
    args = ["suites", "--split", "test", "--json"]
    report = json.loads(CliRunner().invoke(app, args, catch_exceptions=False).stdout)
    assert list(report["splits"]) == ["test"]
    assert report["splits"]["test"]["patterns"]["one_call"] >= 40


def invoke(*args):
    return CliRunner().invoke(app, list(args), catch_exceptions=False)


def test_a_run_is_scored_compared_and_reported(tmp_path):
    for planner in ("null", "oracle"):
        invoke("run", "--split", "dev", "--planner", planner, "--limit", "4", "--no-baseline", "--json")
    report = json.loads(invoke("score", "last", "--price", "0.5", "--json").stdout)
    assert (report["planner"], report["tasks"], report["grading"]) == ("oracle", 4, report["graded_before"])
    assert {"overall", "tool_use", "hand_written", "empty_parts", "output_cost_per_1000_tasks"} <= set(report)
    with pytest.raises(UserError, match="names no run"):
        invoke("compare", "last", "zzz")
    page = tmp_path / "page.html"
    assert invoke("report", "last", "-o", str(page), "--no-instrument").exit_code == 0
    assert page.read_text().startswith("<!doctype html>")


def test_floors_print_the_keys_of_the_figures():
    report = json.loads(invoke("floors", "--split", "dev", "--limit", "3", "--json").stdout)
    assert {"null", "random", "read_only", "do_twice", "extra_write", "keyword", "gold", "corrupted"} <= set(report)
    assert (report["null"], report["gold"]) == (0.0, 1.0)
    assert list(report["corrupted"]) == ["10", "30", "60"]
