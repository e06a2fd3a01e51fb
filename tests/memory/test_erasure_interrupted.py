"""Erasures that were interrupted, or met a file in use: hidden at once, finished later."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memory.audit import Audit
from memory.erasure import Eraser
from memory.erasure.journal import Journal
from memory.records import Category
from memory.sqlite import module, open_database
from memory.store import MemoryStore
from runtime.contract import Erased, InfrastructureError, TaskView
from runtime.trace import TraceStore
from tests.memory.conftest import NOW
from tests.memory.test_erasure import OTHER, SECRET, left_in

CHILD = """
import os, signal, sys
from pathlib import Path
from memory.erasure import Eraser
from memory.store import MemoryStore
from runtime.contract import Erased

home, moment, memory_id = Path(sys.argv[1]), sys.argv[2], sys.argv[3]

def die():
    os.kill(os.getpid(), signal.SIGKILL)

class Sink:
    def erase(self, erasure, texts=()):
        if moment == "sink":
            die()
        return Erased(store="sink")

class Store(MemoryStore):
    def remove(self, ids):
        if moment == "before removal":
            die()
        gone = super().remove(ids)
        if moment == "after removal":
            die()
        return gone

    def scrub(self):
        if moment == "before scrub":
            die()
        done = super().scrub()
        if moment == "after scrub":
            die()
        return done

store = Store(home / "data" / "memory.sqlite3")
Eraser(home, store, sinks=(Sink(),)).forget([memory_id])
print("lived")
"""


@pytest.fixture
def home(tmp_path):
    (tmp_path / "data").mkdir()
    return tmp_path


def opened(home):
    return MemoryStore(home / "data" / "memory.sqlite3", lambda: NOW)


def remembered(home):
    """The id of a secret in a store and in a file beside it."""
    store = opened(home)
    store.add(OTHER, Category.INFO)
    record = store.add(SECRET, Category.INFO)
    store.close()
    (home / "data" / "set.jsonl").write_text(json.dumps({"text": SECRET}) + "\n" + json.dumps({"text": OTHER}) + "\n")
    return record.id


@pytest.mark.parametrize("moment", ["sink", "before removal", "after removal", "before scrub", "after scrub"])
def test_a_killed_erasure_is_finished_at_the_next_start(home, moment):
    memory_id = remembered(home)
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(home), moment, memory_id], capture_output=True, check=False, timeout=300
    )
    assert child.returncode == -signal.SIGKILL, child.stderr
    store = opened(home)
    assert [record.content for _, record in store.records()] == [OTHER]  # no search shows it any more
    eraser = Eraser(home, store)
    (receipt,) = eraser.resume()
    assert (receipt.complete, receipt.resumed) == (True, True)
    assert left_in(home) == []
    assert json.loads((home / "data" / "set.jsonl").read_text()) == {"text": OTHER}
    assert eraser.resume() == []
    assert store.check() == []
    eraser.close()
    store.close()


def test_the_journal_holds_ids_and_no_text(home):
    memory_id = remembered(home)
    subprocess.run([sys.executable, "-c", CHILD, str(home), "sink", memory_id], capture_output=True, check=False)
    journal = Journal(home / "data" / "erasures.sqlite3")
    ((erasure, stage),) = journal.open()
    assert (erasure.targets, stage) == ((memory_id,), "begun")
    journal.close()
    for path in (home / "data").glob("erasures*"):
        assert SECRET.encode() not in path.read_bytes()


class Busy:
    """A sink that is in use, until it isn't."""

    def __init__(self):
        self.path, self.in_use = Path("traces.sqlite3"), True

    def erase(self, erasure, texts=()):
        if self.in_use:
            raise InfrastructureError("the data file can't be written: database is locked.")
        return Erased(store="traces")


def test_a_store_in_use_keeps_the_erasure_open_and_the_record_hidden(home):
    memory_id = remembered(home)
    store, sink = opened(home), Busy()
    audit = Audit(home / "data" / "audit.sqlite3")
    eraser = Eraser(home, store, sinks=(sink,), audit=audit)
    receipt = eraser.forget([memory_id])
    assert (receipt.complete, receipt.left[0].path) == (False, "traces.sqlite3")
    assert [record.content for _, record in store.records()] == [OTHER]
    sink.in_use = False
    (again,) = eraser.resume()
    assert (again.complete, again.records) == (True, (memory_id,))
    assert left_in(home) == []
    assert [entry.event for entry in reversed(audit.entries())] == [
        "erasure_begun", "erasure_incomplete", "erasure_resumed", "erased"]  # fmt: skip
    for thing in (eraser, audit, store):
        thing.close()


