"""The phone that tests of tools drive."""

from typing import Any

import pytest

from device.sandbox.sandbox import Sandbox
from runtime.contract import Deadline, Observation, ToolCall


class TestPhone(Sandbox):
    """A sandbox with two shorthands."""

    __test__ = False
    calls = 0
    before = ""

    def call(self, name: str, **arguments: Any) -> Observation:
        """Execute one call as an executor would."""
        self.calls += 1
        self.before = self.snapshot()
        return self.execute(ToolCall(id=f"c{self.calls}", name=name, arguments=arguments), Deadline.never())

    def diff_since_last_call(self) -> dict[str, Any]:
        """What the last call changed: `{"table/key": {"column": (before, after)}}`; a new or deleted row whole."""
        found: dict[str, Any] = {}
        for change in self.diff(self.before).changes:
            place = f"{change.table}/{change.key}"
            if change.before is None or change.after is None:
                found[place] = change.after
            else:
                pairs = {name: (change.before[name], change.after[name]) for name in change.after}
                found[place] = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        return found


@pytest.fixture
def phone() -> TestPhone:
    """A phone in the default world: Monday 2026-03-02, 09:00."""
    return TestPhone()
