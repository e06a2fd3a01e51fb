"""Tasks with due dates, and counters of days."""

import pytest

from runtime.contract import WorldSpec


def test_a_task_with_day_and_priority(phone):
    phone.call("manage_task", action="create", task="Renew the insurance", date="friday", priority="high")
    made = {
        "id": "task_004", "task": "Renew the insurance", "date": "2026-03-06", "priority": "high", "done": False,
    }  # fmt: skip
    assert phone.diff_since_last_call() == {"tasks/task_004": made}


def test_tasks_are_listed_by_day_then_priority(phone):
    phone.call("manage_task", action="create", task="Call the tax office", date="2026-03-05", priority="low")
    seen = phone.call("manage_task", action="query")
    assert [row["id"] for row in seen.data["tasks"]] == ["task_001", "task_004", "task_003", "task_002"]
    assert phone.call("manage_task", action="query", priority="low").data["count"] == 2


def test_a_task_is_completed_once(phone):
    seen = phone.call("manage_task", action="complete", task="travel expenses")
    assert phone.diff_since_last_call() == {"tasks/task_001": {"done": (False, True)}}
    assert seen.data["open"] == 2
    assert phone.call("manage_task", action="complete", task="travel expenses").failure.status == 409


def test_a_task_moves(phone):
    phone.call("manage_task", action="update", task="phone contracts", date="tomorrow", priority="medium")
    changed = {"date": ("2026-03-14", "2026-03-03"), "priority": ("low", "medium")}
    assert phone.diff_since_last_call() == {"tasks/task_002": changed}


def test_a_task_goes(phone):
    phone.call("manage_task", action="delete", task="the onboarding plan task")
    assert phone.diff_since_last_call() == {"tasks/task_003": None}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"action": "create"}, 400),
        ({"action": "create", "task": "Sweep", "date": "yesterday"}, 400),
        ({"action": "create", "task": "finish the travel expenses"}, 409),
        ({"action": "update", "task": "phone contracts"}, 400),
        ({"action": "complete", "task": "walk the lion"}, 404),
        ({"action": "create", "task": "Sweep", "priority": "urgent"}, 400),
    ],
)
def test_what_a_task_needs(phone, arguments, status):
    assert phone.call("manage_task", **arguments).failure.status == status


def test_tasks_need_the_permission(phone):
    phone.reset(WorldSpec(denied=frozenset({"tasks"})))
    assert phone.call("manage_task", action="query").failure.status == 403


def test_a_day_counter(phone):
    seen = phone.call("manage_day_counter", action="create", title="Wedding", date="july 12")
    assert seen.data["counter"] == {"id": "counter_003", "title": "Wedding", "date": "2026-07-12", "daysLeft": 132}
    assert list(phone.diff_since_last_call()) == ["day_counters/counter_003"]


def test_day_counters_are_read(phone):
    seen = phone.call("manage_day_counter", action="query", title="driving test")
    assert [row["daysLeft"] for row in seen.data["counters"]] == [120]
    assert phone.call("manage_day_counter", action="query").data["count"] == 2


def test_a_day_counter_goes(phone):
    phone.call("manage_day_counter", action="delete", title="my summer house counter")
    assert phone.diff_since_last_call() == {"day_counters/counter_001": None}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"action": "create", "title": "Wedding"}, 400),
        ({"action": "create", "date": "july 12"}, 400),
        ({"action": "create", "title": "Wedding", "date": "today"}, 400),
        ({"action": "create", "title": "driving test", "date": "july 12"}, 409),
        ({"action": "query", "title": "comet"}, 404),
        ({"action": "delete"}, 400),
    ],
)
def test_what_a_day_counter_needs(phone, arguments, status):
    assert phone.call("manage_day_counter", **arguments).failure.status == status
