"""Sub-agents behind typed tools, on the sandbox: what is handed over, what comes back and costs, what ends it."""

import io
import json
import re
from contextlib import closing
from dataclasses import replace

import pytest
from rich.console import Console

from memory.sqlite import open_database
from runtime.cli import root
from runtime.cli.serve import show_outcome
from runtime.config import load_settings, trace_file
from runtime.contract import Budget, Finish, StateDiff, Stop, TaskView, ToolCall
from runtime.harness import resume_episode, run_episode
from runtime.planner.scripted import ScriptedPlanner
from runtime.recall import Recall
from runtime.subagents.by_procedure import Outcome, ProcedurePlanner, call
from runtime.subagents.crew import _ended
from runtime.subagents.handoff import Handoff
from runtime.subagents.specialists import SPECIALISTS
from runtime.trace import TraceReader
from runtime.trace.write import StoredEpisode
from runtime.users import ScriptedUser
from runtime.wiring import kept_phone, open_rooms

SETTINGS = {"agents": {"use": True}, "phone": {"clock": "2026-03-02T09:00"}, "budget": {"tools": 20}}
NAMES = ["ask_gui_agent", "ask_search_agent", "ask_automation_agent", "ask_picture_agent", "ask_practice_agent"]


@pytest.fixture
def hand(home, embedder):
    """Run calls one after another; the episode."""

    def run(*calls, answers=(), settings=SETTINGS, memory=False):
        script = [{"name": name, "arguments": arguments} for name, arguments in calls]
        planner = ScriptedPlanner([*script, {"finish": "done"}])
        more = {"memory": {"use": True, "file": ":memory:"}} if memory else {}
        recall = Recall(embedder, open_database)
        with open_rooms(load_settings(settings | more), planner=planner, recall=recall,
                        user=ScriptedUser(answers)) as opened:  # fmt: skip
            offered = opened.rooms.executor.offered()
            wanted = {name for name, _ in calls}
            tools = tuple(spec for spec in offered if spec.name in wanted)
            return run_episode(TaskView(request="hand it over", tools=tools), opened.rooms)

    return run


def results(episode):
    return [seen for step in episode.steps for seen in step.observations]


def own(seen):
    """The specialist's own episode."""
    with closing(TraceReader(trace_file(), open_database)) as reader:
        return reader.episode(seen.evidence.facts["trace"])


def test_they_are_off_by_default(home, embedder):
    recall = Recall(embedder, open_database)
    for given, there in (({}, []), (SETTINGS, NAMES)):
        with open_rooms(load_settings(given), planner=ScriptedPlanner([]), recall=recall) as opened:
            offered = [spec.name for spec in opened.rooms.executor.offered()]
        assert [name for name in offered if name in NAMES] == there
    assert [one.name for one in SPECIALISTS] == NAMES


def test_a_picture_comes_back_with_what_it_shows(hand):
    asked = {"action": "generate", "description": "a fox in the snow"}
    episode = hand(("ask_picture_agent", asked))
    (seen,) = results(episode)
    assert seen.data == {
        "status": "done",
        "artifacts": [
            {"id": "a1", "kind": "picture", "value": "Fox_In_Snow.png"},
            {"id": "a2", "kind": "shows", "value": ["a fox in the snow"]},
        ],
        "said": "`Fox_In_Snow.png`: a fox in the snow",
    }
    assert {change.table for change in seen.diff.changes} == {"files", "picture_contents"}
    assert seen.call.landed == "yes"
    assert episode.confirmation.confirmed, episode.confirmation.reasons


