"""What both backends can say of the same change."""

from evalkit.android.columns import disagreement, in_words, moves, permissions_of
from runtime.contract import RowChange, StateDiff


def diff(*changes):
    return StateDiff(
        changes=tuple(RowChange(table=table, key=key, before=old, after=new) for table, key, old, new in changes)
    )


def test_ids_keys_and_columns_that_a_phone_does_not_show_make_no_difference():
    here = diff(("contacts", "contact_013", None, {"id": "contact_013", "name": "Ivo", "phone": "+1", "email": ""}))
    there = diff(("contacts", "9", None, {"id": "9", "name": "Ivo", "phone": "+1", "email": ""}))
    assert disagreement(here, there) == ([], [])
    unseen = diff(("notes", "note_1", None, {"content": "x"}))
    assert (disagreement(unseen, diff()), moves(unseen).total()) == (([], []), 0)


def test_a_row_that_is_changed_here_and_goes_and_comes_there_is_the_same_change():
    here = diff(("alarms", "alarm_1", {"date": "2026-03-02", "time": "06:30"}, {"date": "2026-03-02", "time": "07:00"}))
    there = diff(
        ("alarms", "2026-03-02T06:30", {"date": "2026-03-02", "time": "06:30"}, None),
        ("alarms", "2026-03-02T07:00", None, {"date": "2026-03-02", "time": "07:00"}),
    )
    assert disagreement(here, there) == ([], [])


def test_an_alarm_that_repeats_is_known_by_its_time():
    row = {"date": "2026-10-05", "time": "09:00", "repeat": "FREQ=WEEKLY;BYDAY=SA,SU"}
    here = diff(("alarms", "alarm_2", row, None))
    there = diff(("alarms", "2026-10-10T09:00", {"date": "2026-10-10", "time": "09:00"}, None))
    assert disagreement(here, there) == ([], [])


def test_another_value_is_told_on_both_sides_and_numbers_are_compared_by_value():
    here = diff(("volumes", "call", {"stream": "call", "percent": 60}, {"stream": "call", "percent": 40}))
    there = diff(("volumes", "call", {"stream": "call", "percent": 60.0}, {"stream": "call", "percent": 43}))
    assert disagreement(here, there) == (
        ['+["volumes",{"percent":40.0,"stream":"call"}]'],
        ['+["volumes",{"percent":43.0,"stream":"call"}]'],
    )


def test_what_is_in_front_is_named_as_people_name_it_and_decides_no_difference():
    seen = diff(
        ("screen", "phone", {"view": "com.google.android.apps.nexuslauncher/.Home"}, {"view": "com.whatsapp/.Main"})
    )
    (change,) = in_words(seen).changes
    assert (change.before, change.after) == ({"view": "home"}, {"view": "WhatsApp"})
    assert disagreement(in_words(seen), diff()) == ([], [])


def test_an_app_that_is_not_installed_is_no_row():
    here = diff(("apps", "Uber", {"name": "Uber", "installed": True}, {"name": "Uber", "installed": False}))
    there = diff(("apps", "Uber", {"name": "Uber", "installed": True}, None))
    assert disagreement(here, there) == ([], [])


def test_what_an_app_may_do_is_a_row_of_its_own():
    may = {"name": "Uber", "installed": True, "permissions": ["location", "notifications"]}
    here = diff(("apps", "Uber", may, {**may, "permissions": ["notifications"]}))
    there = permissions_of(
        [
            RowChange(
                table="apps",
                key="Uber",
                before={"name": "Uber", "permissions": ["notifications", "location"]},
                after={"name": "Uber", "permissions": ["notifications"]},
            )
        ]
    )
    assert disagreement(here, there) == ([], [])
    assert moves(here).total() == 2
