"""A run's process is told from a later one that got the same number."""

import os
import subprocess
import sys

from memory.sqlite import open_database
from runtime.contract import TaskView
from runtime.trace import TraceReader, TraceStore
from runtime.trace.process import alive, born


def test_this_process_lives_and_one_that_ended_does_not():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert alive(os.getpid(), born(os.getpid()))
    assert not alive(ended.pid, "")
    assert born(ended.pid) == ""


def test_the_same_number_with_another_birth_is_another_process():
    assert not alive(os.getpid(), "6d1f0a9e-0000-4000-8000-000000000000 1")


def test_without_a_birth_the_number_decides():
    assert alive(os.getpid(), "")


def test_a_name_with_brackets_and_spaces_hides_no_field(tmp_path, monkeypatch):
    monkeypatch.setattr("runtime.trace.process.PROC", tmp_path)
    (tmp_path / "7").mkdir()
    fields = " ".join(str(number) for number in range(3, 53))  # fields 3 to 52: each says its own number
    (tmp_path / "7/stat").write_text(f"7 (a) b (c)) {fields}\n")
    (tmp_path / "sys/kernel/random").mkdir(parents=True)
    (tmp_path / "sys/kernel/random/boot_id").write_text("boot\n")
    assert born(7) == "boot 22"


def test_a_run_whose_number_went_to_another_process_reads_as_killed(tmp_path):
    store = TraceStore(tmp_path / "t.db", open_database)
    with store.episode(TaskView(request="ring"), {}) as sink:
        assert TraceReader(tmp_path / "t.db", open_database).page()[0].stop == "running"
        with store._database.writing() as db:
            db.execute("UPDATE episodes SET born = 'another 1' WHERE id = ?", (sink.id,))
    (only,) = TraceReader(tmp_path / "t.db", open_database).page()
    assert (only.id, only.stop) == (sink.id, "killed")
