"""`pocket run` through the real command line, on the embedded phone with a scripted planner."""

import json
import os
import signal
import socket
import threading

import pytest

from memory.sqlite import open_database
from runtime.cli import root
from runtime.config import trace_file
from runtime.contract import InfrastructureError
from runtime.planner.checkpoints import FOLDER
from runtime.trace import TraceReader
from runtime.wiring.rooms import Opened

REQUEST = "wake me at half past seven tomorrow and call it morning run"
ALARM = {
    "name": "manage_alarm",
    "arguments": {"action": "create", "time": "half past seven tomorrow", "title": "morning run"},
}


@pytest.fixture
def pocket(home, capsys):
    """Run the command line; exit code, standard output, standard error."""

    def run(*args, script=None):
        if script is not None:
            (home / "script.json").write_text(json.dumps(script))
            args = (*args, "--planner", f"scripted:{home / 'script.json'}", "--clock", "2026-03-02T09:00")
        code = root.main(list(args))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_a_request_becomes_a_confirmed_change(pocket, home):
    code, out, err = pocket("run", REQUEST, script=[ALARM, {"finish": "Your alarm is set."}])
    assert (code, err) == (0, "")
    for part in ("manage_alarm(action='create'", "2026-03-03", "07:30", "morning run", "read back after manage_alarm"):
        assert part in out
    assert "\nconfirmed" in out
    episode = TraceReader(home / "home" / "data" / "traces.sqlite3", open_database).episode(json_id(out))
    assert [len(step.observations) for step in episode.steps] == [1, 0]
    assert [len(change.after) > 0 for change in episode.steps[0].observations[0].diff.changes] == [True]


def json_id(out):
    return out.strip().rpartition("trace ")[2]


def test_json_says_the_same(pocket):
    code, out, _ = pocket("run", REQUEST, "--json", script=[ALARM, {"finish": "Your alarm is set."}])
    report = json.loads(out)
    assert (code, report["confirmed"], report["stop"], report["steps"]) == (0, True, "finished", 2)
    (change,) = report["changes"]
    assert (change["table"], change["after"]["time"], change["after"]["date"]) == ("alarms", "07:30", "2026-03-03")
    (call,) = report["calls"]
    assert call["executed"]["time"] == "07:30"
    assert call["read_back"]["rows"][0]["row"] == change["after"]


def test_a_phone_that_is_gone_at_the_end_hides_nothing_that_was_done(pocket, monkeypatch):
    def gone(self, since):
        raise InfrastructureError("the phone's state can't be read")

    monkeypatch.setattr(Opened, "diff", gone)
    script = [ALARM, {"finish": "Your alarm is set."}]
    code, out, _ = pocket("run", REQUEST, "--json", script=script)
    report = json.loads(out)
    assert (code, report["changes"], report["unread"]) == (0, None, "the phone's state can't be read")
    assert [call["name"] for call in report["calls"]] == ["manage_alarm"]
    _, out, _ = pocket("run", REQUEST, script=script)
    assert "what changed on the phone is not known: the phone's state can't be read" in out
    assert "nothing changed" not in out and "read back after manage_alarm" in out


def test_the_same_seed_and_clock_give_the_same_changes(pocket):
    runs = [json.loads(pocket("run", REQUEST, "--json", "--seed", "3", script=[ALARM])[1])["changes"] for _ in range(2)]
    assert runs[0] == runs[1]


def test_what_is_not_confirmed_is_exit_code_1(pocket):
    code, out, _ = pocket("run", REQUEST, script=[{"refuse": "no"}])
    assert code == 1
    assert "nothing changed on the phone" in out and "not confirmed" in out and "it ended as `refused`: no" in out


def test_a_question_without_a_terminal_ends_it(pocket):
    code, out, _ = pocket("run", "wake me", script=[{"ask": "when?"}])
    assert code == 1
    assert "it ended as `asked`: when?" in out


DELETION = [{"name": "manage_alarm", "arguments": {"action": "delete", "time": "6:30 am"}}, {"finish": "done"}]


def test_a_deletion_without_a_terminal_needs_yes(pocket):
    code, out, _ = pocket("run", "delete my alarm", script=DELETION)
    assert code == 1
    assert "`manage_alarm` would delete (action = 'delete', time = '6:30 am')." in out
    assert "403 refused_by_guard" in out and "nothing changed on the phone" in out


