"""Runs a suite through the real harness.

    suite -> attempts that this run lacks -> scene (evalkit/scene.py) -> run_episode (recall, guard, executor)
          -> verdict -> store

One planner serves all tasks of one attempt number; the next number opens it anew with the next seed. Nobody is at the
phone: a question is answered from the task's script or ends the episode, and the guard's confirmations are given. The
verifier sees the episode and the phone's diff only after the end.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from device.sandbox.sandbox import Sandbox
from evalkit.agents import FLOORS, Agent
from evalkit.result import Result, Routing, missing_result, result_of
from evalkit.results import Header, ResultStore, Trial
from evalkit.scene import ROUTINGS, Scene, settings_for
from evalkit.source import source_digest
from evalkit.stress import Stress
from evalkit.suites import Suite
from evalkit.verify import GRADING
from runtime.config import Settings
from runtime.contract import (
    CancelToken,
    Deadline,
    Digests,
    Episode,
    Json,
    Planner,
    StateDiff,
    Stop,
    TaskSpec,
    TraceSink,
    UserError,
    digest_of,
)
from runtime.digests import tools_digest
from runtime.harness import run_episode
from runtime.rooms import Labels
from runtime.trace import Untraced
from runtime.wiring import Opened, open_named_planner, open_rooms

NO_STRESS = Stress()
Watch = Callable[[Iterable[Trial]], Iterable[Trial]]
"""Shows progress over what is left."""


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
class Plan:
    """How a suite is run, beside the planner."""

    attempts: int = 1
    """Of each task, for pass@k and pass^k."""
    routing: str = "both"
    """Of Skill tasks: mixed, skill_only or both."""
    stress: Stress = NO_STRESS
    """What is made harder."""
    limit: int | None = None
    """A fixed sample of that size."""

    def trials(self, tasks: Sequence[TaskSpec]) -> list[Trial]:
        """All attempts, number by number."""
        if self.routing not in ROUTINGS:
            raise UserError(f"there is no routing `{self.routing}`; use one of {', '.join(ROUTINGS)}")
        routings: dict[bool, tuple[Routing, ...]] = {True: ROUTINGS[self.routing], False: ("",)}
        chosen = sample(tasks, self.limit)
        return [
            Trial(task, number, routing)
            for number in range(self.attempts)
            for task in chosen
            for routing in routings[task.part == "skill"]
        ]


@dataclass(frozen=True)
class Run:
    """A run's identity and results."""

    id: str
    """Digest of all that produces its episodes."""
    results: tuple[Result, ...]
    """In the suite's order, as far as they are there."""
    digests: Digests
    """What produced them."""
    missing: tuple[Result, ...]
    """Failures that stand for what was not run: the run was cancelled."""
    header: Header
    """As it is kept."""

    @property
    def left(self) -> int:
        """Attempts that were not run."""
        return len(self.missing)

    @property
    def scored(self) -> tuple[Result, ...]:
        """What figures are made of: a missing prediction is a failure."""
        return self.results + self.missing


def run_suite(suite: Suite, settings: Settings, store: ResultStore, *, plan: Plan | None = None, fresh: bool = False,
              limit: int | None = None, cancel: CancelToken | None = None, watch: Watch = lambda trials: trials,
              trace: TraceSink | None = None) -> Run:  # fmt: skip
    """Run what the store lacks of a suite, with the planner that the settings name."""
    chosen = plan or Plan(limit=limit)
    trials, token = chosen.trials(suite.tasks), cancel or CancelToken()
    known: dict[str, Result] = {}
    header: Header | None = None
    served = settings_for(settings, tuple(trial.task for trial in trials))
    for number in range(chosen.attempts):
        mine = [trial for trial in trials if trial.attempt == number]
        if header is not None and all(trial.key in known for trial in mine):
            continue
        with _opened(served, number, trace or Untraced()) as (opened, planner):
            scene = Scene(opened, chosen.stress, settings)
            if header is None:
                header = _header(suite, settings, chosen, trials, scene, opened, planner)
                known = _begin(header, trials, scene, store, fresh)
            _run_all([one for one in mine if one.key not in known], scene, planner, store, header, known, token, watch)
    assert header is not None  # there is at least one attempt
    done = tuple(known[trial.key] for trial in trials if trial.key in known)
    missing = [missing_result(one.task, one.attempt, one.routing) for one in trials if one.key not in known]
    return Run(header.run, done, header.digests, tuple(missing), header)