def test_its_budget_and_trace_are_its_own_and_nested(hand, capsys):
    episode = hand(("ask_search_agent", {"question": "who wrote Moby Dick"}))
    (seen,) = results(episode)
    cost, part = seen.evidence.facts["cost"], own(seen)
    assert (cost["steps"], cost["calls"]) == (2, 1)
    assert part.task_id == f"{episode.id}:s0a"
    assert (part.view.budget.steps, part.view.budget.seconds) == (6, 60.0)
    assert [tool.name for tool in part.view.tools] == ["general_qa_agent", "dictionary_lookup", "search_news"]
    assert part.view.request == "ask_search_agent (question: who wrote Moby Dick)"
    with closing(TraceReader(trace_file(), open_database)) as reader:
        assert reader.find("last") == episode.id  # its part is newer, and is not the newest run
        assert [(one.id, one.part_of) for one in reader.page()] == [(part.id, episode.id), (episode.id, "")]
    assert root.main(["trace", "list"]) == 0
    assert f"ask_search_agent (question: who wrote Moby Dick)  part of {episode.id}" in capsys.readouterr().out
    assert root.main(["trace", "show", part.id]) == 0
    assert f"a sub-agent's part of the run {episode.id}\n" in capsys.readouterr().out
    assert root.main(["trace", "show", episode.id]) == 0
    shown = capsys.readouterr().out
    assert f"trace {part.id}\n" in shown and "part of the run" not in shown
    for more, ids in (((), [episode.id]), (("--parts",), [episode.id, part.id])):
        assert root.main(["trace", "export", "last", *more]) == 0
        said = capsys.readouterr()
        assert [json.loads(line)["id"] for line in said.out.splitlines()] == ids
        assert ("sub-agents did 1 more for this, left out: `--parts` takes them too" in said.err) is not more


def test_what_a_handoff_wrote_and_took_is_said_in_words(hand, capsys):
    episode = hand(
        ("ask_search_agent", {"question": "who wrote Moby Dick"}),
        ("ask_gui_agent", {"app": "WhatsApp", "instruction": "sing"}),
        ("ask_picture_agent", {"action": "generate", "description": "a fox"}),
    )
    found, failed, made = results(episode)
    show_outcome(Console(file=(shown := io.StringIO()), width=400), episode, StateDiff())
    told = [re.sub(r", \d+\.\d s;", ", TIME;", line) for line in shown.getvalue().splitlines() if "handed to" in line]
    trace = {seen.call.name: f"pocket trace show {seen.evidence.source}" for seen in (found, failed, made)}
    assert [line.rstrip() for line in told] == [
        f"handed to ask_search_agent: it wrote nothing (2 steps, 1 call, 0 tokens, TIME; {trace['ask_search_agent']})",
        f"handed to ask_gui_agent: it wrote nothing (2 steps, 1 call, 0 tokens, TIME; {trace['ask_gui_agent']})",
        "handed to ask_picture_agent: id file_016, name Fox.png, kind image, size_mb 2.4, folder Pictures, "
        "modified 2026-03-02; photo Fox.png, caption a fox (3 steps, 2 calls, 0 tokens, TIME; "
        f"{trace['ask_picture_agent']})",
    ]
    assert root.main(["trace", "show", episode.id]) == 0
    assert f"trace {failed.evidence.source}\n" in capsys.readouterr().out


def test_an_answer_names_its_source_and_none_is_made_up(hand):
    known, unknown = results(hand(
        ("ask_search_agent", {"question": "who wrote Moby Dick"}),
        ("ask_search_agent", {"question": "what does qwxyz mean"}),
    ))  # fmt: skip
    answer, source = known.data["artifacts"]
    assert "Melville" in answer["value"]
    assert source["value"] == "general_qa_agent"
    assert unknown.failure.message == (
        "ask_search_agent: no source knows it; asked were dictionary_lookup, general_qa_agent"
    )
    assert unknown.failure.code == "conflict"


def test_the_next_handoff_gets_the_value_itself(hand):
    episode = hand(
        ("ask_search_agent", {"question": "who wrote Moby Dick"}),
        ("ask_picture_agent", {"action": "generate", "description": "a portrait of {a1}"}),
    )
    answer, picture = results(episode)
    author = answer.data["artifacts"][0]["value"]
    assert picture.data["artifacts"][1]["value"] == [f"a portrait of {author}"]
    assert picture.data["artifacts"][0]["id"] == "a3"
    assert picture.evidence.facts["handed"]["description"] == f"a portrait of {author}"