def test_a_database_that_another_program_writes_is_cleaned_later(home, monkeypatch):
    monkeypatch.setattr("memory.erasure.files.BUSY_MS", 50)
    memory_id = remembered(home)
    other = module().connect(home / "data" / "eval.sqlite3", isolation_level=None)
    other.execute("CREATE TABLE rows (text TEXT)")
    other.execute("INSERT INTO rows VALUES (?)", (SECRET,))
    other.execute("BEGIN IMMEDIATE")
    store = opened(home)
    eraser = Eraser(home, store)
    receipt = eraser.forget([memory_id])
    assert not receipt.complete
    assert [one.path for one in receipt.left] == ["data/eval.sqlite3"]
    other.execute("COMMIT")
    other.close()
    assert [one.complete for one in eraser.resume()] == [True]
    assert left_in(home) == []
    eraser.close()
    store.close()


def test_a_reader_of_the_log_keeps_the_erasure_open(home):
    memory_id = remembered(home)
    store = opened(home)
    store._connection.execute("PRAGMA busy_timeout=50")
    reader = module().connect(home / "data" / "memory.sqlite3", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM records").fetchone()
    eraser = Eraser(home, store)
    assert not eraser.forget([memory_id]).complete
    assert store.get(memory_id) is None
    reader.execute("COMMIT")
    reader.close()
    assert [one.complete for one in eraser.resume()] == [True]
    assert left_in(home) == []
    eraser.close()
    store.close()


@pytest.mark.parametrize("name", ["traces.sqlite3", "eval.sqlite3"])
def test_a_reader_of_another_database_keeps_the_record_hidden(home, monkeypatch, name):
    monkeypatch.setattr("memory.erasure.files.BUSY_MS", 50)
    memory_id = remembered(home)
    traces = TraceStore(home / "data" / "traces.sqlite3", open_database)
    with traces.episode(TaskView(request=SECRET), {}):
        pass
    traces._database.connection.execute("PRAGMA busy_timeout=50")
    results = module().connect(home / "data" / "eval.sqlite3", isolation_level=None)
    results.execute("PRAGMA journal_mode=WAL")
    results.execute("CREATE TABLE rows (text TEXT)")
    results.execute("INSERT INTO rows VALUES (?)", (SECRET,))
    reader = module().connect(home / "data" / name, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
    store = opened(home)
    eraser = Eraser(home, store, sinks=(traces,))
    receipt = eraser.forget([memory_id])
    assert (receipt.complete, {one.path.removesuffix("-wal") for one in receipt.left}) == (False, {f"data/{name}"})
    assert [record.content for _, record in store.records()] == [OTHER]
    reader.execute("COMMIT")
    assert [one.complete for one in eraser.resume()] == [True]
    assert left_in(home) == []
    for thing in (reader, results, eraser, traces, store):
        thing.close()


def test_two_processes_do_not_finish_the_same_erasure(home):
    memory_id = remembered(home)
    subprocess.run([sys.executable, "-c", CHILD, str(home), "sink", memory_id], capture_output=True, check=False)
    store = opened(home)
    one, other = Eraser(home, store), Eraser(home, store)
    with one.journal.alone():
        assert other.resume() == []
    assert len(other.resume()) == 1
    for thing in (one, other, store):
        thing.close()


def test_a_folder_that_can_not_be_written(home):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    memory_id = remembered(home)
    store = opened(home)
    (home / "locked").mkdir()
    (home / "locked" / "a.txt").write_text(SECRET)
    (home / "locked").chmod(0o500)
    eraser = Eraser(home, store)
    receipt = eraser.forget([memory_id])
    assert (receipt.complete, [one.path for one in receipt.left]) == (False, ["locked/a.txt"])
    (home / "locked").chmod(0o700)
    eraser.close()
    store.close()
