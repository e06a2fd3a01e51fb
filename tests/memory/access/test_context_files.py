"""Context files: what is known, written out with a version; a stale or edited one is refused."""

import pytest

from memory.access import (
    ContextFiles,
    device_access,
)
from memory.records import Kind
from tests.memory.access.conftest import refused, remember


@pytest.fixture
def files(tmp_path, store):
    return ContextFiles(tmp_path / "context", store)


def test_a_context_file_holds_what_is_known_with_its_version(store, files):
    remember(store, "Prefers window seats", Kind.USER_MODEL, importance=0.9)
    remember(store, "A talk", Kind.EPISODIC)
    remember(store, "of ben", Kind.USER_MODEL, user="ben")
    path = files.write(device_access())
    kept = files.read(device_access())
    assert [item.content for item in kept.items] == ["Prefers window seats"]
    assert kept.text() == "- Prefers window seats (mem_0001, user, since 2026-03-02)"
    assert "user" not in path.name
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("change", ["add", "replace", "remove", "archive"])
def test_a_stale_file_is_refused_with_both_versions(store, files, change):
    record = remember(store, "Prefers window seats", Kind.USER_MODEL)
    files.write(device_access())
    was = files.read(device_access()).version
    {
        "add": lambda: remember(store, "Likes tea", Kind.USER_MODEL),
        "replace": lambda: store.replace(record.id, "Prefers aisle seats"),
        "remove": lambda: store.remove(record.id),
        "archive": lambda: store.archive([record.id]),
    }[change]()
    now = files.current(device_access()).version
    assert now != was
    with refused("conflict") as failure:
        files.read(device_access())
    assert f"has version {was}; the memory is at version {now}" in failure.value.message
    assert files.refresh(device_access())
    assert files.read(device_access()).version == now
    assert not files.refresh(device_access())


def test_an_edited_or_damaged_file_is_refused(store, files):
    remember(store, "Prefers window seats", Kind.USER_MODEL)
    path = files.write(device_access())
    path.write_text(path.read_text().replace("window", "aisle"))
    with refused("conflict") as failure:
        files.read(device_access())
    assert "edited by hand" in failure.value.message
    path.write_text("{")
    with refused("conflict"):
        files.read(device_access())


def test_a_scope_without_a_file(files):
    with refused("not_found"):
        files.read(device_access())
    assert not files.refresh(device_access())
