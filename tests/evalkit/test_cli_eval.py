import json
import os
import signal

import pytest
from typer.testing import CliRunner

from evalkit.agents import Agent
from evalkit.cli import app
from evalkit.commands.floors import _show
from runtime.cli import root
from runtime.contract import InfrastructureError, UserError

COMMANDS = ("run", "runs", "score", "compare", "report", "suites", "admit", "cases", "floors", "replay", "utterances",
            "memory")  # fmt: skip


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
    args = ["suites", "--suite", "core", "--split", "test", "--json"]
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
    shown = invoke("score", "last", "--price", "0.5").stdout
    assert "output_cost_per_1000_tasks  0 " in shown
    assert "cost at 0.5 a million output tokens: generated tokens alone, thinking included" in shown
    listed = json.loads(invoke("runs", "--json").stdout)
    assert [(one["planner"], one["done"], one["left"], one["overall_of_done"]) for one in listed] == [
        ("oracle", 4, 0, report["overall"]), ("null", 4, 0, 0.0)
    ]  # fmt: skip
    table = invoke("runs", "--limit", "1")
    assert listed[0]["run"] in table.stdout and "sample of 4" in table.stdout
    assert table.stderr == "1 older: pocket eval runs --limit 2\n"
    with pytest.raises(UserError, match=r"names no run.*See `pocket eval runs`"):
        invoke("compare", "last", "zzz")
    with pytest.raises(UserError, match=r"^`` names several runs: `\w+` \(oracle on core dev\); `\w+` \(null on "):
        invoke("score", "")
    told = invoke("compare", listed[1]["run"], listed[0]["run"]).stdout.splitlines()
    assert told[:2] == [f"`{listed[0]['run']}` (oracle on core dev)", f"less `{listed[1]['run']}` (null on core dev)"]
    assert told[2].startswith(f"Overall {100 * report['overall']:.3f} points, ")
    with pytest.raises(UserError, match=r"none/page\.html` can't be written: its folder is missing"):
        invoke("report", "zzz", "-o", str(tmp_path / "none" / "page.html"))
    page = tmp_path / "page.html"
    assert invoke("report", "last", "-o", str(page), "--no-instrument").exit_code == 0
    assert page.read_text().startswith("<!doctype html>")


def test_floors_print_the_keys_of_the_figures():
    report = json.loads(invoke("floors", "--suite", "core", "--split", "dev", "--limit", "3", "--json").stdout)
    assert {"null", "random", "read_only", "do_twice", "extra_write", "keyword", "gold", "corrupted"} <= set(report)
    assert (report["null"], report["gold"]) == (0.0, 1.0)
    assert list(report["corrupted"]) == ["10", "30", "60"]


def pocket(capfd, *args):
    """The command line with its exit code, standard output and standard error."""
    code = root.main(["eval", *args])
    captured = capfd.readouterr()
    return code, captured.out, captured.err


def interrupting(monkeypatch, after):
    """An agent's decision number `after` sends Ctrl-C."""
    decide, seen = Agent.decide, []

    def decide_then_interrupt(self, context, deadline):
        seen.append(1)
        if len(seen) == after:
            os.kill(os.getpid(), signal.SIGINT)
        return decide(self, context, deadline)

    monkeypatch.setattr(Agent, "decide", decide_then_interrupt)


def test_floors_say_what_a_ctrl_c_left(monkeypatch, capfd):
    interrupting(monkeypatch, 3)
    code, out, err = pocket(capfd, "floors", "--suite", "core", "--split", "dev", "--limit", "2")
    assert (code, out) == (130, "")
    assert err.splitlines()[0] == "pocket: stopping; Ctrl-C again breaks off at once."
    assert err.splitlines()[1].startswith(
        "interrupted: 1 of 10 agents are done, `random` in part; what was done is kept"
    )


def test_a_replay_says_what_a_ctrl_c_left(monkeypatch, capfd):
    from evalkit import replay

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job begins with it ignored
    monkeypatch.setattr(replay, "_said", lambda child: os.kill(os.getpid(), signal.SIGINT))
    code, out, err = pocket(capfd, "replay", "--suite", "core", "--split", "dev", "--limit", "2")
    assert (code, out, err.count("\n")) == (130, "", 1)
    assert err.startswith("interrupted: the replay of 2 tasks keeps nothing and begins anew.")


def test_floors_explain_every_agent(capfd):
    one = {"tasks": 8, "all": 0.5, "all_low": 0.25, "all_high": 0.75, "overall": 0.625, "tool_use": 0.5}
    heads = {"suite": "core", "split": "dev", "gold": 1.0, "corrupted": {"10": 0.875, "30": 0.5}}
    _show({**heads, "floors": {"null": one, "oracle": {**one, "all": 1.0}}})
    title, headings, null, oracle, *notes = capfd.readouterr().out.splitlines()
    assert title.strip() == "floors of core dev: shares of 8 tasks, through the whole harness"
    assert headings.split()[:3] == ["agent", "what", "it"]
    assert " ".join(null.split()) == "null finishes at once 0.500 0.250 to 0.750 0.625 0.500 - - -"
    assert "the gold; recall's 15 tools limit it, and every planner" in oracle and " 1.000 " in oracle
    assert "is 0.875 at 10%, 0.500 at 30%, which must fall." in " ".join(notes)


def test_a_run_without_any_episode_is_not_done(monkeypatch, capfd):
    def unreachable(self, context, deadline):
        raise InfrastructureError("the model does not answer.")

    monkeypatch.setattr(Agent, "decide", unreachable)
    args = ("run", "--split", "dev", "--planner", "oracle", "--limit", "2", "--no-baseline")
    code, _, err = pocket(capfd, *args)
    assert (code, err.count("\n")) == (1, 1)
    assert err == (
        "2 of 2 episodes ended by infrastructure and are in no figure: the model does not answer. "
        "Repeat the command to run them again.\n"
    )
    code, out, _ = pocket(capfd, *args, "--json")
    assert (code, json.loads(out)["infrastructure"]) == (1, "the model does not answer.")


NONE = [("score", "x", "--price", "inf"), ("run", "--price", "nan"), ("run", "--faults", "nan")]


@pytest.mark.parametrize("args", NONE)
def test_numbers_that_are_none(capfd, args):
    code, out, err = pocket(capfd, *args)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"Invalid value for '{args[-2]}'" in err


def test_runs_that_are_not_there(capfd):
    assert pocket(capfd, "runs", "--json")[:2] == (0, "[]\n")
    assert pocket(capfd, "runs")[2] == "none is stored yet: `pocket eval run`\n"


def test_a_split_that_is_named_twice_counts_once(capfd):
    code, out, _ = pocket(capfd, "replay", "--suite", "core", "--split", "dev+dev", "--limit", "2", "--json")
    assert (code, json.loads(out)["n"]) == (0, 2)


def test_a_wrong_planner_is_no_use_of_test(capfd, tmp_path):
    for name in ("oracel", ""):
        code, out, err = pocket(capfd, "run", "--suite", "bench", "--planner", name)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"pocket: no planner `{name}`.")
    assert not (tmp_path / "data" / "test_uses.jsonl").exists()
