"""The tasks of the GUI bench: the suite's own screen tasks, and some that only a person can finish.

Each has two golds of the same outer planner: every step chosen by it, or one handover. Both begin at the home screen
and open an app by its name. What follows a result is a rule (outer.py): what is blocked is asked about.
"""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from pydantic import Field, ValidationError

from evalkit.android.screen_tool import NAME as STEP
from evalkit.suites import load_suite
from evalkit.suites.android.policy import ALLOWED
from evalkit.suites.android.screens import families
from evalkit.suites.android.suite import is_screen_task
from evalkit.suites.core.drafts import CLOCKS
from runtime.contract import (
    BehaviourCheck,
    Domain,
    Json,
    Outcome,
    Policy,
    Record,
    RowPattern,
    SetupError,
    Split,
    StateCheck,
    TaskSpec,
    TaskView,
    WorldSpec,
)
from runtime.subagents import SPEC

ON = frozenset(("enable", "show", "on", "24h"))
"""Values of a slot that mean on."""
OPENED = tuple(RowPattern(table="apps", change=change) for change in ("insert", "update", "delete"))
"""An app that was opened runs."""


class Handover(Record):
    """What is handed over for a family."""

    goal: str = ""
    """Kind of goal; empty: by a slot."""
    by: str = ""
    """Slot that decides between on and off."""
    target: str
    """With what."""
    where: str = ""
    """On which page."""
    values: tuple[str, ...] = ()
    """What goes where."""


class Stopped(Record):
    """One task that a person must finish."""

    name: str
    """Unique."""
    say: str
    """The request."""
    reason: str
    """What is met."""
    plant: tuple[Json, ...] = ()
    """Rows of the world."""
    steps: tuple[tuple[str, ...], ...]
    """Action, element, text."""
    handover: Json
    """Arguments."""


class _Book(Record):
    task: tuple[Stopped, ...] = Field(default=())


@dataclass(frozen=True, slots=True)
class GuiTask:
    """One task with both golds."""

    task: TaskSpec
    """What is asked, the world, and what counts as success."""
    steps: tuple[Json, ...]
    """Calls of the step tool."""
    handover: Json
    """The one call of the screen agent."""
    blocked: str = ""
    """What stands in the way; empty where it can be done."""


def gui_tasks(limit: int | None = None) -> list[GuiTask]:
    """All tasks; with a limit, the same share of both kinds."""
    done, blocked = _suite_tasks(), _blocked_tasks()
    if limit is None:
        return [*done, *blocked]
    few = max(1, round(limit * len(blocked) / (len(done) + len(blocked))))
    return [
        *done[:: max(1, len(done) // max(1, limit - few))][: max(1, limit - few)],
        *blocked[:: max(1, len(blocked) // few)][:few],
    ]


def _suite_tasks() -> list[GuiTask]:
    by_family = {one.family: one for one in families()}
    hand = _table("handovers.toml")
    found = []
    for task in load_suite("android", Split.TEST.value).tasks:
        if not is_screen_task(task):
            continue
        family = task.id.split("/")[-2]
        row = by_family[family].rows(Split.TEST)[int(task.id.rpartition("/")[2]) - 1]
        steps = opened([step["arguments"] for step in task.gold if "name" in step])
        if family not in hand:
            raise SetupError(f"`handovers.toml` has no entry `{family}`; add one, since the suite has its tasks")
        handover = Handover.model_validate(hand[family])
        arguments = handed(handover, row, steps[0]["text"])
        found.append(GuiTask(task, tuple({"name": STEP, "arguments": step} for step in steps), _call(arguments)))
    return found


def opened(steps: list[Json]) -> list[Json]:
    """The steps with the way to the app's icon as one step that opens it by name."""
    at = 1 if steps[0]["element"] == "All apps" else 0
    return [{"action": "open", "text": steps[at]["element"]}, *steps[at + 1 :]]


def handed(handover: Handover, row: dict[str, str], app: str) -> Json:
    """The arguments of a handover with the values of a task."""
    goal = handover.goal or ("turn_on" if row[handover.by] in ON else "turn_off")
    arguments: Json = {"app": app, "goal": goal, "target": _filled(handover.target, row)}
    if handover.where:
        arguments["where"] = _filled(handover.where, row)
    if handover.values:
        arguments["values"] = [_filled(value, row) for value in handover.values]
    return arguments


def _filled(text: str, row: dict[str, str]) -> str:
    for name, value in row.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _call(arguments: Json) -> Json:
    return {"name": SPEC.name, "arguments": arguments}


def _blocked_tasks() -> list[GuiTask]:
    try:
        book = _Book.model_validate(_table("blocked.toml"))
    except ValidationError as error:
        raise SetupError(f"`blocked.toml` is damaged: {error}") from error
    return [_blocked(one) for one in book.task]


def _blocked(one: Stopped) -> GuiTask:
    names = ("action", "element", "text")
    steps = [{name: word for name, word in zip(names, step, strict=False) if word} for step in one.steps]
    checks = (
        BehaviourCheck(ends=frozenset(("asked",)), mentions=(tuple(one.reason.split("_")),), unchanged=False),
        StateCheck(required=(), allowed=(*ALLOWED, *OPENED)),
    )
    task = TaskSpec(
        id=f"gui/blocked/{one.name}",
        view=TaskView(request=one.say),
        world=WorldSpec(clock=CLOCKS[Split.TEST][0], seed=1, facts=one.plant),
        policy=Policy(outcomes=(Outcome(checks=checks),)),
        family=f"blocked_{one.reason}",
        domain=Domain.INPUT,
        part="sub_agent",
        split=Split.TEST,
    )
    return GuiTask(task, tuple({"name": STEP, "arguments": step} for step in steps), _call(one.handover), one.reason)


def _table(name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(files("evalkit.bench.gui").joinpath(name).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"`{name}` is damaged: {error}") from error
