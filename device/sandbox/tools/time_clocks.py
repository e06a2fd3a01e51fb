"""Countdowns, the stopwatch and rules for later: all of them run on the phone's virtual clock.

Nothing ticks: a row keeps the moment at which it ends, and what has passed is worked out when it is read.
"""

from datetime import datetime, timedelta
from typing import Literal

from device.sandbox.api import Domain, Duration, Sandbox, Text, bad_argument, conflict, tool
from device.sandbox.rows.time_management import Countdown, Rule, Stopwatch
from device.sandbox.tools.finding import bare, briefly, named, only, said_as
from runtime.contract import Json

LONGEST = 24 * 3_600
"""Seconds of the longest countdown."""


def spell(seconds: int) -> str:
    """A length in words: 5400 -> "1 hour 30 minutes"."""
    parts, rest = [], seconds
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count} {unit}{'s' if count > 1 else ''}")
    return " ".join(parts) or "0 seconds"


@tool(
    Domain.TIME,
    phrases=(
        "start a timer for ten minutes",
        "pasta timer, eight minutes please",
        "how long is left on the timer",
        "pause the countdown",
        "let the timer go on",
        "stop the tea timer",
    ),
)
def manage_countdown(
    phone: Sandbox,
    action: Literal["start", "pause", "resume", "stop", "query"],
    duration: Duration | None = None,
    label: Text | None = None,
) -> Json:
    """Countdown timers."""
    if action == "start":
        return _start(phone, duration, label)
    rows = _live(phone)
    if duration is not None:
        rows = [row for row in rows if row.seconds == duration]
    if label is not None:
        rows = named(rows, label, lambda row: row.label, "timer", "countdown")
    if action == "query":
        return {"count": len(rows), "countdowns": [_shown(phone, row) for row in rows]}
    said = said_as(label=label, duration=None if duration is None else spell(duration))
    found = only(rows, "countdown", said, lambda row: row.label, "start one with `manage_countdown` start")
    return {"countdown": _shown(phone, _moved(phone, found, action))}


def _start(phone: Sandbox, duration: int | None, label: str | None) -> Json:
    if duration is None:
        raise bad_argument("`manage_countdown` start needs `duration`", argument="duration")
    if not 0 < duration <= LONGEST:
        raise bad_argument(f"`duration` is {duration} s; a countdown takes 1 second to 24 hours", argument="duration")
    name = label or spell(duration)
    for row in _live(phone):
        if bare(row.label) == bare(name) and _left(phone, row) > 0:
            raise conflict(
                f"a countdown `{row.label}` is {row.state}; stop it first, or give another `label`", id=row.id
            )
    made = Countdown(phone.new_id("countdown"), name, duration, "running", _after(phone, duration))
    return {"countdown": _shown(phone, phone.table(Countdown).insert(made))}


def _moved(phone: Sandbox, row: Countdown, action: str) -> Countdown:
    """The countdown paused, resumed or stopped; 409 where it is in no state for that."""
    table, left = phone.table(Countdown), _left(phone, row)
    if action == "stop":
        return table.update(row, state="stopped", ends_at="", remaining=0)
    if left == 0:
        raise conflict(f"the countdown `{row.label}` has rung already; stop it", id=row.id)
    if action == "pause":
        if row.state == "paused":
            raise conflict(
                f"the countdown `{row.label}` is paused already; resume it with `manage_countdown`", id=row.id
            )
        return table.update(row, state="paused", ends_at="", remaining=left)
    if row.state == "running":
        raise conflict(f"the countdown `{row.label}` is running already", id=row.id)
    return table.update(row, state="running", ends_at=_after(phone, left), remaining=0)


def _live(phone: Sandbox) -> list[Countdown]:
    return [row for row in phone.table(Countdown).all() if row.state != "stopped"]


def _left(phone: Sandbox, row: Countdown) -> int:
    """Seconds left, 0 where it has rung."""
    if row.state != "running":
        return row.remaining
    return max(0, round((datetime.fromisoformat(row.ends_at) - phone.now).total_seconds()))


