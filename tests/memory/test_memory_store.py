"""The store: worlds, snapshots, files, and what is left of what was removed."""

import hashlib
import stat
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.manager import UserMemory
from memory.records import Category, Kind, Trust
from memory.schema import SCHEMA
from memory.sqlite import connect
from memory.store import Embedded, MemoryStore
from runtime.contract import Deadline, ToolCall, ToolFailure, UserError, WorldSpec
from tests.memory.conftest import MEMORIES, NOW, Words


def rows(store):
    query = "SELECT seq, id, content, valid_to FROM records ORDER BY seq"
    return [tuple(row) for row in store._connection.execute(query)]


@pytest.fixture
def on_disk(tmp_path):
    store = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    yield store
    store.close()


def test_a_world_gives_kind_time_and_trust_to_what_leaves_them_out(memory):
    habit, event = memory.store.get("mem_a"), memory.store.get("mem_c")
    assert (habit.kind, habit.created_at, habit.trust) == (Kind.USER_MODEL, "2026-03-02T09:00", Trust.USER)
    assert (event.kind, event.created_at, event.valid_from) == (Kind.EPISODIC, "2026-01-01T08:00", "2026-01-01T08:00")


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            {"id": "m", "content": "x", "category": "habits"},
            "memory 0 of the world (`m`): field `category` is `habits`",
        ),
        ({"id": "m", "content": "x", "colour": "red"}, "memory 0 of the world (`m`): field `colour` is `red`"),
        ({"id": "m", "content": " "}, "memory 0 of the world (`m`): field `content` is ` `"),
        ({"content": "x"}, "memory 0 of the world (`?`): field `id` is ``: Field required"),
        ({"id": "m", "content": "x", "created_at": "2026-02-30"}, "field `created_at` is `2026-02-30`"),
    ],
)
def test_a_world_with_a_wrong_memory_names_the_field(memory, row, says):
    with pytest.raises(UserError) as error:
        memory.reset(WorldSpec(memories=(row,)))
    assert says in str(error.value)
    assert memory.store.count() == 4  # as it was


def test_two_memories_with_one_id_are_refused(memory):
    with pytest.raises(UserError, match="two memories of the world have the id `m`"):
        memory.reset(WorldSpec(memories=({"id": "m", "content": "x"}, {"id": "m", "content": "y"})))


def test_reset_gives_the_same_ids_again(memory):
    first = memory.store.add("Likes tea", Category.PREFERENCE)
    memory.reset(WorldSpec(memories=MEMORIES))
    assert rows(memory.store)[-1][1] == "mem_d"
    assert memory.store.add("Likes tea", Category.PREFERENCE) == first


def test_an_id_is_not_given_twice(memory):
    one = memory.store.add("Likes tea", Category.PREFERENCE)
    memory.store.remove(one.id)
    assert memory.store.add("Likes coffee", Category.PREFERENCE).id == "mem_0006"


def test_a_planted_id_is_not_given_again(memory):
    memory.reset(WorldSpec(memories=({"id": "mem_0002", "content": "x"},)))
    assert memory.store.add("y", Category.INFO).id == "mem_0003"


def test_a_failed_write_leaves_nothing(memory):
    start = memory.snapshot()
    with pytest.raises(ToolFailure), memory.store.writing():
        memory.store.add("Likes tea", Category.PREFERENCE)
        memory.store.need("mem_x")
    assert memory.diff(start).empty
    assert memory.store.count() == 4


def test_a_snapshot_of_before_a_reset_is_refused(memory):
    handle = memory.snapshot()
    memory.reset(WorldSpec())
    with pytest.raises(LookupError, match="no snapshot `memory_1`"):
        memory.diff(handle)


step = st.one_of(
    st.tuples(st.just("add"), st.integers(0, 9)),
    st.tuples(st.just("replace"), st.integers(0, 9)),
    st.tuples(st.just("remove"), st.integers(0, 9)),
)


def take(store, action, number):
    held = [row[1] for row in rows(store) if row[3] is None]
    if action == "add":
        store.add(f"fact {number}", Category.INFO)
    elif held and action == "replace":
        store.replace(held[number % len(held)], f"new {number}")
    elif held:
        store.remove(held[number % len(held)])


@given(st.lists(step, max_size=6), st.lists(step, max_size=8))
def test_restore_brings_back_exactly_what_was(before, after):
    store = MemoryStore(None, lambda: NOW)
    store.reset(WorldSpec(memories=MEMORIES))
    for action, number in before:
        take(store, action, number)
    was, handle = rows(store), store.snapshot()
    for action, number in after:
        take(store, action, number)
    store.restore(handle)
    assert rows(store) == was
    assert store.diff(handle).empty
    one = store.add("later", Category.INFO).id
    store.restore(handle)
    assert store.add("later", Category.INFO).id == one
    store._connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    store.close()


def test_a_file_is_private_and_outlives_its_process(on_disk, tmp_path):
    record = on_disk.add("Likes tea", Category.PREFERENCE)
    on_disk.close()
    path = tmp_path / "memory.sqlite3"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = MemoryStore(path)
    assert again.get(record.id) == record
    again.close()


