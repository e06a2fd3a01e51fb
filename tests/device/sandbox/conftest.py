"""The phones that tests drive: `phone` with every tool, `lab` with four tools that show what the engine does."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

import pytest

from device.sandbox.api import (
    Contact,
    Date,
    Domain,
    Duration,
    Effect,
    Json,
    Money,
    Percent,
    Recurrence,
    Sandbox,
    Text,
    Time,
    conflict,
    plant,
    row,
    tool,
)
from device.sandbox.registry import collect
from device.sandbox.rows import network, people
from runtime.contract import Deadline, Observation, ToolCall, WorldSpec


class TestPhone(Sandbox):
    """A sandbox with two shorthands."""

    __test__ = False
    calls = 0
    before = ""

    def call(self, tool_name: str, /, **arguments: Any) -> Observation:
        """Execute one call as an executor would."""
        self.calls += 1
        self.before = self.snapshot()
        return self.execute(ToolCall(id=f"c{self.calls}", name=tool_name, arguments=arguments), Deadline.never())

    def diff_since_last_call(self) -> dict[str, Any]:
        """What the last call changed: `{"table/key": {"column": (before, after)}}`; a new row whole, else None."""
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


@row("boxes", key="id")
@dataclass(frozen=True, slots=True)
class Box:
    """A row of the lab."""

    id: str
    name: str
    level: int = 0
    date: str = ""
    time: str = ""
    tags: tuple[str, ...] = ()


@plant
def boxes(phone: Sandbox) -> None:
    """One box."""
    phone.table(Box).insert(Box(phone.new_id("box"), "red", 10))


@tool(Domain.SYSTEM, permission="boxes", effects={"delete": Effect.DELETE}, phrases=("put a box down",))
def manage_box(
    phone: Sandbox,
    action: Literal["create", "query", "update", "delete"],
    name: Text | None = None,
    level: Percent | None = None,
    date: Date | None = None,
    time: Time | None = None,
    repeat: Recurrence | None = None,
    copies: int = 1,
) -> Json:
    """Put, change or take boxes."""
    table = phone.table(Box)
    if action == "create":
        columns = {"level": level or 0, "date": date or "", "time": time or ""}
        return {"made": [table.insert(Box(phone.new_id("box"), name or "", **columns)) for _ in range(copies)]}
    if action == "query":
        return {"boxes": table.all(), "repeat": repeat}
    found = table.find(name=name)[0]
    if action == "delete":
        table.delete(found)
        return {"deleted": found}
    return {"box": table.update(found, level=level)}


@tool(Domain.SYSTEM)
def break_box(phone: Sandbox, how: Literal["refused", "broken"], seconds: Duration = 1) -> Json:
    """Fail in the middle."""
    phone.table(Box).insert(Box(phone.new_id("box"), "half"))
    phone.table(Box).delete("box_001")
    phone.advance(seconds)
    if how == "refused":
        raise conflict("the lid is shut", lid="shut")
    return {"never": phone.table(Box).all()[99]}


@tool(Domain.SYSTEM, effects=Effect.PAY)
def pay_box(phone: Sandbox, amount: Money, to: Contact) -> Json:
    """Pay for a box."""
    person = phone.contact(to)
    return {"paid": amount, "to": person.id, "rate": phone.chance("rate", to).randint(1, 1000)}


@tool(Domain.SYSTEM)
def lie_box(phone: Sandbox, level: Percent) -> Json:
    """Say it changed, do something else."""
    phone.table(Box).update("box_001", level=3)
    return {"level": level}


@pytest.fixture(scope="session")
def lab_parts() -> Any:
    """The catalogue of the lab."""
    module = ModuleType("lab")
    for value in (Box, boxes, manage_box, break_box, pay_box, lie_box):
        setattr(module, value.function.__name__ if hasattr(value, "function") else value.__name__, value)
    return collect([network, people, module])


@pytest.fixture
def lab(lab_parts: Any) -> TestPhone:
    """A phone of the lab."""
    return TestPhone(WorldSpec(), lab_parts)
