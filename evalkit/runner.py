"""Runs a suite through the real harness.

    suite -> attempts that this run lacks -> crew (phones, planners) -> scene -> run_episode (recall, guard, executor)
          -> verdict -> store

A phone that can't be brought to a task's first state, or back from its last, makes the record invalid. One planner
serves all tasks of one attempt number; the next number opens it anew with the next seed. Nobody is at the phone: a
question is answered from the task's script or ends the episode, and the guard's confirmations are given. The verifier
sees the episode and the phone's diff only after the end.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from evalkit.agents import FLOORS, Agent
from evalkit.crew import SANDBOX, Member, Phones, at_once, open_crew
from evalkit.result import Result, Routing, missing_result, result_of
from evalkit.results import Header, ResultStore, Trial
from evalkit.scene import ROUTINGS, Scene, settings_for
from evalkit.source import source_digest
from evalkit.stress import Stress
from evalkit.suites import Suite
from evalkit.switch import switched
from evalkit.verify import GRADING
from runtime.config import Settings
from runtime.contract import (
    CancelToken,
    Deadline,
    Digests,
    Episode,
    InfrastructureError,
    Json,
    Planner,
    StateDiff,
    Stop,
    TaskSpec,
    TaskView,
    TraceSink,
    UserError,
    digest_of,
)
from runtime.digests import tools_digest
from runtime.harness import run_episode
from runtime.rooms import Labels
from runtime.trace import Untraced
from runtime.wiring import Opened, open_named_planner

NO_STRESS, ON_SANDBOX = Stress(), Phones()
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
    phones: Phones = ON_SANDBOX
    """What it is run on."""
    harness: str = ""
    """on or off: switched as a whole (switch.py); empty: as the settings say."""

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
class Ended:
    """One attempt that was run."""

    episode: Episode
    """What happened."""
    diff: StateDiff
    """What it changed, as far as it was read."""
    witness: tuple[str, ...] = ()
    """What a second witness of the phone's state said otherwise."""


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
    settings = switched(settings, chosen.harness)
    trials, token = chosen.trials(suite.tasks), cancel or CancelToken()
    known: dict[str, Result] = {}
    header: Header | None = None
    served = settings_for(settings, tuple(trial.task for trial in trials))
    for number in range(chosen.attempts):
        mine = [trial for trial in trials if trial.attempt == number]
        if header is not None and all(trial.key in known for trial in mine):
            continue
        planner = partial(planner_for, served, number)
        with open_crew(served, settings, chosen.phones, chosen.stress, planner, trace or Untraced()) as crew:
            if header is None:
                header = _header(suite, settings, chosen, trials, crew[0])
                known = _begin(header, trials, crew[0].scene, store, fresh)
            _run_all([one for one in mine if one.key not in known], crew, store, header, known, token, watch)
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


def _run_all(trials: Sequence[Trial], crew: Sequence[Member], store: ResultStore, header: Header,
             known: dict[str, Result], cancel: CancelToken, watch: Watch) -> None:  # fmt: skip
    """Run trials until all are done or the run is cancelled."""
    offered = crew[0].scene.offered()

    def work(member: Member, trial: Trial) -> Ended | None:
        return run_trial(trial, member.scene, member.planner, cancel)

    with closing(at_once(work, trials, crew)) as ended:
        for _ in watch(trials):
            found = next(ended, None)
            if found is None:
                break
            trial, one = found
            result = result_of(trial.task, one.episode, one.diff, offered, header.stress, trial.routing, one.witness)
            store.add(header.run, trial, result, one.episode, one.diff)
            known[trial.key] = result


def _header(suite: Suite, settings: Settings, plan: Plan, trials: Sequence[Trial], member: Member) -> Header:
    offered = tools_digest(member.scene.offered())
    digests = digests_of(member.opened, member.planner).model_copy(update={"tools": offered})
    stress = plan.stress.model_dump(mode="json")
    identity: Json = {"suite": suite.name, "split": suite.split.value, "code": source_digest(), "stress": stress}
    identity["beside"] = [settings.memory.use, settings.skills.use]
    if plan.harness:
        identity["switched"] = plan.harness
    if plan.phones.backend != SANDBOX:
        identity["phones"] = [plan.phones.backend, *plan.phones.serials]
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
        backend=plan.phones.backend,
        harness=plan.harness,
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


def refuse_unknown(settings: Settings) -> None:
    """`UserError` for a planner that is none; one whose model takes time to open is opened later, and once."""
    use = settings.planner.use
    try:
        if use not in {*FLOORS, "embedded", "base"} and not Path(use).is_file():
            open_named_planner(settings).close()
    except OSError as error:  # no name of a file
        raise UserError(f"no planner `{use[:80]}`: {error.strerror}. Name one, a GGUF file or an endpoint.") from None


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


def run_trial(trial: Trial, scene: Scene, planner: Planner, cancel: CancelToken) -> Ended | None:
    """One episode and what it changed; None when the run was cancelled."""
    if cancel.cancelled:
        return None
    try:
        return _tried(trial, scene, planner, cancel)
    except InfrastructureError as error:  # before the episode, or after it: nobody failed
        return Ended(_no_episode(trial, Stop.INFRASTRUCTURE, error), StateDiff())


def _no_episode(trial: Trial, stop: Stop, error: Exception, view: TaskView | None = None) -> Episode:
    return Episode(id="", task_id=trial.task.id, view=view or trial.task.view, stop=stop, stop_detail=str(error),
                   attempt=trial.attempt)  # fmt: skip


def _tried(trial: Trial, scene: Scene, planner: Planner, cancel: CancelToken) -> Ended | None:
    task = trial.task
    staged = scene.stage(task, trial.attempt, trial.routing)
    if isinstance(planner, Cast):
        planner.begin(staged.cast)
    labels = Labels(task_id=task.id, group=f"{task.id}:{trial.routing}", attempt=trial.attempt)
    try:
        episode = run_episode(staged.view, staged.rooms, Deadline(None, cancel), labels)
    except UserError as error:  # a request that this planner can't take is its failure
        episode = _no_episode(trial, Stop.BUDGET, error, staged.view)
    if episode.stop is Stop.CANCELLED:
        staged.clean()
        return None
    diff = staged.diff()
    return Ended(episode, diff, staged.clean())
