"""Phones that outlive their process: what is taken up is what was left, call by call, in memory and on the disk."""

from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.sandbox.kept import PHONES, PhoneStore
from device.sandbox.sandbox import Sandbox
from evalkit.bench.calls import PHONE, load_samples
from memory.sqlite import open_database
from runtime.contract import Deadline, Erasure, InfrastructureError, ToolCall, UserError, WorldSpec

NEVER = Deadline.never()
WORLD = WorldSpec(clock="2026-03-02T09:00", facts=({"table": "alarms", "id": "alarm_900", "time": "05:00",
                                                    "date": "2026-03-03", "title": "early"},))  # fmt: skip


@pytest.fixture
def store(tmp_path):
    return PhoneStore(tmp_path / "phones.sqlite3", open_database)


def alarm(title, call_id="a", time="7:30"):
    return ToolCall(id=call_id, name="manage_alarm", arguments={"action": "create", "time": time, "title": title})


def state(phone):
    """All that a phone is."""
    entries = [(kind.table, key, before, after, first) for kind, key, before, after, first in phone.journal.entries]
    log = [(*one[:5], tuple((kind.table, key) for kind, key in one.touched)) for one in phone.log]
    applied = {key: (call, seen.model_copy(update={"evidence": None})) for key, (call, seen) in phone.applied.items()}
    return phone.frozen().tables, entries, log, applied, phone.now, phone._ids.mark(), phone.new_id("probe")


def test_every_tool_leaves_a_phone_that_can_be_taken_up(store):
    phone = store.begin(PHONE)
    landed = 0
    for number, sample in enumerate(load_samples().values()):
        landed += phone.execute(sample.said, NEVER, f"run:{number}").ok
    assert landed > 250  # some samples need others before them, and some exclude each other
    assert state(store.take_up(phone.id)) == state(phone)


def test_a_call_that_landed_is_answered_and_not_done_again(store):
    phone = store.begin(WORLD)
    first = phone.execute(alarm("swim"), NEVER, "run:s0a")
    failed = phone.execute(ToolCall(id="b", name="no_tool", arguments={}), NEVER, "run:s0b")
    again = store.take_up(phone.id)
    found = again.recover(alarm("swim", "c"), "run:s0a", NEVER)
    assert (found.data, found.diff, found.call_id) == (first.data, first.diff, "c")
    assert found.evidence.facts["matches"]
    assert again.recover(alarm("run"), "run:s0c", NEVER) is None
    assert not failed.ok
    assert again.recover(ToolCall(id="b", name="no_tool", arguments={}), "run:s0b", NEVER) is None  # it did nothing
    assert len(again.diff(again.first).changes) == 1


def test_evidence_is_of_the_moment(store):
    """A later call changes what the first wrote; what came of the first is still what was read then."""
    phone = store.begin(WORLD)
    louder = ToolCall(id="a", name="adjust_volume", arguments={"action": "set", "level": "35"})
    phone.execute(louder, NEVER, "run:a")
    phone.execute(louder.model_copy(update={"arguments": {"action": "set", "level": "60"}}), NEVER, "run:b")
    found = store.take_up(phone.id).recover(louder, "run:a", NEVER)
    assert [row["row"]["percent"] for row in found.evidence.facts["rows"]] == [35]


def test_what_cant_be_written_is_not_done(store, monkeypatch):
    phone = store.begin(WORLD)

    @contextmanager
    def full(to_disk=False):
        raise InfrastructureError("the disk is full")
        yield

    monkeypatch.setattr(phone._database, "writing", full)
    with pytest.raises(InfrastructureError, match="the disk is full"):
        phone.execute(alarm("swim"), NEVER, "run:a")
    assert (phone.diff(phone.first).changes, phone.applied, phone.log) == ((), {}, [])
    monkeypatch.undo()
    assert phone.execute(alarm("swim"), NEVER, "run:a").data["alarm"]["id"] == "alarm_901"


