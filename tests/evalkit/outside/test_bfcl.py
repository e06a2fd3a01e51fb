import json

from typer.testing import CliRunner

from evalkit.cli import app
from evalkit.outside.bfcl import bfcl_report, compared, play
from evalkit.outside.environment import Kind
from evalkit.outside.toolkit import Toolkit
from runtime.contract import CancelToken
from tests.evalkit.outside.conftest import task


def test_two_attempts_are_compared_with_the_toolkits_own_executor(fake_env):
    args = ["outside", "bfcl", "--env", str(fake_env), "--json"]
    report = json.loads(CliRunner().invoke(app, args, catch_exceptions=False).stdout)
    # One of five tasks has a class that shares state between instances: only its first play can be equal. Of the
    # toolkit's own second plays the stateless one alone is equal.
    assert {key: report[key] for key in ("version", "n", "not_run", "calls", "equal_first", "equal_second")} == {
        "version": "0.0.7", "n": 5, "not_run": 0, "calls": 10, "equal_first": 5, "equal_second": 4}  # fmt: skip
    assert report["theirs_second"] == 1
    assert report["unequal"] == ["multi_turn_long_context_0"]
    assert min(report["speed_ratio"], report["speed_ratio_cpu"], report["speed_ratio_by_turn"]) > 0


def test_people_get_lines(fake_env):
    shown = CliRunner().invoke(app, ["outside", "bfcl", "--env", str(fake_env), "--limit", "1"])
    assert shown.exit_code == 0
    assert "equal_second: 1\n" in shown.stdout
    assert "unequal: none\n" in shown.stdout


def test_a_play_that_differs_in_one_word_or_one_digest_is_unequal(bfcl):
    one = task(bfcl, "multi_turn_miss_param_0")
    mine = play(bfcl, one, bfcl.gold(one)[0])
    assert [len(turn) for turn in mine.outputs] == [0, 1]
    assert (mine.states[0], list(mine.states[1])) == ({}, ["Shelf"])
    assert compared(mine, mine)
    assert not compared(mine.model_copy(update={"outputs": ((), ("other",))}), mine)
    assert not compared(mine.model_copy(update={"states": ({}, {"Shelf": "0" * 16})}), mine)


def test_an_interrupted_run_says_what_is_left(fake_env):
    cancel = CancelToken()

    def watch(tasks):
        yield tasks[0]
        cancel.cancel()
        yield from tasks[1:]

    with Toolkit(Kind.BFCL, fake_env) as ours, Toolkit(Kind.BFCL, fake_env) as theirs:
        report = bfcl_report(ours, theirs, list(ours.tasks), cancel, watch)
    assert (report["n"], report["not_run"], report["equal_first"]) == (1, 4, 1)
