"""`pocket chat` through the real command line, on the embedded phone with a scripted planner."""

import io
import json
import os
import signal
import threading

import pytest

from runtime.cli import root, talk

ALARM = {"name": "manage_alarm", "arguments": {"action": "create", "time": "half past seven", "title": "run"}}
LATER = {"name": "manage_alarm", "arguments": {"action": "create", "time": "eight", "title": "run"}}


@pytest.fixture
def chat(home, capsys, monkeypatch):
    """Type lines into a dialogue; exit code, the JSON objects of its requests, standard error."""

    def run(*lines, script=(), args=()):
        (home / "script.json").write_text(json.dumps(list(script)))
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))
        code = root.main(["chat", "--json", "--planner", f"scripted:{home / 'script.json'}", "--clock",
                          "2026-03-02T09:00", *args])  # fmt: skip
        captured = capsys.readouterr()
        return code, [json.loads(line) for line in captured.out.splitlines()], captured.err

    return run


def context_of(run_id):
    from runtime.wiring import read_traces

    reader = read_traces()
    return reader.episode(run_id)


def test_the_phone_and_what_was_said_outlive_a_request(chat):
    script = [ALARM, {"finish": "Set for half past seven."}, LATER, {"finish": "Eight."}]
    code, (first, second), _ = chat("wake me", "no, make it eight", script=script)
    assert (code, first["confirmed"], second["confirmed"]) == (0, True, True)
    assert first["dialogue"] == second["dialogue"]
    view = context_of(second["id"]).view
    assert [turn.text for turn in view.turns] == ["wake me", "Set for half past seven."]
    keys = [change["key"] for one in (first, second) for change in one["changes"]]
    assert len(set(keys)) == 2  # the second alarm stands beside the first on the same phone


def test_a_question_is_answered_within_its_request(chat):
    script = [{"ask": "When?"}, ALARM, {"finish": "Done."}]
    code, (only,), err = chat("wake me", "at half past seven", script=script)
    assert (code, only["confirmed"], only["steps"]) == (0, True, 3)
    assert "When?" in err


def test_an_answer_that_takes_the_request_back_is_the_next_request(chat):
    script = [{"ask": "When?"}, ALARM, {"finish": "Done."}]
    _, (asked, done), _ = chat("wake me", "never mind, call it off and set the alarm", script=script)
    assert (asked["stop"], asked["changes"]) == ("asked", [])
    assert (done["request"], done["confirmed"]) == ("call it off and set the alarm", True)


@pytest.mark.parametrize(
    ("reply", "next_request"),
    [("never mind turn it on", "turn it on"), ("Forget it, turn it on", "turn it on"),
     ("leave it and turn it on", "turn it on"), ("cancel", ""), ("cancel that.", ""),
     ("cancel the alarm", None), ("leave it on", None), ("forget that limit", None)],
)  # fmt: skip
def test_what_takes_a_request_back_and_what_is_an_answer(reply, next_request):
    found = talk.TAKEN_BACK.match(reply)
    assert (found and found[1]) == next_request


def test_a_word_of_the_dialogue_is_no_answer_to_a_question(chat):
    script = [{"ask": "When?"}, {"ask": "When, then?"}]
    code, reports, err = chat("wake me", "/holds", "wake me", "/quit", "unheard", script=script)
    assert (code, [(one["request"], one["stop"]) for one in reports]) == (0, [("wake me", "asked")] * 2)
    assert "nothing that you said holds on" in err and "so far: 1 request, " in err
    assert "there is no /hold. /new: begin anew" in chat("/hold")[2]


def test_the_history_survives_its_process(chat):
    _, (first,), _ = chat("wake me", script=[ALARM, {"finish": "Set."}])
    _, (second,), _ = chat("and now?", script=[{"finish": "Yes."}], args=("--resume", "last"))
    assert second["dialogue"] == first["dialogue"]
    assert [turn.text for turn in context_of(second["id"]).view.turns] == ["wake me", "Set."]
    _, (third,), _ = chat("once more", script=[{"finish": "Yes."}], args=("--resume", first["dialogue"][:4]))
    assert [turn.text for turn in context_of(third["id"]).view.turns] == ["wake me", "Set.", "and now?", "Yes."]


