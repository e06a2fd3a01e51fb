import json

from typer.testing import CliRunner

from evalkit.cli import app


def test_gold_is_judged_by_the_tasks_own_check_on_both_attempts(fake_env):
    args = ["outside", "agentdojo", "--env", str(fake_env), "--json"]
    report = json.loads(CliRunner().invoke(app, args, catch_exceptions=False).stdout)
    # Task 2 pays 10 where its check wants 11; task 3 calls a tool that there isn't.
    assert report == {
        "suite": "agentdojo",
        "version": "0.0.8",
        "n": 4,
        "not_run": 0,
        "passed": 2,
        "passed_second": 2,
        "by_suite": {"banking": 2},
        "failed": ["banking/user_task_2", "banking/user_task_3"],
    }


def test_another_answer_at_the_end_fails_the_check(agentdojo):
    one = agentdojo.tasks[0]
    (turn,), answer = agentdojo.gold(one)
    episode = agentdojo.begin(one)
    assert [call.arguments for call in turn] == [{"amount": 60}]
    assert episode.execute_all(turn, _soon(), ["k"])[0].ok
    assert (episode.judge(answer), episode.judge("something else")) == (True, False)


def _soon():
    from runtime.contract import Deadline

    return Deadline(60)