def _after(phone: Sandbox, seconds: int) -> str:
    return (phone.now + timedelta(seconds=seconds)).isoformat(timespec="seconds")


def _shown(phone: Sandbox, row: Countdown) -> Json:
    left = _left(phone, row)
    state = "rung" if row.state == "running" and left == 0 else row.state
    return briefly({"id": row.id, "label": row.label, "state": state, "remaining": spell(left), "ends_at": row.ends_at})


@tool(
    Domain.TIME,
    phrases=(
        "start the stopwatch",
        "take a lap",
        "how long has the stopwatch been running",
        "stop timing now",
        "put the stopwatch back to zero",
    ),
)
def manage_stopwatch(phone: Sandbox, action: Literal["start", "stop", "lap", "reset", "query"]) -> Json:
    """Stopwatch."""
    watch = phone.one(Stopwatch)
    elapsed = watch.elapsed
    if watch.running:
        elapsed += round((phone.now - datetime.fromisoformat(watch.started_at)).total_seconds())
    if action == "start":
        if watch.running:
            raise conflict("the stopwatch is running already; stop or reset it with `manage_stopwatch`")
        watch = phone.change(Stopwatch, running=True, started_at=phone.now.isoformat(timespec="seconds"))
    elif action in ("stop", "lap") and not watch.running:
        raise conflict("the stopwatch is not running; start it with `manage_stopwatch` start")
    elif action == "stop":
        watch = phone.change(Stopwatch, running=False, started_at="", elapsed=elapsed)
    elif action == "lap":
        watch = phone.change(Stopwatch, laps=(*watch.laps, elapsed))
    elif action == "reset":
        watch, elapsed = phone.change(Stopwatch, running=False, started_at="", elapsed=0, laps=()), 0
    return {"running": watch.running, "elapsed": spell(elapsed), "seconds": elapsed, "laps": list(watch.laps)}


@tool(
    Domain.TIME,
    phrases=(
        "stop the music in half an hour",
        "when I get home turn on the wifi",
        "which automations are waiting",
        "every time I plug in headphones open the player",
        "forget that rule about the wifi",
        "switch to silent in twenty minutes",
    ),
)
def trigger_task(
    phone: Sandbox,
    action: Literal["create", "query", "cancel"],
    condition: Text | None = None,
    task: Text | None = None,
    delay: Duration | None = None,
) -> Json:
    """Automation rules: do something later or when."""
    table = phone.table(Rule)
    if action == "create":
        return {"rule": _add_rule(phone, condition, task, delay)}
    rows = table.all()
    rows = rows if task is None else named(rows, task, lambda row: row.task)
    rows = rows if condition is None else named(rows, condition, lambda row: row.condition, "when", "if")
    if action == "query":
        now = phone.now.isoformat(timespec="seconds")
        listed = [{"id": row.id, "task": row.task, "condition": row.condition, "due": row.due} for row in rows]
        for rule in listed:
            rule["state"] = "due" if rule["due"] and rule["due"] <= now else "waiting"
        return {"count": len(rows), "rules": [briefly(rule) for rule in listed]}
    found = only(
        rows,
        "rule",
        said_as(task=task, condition=condition),
        lambda row: row.task,
        "list them with `trigger_task` query",
    )
    table.delete(found)
    return {"cancelled": found}


def _add_rule(phone: Sandbox, condition: str | None, task: str | None, delay: int | None) -> Rule:
    if task is None:
        raise bad_argument("`trigger_task` create needs `task`", argument="task")
    if condition is None and delay is None:
        raise bad_argument("`trigger_task` create needs `condition` or `delay`", argument="condition")
    if delay is not None and delay <= 0:
        raise bad_argument(f"`delay` is {delay} s; it must be longer than 0", argument="delay")
    table, due = phone.table(Rule), "" if delay is None else _after(phone, delay)
    for row in table.find(due=due):
        if bare(row.task) == bare(task) and bare(row.condition) == bare(condition or ""):
            raise conflict(f"the rule `{row.task}` exists already: `{row.id}`", id=row.id)
    return table.insert(Rule(phone.new_id("rule"), task, condition or "", due))