def test_dialogues_are_listed(chat, capsys):
    _, (first,), _ = chat("wake me", script=[{"finish": "No."}])
    chat("another", script=[{"finish": "No."}])
    assert root.main(["chat", "--list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(one["first"], one["requests"]) for one in listed] == [("another", 1), ("wake me", 1)]
    assert listed[1]["id"] == first["dialogue"]
    assert root.main(["chat", "--list"]) == 0 and "wake me" in capsys.readouterr().out


def test_words_that_are_no_requests(chat):
    code, reports, err = chat("/help", "Never call Anna.", "/holds", "/turns", "/new", "/holds", "/quit", "unheard",
                              script=[{"finish": "Good."}])  # fmt: skip
    assert (code, len(reports)) == (0, 1)
    assert "Never call Anna. (request 1)" in err and "nothing that you said holds on" in err
    assert "assistant: Good." in err


def test_a_request_that_can_not_be_taken_ends_no_dialogue(chat):
    code, reports, err = chat("x" * 9000, "hello", script=[{"finish": "Hi."}])
    assert (code, [one["request"] for one in reports]) == (0, ["hello"])
    assert "the limit is 8,000" in err


def test_complaint_no_cost_is_hidden(chat):
    _, (first, second), err = chat("a", "b", script=[{"finish": "x"}, {"finish": "y"}])
    assert {"prompt_tokens", "output_tokens", "seconds"} <= set(first) & set(second)
    assert "so far: 2 requests, " in err


def test_ctrl_c_ends_the_request_and_not_the_dialogue(chat, monkeypatch):
    before = talk.run_episode

    def interrupted(task, rooms, until, labels):
        if task.request == "slow":
            threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()
            until.cancel._event.wait(60)
        return before(task, rooms, until, labels)

    monkeypatch.setattr(talk, "run_episode", interrupted)
    code, (slow, after), _ = chat("slow", "hello", script=[{"finish": "Hi."}])
    assert (code, slow["stop"], after["stop"]) == (0, "cancelled", "finished")
    assert [turn.text for turn in context_of(after["id"]).view.turns] == ["slow", "You stopped me. Nothing was done."]


def test_a_second_ctrl_c_breaks_off_at_once_and_the_dialogue_goes_on(chat, monkeypatch):
    from runtime.executor import Executor

    plain, calls = Executor.apply, []

    def breaking(self, *args):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return plain(self, *args)

    monkeypatch.setattr(Executor, "apply", breaking)
    code, (broken, after), _ = chat("wake me", "hello", script=[ALARM, LATER, {"finish": "Hi."}])
    assert (code, broken["stop"], after["stop"]) == (0, "cancelled", "finished")
    said = context_of(after["id"]).view.turns[-1].text
    assert said.startswith("You stopped me. Done before that: manage_alarm (action create, time 07:30")


def test_ctrl_c_at_the_prompt_ends_nothing(monkeypatch):
    from rich.console import Console

    class Pressed(io.StringIO):
        def isatty(self):
            return True

    def press():
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Pressed())
    monkeypatch.setattr("builtins.input", press)
    shown = io.StringIO()
    assert talk.Lines(Console(file=shown)).next("you> ") == ""
    assert "Ctrl-D or /quit ends the dialogue" in shown.getvalue()


def test_no_dialogue_to_resume(chat, home):
    chat("a", script=[{"finish": "x"}])
    code, reports, err = chat("b", args=("--resume", "nothing"))
    assert (code, reports) == (2, []) and "`nothing` names no dialogue. See `pocket chat --list`" in err


def test_what_was_done_makes_an_intention_due_and_does_not_carry_it_out(chat, home, capsys):
    memory = ("--set", "memory.use=true", "--set", "memory.inject=true")
    assert root.main(["memory", "add", "Tell Anna", "--category", "important_event", "--event", "run alarm"]) == 0
    capsys.readouterr()
    script = [ALARM, {"finish": "Set."}, {"finish": "Yes."}]
    _, (first, second), err = chat("wake me", "what now?", script=script, args=memory)
    (due,) = first["due"]
    assert due["content"] == "Tell Anna" and "alarms" in due["because"]
    assert "due: Tell Anna" in err and second["due"] == [] and second["changes"] == []
    assert '"content": "Tell Anna"' in context_of(second["id"]).segments[0].prefix  # evidence of the next request
    assert first["steps"] == 2
