"""What one attempt is run on: the phone, what stands beside it, and the view that the task gives of them.

    task, attempt, routing -> phone and memory reset -> providers -> trouble (stress) -> view and rooms

Memory stands beside the phone in tasks of Memory and wherever a world holds memories, Skills in tasks of Skill; the
settings may put both beside every task. A run never opens a user's own memory.
"""

from dataclasses import dataclass, replace

from evalkit.android.phone import StagedPhone
from evalkit.android.screen_tool import SPEC, ScreenTool
from evalkit.android.stage import UnreadyError
from evalkit.result import Routing
from evalkit.stress import Stress, StressedPhone, StressedProvider, Trouble
from runtime.config import IN_MEMORY, Settings
from runtime.contract import (
    SKILL_PREFIX,
    Phone,
    StateDiff,
    TaskSpec,
    TaskView,
    ToolProvider,
    ToolSpec,
)
from runtime.executor import Executor
from runtime.guard import AllowAll, EffectGuard
from runtime.rooms import Rooms
from runtime.subagents import SPEC as GOAL
from runtime.subagents import ScreenAgent
from runtime.users import ScriptedUser
from runtime.wiring import Opened

ROUTINGS: dict[str, tuple[Routing, ...]] = {
    "both": ("mixed", "skill_only"),
    "mixed": ("mixed",),
    "skill_only": ("skill_only",),
}
"""Routings of Skill tasks by the name of the option."""


def settings_for(settings: Settings, tasks: tuple[TaskSpec, ...]) -> Settings:
    """The settings with the rooms that some tasks need; memory and Skills are never a user's own."""
    memory = settings.memory.model_copy(
        update={"use": settings.memory.use or any(map(needs_memory, tasks)), "file": IN_MEMORY}
    )
    offered = {"use": settings.skills.use or any(map(needs_skills, tasks))}
    skills = settings.skills.model_copy(update={**offered, "shelves": settings.skills.shelves - {"packs"}})
    return settings.model_copy(update={"memory": memory, "skills": skills})


def needs_memory(task: TaskSpec) -> bool:
    """Whether a task has the memory tools."""
    return task.part == "memory" or bool(task.world.memories)


def needs_screen(task: TaskSpec) -> bool:
    """Whether a task is done on a screen."""
    return not {SPEC.name, GOAL.name}.isdisjoint(tool.name for tool in task.view.tools or ())


def on_screen(phone: StagedPhone) -> list[ToolProvider]:
    """What a task may have on a phone's screen: one action at a time, a goal that is handed over."""
    return [ScreenTool(phone), ScreenAgent(phone)]


def needs_skills(task: TaskSpec) -> bool:
    """Whether a task has the Skills' loaders."""
    return task.part == "skill"


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
    opened: Opened
    """The rooms behind it."""
    start: tuple[str, str]
    """The first state of phone and memory."""

    def diff(self) -> StateDiff:
        """What the calls changed so far."""
        diff, memory = self.phone.diff(self.start[0]), self.opened.memory
        return diff if memory is None else diff.plus(memory.diff(self.start[1]))

    def clean(self) -> tuple[str, ...]:
        """Leave a connected phone as it was; what a second witness of its state said otherwise at the last `diff`.

        Raises `UnreadyError` for what can't be put back.
        """
        phone = self.opened.phone
        if not isinstance(phone, StagedPhone):
            return ()
        phone.clean()
        return phone.witness


class Scene:
    """Stages one attempt after another on one phone."""

    def __init__(self, opened: Opened, stress: Stress, asked: Settings) -> None:
        """`asked`: the settings before `settings_for`: what they put beside the phone is there in every task."""
        self._opened, self._stress = opened, stress
        self._always = (asked.memory.use, asked.skills.use)

    def offered(self) -> tuple[ToolSpec, ...]:
        """All tools of all providers, by their own names."""
        screen = on_screen(phone) if isinstance(phone := self._opened.phone, StagedPhone) else []
        return tuple(tool for provider in (phone, *self._opened.beside, *screen) for tool in provider.tools())

    def stage(self, task: TaskSpec, attempt: int = 0, routing: Routing = "") -> Staged:
        """Put everything into the task's first state; raises `UnreadyError` where the phone can't be brought there."""
        opened, stress = self._opened, self._stress
        phone: Phone = opened.phone
        _set_up(phone, task)
        if opened.memory is not None:
            opened.memory.reset(task.world)
        beside = self._beside(task)
        offered = tuple(tool for provider in (phone, *beside) for tool in provider.tools())
        if stress != Stress():
            trouble = Trouble(stress, f"{task.id}:{attempt}", offered)
            phone = StressedPhone(phone, trouble)
            beside = [StressedProvider(one, trouble) for one in beside]
        view = stress.view(routed(task.view, routing, offered), offered)
        guard = EffectGuard(AllowAll(), opened.settings.guard.ask)
        executor = Executor(phone, guard, ScriptedUser(task.policy.user_answers), beside, opened.rooms.executor.hooks)
        start = phone.snapshot(), opened.memory.snapshot() if opened.memory is not None else ""
        return Staged(view, replace(opened.rooms, executor=executor), phone, stress.gold(task), opened, start)

    def _beside(self, task: TaskSpec) -> list[ToolProvider]:
        memory, skills = self._opened.memory, self._opened.skills
        found: list[ToolProvider] = []
        if memory is not None and (self._always[0] or needs_memory(task)):
            found.append(memory)
        if skills is not None and (self._always[1] or needs_skills(task)):
            found.append(skills)
        if isinstance(phone := self._opened.phone, StagedPhone) and needs_screen(task):
            found += on_screen(phone)
        return found


def _set_up(phone: Phone, task: TaskSpec) -> None:
    if isinstance(phone, StagedPhone):
        phone.prepare(task)
    elif needs_screen(task):
        raise UnreadyError("the task is done on a screen, and this backend has none")
    else:
        phone.reset(task.world)


def routed(view: TaskView, routing: Routing, offered: tuple[ToolSpec, ...]) -> TaskView:
    """The view under a routing: under `skill_only`, loaders alone are exposed at first."""
    loaders = tuple(tool for tool in offered if tool.name.startswith(SKILL_PREFIX))
    return view.model_copy(update={"tools": loaders}) if routing == "skill_only" and loaders else view
