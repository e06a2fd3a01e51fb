"""Laws of the journal: whatever is done, looking back gives what was there."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime.contract import WorldSpec

KEYS = st.sampled_from(["box_001", "crate_a", "crate_b"])
OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["put", "level", "delete", "new", "advance"]), KEYS, st.integers(0, 3)), max_size=12
)
LAWS = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def apply(phone: Any, operations: list[tuple[str, str, int]]) -> None:
    box = phone.catalogue.kinds["boxes"].cls
    table = phone.table(box)
    for what, key, number in operations:
        if what == "new":
            table.insert(box(phone.new_id("box"), "new", number))
        elif what == "advance":
            phone.advance(number)
        elif what == "put" and table.get(key) is None:
            table.insert(box(key, "put", number))
        elif what == "level" and table.get(key) is not None:
            table.update(key, level=number)
        elif what == "delete" and table.get(key) is not None:
            table.delete(key)


def state(phone: Any) -> Any:
    """All rows in their order, the clock, and the next id."""
    box = phone.catalogue.kinds["boxes"].cls
    mark = phone.mark()
    upcoming = phone.new_id("box")
    phone.undo(mark)
    return phone.table(box).all(), phone.now, upcoming


@LAWS
@given(before=OPERATIONS, after=OPERATIONS)
def test_restore_brings_everything_back(lab_parts, before, after):
    phone = _phone(lab_parts)
    apply(phone, before)
    handle, was = phone.snapshot(), state(phone)
    apply(phone, after)
    phone.restore(handle)
    assert state(phone) == was
    assert phone.diff(handle).empty


@LAWS
@given(before=OPERATIONS, after=OPERATIONS)
def test_the_net_diff_is_what_differs(lab_parts, before, after):
    phone = _phone(lab_parts)
    apply(phone, before)
    handle = phone.snapshot()
    old = {box.id: box for box in state(phone)[0]}
    apply(phone, after)
    new = {box.id: box for box in state(phone)[0]}
    to_json = phone.catalogue.kinds["boxes"].to_json
    expected = [
        (key, old.get(key) and to_json(old[key]), new.get(key) and to_json(new[key]))
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    ]
    assert [(change.key, change.before, change.after) for change in phone.diff(handle).changes] == expected


@LAWS
@given(before=OPERATIONS, left=OPERATIONS, right=OPERATIONS)
def test_forks_do_not_see_each_other(lab_parts, before, left, right):
    phone = _phone(lab_parts)
    handle = phone.snapshot()
    apply(phone, before)
    was = state(phone)
    twin = phone.fork()
    assert state(twin) == was
    apply(twin, left)
    assert state(phone) == was
    apply(phone, right)
    alone = _phone(lab_parts)
    apply(alone, [*before, *left])
    assert state(twin) == state(alone)
    twin.restore(handle)
    assert state(twin) == state(_phone(lab_parts))


@LAWS
@given(operations=OPERATIONS)
def test_reset_is_a_new_phone(lab_parts, operations):
    phone = _phone(lab_parts)
    apply(phone, operations)
    phone.reset(WorldSpec())
    assert state(phone) == state(_phone(lab_parts))


def test_a_row_that_came_back_is_no_change(lab):
    handle = lab.snapshot()
    apply(lab, [("level", "box_001", 3), ("level", "box_001", 2)])
    box = lab.catalogue.kinds["boxes"].cls
    lab.table(box).update("box_001", level=10)
    assert lab.diff(handle).empty


def test_a_handle_after_the_restored_one_is_forgotten(lab):
    first = lab.snapshot()
    apply(lab, [("new", "box_001", 1)])
    second = lab.snapshot()
    lab.restore(first)
    with pytest.raises(LookupError, match="no snapshot `snapshot_2`"):
        lab.restore(second)
    assert lab.diff(first).empty


def test_rows_are_not_written_twice_nor_their_key_changed(lab):
    box = lab.catalogue.kinds["boxes"].cls
    table = lab.table(box)
    with pytest.raises(ValueError, match="`boxes` has a row `box_001` already"):
        table.insert(box("box_001", "again"))
    with pytest.raises(ValueError, match="the key `box_001` of `boxes` can't change"):
        table.update("box_001", id="box_002")


def _phone(parts: Any) -> Any:
    from device.sandbox.sandbox import Sandbox

    return Sandbox(WorldSpec(), parts)
