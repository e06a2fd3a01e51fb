import json

import pytest
from typer.testing import CliRunner

from evalkit.cli import app

COMMANDS = ("run", "suites", "admit", "floors", "utterances")


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
