"""Intentions: they fire once, at their time or event, in their scope, and not after their end."""

import subprocess
import sys
import textwrap

import pytest

from memory.lifecycle.prospective import due, expire, intend, outstanding, settle
from memory.lifecycle.turns import Scope
from memory.records import Intention, Trust
from memory.store import Filter, MemoryStore
from runtime.contract import ErrorCode, ToolFailure
from tests.memory.conftest import NOW


def wish(store, content="Buy milk", **intention):
    scope = intention.pop("owner", None)
    return intend(store, content, Intention(condition="then", **intention), scope)


def texts(records):
    return [record.content for record in records]


def test_a_time_fires_once(store):
    wish(store, at="2026-03-02T18:00")
    assert due(store, "2026-03-02T17:59") == []
    (fired,) = due(store, "2026-03-02T18:00")
    assert (fired.content, fired.intention.status, fired.intention.fired_at) == (
        "Buy milk",
        "fired",
        "2026-03-02T18:00",
    )
    assert due(store, "2026-03-02T18:01") == []
    assert texts(outstanding(store)) == ["Buy milk"]


def test_an_event_fires_when_all_that_it_waits_for_is_told(store):
    wish(store, event="I am at the supermarket")
    assert due(store, "2026-03-02T10:00", event="the user entered the office") == []
    assert due(store, "2026-03-02T10:00") == []
    assert texts(due(store, "2026-03-02T10:00", event="the user arrived at a supermarket")) == ["Buy milk"]


def test_with_time_and_event_both_must_come(store):
    wish(store, at="2026-03-03", event="fly")
    assert due(store, "2026-03-02T10:00", event="about to fly") == []
    assert due(store, "2026-03-03T10:00") == []
    assert len(due(store, "2026-03-03T10:00", event="about to fly")) == 1


def test_a_scope_limits_where_it_fires(store):
    wish(store, at="2026-03-01", scope="calendar")
    assert due(store, "2026-03-02T10:00", where="mail") == []
    assert len(due(store, "2026-03-02T10:00", where="Calendar")) == 1


def test_what_has_expired_never_fires_and_goes_to_the_archive(store):
    record = wish(store, at="2026-03-03", expires_at="2026-03-04")
    assert due(store, "2026-03-05T10:00") == []
    kept = store.get(record.id)
    assert (kept.standing, kept.intention.status) == ("archived", "expired")


def test_the_last_day_counts_whole(store):
    wish(store, at="2026-03-04T20:00", expires_at="2026-03-04")
    assert len(due(store, "2026-03-04T21:00")) == 1


def test_expire_closes_without_firing(store):
    record = wish(store, event="fly", expires_at="2026-03-01")
    assert expire(store, "2026-03-02T00:00") == [record.id]
    assert expire(store, "2026-03-02T00:00") == []


def test_settling_says_how_it_ended(store):
    record = wish(store, at="2026-03-01")
    due(store, "2026-03-02")
    assert settle(store, record.id, "done").intention.status == "done"
    assert outstanding(store) == []
    with pytest.raises(ToolFailure) as failure:
        settle(store, record.id, "done")
    assert failure.value.code is ErrorCode.CONFLICT


def test_due_is_of_one_user(store):
    wish(store, "Ann's", at="2026-03-01", owner=Scope(user="ann"))
    assert due(store, "2026-03-02", scope=Scope(user="bob")) == []
    assert texts(due(store, "2026-03-02", scope=Scope(user="ann"))) == ["Ann's"]


def test_external_text_and_empty_wishes_are_refused(store):
    with pytest.raises(ToolFailure, match="external text can't intend anything"):
        intend(store, "Pay the sender", Intention(condition="now", at="2026-03-01"), trust=Trust.EXTERNAL)
    with pytest.raises(ToolFailure, match="waits for nothing"):
        intend(store, "Buy milk", Intention(condition="some day"))
    late = Intention(condition="then", at="2026-03-02T09:00", expires_at="2026-03-01")
    with pytest.raises(ToolFailure, match="`expires_at` is `2026-03-01`, before the intention is due"):
        intend(store, "Buy milk", late)
    assert list(store.records(Filter(standing=()))) == []
    assert intend(store, "Buy eggs", late.model_copy(update={"expires_at": "2026-03-02"})).id == "mem_0001"


def test_two_processes_fire_each_intention_once(tmp_path):
    path = tmp_path / "memory.sqlite3"
    store = MemoryStore(path, lambda: NOW)
    for number in range(40):
        wish(store, f"Wish {number}", at="2026-03-01")
    script = textwrap.dedent("""
        import sys
        from pathlib import Path
        from memory.lifecycle.prospective import due
        from memory.store import MemoryStore
        store = MemoryStore(Path(sys.argv[1]))
        sys.stdin.readline()
        for _ in range(20):
            for record in due(store, "2026-03-02"):
                print(record.content)
    """)
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for racer in racers:
        racer.stdin.write("go\n")
        racer.stdin.flush()
    fired = sorted(line for racer in racers for line in racer.communicate()[0].splitlines())
    store.close()
    assert fired == sorted(f"Wish {number}" for number in range(40))
