"""The bench of the screen: its golds, the rule of its outer planner, its figures."""

import json
from types import SimpleNamespace

from evalkit.bench.gui.measure import Ran, journal_of, summary
from evalkit.bench.gui.outer import Lead, Oracle
from evalkit.bench.gui.tasks import GuiTask, Handover, _blocked_tasks, handed, opened
from evalkit.suites.android.screens import families
from evalkit.verify import CoreVerifier
from runtime.config import load_settings
from runtime.contract import (
    Ask,
    Decision,
    Episode,
    Finish,
    Refuse,
    RowChange,
    Segment,
    StateDiff,
    Step,
    Stop,
    ToolCall,
)
from runtime.subagents.goal import goal_of


class Shown:
    def __init__(self, *results):
        self.messages = [{"role": "user", "content": "x"}, *({"role": "tool", "content": one} for one in results)]


def test_the_way_to_an_icon_is_one_step():
    steps = [
        {"action": "tap", "element": "All apps"},
        {"action": "tap", "element": "Files"},
        {"action": "tap", "element": "OK"},
    ]
    assert opened(steps) == [{"action": "open", "text": "Files"}, {"action": "tap", "element": "OK"}]
    assert opened(steps[1:]) == [{"action": "open", "text": "Files"}, {"action": "tap", "element": "OK"}]


def test_a_handover_has_the_values_of_its_task():
    form = Handover(goal="add", target="alarm", values=("Hour: {hour}",))
    expected = {"app": "Clock", "goal": "add", "target": "alarm", "values": ["Hour: 6"]}
    assert handed(form, {"hour": "6"}, "Clock") == expected
    switch = Handover(by="action", target="wi-fi", where="internet")
    assert handed(switch, {"action": "disable"}, "Settings")["goal"] == "turn_off"
    assert handed(switch, {"action": "enable"}, "Settings")["goal"] == "turn_on"


def test_every_screen_family_can_be_handed_over():
    from evalkit.bench.gui.tasks import _table

    hand = _table("handovers.toml")
    for one in families():
        for row in one.test if one.steps else ():
            goal_of(handed(Handover.model_validate(hand[one.family]), row, "App"))


def test_the_outer_planner_follows_its_gold_and_one_rule():
    oracle = Oracle([{"name": "use_screen", "arguments": {"action": "back"}}])
    assert isinstance(oracle.action(Shown()), ToolCall)
    assert isinstance(oracle.action(Shown(json.dumps({"screen": "1 button OK"}))), Finish)
    met = oracle.action(Shown(json.dumps({"screen": "x", "obstacle": "sign_in"})))
    assert met == Ask(question="The app wants a sign in. Please do it on the phone.")
    blocked = json.dumps({"error": "permission_denied", "status": 403, "message": "blocked (secure_window): ..."})
    assert isinstance(oracle.action(Shown(blocked)), Ask)
    assert isinstance(oracle.action(Shown(json.dumps({"error": "not_found", "message": "none"}))), Refuse)


def test_the_lead_gives_the_next_token_of_its_text():
    letters = SimpleNamespace(
        decode=lambda ids: "".join(map(chr, ids)), encode=lambda text: [ord(char) for char in text]
    )
    lead = Lead("abc", SimpleNamespace(vocabulary=letters))
    assert lead.prefer(None, ord("b"), [ord("a")]) == []
    assert lead.prefer(None, ord("x"), [ord("a")]) == [ord("b")]
    assert lead.prefer(None, ord("x"), [ord("z")]) == []


def test_a_blocked_task_is_success_when_it_is_asked_about_and_nothing_changed():
    task = next(one for one in _blocked_tasks() if one.blocked == "sign_in").task
    asked = Ask(question="The app wants a sign in. Please do it on the phone.")
    assert judged(task, asked, Stop.ASKED).success
    assert not judged(task, Finish(answer="Done."), Stop.FINISHED).success
    row = RowChange(table="alarms", key="1", before=None, after={"time": "06:00"})
    assert not judged(task, asked, Stop.ASKED, row).success


def judged(task, action, stop, *changes):
    step = Step(index=0, decision=Decision(actions=(action,)))
    episode = Episode(id="e", view=task.view, segments=(Segment(prefix="", steps=(step,)),), stop=stop)
    return CoreVerifier().judge(task.policy, episode, StateDiff(changes=changes))


def ran(success, seconds, tokens):
    return Ran(success, seconds, 0.0, tokens, tokens // 2, 2, "finished")


def test_figures_are_sums_over_all_tasks():
    one, two = _blocked_tasks()[:2]
    free = GuiTask(two.task, two.steps, two.handover)
    found = {
        one.task.id: {"direct": ran(True, 1.0, 400), "delegated": ran(True, 0.5, 100)},
        two.task.id: {"direct": ran(True, 3.0, 600), "delegated": ran(False, 1.5, 200)},
    }
    made = summary([one, free], found)
    assert (made["success_diff"], made["time_ratio"], made["outer_token_ratio"]) == (50.0, 0.5, 0.3)
    assert (made["blocked_at_once"]["n"], made["blocked_midway"]["n"]) == (1, 0)
    assert (made["blocked_cases"]["outer_token_ratio"], made["done_cases"]["success_delegated"]) == (0.25, 0.0)
    assert made["failed"] == [{"task": two.task.id, "side": "delegated", "stop": "finished", "why": []}]


def test_what_was_measured_is_kept_for_the_same_question_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path))
    tasks, settings = _blocked_tasks()[:2], load_settings()

    def left(*asked):
        journal = journal_of(*asked)
        numbers = journal.left()
        if numbers == [0, 1]:
            journal.add(0, {"direct": 1})
        journal.outcomes()
        return numbers

    assert left(tasks, settings) == [0, 1]
    assert left(tasks, settings) == [1]
    assert left(tasks, load_settings(assignments=["context.result_chars=999"])) == [0, 1]
    assert left(_blocked_tasks()[1:3], settings) == [0, 1]