def test_it_is_forgotten_with_its_run_and_others_by_age(store):
    phone = store.begin(WORLD)
    phone.execute(alarm("swim"), NEVER, "run:a")
    phone.forget()
    assert store._database.execute("SELECT count(*) FROM calls").fetchone()[0] == 0
    with pytest.raises(UserError, match="is not kept any more"):
        store.take_up(phone.id)
    assert phone.execute(alarm("run", time="8:00"), NEVER, "run:b").ok  # whoever still uses it can
    assert store._database.execute("SELECT count(*) FROM calls").fetchone()[0] == 0
    others = [store.begin(WORLD).id for _ in range(PHONES + 3)]
    kept = [row[0] for row in store._database.execute("SELECT id FROM phones ORDER BY number")]
    assert kept == others[3:]


def test_an_erasure_forgets_all_of_them(store, tmp_path):
    phone = store.begin(WORLD)
    phone.execute(alarm("zanzibar"), NEVER, "run:a")
    erased = store.erase(Erasure(id="e", subject="user", targets=(), requested_at="2026-03-02T09:00:00"))
    assert (erased.store, erased.removed) == ("phones", (phone.id,))
    assert not [file.name for file in tmp_path.iterdir() if b"zanzibar" in file.read_bytes()]


def test_a_phone_of_another_version_is_refused(store):
    phone = store.begin(WORLD)
    phone.execute(alarm("swim"), NEVER, "run:a")
    store._database.execute("UPDATE calls SET record = replace(record, '\"alarms\"', '\"clocks_of_old\"')")
    with pytest.raises(UserError, match="kept by another version"):
        store.take_up(phone.id)
    store._database.execute("UPDATE calls SET record = replace(record, '\"clocks_of_old\"', '\"alarms\"')")
    store._database.execute("UPDATE calls SET record = replace(record, '\"title\"', '\"label\"')")
    with pytest.raises(UserError, match="written by another version"):
        store.take_up(phone.id)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE phones SET world = substr(world, 1, 9)",
        "UPDATE calls SET record = substr(record, 1, 40)",
        "UPDATE calls SET record = '[]'",
        "UPDATE calls SET record = '{}'",
        "UPDATE calls SET record = json_set(record, '$.now', 'noon')",
        "UPDATE calls SET record = json_set(record, '$.rows[0][2]', 7)",
        "UPDATE calls SET record = json_set(record, '$.log[0]', 7)",
        "UPDATE calls SET record = json_set(record, '$.seen', 7)",
    ],
)
def test_a_damaged_phone_is_a_users_error(store, damage):
    phone = store.begin(WORLD)
    phone.execute(alarm("swim"), NEVER, "run:a")
    store._database.execute(damage)
    with pytest.raises(UserError, match=rf"`{phone.id}` was kept with can't be read .*Run the request anew"):
        store.take_up(phone.id)


def test_a_reset_begins_a_new_history(store):
    phone = store.begin(WORLD)
    phone.execute(alarm("swim"), NEVER, "run:a")
    phone.reset(WorldSpec(clock="2027-01-01T08:00"))
    phone.execute(alarm("row"), NEVER, "run:a")
    assert state(store.take_up(phone.id)) == state(phone)


MOVES = st.lists(st.sampled_from(["alarm", "louder", "nonsense", "snapshot", "restore", "again"]), max_size=25)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=MOVES)
def test_any_history_can_be_taken_up(store, moves):
    phone, plain = store.begin(WORLD), Sandbox(WORLD)
    plain.snapshot()
    handles = []
    for number, move in enumerate(moves):
        calls = {
            "alarm": alarm(f"bell {number}", time=f"{6 + number // 4}:{number % 4 * 15:02d}"),
            "louder": ToolCall(id="b", name="adjust_volume", arguments={"action": "up", "level": "1"}),
            "nonsense": ToolCall(id="c", name="adjust_volume", arguments={"action": "sideways"}),
        }
        if move in calls:
            phone.execute(calls[move], NEVER, f"run:{number}")
            plain.execute(calls[move], NEVER, f"run:{number}")
        elif move == "again" and phone.applied:
            key, (call, _) = next(iter(phone.applied.items()))
            phone.execute(call, NEVER, key)
        elif move == "snapshot":
            handles.append((phone.snapshot(), plain.snapshot()))
        elif move == "restore" and handles:
            mine, other = handles.pop()
            phone.restore(mine)
            plain.restore(other)
    taken = store.take_up(phone.id)
    assert state(taken) == state(phone) == state(plain)