def test_set_changes_any_key(pocket):
    code, out, _ = pocket("run", REQUEST, "--set", "budget.steps=1", script=[ALARM, {"finish": "ok"}])
    assert code == 1
    assert "1 steps; the limit is 1 (`budget.steps`)" in out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("run", ""), "the request is empty"),
        (("run", "x" * 100_000), "the request has 100,000 characters; the limit is 8,000 (`budget.request_chars`)"),
        (("run", "x", "--backend", "sandbx"), "there is no backend `sandbx`; did you mean `sandbox`?"),
        (("run", "x", "--planner", "embeded"), "no planner `embeded`. Valid are `embedded`"),
        (("run", "x", "--planner", "no/such.gguf"), "no/such.gguf"),
        (("run", "x", "--planner", "scripted:none.json"), "the script `none.json` can't be read"),
        (("run", "x", "--set", "budget.stps=1"), "there is no key `budget.stps`; did you mean `budget.steps`"),
        (("run", "x", "--clock", "noon"), "the clock of the world is `noon`"),
        (("run", "x", "--set", "context.eta=none"), "there are no instructions `none`"),
        (("tools", "manage_alrm"), "there is no tool `manage_alrm`; did you mean `manage_alarm`"),
        (("tools", "--domain", "zzz"), "there is no domain `zzz`"),
        (("trace", "list"), "there are no traces"),
        (("trace", "show", "x"), "there are no traces"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(pocket, args, message):
    code, out, err = pocket(*args)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err and err.startswith("pocket: ")


def test_a_data_folder_that_can_not_be_written(pocket, home, monkeypatch):
    (home / "file").write_text("")
    monkeypatch.setenv("POCKET_HOME", str(home / "file"))
    code, _, err = pocket("run", "x", "--planner", "keyword")
    assert (code, err.count("\n")) == (2, 1)
    assert "can't be opened" in err and "`POCKET_HOME`" in err


@pytest.mark.parametrize("content", [b"", b"GGUF", b"no model at all", b"GGUF\x03\x00\x00\x00" + b"\xff" * 40])
def test_a_file_that_is_no_model(pocket, home, content):
    (home / "broken.gguf").write_bytes(content)
    code, _, err = pocket("run", "x", "--planner", str(home / "broken.gguf"))
    assert (code, err.count("\n")) == (2, 1)
    assert "broken.gguf" in err


def test_an_adapter_is_no_model(pocket):
    (adapter, *_) = sorted(FOLDER.glob("*/adapter.gguf"))
    code, out, err = pocket("run", "x", "--planner", str(adapter))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"`{adapter}` is a LoRA adapter, not a model" in err and "llama-export-lora" in err


def test_traces_are_listed_shown_and_exported(pocket, home):
    for _ in range(3):
        pocket("run", REQUEST, script=[ALARM, {"finish": "ok"}])
    code, out, err = pocket("trace", "list", "--limit", "2")
    assert (code, out.count(REQUEST)) == (0, 2)
    assert "pocket trace list --before 2" in err
    page = json.loads(pocket("trace", "list", "--json")[1])
    assert [one["number"] for one in page] == [3, 2, 1]
    code, out, _ = pocket("trace", "show", "last")
    assert code == 0 and "manage_alarm(action='create'" in out and "confirmed" in out
    assert "<tools>" in pocket("trace", "show", "last", "--context")[1]
    code, _, err = pocket("trace", "export", "--output", str(home / "all.jsonl"))
    lines = [json.loads(line) for line in (home / "all.jsonl").read_text().splitlines()]
    assert (code, err) == (0, f"3 episodes in {home / 'all.jsonl'}\n")
    assert [line["id"] for line in lines] == [one["id"] for one in reversed(page)]
    assert json.loads(pocket("trace", "export", "last")[1])["id"] == page[0]["id"]


def test_escape_sequences_are_shown_and_not_obeyed(pocket, home):
    evil = "wake\x1b[2J me\x07\nnow \u202eback"
    alarm = {"name": "manage_alarm", "arguments": {**ALARM["arguments"], "title": "run\x1b]0;title\x07"}}
    _, run, _ = pocket("run", evil, script=[alarm, {"finish": "Done\x1b[31m."}])
    shown, listed = pocket("trace", "show", "last")[1], pocket("trace", "list")[1]
    context = pocket("trace", "show", "last", "--context")[1]
    assert not [text for text in (run, shown, listed, context) if "\x1b" in text or "\x07" in text or "\u202e" in text]
    assert "run\\x1b]0;title\\x07" in run and "finished: Done\\x1b[31m." in run
    assert "wake\\x1b[2J me\\x07\nnow \\u202eback" in shown
    assert "wake\\x1b[2J me\\x07\\nnow \\u202eback" in listed
    assert json.loads(pocket("trace", "show", "last", "--json")[1])["view"]["request"] == evil
    _, _, err = pocket("trace", "show", "\x1b[2J")
    assert "`\\x1b[2J` names no episode" in err


def test_an_export_to_nowhere(pocket, home):
    pocket("run", REQUEST, script=[ALARM])
    code, _, err = pocket("trace", "export", "--output", str(home / "none" / "all.jsonl"))
    assert (code, err.count("\n")) == (2, 1)
    assert "can't be written" in err


def test_tools_by_domain_and_one_by_one(pocket):
    code, out, _ = pocket("tools", "--domain", "time")
    assert code == 0 and "Time Management" in out and "manage_alarm" in out and "manage_wifi" not in out
    rows = [line.split("\t") for line in out.splitlines()]
    assert {len(row) for row in rows} == {4} and {row[0] for row in rows} == {"Time Management"}
    (alarm,) = [row for row in rows if row[1].startswith("manage_alarm(")]
    assert alarm[2].startswith("delete: delete; read: query")
    code, out, _ = pocket("tools", "manage_alarm")
    assert code == 0
    for part in ("create | query | update | delete", "permissions: alarms", "effects: delete: delete", '"'):
        assert part in out
    specs = json.loads(pocket("tools", "--json")[1])
    assert len(specs) >= 60 and len({spec["domain"] for spec in specs}) == 13


def test_an_export_overwrites_no_data_file(home, capsys):
    assert root.main(["run", "turn on the torch", "--planner", "keyword"]) == 0
    target = trace_file()
    before = target.read_bytes()
    assert root.main(["trace", "export", "--output", str(target)]) == 2
    assert root.main(["trace", "export", "--output", "/dev/null"]) == 2
    assert target.read_bytes() == before


def test_addresses_and_clocks_that_are_none(home, capsys):
    for address in ("http://[::1/v1#m", "http://h:abc/v1#m"):
        assert root.main(["run", "turn on the torch", "--planner", address]) == 2, address
    for year in ("0001", "9999"):
        assert root.main(["run", "turn on the torch", "--planner", "keyword", "--clock", f"{year}-01-01T00:00"]) == 2


def test_a_key_that_no_header_may_hold_is_not_shown(home, capsys, monkeypatch):
    monkeypatch.setenv("POCKET_API_KEY", "secret\nvalue")
    assert root.main(["run", "turn on the torch", "--planner", "http://127.0.0.1:9/v1#m"]) == 2
    assert "secret" not in capsys.readouterr().err


@pytest.fixture
def silent_server():
    """An endpoint that reads a request, sends this process a Ctrl-C, and never answers."""
    done = threading.Event()

    def serve(listener):
        line, _ = listener.accept()
        with line:
            while b"wake me" not in (data := line.recv(65536)):
                assert data
            os.kill(os.getpid(), signal.SIGINT)
            done.wait(60)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1#m"
        done.set()


def test_ctrl_c_ends_a_run_whose_endpoint_hangs(home, capfd, silent_server):
    code = root.main(["run", "wake me", "--planner", silent_server, "--set", "budget.seconds=30"])
    out, err = capfd.readouterr()
    assert (code, err.count("\n")) == (130, 1)
    assert err.startswith("pocket: stopping; Ctrl-C again")
    assert out.splitlines()[:1] == ["nothing changed on the phone"]
    assert out.splitlines()[1:] == [f"cancelled: the run was cancelled  trace {json_id(out)}"]
    episode = TraceReader(trace_file(), open_database).episode(json_id(out))
    assert (episode.stop, episode.steps) == ("cancelled", ())