def test_a_long_value_is_glanced_at_and_handed_on_whole(hand):
    long = "a very long wall with " + ", ".join(f"bird {number}" for number in range(40))
    first, second = results(hand(
        ("ask_picture_agent", {"action": "generate", "description": long}),
        ("ask_search_agent", {"question": "{a2}?"}),
    ))  # fmt: skip
    assert first.data["artifacts"][1]["value"] == f"{long[:90]} ... {len(long) - 90} more characters"
    assert second.evidence.facts["handed"] == {"question": f"{long}?"}


def test_nothing_is_handed_on_before_it_was_delivered(hand):
    episode = hand(
        ("ask_picture_agent", {"action": "generate", "description": "a portrait of {a1}"}),
        ("ask_search_agent", {"question": "what does qwxyz mean"}),
        ("ask_picture_agent", {"action": "generate", "description": "a portrait of {a1}"}),
    )
    first, _, third = results(episode)
    said = "no artifact `a1` was delivered; there is none. Wait for the result that brings it."
    assert (first.failure.message, third.failure.message) == (said, said)
    assert first.call.landed == "no"
    assert first.evidence is None  # no episode was begun


def test_screens_bring_back_what_was_read(hand):
    episode = hand(("ask_gui_agent", {"app": "Netflix", "instruction": "collect my watch list"}))
    (seen,) = results(episode)
    (lines,) = seen.data["artifacts"]
    assert lines["kind"] == "lines"
    assert isinstance(lines["value"], list)
    assert all(line in seen.data["said"] for line in lines["value"])
    assert own(seen).confirmation.confirmed
    assert [step.decision.actions[0].name for step in own(seen).steps[:2]] == ["control_gui_agent"] * 2


def test_screens_that_cant_be_worked_on_say_why(hand):
    (seen,) = results(hand(("ask_gui_agent", {"app": "Nonsuch", "instruction": "collect my watch list"})))
    assert seen.failure.message.startswith("ask_gui_agent: ")
    assert (seen.failure.details, seen.call.landed) == ({"status": "blocked"}, "no")


def test_a_rule_is_armed_and_stands(hand):
    armed, due = results(hand(
        ("ask_automation_agent", {"action": "arm", "task": "water the plants", "condition": "I get home"}),
        ("ask_automation_agent", {"action": "due"}),
    ))  # fmt: skip
    (rule,) = armed.data["artifacts"]
    assert (rule["kind"], rule["value"].startswith("rule_")) == ("rule", True)
    assert [change.table for change in armed.diff.changes] == [armed.evidence.facts["rows"][0]["table"]]
    assert due.data["artifacts"][0]["kind"] == "due"
    assert due.diff.empty


def test_a_scene_is_played_with_the_user_and_scored(hand):
    answers = ("a table for two please", "the fish", "the bill please")
    episode = hand(("ask_practice_agent", {"scene": "restaurant", "language": "English"}), answers=answers)
    (seen,) = results(episode)
    report, lines = seen.data["artifacts"]
    assert report["value"] == {"score": 100, "reached": ["table", "order", "bill"], "missed": [], "turns": 3}
    assert lines["value"].startswith("Good evening, a table for how many?; a table for two please; ")
    whole = seen.evidence.facts["artifacts"][1]["value"]
    assert (whole[0], whole[1::2]) == ("Good evening, a table for how many?", list(answers))
    assert seen.evidence.facts["cost"]["calls"] == 5


def test_a_user_who_does_not_answer_blocks_it(hand):
    (seen,) = results(hand(("ask_practice_agent", {"scene": "restaurant"}), answers=("a table for two",)))
    assert seen.failure.details == {"status": "blocked"}
    assert "the user did not answer `Here is your table. What would you like?`" in seen.failure.message
    assert seen.call.landed == "yes"  # the scene is open