def _begin(header: Header, trials: Sequence[Trial], scene: Scene, store: ResultStore, fresh: bool) -> dict[str, Result]:
    """Write the header; what the store knows already."""
    if fresh:
        store.forget(header.run)
    store.begin(header, [trial.task for trial in trials], scene.offered())
    known = store.known(header.run, trials, scene.offered(), header.stress)
    store.log_use(header, len(trials) - len(known))
    return known


def _run_all(trials: Sequence[Trial], scene: Scene, planner: Planner, store: ResultStore, header: Header,
             known: dict[str, Result], cancel: CancelToken, watch: Watch) -> None:  # fmt: skip
    """Run trials until all are done or the run is cancelled."""
    offered = scene.offered()
    for trial in watch(trials):
        episode = run_trial(trial, scene, planner, cancel)
        if episode is None:
            break
        result = result_of(trial.task, *episode, offered, header.stress, trial.routing)
        store.add(header.run, trial, result, *episode)
        known[trial.key] = result


@contextmanager
def _opened(settings: Settings, number: int, trace: TraceSink) -> Iterator[tuple[Opened, Planner]]:
    """Rooms around the planner of one attempt number."""
    planner = planner_for(settings, number)
    try:
        with open_rooms(settings, phone=Sandbox(), planner=planner, trace=trace) as opened:
            yield opened, planner
    finally:
        planner.close()


def _header(suite: Suite, settings: Settings, plan: Plan, trials: Sequence[Trial], scene: Scene, opened: Opened,
            planner: Planner) -> Header:  # fmt: skip
    digests = digests_of(opened, planner).model_copy(update={"tools": tools_digest(scene.offered())})
    stress = plan.stress.model_dump(mode="json")
    identity: Json = {"suite": suite.name, "split": suite.split.value, "code": source_digest(), "stress": stress}
    identity["beside"] = [settings.memory.use, settings.skills.use]
    return Header(
        run=digest_of({**identity, **digests.model_dump(mode="json")}),
        suite=suite.name,
        split=suite.split.value,
        planner=settings.planner.use,
        fingerprint=suite.fingerprint,
        grading=GRADING,
        digests=digests,
        stress=plan.stress,
        attempts=plan.attempts,
        routing=plan.routing,
        limit=plan.limit,
        trials=tuple(trial.key for trial in trials),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def planner_for(settings: Settings, number: int = 0) -> Planner:
    """A floor agent by its name, or whatever the runtime opens by that name; a later attempt has a seed of its own."""
    if settings.planner.use in FLOORS:
        return Cast(settings.planner.use)
    seeded = settings.planner.model_copy(update={"seed": settings.planner.seed + number})
    return open_named_planner(settings.model_copy(update={"planner": seeded}) if number else settings)


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


def run_trial(trial: Trial, scene: Scene, planner: Planner, cancel: CancelToken) -> tuple[Episode, StateDiff] | None:
    """One episode and what it changed; None when the run was cancelled."""
    if cancel.cancelled:
        return None
    task = trial.task
    staged = scene.stage(task, trial.attempt, trial.routing)
    if isinstance(planner, Cast):
        planner.begin(staged.cast)
    labels = Labels(task_id=task.id, group=f"{task.id}:{trial.routing}", attempt=trial.attempt)
    try:
        episode = run_episode(staged.view, staged.rooms, Deadline(None, cancel), labels)
    except UserError as error:  # a request that this planner can't take is its failure
        episode = Episode(id="", task_id=task.id, view=staged.view, stop=Stop.BUDGET, stop_detail=str(error),
                          attempt=trial.attempt)  # fmt: skip
    return None if episode.stop is Stop.CANCELLED else (episode, staged.diff())
