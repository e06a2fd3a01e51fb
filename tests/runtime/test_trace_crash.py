"""A run that is killed or interrupted loses nothing that it had finished. Real processes, real signals."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from memory.sqlite import open_database
from runtime.contract import Stop
from runtime.trace import TraceReader, TraceStore

WRITER = """
import sys, time
from pathlib import Path
from memory.sqlite import open_database
from runtime.contract import Decision, Finish, Segment, Step, TaskView
from runtime.trace import TraceStore

with TraceStore(Path(sys.argv[1]), open_database).episode(TaskView(request="light"), {}) as writer:
    writer.segment(Segment(prefix="p"))
    for index in range(100_000):
        writer.step(Step(index=index, decision=Decision(actions=(Finish(answer="x" * 500),))))
        print(index, flush=True)
"""

RUNNER = """
import sys, time
from pathlib import Path
from runtime.cli import serve
from runtime.cli.common import err, interruptible
from runtime.config import load_settings
from runtime.contract import Decision, ToolCall, Usage
from runtime.dialect import render_action
from runtime.planner.plain import ModelFree
import runtime.wiring

class Slow(ModelFree):
    identity = "slow"
    def decide(self, context, deadline):
        action = ToolCall(id="x", name="query_datetime", arguments={})
        print("deciding", flush=True)
        while not deadline.cancel.cancelled:
            time.sleep(0.01)
        return Decision(actions=(action,), raw=render_action(action))

runtime.wiring.rooms.open_named_planner = lambda settings: Slow()
served = serve.serve("what time is it", load_settings(), console=err(), agree=True, interruptible=interruptible)
sys.exit(130 if served.interrupted else 0)
"""


def test_sigkill_loses_no_acknowledged_step(tmp_path):
    path = tmp_path / "traces.sqlite3"
    for kill_after in (1, 7, 30):
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        last = -1
        while last < kill_after:
            last = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().splitlines()
        process.wait()
        acknowledged = int(rest[-1]) if rest and rest[-1].isdigit() else last
        reader = TraceReader(path, open_database)
        (summary, *_) = reader.page()
        steps = reader.episode(summary.id).steps
        assert [step.index for step in steps] == list(range(len(steps)))
        assert len(steps) >= acknowledged  # the last line printed may be torn, the step before it may not
        assert summary.stop == "killed"


def test_the_next_process_writes_on(tmp_path):
    test_sigkill_loses_no_acknowledged_step(tmp_path)
    store = TraceStore(tmp_path / "traces.sqlite3", open_database)
    assert store._database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    with store.episode(view_of("after"), {}):
        pass
    assert TraceReader(store.path, open_database).page(1)[0].request == "after"


def test_two_processes_write_at_once(tmp_path):
    path = tmp_path / "traces.sqlite3"
    TraceStore(path, open_database).close()
    count = 40
    code = WRITER.replace("100_000", str(count))
    processes = [subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    reader = TraceReader(path, open_database)
    assert [len(reader.episode(one).steps) for one in reader.ids()] == [count, count]


def test_ctrl_c_ends_as_cancelled_with_everything_kept(tmp_path):
    environment = {**os.environ, "POCKET_HOME": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    assert process.stdout.readline() == "deciding\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    watchdog.cancel()
    assert process.returncode == 130, errors
    reader = TraceReader(tmp_path / "data" / "traces.sqlite3", open_database)
    episode = reader.episode(reader.find("last"))
    assert (episode.stop, len(episode.steps)) == (Stop.CANCELLED, 1)
    assert episode.steps[0].observations[0].failure.code == "cancelled"
    assert "Traceback" not in errors


def view_of(request):
    from runtime.contract import TaskView

    return TaskView(request=request)


@pytest.fixture(autouse=True)
def _quiet(monkeypatch, tmp_path):
    monkeypatch.setenv("POCKET_HOME", str(tmp_path / "home"))