def test_two_connections_write_the_same_file(on_disk, tmp_path):
    other = MemoryStore(tmp_path / "memory.sqlite3", lambda: NOW)
    generation = on_disk.generation()
    assert [on_disk.add("a", Category.INFO).id, other.add("b", Category.INFO).id] == ["mem_0001", "mem_0002"]
    assert on_disk.add("c", Category.INFO).id == "mem_0003"
    assert on_disk.generation() == generation + 3
    other.close()


def test_a_users_file_is_never_reset(on_disk):
    with pytest.raises(UserError, match="is never reset"):
        on_disk.reset(WorldSpec())
    handle = on_disk.snapshot()
    with pytest.raises(UserError, match="is never set back"):
        on_disk.restore(handle)


def test_nothing_that_was_removed_stays_in_the_files(tmp_path):
    memory = UserMemory(tmp_path / "memory.sqlite3", Words(), lambda: NOW)

    def call(key, name, **arguments):
        return memory.execute(ToolCall(id=key, name=name, arguments=arguments), Deadline.never(), key)

    for number in range(30):
        call(f"k{number}", "add_user_memory", content=f"Ordinary fact number {number}")
    call("a", "add_user_memory", content="Locker combination is zebrafinch seventeen")
    call("b", "replace_user_memory", memoryId="mem_0031", content="Locker combination is quokkaberry eighteen")
    call("k31", "add_user_memory", content="One more ordinary fact")
    seen = call("c", "remove_user_memory", memoryId="mem_0032")
    assert seen.data["removed"] == 2
    files = list(tmp_path.iterdir())
    assert any(b"Ordinary fact number 7" in path.read_bytes() for path in files)
    for path in files:
        assert not [secret for secret in (b"zebrafinch", b"quokkaberry") if secret in path.read_bytes()], path
    memory.close()


def test_the_schema_is_the_released_one():
    """Whoever changes it adds a step to the migrations and its digest here; a released step never changes."""
    digests = []
    for count in range(1, len(SCHEMA.steps) + 1):
        connection = connect(None, replace(SCHEMA, steps=SCHEMA.steps[:count]))
        query = (
            "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'words_%' AND name NOT LIKE 'sqlite_%' ORDER BY 1"
        )
        text = " ".join(" ".join(f"{name} {sql}".split()) for name, sql in connection.execute(query))
        digests.append(hashlib.sha256(text.encode()).hexdigest()[:16])
        connection.close()
    assert digests == ["a16bc85844c4420b", "800432a2c2cdd599", "8a262e817f2c9667"]


def test_a_file_of_the_first_version_is_brought_forward(tmp_path):
    path = tmp_path / "memory.sqlite3"
    old = connect(path, replace(SCHEMA, steps=SCHEMA.steps[:1]))
    for number, (text, ends, before) in enumerate([("Drinks Tea", NOW.isoformat(), None), ("Coffee", None, "a")]):
        values = ("ab"[number], text, ends, before)
        old.execute(
            "INSERT INTO records (id, kind, category, content, source, speaker, trust, importance, created_at, "
            "valid_from, valid_to, supersedes) VALUES (?, 'user_model', 'preference', ?, 'chat', 'user', 'user', 0.5, "
            "'2026-01-01T08:00', '2026-01-01T08:00', ?, ?)",
            values,
        )
    old.execute("INSERT INTO words (rowid, content) SELECT seq, content FROM records")
    old.close()
    store = MemoryStore(path, lambda: NOW)
    first, second = store.get("a"), store.get("b")
    assert (first.standing, first.closed_at) == ("superseded", "2026-03-02T09:00:00")
    assert (second.standing, second.workspace, second.user) == ("active", "default", "user")
    assert store.same_content("COFFEE") == second
    assert list(store.matching('"coffee" OR "tea"')) == [2]
    assert store.check() == []
    store.close()


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("INSERT INTO words (words, rowid, content, original) VALUES ('delete', 1, 'Likes tea', '')", "the words: "),
        ("UPDATE vectors SET vector = x'00' WHERE seq = 1", "a vector of no whole numbers at 1"),
        ("UPDATE records SET supersedes = 'mem_0001' WHERE seq = 2", "mem_0002 replaces mem_0001, which counts"),
    ],
)
def test_a_check_names_what_is_wrong(on_disk, damage, says):
    vector = np.array([1, 0], np.float32)
    for text in ("Likes tea", "Likes coffee"):
        on_disk.add(text, Category.PREFERENCE, embedded=Embedded("e", vector))
    assert on_disk.check() == []
    on_disk._connection.execute(damage)
    assert [problem[: len(says)] for problem in on_disk.check()] == [says]


def test_a_store_that_can_only_be_read_is_checked_too(on_disk):
    on_disk.add("Likes tea", Category.PREFERENCE)
    on_disk._connection.execute("PRAGMA query_only=ON")
    assert on_disk.check() == []


def test_damaged_pages_are_named_as_what_is_wrong(on_disk):
    for number in range(300):
        on_disk.add(f"Likes tea number {number} of a long row of kinds of tea", Category.PREFERENCE)
    on_disk.close()
    size = on_disk.path.stat().st_size
    with on_disk.path.open("r+b") as file:
        file.seek(size // 4)
        file.write(b"\xff" * (size // 2))
    again = MemoryStore(on_disk.path, lambda: NOW)
    assert any("malformed" in problem for problem in again.check())
    again.close()
