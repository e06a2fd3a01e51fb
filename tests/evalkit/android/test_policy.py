"""A policy in the columns that a phone shows."""

from evalkit.suites.android.policy import on_android
from runtime.contract import BehaviourCheck, CallCheck, Outcome, Policy, RowPattern, StateCheck

FINISHED = BehaviourCheck(ends=frozenset(("finished",)), unchanged=False)


def policy(*required, calls=()):
    checks = (*([CallCheck(calls=calls)] if calls else ()), StateCheck(required=required), FINISHED)
    return Policy(outcomes=(Outcome(checks=checks),))


def state(found):
    return next(check for check in found.outcomes[0].checks if isinstance(check, StateCheck))


def test_a_row_keeps_what_a_phone_shows():
    made = RowPattern(
        table="contacts", change="insert", values={"name": "Ivo", "phone": "+1", "birthday": "", "id": "contact_013"}
    )
    found = state(on_android(policy(made)))
    assert [one.model_dump(exclude_defaults=True) for one in found.required] == [
        {"table": "contacts", "change": "insert", "values": {"name": "Ivo", "phone": "+1"}}
    ]
    assert RowPattern(table="screen", change="update") in found.allowed


def test_what_a_phone_does_not_show_is_allowed_beside_what_it_does():
    hidden = RowPattern(table="notes", change="insert", values={"content": "x"})
    seen = RowPattern(table="roaming", change="update", where={"enabled": False}, values={"enabled": True})
    found = state(on_android(policy(hidden, seen)))
    assert found.required == (seen,)
    assert hidden in found.allowed


def test_a_policy_of_which_nothing_is_left_is_none_and_a_read_is_something():
    hidden = RowPattern(table="notes", change="insert", values={"content": "x"})
    assert on_android(policy(hidden)) is None
    assert on_android(policy(calls=({"name": "query_storage", "arguments": {}},))) is not None


def test_an_alarm_that_is_moved_goes_and_comes():
    old, new = {"time": "06:30", "date": "2026-03-02"}, {"time": "07:00", "date": "2026-03-02"}
    moved = RowPattern(table="alarms", change="update", where={**old, "title": "Up"}, values={**new, "title": "Up"})
    found = state(on_android(policy(moved)))
    assert [(one.change, one.where or one.values) for one in found.required] == [("delete", old), ("insert", new)]
    assert moved in found.allowed


def test_an_app_that_is_removed_is_a_row_that_goes():
    gone = RowPattern(
        table="apps",
        change="update",
        where={"name": "Uber", "installed": True},
        values={"name": "Uber", "installed": False},
    )
    (one,) = state(on_android(policy(gone))).required
    assert (one.change, one.where) == ("delete", {"name": "Uber"})
