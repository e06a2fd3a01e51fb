"""Several processes, real ones: nothing acknowledged is lost when they are killed, and no record is another's."""

import signal
import subprocess
import sys

import pytest

from memory.records import Category, NewRecord, kind_for
from memory.store import Filter, MemoryStore
from memory.vectors import VectorIndex
from tests.memory.conftest import NOW

WRITER = """
import sys
from pathlib import Path
import numpy as np
from memory.records import Category, NewRecord, kind_for
from memory.store import Embedded, MemoryStore

path, user = Path(sys.argv[1]), sys.argv[2]
store = MemoryStore(path)
for number in range(int(sys.argv[3])):
    vector = np.zeros(4, np.float32)
    vector[number % 4] = 1
    text = f"{user} says {number}"
    new = NewRecord(kind=kind_for("preference"), category=Category.PREFERENCE, content=text, user=user)
    record = store.insert(new, Embedded("e", vector))
    if number % 5 == 4:
        record = store.replace(record.id, text + " again", embedded=Embedded("e", vector))
    print(record.id, record.content, sep="|", flush=True)
"""


def start(path, user, count):
    command = [sys.executable, "-c", WRITER, str(path), user, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def acknowledged(lines):
    """Ids and texts of whole lines; the last one may be torn."""
    pairs = [line.rstrip("\n").split("|") for line in lines if line.endswith("\n")]
    return dict(pairs)


def test_two_writers_that_are_killed_lose_nothing_acknowledged(tmp_path):
    path = tmp_path / "memory.sqlite3"
    known: dict[str, str] = {}
    for kill_after in (3, 12):
        writers = [start(path, user, 100_000) for user in ("ann", "bob")]
        lines = [[writer.stdout.readline() for _ in range(kill_after)] for writer in writers]
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
        for writer, seen in zip(writers, lines, strict=True):
            known.update(acknowledged([*seen, *writer.stdout]))
            writer.wait()
        store = MemoryStore(path, lambda: NOW)
        assert store.check() == []
        assert {name: record and record.content for name in known if (record := store.get(name))} == known
        index = VectorIndex(store, "e", 4)
        for user in ("ann", "bob"):
            seqs, _ = index.cosines([1, 0, 0, 0], Filter(user=user))
            records = store.by_seq(seqs.tolist())
            assert len(records) == len(seqs) > 0
            assert all(record.content.startswith(f"{user} says") for record in records.values())
        assert index.lacking == set()
        store.close()


def test_writers_and_a_reader_at_once(tmp_path):
    path = tmp_path / "memory.sqlite3"
    store = MemoryStore(path, lambda: NOW)
    index = VectorIndex(store, "e", 4)
    writers = [start(path, user, 20) for user in ("ann", "bob")]
    while any(writer.poll() is None for writer in writers):
        seqs, _ = index.cosines([0, 1, 0, 0], Filter(user="ann", standing=()))
        assert all(record.user == "ann" for record in store.by_seq(seqs.tolist()).values())
    said = [acknowledged(writer.stdout.readlines()) for writer in writers]
    assert [len(one) for one in said] == [20, 20]
    assert [writer.returncode for writer in writers] == [0, 0]
    index.refresh()
    assert len(index) == store.count(Filter(standing=())) == 2 * (20 + 4)
    assert store.check() == []
    store.close()


@pytest.fixture
def store(tmp_path):
    opened = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    yield opened
    opened.close()


def new(text, **more):
    return NewRecord(kind=kind_for("preference"), category=Category.PREFERENCE, content=text, **more)


def test_a_full_disk_leaves_the_store_readable(store):
    store.insert(new("likes tea"))
    store._connection.execute("PRAGMA max_page_count=1")  # no page more than there are
    with pytest.raises(Exception, match="the memory file can't be written: database or disk is full") as error:
        store.insert_many([(new(f"fact {number}", original="x" * 5000), None) for number in range(50)])
    assert type(error.value).__name__ == "InfrastructureError"
    assert (store.count(), list(store.matching('"tea"'))) == (1, [1])
    assert store.check() == []
    store._connection.execute("PRAGMA max_page_count=1000000")
    assert store.insert(new("likes coffee")).id == "mem_0002"


def test_the_log_is_emptied_once_nobody_reads_it(store, tmp_path):
    store.insert(new("the locker combination is zebrafinch", original="zebrafinch, she said"))
    other = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    with other.reading():
        assert other.count() == 1
        store.remove(["mem_0001"])
        store._connection.execute("PRAGMA busy_timeout=50")
        assert not store.scrub()
    assert store.scrub()
    assert not [path for path in tmp_path.iterdir() if b"zebrafinch" in path.read_bytes()]
    other.close()
