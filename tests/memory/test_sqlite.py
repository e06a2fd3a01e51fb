"""The connection factory: how a file is set, what is refused untouched, what a full disk leaves."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from memory.sqlite import LockedError, connect, migrate, module, open_database, safe, writing
from runtime.contract import InfrastructureError, Schema, UserError

PLAIN = Schema(noun="data file", tables=("a",), steps=("CREATE TABLE a (b)",))
STRICT = replace(PLAIN, durable=True, forgets=True)


def settings(connection):
    names = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys", "secure_delete")
    return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]


def everything(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_how_a_connection_is_set(tmp_path):
    assert settings(connect(tmp_path / "t.db", PLAIN)) == ["wal", 1, 5000, 1, 0]
    assert settings(connect(tmp_path / "s.db", STRICT)) == ["wal", 2, 5000, 1, 1]


def test_a_writer_tries_again_while_another_holds_the_lock(tmp_path):
    database = open_database(tmp_path / "t.db", PLAIN)
    database.connection.execute("PRAGMA busy_timeout=1000")
    held = threading.Event()

    def hold():
        other = connect(tmp_path / "t.db", PLAIN)
        with writing(other, PLAIN):
            held.set()
            time.sleep(1.6)
        other.close()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    with database.writing() as db:
        db.execute("INSERT INTO a VALUES (1)")
    holder.join()
    assert database.execute("SELECT count(*) FROM a").fetchone()[0] == 1
    database.close()


@pytest.mark.parametrize("waits", [0, 5])
def test_a_lock_that_is_held_for_longer_is_told_as_one(tmp_path, waits):
    other, database = connect(tmp_path / "t.db", PLAIN), open_database(tmp_path / "t.db", PLAIN)
    other.execute("BEGIN IMMEDIATE")
    database.connection.execute(f"PRAGMA busy_timeout={waits}")
    with (
        pytest.raises(LockedError, match=r"another process holds its lock .* wait for that process, or end it"),
        database.writing(),
    ):
        pass
    other.execute("ROLLBACK")
    with database.writing() as db:
        db.execute("INSERT INTO a VALUES (1)")
    database.close()
    other.close()


def test_files_belong_to_their_user_alone(tmp_path):
    database = open_database(tmp_path / "new" / "t.db", PLAIN)
    with database.writing() as db:
        db.execute("INSERT INTO a VALUES (1)")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "new").iterdir()}
    assert modes == {"t.db": 0o600, "t.db-wal": 0o600, "t.db-shm": 0o600}


def test_a_copied_file_that_others_could_read_is_closed_to_them(tmp_path):
    connect(tmp_path / "t.db", PLAIN).close()
    (tmp_path / "t.db").chmod(0o644)
    connect(tmp_path / "t.db", PLAIN).close()
    assert stat.S_IMODE((tmp_path / "t.db").stat().st_mode) == 0o600


def test_a_file_of_a_newer_program_is_left_as_it_is(tmp_path):
    connect(tmp_path / "t.db", replace(PLAIN, steps=(*PLAIN.steps, "CREATE TABLE c (d)"))).close()
    before = everything(tmp_path)
    with pytest.raises(UserError, match=r"the data file has schema 2; this program knows 1\. Update pocketplanner"):
        connect(tmp_path / "t.db", PLAIN)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_database_of_another_program_is_left_as_it_is(tmp_path, mode):
    path = tmp_path / "photos.db"
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA journal_mode={mode}")
    other.execute("CREATE TABLE photos (name)")
    other.execute("PRAGMA user_version=1")
    other.commit()
    other.close()
    path.chmod(0o644)
    before = everything(tmp_path)
    with pytest.raises(UserError, match=r"is a database of another program \(it has no table `a`\)"):
        connect(path, PLAIN)
    assert everything(tmp_path) == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = tmp_path / "t.db"
    path.write_bytes(b"these are not the bytes of a database, whatever its name says" * 20)
    before = everything(tmp_path)
    with pytest.raises(UserError, match="can't be opened: file is not a database"):
        connect(path, PLAIN)
    assert everything(tmp_path) == before


def test_a_pipe_or_a_device_is_refused_and_keeps_its_mode(tmp_path):
    os.mkfifo(tmp_path / "pipe", 0o644)
    mode = stat.S_IMODE((tmp_path / "pipe").stat().st_mode)
    with pytest.raises(UserError, match=r"is no regular file and can't be the data file"):
        connect(tmp_path / "pipe", PLAIN)
    assert stat.S_IMODE((tmp_path / "pipe").stat().st_mode) == mode


def test_damage_that_is_met_while_rows_are_read_is_a_typed_error(tmp_path):
    database = open_database(tmp_path / "t.db", PLAIN)
    with database.writing() as db:
        db.executemany("INSERT INTO a VALUES (?)", [("x" * 300,)] * 200)
    database.close()
    size = (tmp_path / "t.db").stat().st_size
    with (tmp_path / "t.db").open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * (size // 2))
    for read in (list, lambda rows: rows.fetchall(), lambda rows: [rows.fetchone() for _ in range(200)]):
        damaged = open_database(tmp_path / "t.db", PLAIN)
        with pytest.raises(InfrastructureError, match=r"can't be read: .* The file is damaged, or no database"):
            read(damaged.execute("SELECT b FROM a"))
        damaged.close()


def test_a_place_that_can_not_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"can't be opened: .* or set `POCKET_HOME`\."):
        connect(tmp_path / "file" / "t.db", PLAIN)


def test_a_migration_that_fails_leaves_nothing(tmp_path):
    connection = module().connect(tmp_path / "t.db", isolation_level=None)
    with pytest.raises(InfrastructureError, match="can't be written"):
        migrate(connection, replace(PLAIN, steps=("CREATE TABLE a (b); CREATE TABLE a (b)",)))
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    assert connection.execute("PRAGMA user_version").fetchone()[0] == 0


def test_a_step_may_be_a_function_over_sqlite_utils(tmp_path):
    schema = replace(PLAIN, steps=(*PLAIN.steps, lambda database: database["a"].add_column("c", int)))
    connection = connect(tmp_path / "t.db", schema)
    assert [row["name"] for row in connection.execute("PRAGMA table_info(a)")] == ["b", "c"]
    assert connection.execute("PRAGMA user_version").fetchone()[0] == 2


def test_a_reader_can_not_write(tmp_path):
    connect(tmp_path / "t.db", PLAIN).close()
    reader = open_database(tmp_path / "t.db", PLAIN, read_only=True)
    with pytest.raises(InfrastructureError, match="can't be written: attempt to write a readonly database"):
        reader.execute("INSERT INTO a VALUES (1)")


def test_what_raises_inside_a_transaction_takes_it_back(tmp_path):
    connection = connect(tmp_path / "t.db", PLAIN)
    with pytest.raises(KeyboardInterrupt), writing(connection, PLAIN) as db:
        db.execute("INSERT INTO a VALUES (1)")
        raise KeyboardInterrupt
    assert connection.execute("SELECT count(*) FROM a").fetchone()[0] == 0


@pytest.mark.parametrize(("to_disk", "synchronous"), [(False, 1), (True, 2)])
def test_a_commit_may_wait_for_the_disk(tmp_path, to_disk, synchronous):
    database = open_database(tmp_path / "t.db", PLAIN)
    with database.writing(to_disk) as db:
        assert db.execute("PRAGMA synchronous").fetchone()[0] == synchronous
    assert database.execute("PRAGMA synchronous").fetchone()[0] == 1


@pytest.mark.parametrize(
    ("version", "is_safe"),
    [("3.40.1", False), ("3.44.5", False), ("3.44.6", True), ("3.50.6", False), ("3.50.7", True), ("3.51.2", False),
     ("3.51.3", True), ("3.52.0", True), ("3.53.4", True)],
)  # fmt: skip
def test_releases_with_the_fix_of_the_wal_reset_bug(version, is_safe):
    assert safe(version) is is_safe


def test_a_full_disk_is_a_typed_error_and_all_that_was_written_can_be_read(tmp_path):
    database = open_database(tmp_path / "t.db", PLAIN)
    with database.writing() as db:
        db.execute("INSERT INTO a VALUES ('kept')")
    database.execute("PRAGMA max_page_count=3")  # SQLite's own word for a disk without room
    full = "can't be written: database or disk is full"
    with pytest.raises(InfrastructureError, match=full), database.writing() as db:
        db.execute("INSERT INTO a VALUES ('first')")
        db.execute("INSERT INTO a VALUES (zeroblob(100000))")
    assert [tuple(row) for row in database.execute("SELECT b FROM a")] == [("kept",)]


def test_a_file_that_may_only_be_read_asks_for_room_or_rights(tmp_path):
    open_database(tmp_path / "a.sqlite3", PLAIN).close()
    database = open_database(tmp_path / "a.sqlite3", PLAIN, read_only=True)
    with pytest.raises(InfrastructureError, match="free the disk, or make the file and its folder writable"):
        database.execute("INSERT INTO a VALUES (1)")
    database.close()


def test_a_new_file_on_a_full_disk_asks_for_room(tmp_path, monkeypatch):
    def full(*_, **__):
        raise module().OperationalError("database or disk is full")

    monkeypatch.setattr("memory.sqlite._opened", full)
    with pytest.raises(UserError, match=r"can't be opened: database or disk is full\. Free the disk, or "):
        connect(tmp_path / "new.sqlite3", PLAIN)


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="needs a small disk of its own")
def test_a_file_on_a_full_disk_is_opened_for_reading(tmp_path):
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "small", tmp_path], check=False).returncode:
        pytest.skip("this system mounts no small disk")
    try:
        connection = connect(tmp_path / "t.db", PLAIN)
        connection.execute("INSERT INTO a VALUES ('kept')")
        connection.close()
        fill(tmp_path / "filler")
        again = open_database(tmp_path / "t.db", PLAIN)
        assert [tuple(row) for row in again.execute("SELECT b FROM a")] == [("kept",)]
        with pytest.raises(InfrastructureError, match="can't be written"), again.writing() as db:
            db.execute("INSERT INTO a VALUES ('lost')")
        again.close()
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return


def test_processes_that_make_one_file_at_once_make_it_once(tmp_path):
    code = (
        "import sys; from pathlib import Path; from memory.sqlite import open_database; "
        "from runtime.contract import Schema\n"
        "schema = Schema(noun='data file', tables=('a',), steps=('CREATE TABLE a (b)', 'INSERT INTO a VALUES (1)'))\n"
        "database = open_database(Path(sys.argv[1]), schema)\n"
        "with database.writing() as db: db.execute('INSERT INTO a VALUES (2)')"
    )
    starts = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "t.db")]) for _ in range(4)]
    assert [process.wait() for process in starts] == [0, 0, 0, 0]
    schema = replace(PLAIN, steps=(*PLAIN.steps, "INSERT INTO a VALUES (1)"))
    connection = connect(tmp_path / "t.db", schema)
    assert sorted(row[0] for row in connection.execute("SELECT b FROM a")) == [1, 2, 2, 2, 2]