def test_a_budget_ends_it_by_name(hand):
    (seen,) = results(hand(("ask_search_agent", {"question": "who wrote Moby Dick"}),
                           settings=SETTINGS | {"agents": {"use": True, "seconds": 1e-9}}))  # fmt: skip
    assert (seen.failure.code, seen.failure.details) == ("timeout", {"status": "failed"})
    assert seen.failure.message == "ask_search_agent: its time is over (`agents.seconds` = 1e-09)"
    handoff = Handoff(agent="ask_search_agent", arguments={}, budget=Budget(steps=6, seconds=60.0), parent="run:s0a")
    assert _ended(handoff, own(seen), run_over=True) == "its time is over (`budget.seconds` of the run)"
    none_left = handoff.model_copy(update={"budget": Budget(steps=0)})
    assert _ended(none_left, own(seen), run_over=False) == "it took all of its 0 steps"


def test_a_procedure_is_played_from_its_beginning_each_time():
    planner = ProcedurePlanner("twice", _twice)
    assert planner.played([]).name == "first"
    assert planner.played([{"n": 1}]).name == "second"
    assert planner.played([{"n": 1}, {"n": 2}]).message == "3"


def _twice():
    one = yield call("first")
    two = yield call("second")
    return Outcome(True, str(one["n"] + two["n"]))


class Killed(BaseException):
    """As SIGKILL."""


def test_a_handoff_that_was_under_way_is_gone_on_with(home, embedder, monkeypatch):
    """The process dies after the agent's second call landed and before its step was written."""
    settings = load_settings(SETTINGS)
    script = [
        {"name": "ask_search_agent", "arguments": {"question": "who wrote Moby Dick"}},
        {"name": "ask_picture_agent", "arguments": {"action": "generate", "description": "a portrait of {a1}"}},
        {"finish": "drawn"},
    ]

    def serve(earlier=None):
        recall = Recall(embedder, open_database)
        with (
            kept_phone(settings, earlier) as phone,
            open_rooms(settings, phone=phone, planner=ScriptedPlanner(script), recall=recall) as opened,
        ):
            offered = opened.rooms.executor.offered()
            tools = tuple(spec for spec in offered if spec.name in NAMES)
            view = TaskView(request="draw the author of Moby Dick", tools=tools)
            if earlier is None:
                return run_episode(view, opened.rooms), opened.diff(opened.began())
            rooms = replace(opened.rooms, trace=opened.rooms.trace.going_on(earlier))
            return resume_episode(earlier, rooms), opened.diff(opened.began())

    real = StoredEpisode.step

    def step(self, one):
        if any(
            isinstance(action, ToolCall) and action.name == "control_ai_image_agent" for action in one.decision.actions
        ):
            raise Killed
        real(self, one)

    with monkeypatch.context() as patch:
        patch.setattr(StoredEpisode, "step", step)
        with pytest.raises(Killed):
            serve()
    monkeypatch.setattr("runtime.trace.read._alive", lambda pid: False)
    with closing(TraceReader(trace_file(), open_database)) as reader:
        earlier = reader.earlier(reader.find("last"))
        parts = reader.labelled(f"{earlier.id}:")
        assert reader.earlier(parts[-1][1]).part_of == earlier.id
    assert (len(earlier.steps), earlier.intent is not None, len(parts)) == (1, True, 2)
    episode, diff = serve(earlier)
    assert (episode.stop, episode.steps[-1].decision.actions) == (Stop.FINISHED, (Finish(answer="drawn"),))
    assert episode.confirmation.confirmed, episode.confirmation.reasons
    assert [change.table for change in diff.changes] == ["files", "picture_contents"]  # one picture, of the author
    assert "Melville" in results(episode)[1].data["artifacts"][1]["value"][0]
    with closing(TraceReader(trace_file(), open_database)) as reader:
        assert len(reader.labelled(f"{earlier.id}:")) == 2  # the same part went on
