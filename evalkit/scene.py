"""What one attempt is run on: the phone, what stands beside it, and the view that the task gives of them.

task, attempt, routing -> phone reset -> providers of its world -> trouble (stress) -> view and rooms
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.sandbox.sandbox import Sandbox
from evalkit.beside import beside, offered_with
from evalkit.gates import LOADER
from evalkit.result import Routing
from evalkit.stress import Stress, StressedPhone, StressedProvider, Trouble
from runtime.contract import Phone, TaskSpec, TaskView, ToolProvider, ToolSpec, WorldSpec
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.rooms import Rooms
from runtime.users import ScriptedUser
from runtime.wiring import Opened

ROUTINGS: dict[str, tuple[Routing, ...]] = {
    "both": ("mixed", "skill_only"),
    "mixed": ("mixed",),
    "skill_only": ("skill_only",),
}
"""Routings of Skill tasks by the name of the option."""


@dataclass(frozen=True)
class Staged:
    """One attempt, ready to run."""

    view: TaskView
    """As the planner gets it."""
    rooms: Rooms
    """For the harness."""
    phone: Phone
    """In its first state."""
    cast: TaskSpec
    """The task in the names that are shown, for agents that play its gold."""


class Scene:
    """Stages one attempt after another on one phone."""

    def __init__(self, opened: Opened, stress: Stress) -> None:
        self._opened, self._stress = opened, stress
        self._sandbox = Sandbox()

    def offered(self) -> tuple[ToolSpec, ...]:
        """All tools of all providers, by their own names."""
        return offered_with(self._sandbox, beside(WorldSpec(), self._sandbox))

    def stage(self, task: TaskSpec, attempt: int = 0, routing: Routing = "") -> Staged:
        """Put everything into the task's first state."""
        self._sandbox.reset(task.world)
        others: Sequence[ToolProvider] = beside(task.world, self._sandbox)
        offered = offered_with(self._sandbox, others)
        phone: Phone = self._sandbox
        if self._stress != Stress():
            trouble = Trouble(self._stress, f"{task.id}:{attempt}", offered)
            phone = StressedPhone(phone, trouble)
            others = [StressedProvider(one, trouble) for one in others]
        view = self._stress.view(routed(task.view, routing, offered), offered)
        guard = EffectGuard(AllowAll(), self._opened.settings.guard.ask)
        executor = Executor(phone, guard, ScriptedUser(task.policy.user_answers), others)
        return Staged(view, replace(self._opened.rooms, executor=executor), phone, self._stress.gold(task))


def routed(view: TaskView, routing: Routing, offered: Sequence[ToolSpec]) -> TaskView:
    """The view under a routing: under `skill_only`, loaders alone are exposed at first."""
    loaders = tuple(tool for tool in offered if tool.name.startswith(LOADER))
    return view.model_copy(update={"tools": loaders}) if routing == "skill_only" and loaders else view
