"""One call on its way over a phone: what its tool sees, what it promised, what the phone says then.

1. `watch` reads tables before anything is written; so the difference is the phone's own word.
2. `run` and `put` send a command; a command that the phone refuses is a typed failure.
3. `expect` says what must be read afterwards. `settle` reads until that holds, because Android takes a moment to switch
   a radio; what still differs then is told, not hidden.
"""

import time
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from device.android.connection.wire import pause
from device.android.errors import BridgeFailure, Landed, conflict, denied, not_found, unsupported
from device.android.shell import Result, Shell
from device.android.state import Reading, Rows
from device.android.state.tables import SINGLE, reader
from runtime.contract import Deadline, Json, RowChange, StateDiff

if TYPE_CHECKING:
    from device.android.agent import Agent

Reader = Callable[[Reading], Rows]
Tables = dict[str, Rows]
Answer = Json | Callable[[Tables], Json]
"""What a tool returns: data, or how data is made of the tables as they are read afterwards."""
SETTLE_SECONDS = 5.0
"""Longest wait for what was written to be read."""
_REFUSALS = ("Permission Denial", "SecurityException", "not allowed", "Operation not permitted", "Permission denied")
_ABSENT = ("Unknown command", "No shell command implementation", "Can't find service", "inaccessible or not found")


class Work:
    """What a tool may do during one call."""

    def __init__(self, shell: Shell, agent: "Agent", now: datetime, deadline: Deadline) -> None:
        self.shell = shell
        self.agent = agent
        self.now = now
        """The phone's local time."""
        self.deadline = deadline
        self.landed: Landed = "no"
        """What is known about commands that write."""
        self.finished = False
        """Whether the tool came to its end, so that all it expects is known."""
        self.before: Tables = {}
        self._readers: dict[str, list[Reader]] = {}
        self._expected: list[tuple[str, str, Json | None]] = []
        self._looked = Reading(shell, deadline)

    def look(self) -> Reading:
        """What was seen since the last write."""
        return self._looked

    def watch(self, *tables: str) -> None:
        """Read tables now, and again at the end."""
        for name in tables:
            self.watch_rows(name, reader(name))

    def watch_rows(self, table: str, rows: Reader) -> None:
        """The same for some rows of a table."""
        self._readers.setdefault(table, []).append(rows)
        self.before.setdefault(table, {}).update(rows(self._looked))

    def row(self, table: str, key: str = SINGLE) -> dict[str, Any]:
        """A row as it was watched."""
        return self.before[table][key]

    def read(self, *words: str) -> str:
        """The output of a command that changes nothing."""
        return checked(words, self._looked.result(*words)).text

    def run(self, *words: str) -> Result:
        """Run a command that writes."""
        try:
            result = self.shell.run(*words, deadline=self.deadline)
        except BridgeFailure as failure:
            if self.landed == "no":
                self.landed = failure.landed
            raise
        finally:
            self._looked = Reading(self.shell, self.deadline)
        checked(words, result)
        self.landed = "yes"
        return result

    def put(self, namespace: str, key: str, value: str) -> None:
        """Set one of Android's settings."""
        self.run("settings", "put", namespace, key, value)

    def expect(self, table: str, key: str = SINGLE, /, **columns: Any) -> None:
        """These columns must be read afterwards."""
        self._expected.append((table, key, columns))

    def expect_gone(self, table: str, key: str) -> None:
        """This row must not be there afterwards."""
        self._expected.append((table, key, None))

    def settle(self) -> tuple[Tables, list[str]]:
        """The watched tables as they are now, and the places that differ from what is expected."""
        if self.landed == "no":
            return self.before, []
        until = time.monotonic() + min(SETTLE_SECONDS, self.deadline.remaining())
        wait = 0.02
        while True:
            after = self.read_again()
            differs = self.unmet(after)
            if not differs or time.monotonic() + wait > until:
                return after, differs
            pause(wait, "the read-back", self.deadline)
            wait = min(wait * 2, 0.5)

    def read_again(self) -> Tables:
        """The watched tables, read anew."""
        self._looked = Reading(self.shell, self.deadline)
        after: Tables = {}
        for table, readers in self._readers.items():
            rows = after.setdefault(table, {})
            for one in readers:
                rows.update(one(self._looked))
        return after

    def touched(self) -> set[tuple[str, str]]:
        """Rows that something is expected of."""
        return {(table, key) for table, key, _ in self._expected}

    def unmet(self, after: Tables) -> list[str]:
        """Places that do not hold what is expected."""
        wrong = []
        for table, key, columns in self._expected:
            row = after.get(table, {}).get(key)
            if columns is None:
                wrong += [f"{table}.{key}"] if row is not None else []
            elif row is None:
                wrong.append(f"{table}.{key}")
            else:
                wrong += [f"{table}.{name}" for name, value in columns.items() if row.get(name) != value]
        return wrong


def checked(words: tuple[str, ...], result: Result) -> Result:
    """The result of a command that worked; what the phone says against it is a typed failure."""
    said, name = result.said, " ".join(words[:3])
    if any(sign in said for sign in _REFUSALS):
        raise denied(f"the phone does not let the shell run `{name}`: {said}")
    if any(sign in said for sign in _ABSENT):
        raise unsupported(f"this phone has no `{name}`: {said}")
    if "does not exist" in said or "Unknown package" in said or "No such file" in said or "not installed for" in said:
        raise not_found(f"`{name}`: {said}")
    if result.status != 0 or said.startswith(("Error", "Failure", "Exception", "java.lang.")):
        raise conflict(f"`{name}` failed on the phone: {said or f'status {result.status}'}")
    return result


def difference(before: Tables, after: Tables) -> StateDiff:
    """Net changes between two looks at the same tables; a table `_name` is a means of proof, no state of its own."""
    changes = []
    for table in sorted(name for name in set(before) | set(after) if not name.startswith("_")):
        old, new = before.get(table, {}), after.get(table, {})
        changes += [
            RowChange(table=table, key=key, before=old.get(key), after=new.get(key))
            for key in sorted(set(old) | set(new))
            if old.get(key) != new.get(key)
        ]
    return StateDiff(changes=tuple(changes))
