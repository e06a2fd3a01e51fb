"""Prospective memory against the phone: which intentions become due by its clock, and by what happened on it.

    phone: clock, net change since the last look -> events in plain words -> memory.due -> what became due, and why

They are evidence. Nothing here calls a tool: a due intention is shown to whoever watches, and to the planner with the
next request, where the user's words still decide.
"""

from collections.abc import Callable, Iterable, Sequence

from runtime.contract import Deadline, Json, MemoryManager, Phone, RowChange, StateDiff

TIME = "the time has come"


def events_of(diff: StateDiff) -> list[str]:
    """A sentence for each row that changed: its table, its key, and the values that it has now."""
    return [_sentence(change) for change in diff.changes]


def _sentence(change: RowChange) -> str:
    before, after = change.before or {}, change.after or {}
    if change.after is None:
        return _plain(f"{change.table} {change.key} gone: {_values(before)}")
    news = {name: value for name, value in after.items() if before.get(name) != value and value not in (None, "", [])}
    what = "new" if change.before is None else "changed"
    named = {name: value for name, value in after.items() if name in ("name", "title") and name not in news}
    return _plain(f"{change.table} {change.key} {what}: {_values({**named, **news})}")


def _values(row: Json) -> str:
    return ", ".join(f"{name} {'on' if value is True else 'off' if value is False else value}"
                     for name, value in row.items())  # fmt: skip


def _plain(text: str) -> str:
    return text.replace("_", " ")


class Watch:
    """Looks at one phone again and again."""

    def __init__(self, phone: Phone, memory: MemoryManager, now: Callable[[], str]) -> None:
        """`now` gives the phone's time as text."""
        self._phone, self._memory, self._now = phone, memory, now
        self._seen = phone.snapshot()

    def look(self, events: Iterable[str] = (), deadline: Deadline | None = None) -> list[Json]:
        """What becomes due by the phone's time, by what changed on it since the last look, or by `events`."""
        until = deadline or Deadline.never()
        diff = self._phone.diff(self._seen)
        self._seen = self._phone.snapshot()
        return due_by(self._memory, ["", *events_of(diff), *events], self._now(), until)


def due_by(memory: MemoryManager, events: Sequence[str], at: str, deadline: Deadline) -> list[Json]:
    """Intentions that become due by one of `events` (an empty one: by the time), each once, with the reason."""
    return [{**item, "because": event or TIME, "at": at} for event in events for item in memory.due(event, deadline)]
