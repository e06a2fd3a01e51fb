"""Runs a suite through the real harness.

    suite -> tasks that this run lacks -> phone reset -> run_episode (recall, guard, executor) -> verdict -> store

One planner serves all tasks. Nobody is at the phone: a question is answered from the task's script or ends the episode,
and the guard's confirmations are given. The verifier sees the episode and the phone's diff only after the end.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from device.sandbox.sandbox import Sandbox
from evalkit.agents import FLOORS, Agent
from evalkit.results import Result, ResultStore, result_of
from evalkit.source import source_digest
from evalkit.suites import Suite
from runtime.config import Settings
from runtime.contract import (
    CancelToken,
    Deadline,
    Digests,
    Episode,
    Planner,
    StateDiff,
    Stop,
    TaskSpec,
    TraceSink,
    digest_of,
)
from runtime.digests import tools_digest
from runtime.harness import run_episode
from runtime.rooms import Labels, Rooms
from runtime.trace import Untraced
from runtime.users import ScriptedUser
from runtime.wiring import Opened, open_named_planner, open_rooms

Watch = Callable[[Iterable[TaskSpec]], Iterable[TaskSpec]]
"""Shows progress over the tasks that are left."""


class Cast(Agent):
    """A floor agent that is cast anew for each task."""

    def __init__(self, name: str) -> None:
        super().__init__(name, lambda _: ())
        self._maker = FLOORS[name]

    def begin(self, task: TaskSpec) -> None:
        """Take the part for one task."""
        agent = self._maker(task)
        self._plan, self._steps, self._at = agent._plan, None, 0


@dataclass(frozen=True)
class Run:
    """A run's identity and results."""

    id: str
    """Digest of all that produces its episodes."""
    results: tuple[Result, ...]
    """In the suite's order, as far as they are there."""
    digests: Digests
    """What produced them."""
    left: int
    """Tasks that were not run: the run was cancelled."""


def run_suite(suite: Suite, settings: Settings, store: ResultStore, *, limit: int | None = None, fresh: bool = False,
              cancel: CancelToken | None = None, watch: Watch = lambda tasks: tasks,
              trace: TraceSink | None = None) -> Run:  # fmt: skip
    """Run the tasks of a suite that the store lacks, with the planner that the settings name."""
    planner = planner_for(settings)
    phone = Sandbox()
    token = cancel or CancelToken()
    tasks = sample(suite.tasks, limit)
    try:
        with open_rooms(settings, phone=phone, planner=planner, trace=trace or Untraced()) as opened:
            digests = digests_of(opened, planner)
            run = digest_of({"suite": suite.name, "code": source_digest(), **digests.model_dump(mode="json")})
            if fresh:
                store.forget(run)
            known = store.known(run, tasks, phone.tools())
            for task in watch([task for task in tasks if task.id not in known]):
                attempt = _attempt(task, opened, phone, planner, token)
                if attempt is None:
                    break
                result = result_of(task, *attempt, phone.tools())
                store.add(run, task, result, *attempt)
                known[task.id] = result
    finally:
        planner.close()
    results = tuple(known[task.id] for task in tasks if task.id in known)
    return Run(run, results, digests, len(tasks) - len(results))


def planner_for(settings: Settings) -> Planner:
    """A floor agent by its name, or whatever the runtime opens by that name."""
    return Cast(settings.planner.use) if settings.planner.use in FLOORS else open_named_planner(settings)


def digests_of(opened: Opened, planner: Planner) -> Digests:
    """What produces the episodes of a run."""
    tools = tools_digest(opened.phone.tools())
    return opened.rooms.digests.model_copy(update={"planner": planner.identity, "tools": tools})


def sample(tasks: Sequence[TaskSpec], limit: int | None) -> list[TaskSpec]:
    """All tasks, or `limit` of them by hash of their ids: the same ones every time."""
    if limit is None or limit >= len(tasks):
        return list(tasks)
    chosen = {task.id for task in sorted(tasks, key=lambda task: digest_of(task.id))[:limit]}
    return [task for task in tasks if task.id in chosen]


def _attempt(task: TaskSpec, opened: Opened, phone: Sandbox, planner: Planner,
             cancel: CancelToken) -> tuple[Episode, StateDiff] | None:  # fmt: skip
    """One episode and what it changed; None when the run was cancelled."""
    if cancel.cancelled:
        return None
    phone.reset(task.world)
    start = phone.snapshot()
    if isinstance(planner, Cast):
        planner.begin(task)
    rooms: Rooms = opened.serving(phone, ScriptedUser(task.policy.user_answers))
    episode = run_episode(task.view, rooms, Deadline(None, cancel), Labels(task_id=task.id))
    if episode.stop is Stop.CANCELLED:
        return None
    return episode, phone.diff(start)
