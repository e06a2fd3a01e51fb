"""A phone that nobody can reset: what a task stands on is made and put back, or its record is invalid."""

import pytest

from evalkit.android.stage import UnreadyError
from runtime.contract import (
    Deadline,
    Domain,
    Outcome,
    Policy,
    RowPattern,
    StateCheck,
    TaskSpec,
    TaskView,
    ToolCall,
    WorldSpec,
)

DEADLINE = Deadline.never()


def call(tool, **arguments):
    return ToolCall(id="c", name=tool, arguments=arguments)


def task(*facts, required=(), **world):
    check = StateCheck(required=tuple(required))
    return TaskSpec(
        id="t/1", view=TaskView(request="x"), world=WorldSpec(facts=facts, **world),
        policy=Policy(outcomes=(Outcome(checks=(check,)),)), family="f", domain=Domain.CALLS,
    )  # fmt: skip


def people(staged):
    return {row["name"] for row in staged.control.rows("contacts")}


def test_what_is_missing_is_made_and_taken_back(staged, unreset):
    wanted = task(
        {"table": "contacts", "name": "Ivo Marek", "phone": "+15550182"},
        required=[RowPattern(table="roaming", change="update", where={"enabled": True}, values={"enabled": False})],
    )
    unreset.prepare(wanted)
    assert "Ivo Marek" in people(staged)
    assert staged.control.rows("roaming")[0]["enabled"] is True
    start = unreset.snapshot()
    unreset.phone.execute(call("delete_contact", name="Samir Haddad"), DEADLINE)
    assert [change.table for change in unreset.diff(start).changes] == ["contacts"]
    unreset.clean()
    assert "Ivo Marek" not in people(staged)
    assert "Samir Haddad" in people(staged)
    assert staged.control.rows("roaming")[0]["enabled"] is False


def test_what_is_there_already_is_left_alone(staged, unreset):
    unreset.prepare(task({"table": "contacts", "name": "Chloe Martin", "phone": "+15550112"}))
    start = staged.control.ask("snapshot")
    unreset.clean()
    assert staged.control.ask("diff", since=start)["changes"] == []


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (task(denied=frozenset(("contacts",))), "permissions can't be denied"),
        (task({"table": "notes", "content": "x"}), "`notes` of a phone can't be read or set"),
        (task(required=[RowPattern(table="app_permissions", change="update", where={"permissions": []})]),
         "`app_permissions` of a phone can't be read or set"),
        (task({"table": "wifi_networks", "name": "Attic", "saved": True}), "can't be given the row"),
        (
            task(required=[RowPattern(table="events", change="insert", values={"date": "2031-01-01"})],
                 clock="2031-01-01T09:00"),
            "the task is of 2031-01-01",
        ),
    ],
)  # fmt: skip
def test_what_a_phone_can_not_be_brought_to_is_a_precondition(unreset, wanted, why):
    with pytest.raises(UnreadyError, match=why):
        unreset.prepare(wanted)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (RowPattern(table="contacts", change="delete", where={"name": "Samir Haddad"}), "is the user's own"),
        (RowPattern(table="files", change="delete", where={"name": "Resume.pdf"}), "can't be brought back"),
        (RowPattern(table="messages", change="insert", values={"content": "hello"}), "can't be taken back"),
    ],
)
def test_a_task_that_could_not_be_undone_is_not_begun(unreset, pattern, why):
    with pytest.raises(UnreadyError, match=why):
        unreset.prepare(task(required=[pattern]))


def test_volumes_and_settings_are_set_as_they_must_be(staged, unreset):
    wanted = [
        RowPattern(table="volumes", change="update", where={"stream": "media", "percent": 20}, values={"percent": 60}),
        RowPattern(table="screen", change="update", where={"view": "home"}, values={"view": "Clock"}),
    ]
    unreset.prepare(task(required=wanted))
    (media,) = [row for row in staged.control.rows("volumes") if row["stream"] == "media"]
    assert media["percent"] == 20


def test_what_can_not_be_put_back_is_a_precondition_too(unreset):
    unreset.prepare(task())
    unreset.phone.execute(call("send_message", phoneNumber="+15550182", content="hello"), DEADLINE)
    with pytest.raises(UnreadyError, match="`messages`"):
        unreset.clean()
