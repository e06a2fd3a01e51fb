"""A run that was killed goes on: what was acknowledged is not done again, what was under way is found out first.

The kills of the first test are exceptions that nothing catches, before and after every single write in turn; the last
one kills real processes, as `pocket bench runtime --faults` does at random moments.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from device.sandbox.kept import SCHEMA, KeptPhone
from memory.sqlite import open_database
from runtime.cli import root
from runtime.config import load_settings, phones_file, trace_file
from runtime.contract import (
    Ask,
    Deadline,
    Decision,
    Effect,
    Erasure,
    Evidence,
    Finish,
    Observation,
    Segment,
    Stop,
    TaskView,
    ToolCall,
    ToolHints,
    UserError,
)
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.harness import resume_episode, run_episode
from runtime.planner.scripted import ScriptedPlanner
from runtime.recall import Recall
from runtime.trace import TraceReader, TraceStore
from runtime.trace.write import StoredEpisode
from runtime.users import NoUser
from runtime.wiring import kept_phone, open_phones, open_rooms

SCRIPT = [
    {"calls": [
        {"name": "manage_alarm", "arguments": {"action": "create", "time": "7:30", "title": "one"}},
        {"name": "manage_alarm", "arguments": {"action": "create", "time": "7:40", "title": "two"}},
    ]},
    {"name": "query_datetime", "arguments": {}},
    {"name": "manage_alarm", "arguments": {"action": "create", "time": "7:50", "title": "three"}},
    {"finish": "three alarms"},
]  # fmt: skip
TITLES = ["one", "three", "two"]
REQUEST = "set an alarm for 7:30, 7:40 and 7:50"


class Killed(BaseException):
    """As SIGKILL: nothing that would tidy up is done."""


@pytest.fixture
def settings(home):
    return load_settings({"phone": {"clock": "2026-03-02T06:00"}})


def served(settings, embedder, earlier=None):
    """Run the script, or go on with a run; the episode and the alarms that the phone then has."""
    planner, recall = ScriptedPlanner(SCRIPT), Recall(embedder, open_database)
    with (
        kept_phone(settings, earlier) as phone,
        open_rooms(settings, phone=phone, planner=planner, recall=recall) as opened,
    ):
        rooms = opened.rooms
        if earlier is None:
            episode = run_episode(TaskView(request=REQUEST), rooms)
        else:
            rooms = replace(rooms, trace=rooms.trace.going_on(earlier))
            episode = resume_episode(earlier, rooms)
        changes = opened.diff(opened.began()).changes
    return episode, [change.after["title"] for change in changes if change.table == "alarms"]


def writes(monkeypatch, kill_at, after):
    """Die at write number `kill_at` of trace and phone, before it or after it; counts them all."""
    seen = []

    def dying(real):
        def write(*args, **kwargs):
            seen.append(real.__qualname__)
            if len(seen) == kill_at and not after:
                raise Killed
            done = real(*args, **kwargs)
            if len(seen) == kill_at:
                raise Killed
            return done

        return write

    for owner, name in ((KeptPhone, "_write"), *((StoredEpisode, one) for one in ("intend", "step", "close"))):
        monkeypatch.setattr(owner, name, dying(getattr(owner, name)))
    return seen


def test_every_write_may_be_the_last(settings, embedder, monkeypatch):
    with monkeypatch.context() as patch:
        count = writes(patch, 0, after=False)
        whole, titles = served(settings, embedder)
        count = len(count)
    assert (whole.stop, sorted(titles)) == (Stop.FINISHED, TITLES)
    for at in range(1, count + 1):
        for after in (False, True):
            with monkeypatch.context() as patch:
                writes(patch, at, after)
                with pytest.raises(Killed):
                    served(settings, embedder)
            reader = TraceReader(trace_file(), open_database)
            run_id = reader.find("last")
            if (at, after) == (count, True):
                with pytest.raises(UserError, match="has ended as `finished`"):
                    reader.earlier(run_id)
                continue
            monkeypatch.setattr("runtime.trace.read._alive", lambda row: False)
            earlier = reader.earlier(run_id)
            episode, titles = served(settings, embedder, earlier)
            assert (episode.stop, sorted(titles)) == (Stop.FINISHED, TITLES), (at, after)
            assert [step.index for step in episode.steps] == [0, 1, 2, 3]
            assert [len(step.observations) for step in episode.steps] == [2, 1, 1, 0]
            assert episode.confirmation.confirmed, episode.confirmation.reasons
            assert reader.episode(run_id).canonical() == episode.canonical()


def broken_off(settings, embedder, monkeypatch, at=5):
    """A run that died before its write number `at`; its id and what its trace holds."""
    with monkeypatch.context() as patch:
        writes(patch, at, after=False)
        with pytest.raises(Killed):
            served(settings, embedder)
    monkeypatch.setattr("runtime.trace.read._alive", lambda row: False)
    reader = TraceReader(trace_file(), open_database)
    run_id = reader.find("last")
    return run_id, reader.earlier(run_id)


def test_what_follows_is_a_segment_of_its_own_that_begins_with_all_that_was_read(settings, embedder, monkeypatch):
    _, earlier = broken_off(settings, embedder, monkeypatch)
    episode, _ = served(settings, embedder, earlier)
    assert [(one.reason, len(one.steps)) for one in episode.segments] == [("request", 1), ("resume", 3)]
    first, second = episode.segments
    assert second.prefix.startswith(first.prefix)
    assert second.prefix.count("<tool_response>") == first.prefix.count("<tool_response>") + 2
    assert first.exposed == second.exposed
    assert episode.trainable == "sft_only"


def test_the_tools_are_those_that_were_shown(settings, embedder, monkeypatch):
    _, earlier = broken_off(settings, embedder, monkeypatch)
    (first,) = earlier.segments
    shown = ("find_events", *first.exposed[1:])
    episode, _ = served(settings, embedder, replace(earlier, segments=(first.model_copy(update={"exposed": shown}),)))
    assert (first.exposed[0] != "find_events", set(episode.segments[1].exposed)) == (True, set(shown))
    gone = first.model_copy(update={"exposed": ("tool_of_a_server", *first.exposed)})
    with pytest.raises(UserError, match="was shown the tool `tool_of_a_server`, which is not on offer now"):
        served(settings, embedder, replace(earlier, segments=(gone,)))


def test_a_run_goes_on_through_the_command_line(home, capsys, settings, embedder, monkeypatch):
    (home / "script.json").write_text(json.dumps(SCRIPT))
    settings = load_settings({"planner": {"use": f"scripted:{home / 'script.json'}"},
                              "phone": {"clock": "2026-03-02T06:00"}})  # fmt: skip
    run_id, _ = broken_off(settings, embedder, monkeypatch)
    assert root.main(["run", "--resume", run_id, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["id"], report["request"], report["confirmed"], report["steps"]) == (run_id, REQUEST, True, 4)
    alarms = [change["after"]["title"] for change in report["changes"] if change["table"] == "alarms"]
    assert sorted(alarms) == TITLES  # those of before the kill as well
    assert root.main(["run", "--resume", run_id]) == 2
    assert "has ended as `finished`" in capsys.readouterr().err


def test_a_run_that_ended_leaves_no_phone_behind(settings, home, capsys):
    (home / "script.json").write_text(json.dumps(SCRIPT))
    assert root.main(["run", REQUEST, "--planner", f"scripted:{home / 'script.json'}"]) == 0
    rows = open_database(phones_file(), SCHEMA).execute("SELECT count(*) FROM calls").fetchone()
    assert rows[0] == 0
    capsys.readouterr()
    assert (
        root.main(["run", REQUEST, "--planner", f"scripted:{home / 'script.json'}", "--set", "phone.keep=false"]) == 0
    )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["run"], "say what the phone should do"),
        (["run", "torch on", "--resume", "last"], "leave out `REQUEST`"),
        (["run", "--resume", "last", "--seed", "3"], "leave out `--seed`"),
        (["run", "--resume", "last"], "there are no traces"),
    ],
)
def test_wrong_use_is_said(home, capsys, args, said):
    assert root.main(args) == 2
    assert said in " ".join(capsys.readouterr().err.replace("\u2502", " ").split())


def test_a_run_that_still_runs_or_was_erased_does_not_go_on(home):
    store = TraceStore(trace_file(), open_database)
    with store.episode(TaskView(request="torch on"), {}) as writer:
        writer.segment(Segment(prefix="p"))
    reader = TraceReader(trace_file(), open_database)
    with pytest.raises(UserError, match=f"still runs, in process {os.getpid()}"):
        reader.earlier(writer.id)
    store.erase(Erasure(id="e1", subject="user", targets=(writer.id,), requested_at="2026-03-02T09:00:00"))
    with pytest.raises(UserError, match=r"words of the run .* were erased"):
        reader.earlier(writer.id)


@pytest.mark.parametrize(
    ("at", "damage", "said"),
    [
        (2, "UPDATE intents SET record = substr(record, 1, 30)", "is damaged"),
        (4, "UPDATE episodes SET header = 'x'", "is damaged"),
        (5, "UPDATE steps SET record = '{}'", "was written by another version"),
        (4, "UPDATE episodes SET view = '{\"later\": 1}'", "was written by another version"),
    ],
)
def test_a_damaged_trace_does_not_go_on(settings, embedder, monkeypatch, capsys, at, damage, said):
    run_id, _ = broken_off(settings, embedder, monkeypatch, at=at)
    store = TraceStore(trace_file(), open_database)
    store._database.execute(damage)
    store.close()
    assert root.main(["run", "--resume", run_id]) == 2
    assert f"episode `{run_id}` {said}" in capsys.readouterr().err


def test_no_word_names_no_run(settings, embedder, monkeypatch, capsys):
    broken_off(settings, embedder, monkeypatch)
    assert root.main(["run", "--resume", ""]) == 2
    assert "`` names no episode" in capsys.readouterr().err


def test_two_processes_do_not_go_on_with_one_run(settings, embedder, monkeypatch):
    _, earlier = broken_off(settings, embedder, monkeypatch)
    served(settings, embedder, earlier)
    with pytest.raises(UserError, match="went on in another process"):
        served(settings, embedder, earlier)


def test_erasing_takes_intents_and_phones(settings, embedder, monkeypatch):
    run_id, earlier = broken_off(settings, embedder, monkeypatch, at=2)
    assert earlier.intent is not None
    erasure = Erasure(id="e1", subject="user", targets=(run_id,), requested_at="2026-03-02T09:00:00")
    store = TraceStore(trace_file(), open_database)
    assert store.erase(erasure).removed == (run_id,)
    assert store._database.execute("SELECT count(*) FROM intents").fetchone()[0] == 0
    assert open_phones().erase(erasure).removed == (earlier.phone,)
    assert b"three" not in phones_file().read_bytes()
    with pytest.raises(UserError, match="is not kept any more"), kept_phone(settings, earlier):
        pass


def test_the_budget_counts_what_was_spent_before(settings, embedder, monkeypatch):
    _, earlier = broken_off(settings, embedder, monkeypatch)
    slow = earlier.segments[0].steps[0]
    slow = slow.model_copy(update={"decision": slow.decision.model_copy(update={"seconds": 500.0})})
    earlier = replace(earlier, segments=(earlier.segments[0].model_copy(update={"steps": (slow,)}),))
    episode, _ = served(settings, embedder, earlier)
    assert (episode.stop, episode.stop_detail) == (Stop.BUDGET, "the time is over (`budget.seconds` = 120)")


def again(phone, **arguments):
    executor = Executor(phone, EffectGuard(AllowAll()), NoUser())
    executor.offered()
    decision = Decision(actions=(ToolCall(id="s0a", name="control_lamp", arguments=arguments),))
    return executor.apply(decision, phone.tools(), "run", Deadline.never(), again=True)


def test_a_write_of_unknown_fate_is_not_sent_again(phone):
    (seen,) = again(phone, action="on", room="kitchen")
    assert (seen.failure.code, seen.call.landed) == ("timeout", "unknown")
    assert "unknown whether it was done: read the state before anything is repeated" in seen.failure.message
    assert (phone.lamps, phone.keys) == ({"kitchen": "off"}, [])


def test_a_read_and_what_may_be_repeated_run_again(phone):
    (seen,) = again(phone, action="query", room="kitchen")
    assert (seen.ok, phone.keys) == (True, ["run:s0a"])
    lamp, *others = phone.specs
    phone.specs = (lamp.model_copy(update={"hints": ToolHints(idempotent=True)}), *others)
    (seen,) = again(phone, action="on", room="kitchen")
    assert (seen.ok, phone.lamps["kitchen"]) == (True, "on")


def test_what_landed_is_not_asked_about_again(phone):
    class Asks(AllowAll):
        def approve(self, question, deadline):
            raise AssertionError("it is done already")

    seen = Observation(call_id="other", data={"deleted": "milk"}, evidence=Evidence(source="kept", facts={"rows": []}))
    phone.recover = lambda call, key, deadline: seen if key == "run:s0a" else None
    executor = Executor(phone, EffectGuard(Asks(), frozenset({Effect.DELETE})), NoUser())
    executor.offered()
    decision = Decision(actions=(ToolCall(id="s0a", name="delete_note", arguments={"title": "milk"}),))
    (found,) = executor.apply(decision, phone.tools(), "run", Deadline.never(), again=True)
    assert (found.call_id, found.data, found.evidence.source) == ("s0a", {"deleted": "milk"}, "kept")
    assert phone.notes == {"milk": "buy milk"}


def test_a_call_with_a_secret_is_not_made_from_a_trace(phone):
    (seen,) = again(phone, action="on", room="[secret]")
    assert (seen.failure.code, seen.call.landed) == ("timeout", "unknown")  # this phone remembers no keys
    phone.recover = lambda call, key, deadline: None
    (seen,) = again(phone, action="on", room="[secret]")
    assert (seen.failure.code, seen.call, phone.keys) == ("cancelled", None, [])
    assert "it held a secret that no trace keeps" in seen.failure.message


def test_a_question_and_a_finish_need_no_intent(phone, rooms_of, script, tmp_path):
    store = TraceStore(tmp_path / "t.sqlite3", open_database)
    run_episode(TaskView(request="hello"), rooms_of(script(Finish(answer="hi")), trace=store))
    run_episode(TaskView(request="hello"), rooms_of(script(Ask(question="who?")), trace=store))
    assert store._database.execute("SELECT count(*) FROM intents").fetchone()[0] == 0


RIDER = """
import os, sys
from device.sandbox.kept import KeptPhone
from runtime.cli import root

real = KeptPhone._write
def write(self, *args):
    real(self, *args)
    if len(self.log) == 2:  # the first decision's second call has landed, and no step is written yet
        print("landed", flush=True)
        sys.stdin.read()
KeptPhone._write = write
sys.exit(root.main(sys.argv[1:]))
"""


def test_sigkill_between_landing_and_the_trace(home, capsys):
    (home / "script.json").write_text(json.dumps(SCRIPT))
    words = [sys.executable, "-c", RIDER, "run", REQUEST, "--planner", f"scripted:{home / 'script.json'}",
             "--clock", "2026-03-02T06:00"]  # fmt: skip
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    watchdog = threading.Timer(300, process.kill)
    watchdog.start()
    while process.stdout.readline().strip() != "landed":
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    watchdog.cancel()
    assert root.main(["run", "--resume", "last", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    alarms = [change["after"]["title"] for change in report["changes"] if change["table"] == "alarms"]
    assert (sorted(alarms), report["confirmed"], report["reasons"]) == (TITLES, True, [])
