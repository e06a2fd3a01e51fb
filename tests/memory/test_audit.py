"""The audit log: what it keeps, and that it shows whoever touches it."""

import json
import multiprocessing
import shutil
import stat
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.audit import Audit, Event
from memory.sqlite import module
from runtime.contract import UserError

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def log(tmp_path):
    made = Audit(tmp_path / "audit.sqlite3", lambda: NOW)
    yield made
    made.close()


def filled(log, count=5):
    for number in range(count):
        log.append(Event.CORRECTED, "user:anna", f"mem_{number:04d}", records=1)


def forge(log, sql):
    """Change the file as somebody would who has no key."""
    connection = module().connect(log.path)
    for trigger in ("entries_stay", "entries_hold"):
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute(sql)
    connection.commit()
    connection.close()


def test_entries_are_numbered_and_hold_aliases_alone(log):
    log.append(Event.ERASED, "user:anna", "mem_0007", records=3, files=2)
    log.append(Event.DENIED, "token:ab12")
    second, first = log.entries()
    assert (first.number, first.at, first.event, first.counts) == (
        1, "2026-03-02T09:00:00.000+00:00", Event.ERASED, {"files": 2, "records": 3})  # fmt: skip
    assert (second.number, second.subject) == (2, "")
    assert first.actor == log.alias("user:anna")
    assert len(first.subject) == 16
    said = "".join(path.read_bytes().decode("latin-1") for path in log.path.parent.glob("audit*"))
    assert "anna" not in said
    assert "mem_0007" not in said


def test_two_logs_have_different_aliases(log, tmp_path):
    other = Audit(tmp_path / "other" / "audit.sqlite3")
    assert log.alias("user:anna") != other.alias("user:anna")
    other.close()


def test_no_text_comes_in(log):
    with pytest.raises(ValueError, match="invalid literal"):
        log.append(Event.ERASED, "user:anna", records="is allergic to peanuts")
    assert log.entries() == []


def test_an_untouched_log_is_right_also_after_opening_it_again(log):
    assert log.verify() == []
    filled(log)
    assert log.verify() == []
    again = Audit(log.path)
    again.append(Event.SHARED, "user:anna")
    assert again.verify() == []
    again.close()


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE entries SET event = 'shared' WHERE number = 3", ["entry 3 was changed or moved"]),
        ("UPDATE entries SET at = '2026-03-01' WHERE number = 1", ["entry 1 was changed or moved"]),
        ("UPDATE entries SET counts = '{\"records\":2}' WHERE number = 5", ["entry 5 was changed or moved"]),
        ("UPDATE entries SET event = 'cooked' WHERE number = 2", ["entry 2 was changed or moved"]),
        ("DELETE FROM entries WHERE number = 2", ["entry 2 is missing"]),
        ("DELETE FROM entries WHERE number IN (2, 3)", ["entries 2 to 3 are missing"]),
        ("DELETE FROM entries WHERE number = 1", ["entry 1 is missing"]),
        ("DELETE FROM entries WHERE number >= 4",
         ["the log ends with entry 3, but 5 were written: it was cut off or set back"]),
        ("DELETE FROM entries", ["the log ends with entry 0, but 5 were written: it was cut off or set back"]),
    ],
)  # fmt: skip
def test_a_touched_log_says_where(log, sql, says):
    filled(log)
    forge(log, sql)
    assert log.verify() == says


def test_entries_in_another_order(log):
    filled(log, 4)
    forge(log, "UPDATE entries SET number = CASE number WHEN 2 THEN -3 WHEN 3 THEN -2 ELSE number END")
    connection = module().connect(log.path)
    connection.execute("UPDATE entries SET number = -number WHERE number < 0")
    connection.commit()
    connection.close()
    assert log.verify() == ["entry 2 was changed or moved", "entry 3 was changed or moved",
                            "entry 4 was changed or moved"]  # fmt: skip


def test_an_older_copy_of_the_log(log, tmp_path):
    filled(log, 2)
    log.close()
    shutil.copy(log.path, tmp_path / "old")
    later = Audit(log.path)
    filled(later, 3)
    later.close()
    shutil.copy(tmp_path / "old", log.path)
    back = Audit(log.path)
    assert back.verify() == ["the log ends with entry 2, but 5 were written: it was cut off or set back"]
    back.close()


def test_an_anchor_that_was_forged_or_taken_away(log):
    filled(log, 3)
    anchor = log.path.with_suffix(".anchor")
    said = json.loads(anchor.read_text())
    anchor.write_text(json.dumps({**said, "count": 2}))
    assert log.verify() == ["the anchor was changed: the log may have been cut off"]
    anchor.unlink()
    assert log.verify() == ["the anchor is missing: the log may have been cut off"]


def test_a_process_that_died_before_it_wrote_the_anchor(log):
    filled(log, 3)
    anchor = log.path.with_suffix(".anchor")
    before = anchor.read_text()
    filled(log, 1)
    anchor.write_text(before)
    assert log.verify() == []


def test_a_lost_key_stops_the_log(log):
    filled(log, 1)
    log.path.with_suffix(".key").unlink()
    assert log.verify() == ["the key `audit.key` is missing: the log can't be checked"]
    with pytest.raises(UserError, match=r"has lost its key `audit\.key`\. Put the key back"):
        filled(log, 1)


def test_the_file_itself_refuses_changes(log):
    filled(log, 1)
    connection = module().connect(log.path)
    for sql in ("DELETE FROM entries", "UPDATE entries SET event = 'shared'"):
        with pytest.raises(module().IntegrityError, match="the log only grows"):
            connection.execute(sql)
    connection.close()


def test_files_belong_to_their_user_alone(log):
    filled(log, 1)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in log.path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert {"audit.sqlite3", "audit.key", "audit.anchor"} <= set(modes)


def append_many(path, count):
    log = Audit(path)
    filled(log, count)
    log.close()


def test_several_processes_append_to_one_chain(log):
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=append_many, args=(log.path, 10)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert len(log.entries(limit=1000)) == 30
    assert log.verify() == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(place=st.integers(1, 6), field=st.sampled_from(["at", "event", "actor", "subject", "counts", "mac"]))
def test_any_field_of_any_entry_is_held(tmp_path_factory, place, field):
    log = Audit(tmp_path_factory.mktemp("log") / "audit.sqlite3")
    filled(log, 6)
    forge(log, f"UPDATE entries SET {field} = '0' || {field} WHERE number = {place}")
    assert f"entry {place} was changed or moved" in log.verify()
    log.close()
