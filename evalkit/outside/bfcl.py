"""BFCL multi-turn: the toolkit's gold through our provider, against the toolkit's own executor.

1. A fresh process plays each task once with the toolkit's executor: that is the truth. Played again there, the task
   meets the instances that the first play left; how many still come out equal is reported as `theirs_second`.
2. Our provider plays each task twice in another process. A task is equal when every turn has the same outputs, word by
   word, and the same digests of all attributes.
3. A third play is for speed: the whole task as one list of calls, as their executor has it, its outputs compared too.
   Ours is timed in the parent (records, pipes, making and dropping the instances), theirs inside its own process. The
   plays of a task follow each other, so that both meet the same load. Processor time of both sides stands beside, as
   does the speed turn by turn, which is what an agent's loop has.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from evalkit.outside.toolkit import OutsideEpisode, Toolkit
from evalkit.outside.wire import OutsideTask, Theirs
from runtime.contract import CancelToken, Deadline, Json, Observation, TextPart, ToolCall

Turns = tuple[tuple[ToolCall, ...], ...]
Watch = Callable[[list[OutsideTask]], Iterable[OutsideTask]]
CALL_S = 60.0


@dataclass
class Seconds:
    """Wall and processor time of one side."""

    wall: float = 0.0
    cpu: float = 0.0

    def add(self, wall: float, cpu: float) -> None:
        """One more task."""
        self.wall += wall
        self.cpu += cpu


@dataclass
class Tally:
    """What a run has seen so far."""

    n: int = 0
    calls: int = 0
    first: int = 0
    second: int = 0
    theirs_second: int = 0
    theirs: Seconds = field(default_factory=Seconds)
    ours: Seconds = field(default_factory=Seconds)
    by_turn: float = 0.0
    unequal: list[str] = field(default_factory=list)


def play(toolkit: Toolkit, task: OutsideTask, turns: Turns) -> Theirs:
    """A task's gold turn by turn through an episode of our own, in the shape of the toolkit's play."""
    episode, seconds = toolkit.begin(task), 0.0
    outputs: list[tuple[str, ...]] = []
    states: list[dict[str, str]] = []
    for episode.turn, calls in enumerate(turns):
        start = time.perf_counter()
        seen = _execute(episode, calls)
        seconds += time.perf_counter() - start
        outputs.append(_texts(seen))
        states.append(_state(episode, any(outputs)))
    episode.close()
    return Theirs(outputs=tuple(outputs), states=tuple(states), seconds=seconds, cpu_s=0.0)


def replay(toolkit: Toolkit, task: OutsideTask, turns: Turns, spent: Seconds) -> tuple[str, ...]:
    """A task's gold as one list, timed; the outputs."""
    calls = [call for turn in turns for call in turn]
    before = toolkit.cpu_s() + time.process_time()
    start = time.perf_counter()
    episode = toolkit.begin(task)
    seen = _execute(episode, calls)
    episode.close()
    wall = time.perf_counter() - start
    spent.add(wall, toolkit.cpu_s() + time.process_time() - before)
    return _texts(seen)


def _execute(episode: OutsideEpisode, calls: Sequence[ToolCall]) -> list[Observation]:
    keys = [f"{episode.task.id}/{call.id}" for call in calls]
    return episode.execute_all(calls, Deadline(CALL_S), keys) if calls else []


def _texts(seen: Sequence[Observation]) -> tuple[str, ...]:
    return tuple(part.text for one in seen for part in one.parts if isinstance(part, TextPart))


def _state(episode: OutsideEpisode, called: bool) -> dict[str, str]:
    """The toolkit makes its instances with the first call, so there is nothing to compare before."""
    return episode.state() if called else {}


def compared(ours: Theirs, theirs: Theirs) -> bool:
    """Whether two plays have equal outputs and states in every turn."""
    return ours.outputs == theirs.outputs and ours.states == theirs.states


def bfcl_report(ours: Toolkit, theirs: Toolkit, tasks: list[OutsideTask], cancel: CancelToken, watch: Watch) -> Json:
    """The figures over `tasks`. `theirs` must be a process in which none of them was played."""
    tally, golds = Tally(), {task.id: ours.gold(task)[0] for task in tasks}
    for task in watch(tasks):
        if cancel.cancelled:
            break
        _compare(tally, task, golds[task.id], ours, theirs)
    return {
        "suite": "bfcl",
        "version": ours.version,
        "n": tally.n,
        "not_run": len(tasks) - tally.n,
        "calls": tally.calls,
        "equal_first": tally.first,
        "equal_second": tally.second,
        "theirs_second": tally.theirs_second,
        "speed_ratio": _ratio(tally.theirs.wall, tally.ours.wall),
        "speed_ratio_cpu": _ratio(tally.theirs.cpu, tally.ours.cpu),
        "speed_ratio_by_turn": _ratio(tally.theirs.wall, tally.by_turn),
        "seconds_theirs": round(tally.theirs.wall, 3),
        "seconds_ours": round(tally.ours.wall, 3),
        "unequal": tally.unequal,
    }


def _ratio(theirs: float, ours: float) -> float | None:
    """Above 1: ours is the faster one."""
    return round(theirs / ours, 3) if ours else None


def _compare(tally: Tally, task: OutsideTask, turns: Turns, ours: Toolkit, theirs: Toolkit) -> None:
    truth = theirs.theirs(task)
    first, second = play(ours, task, turns), play(ours, task, turns)
    whole = replay(ours, task, turns, tally.ours) == tuple(text for turn in truth.outputs for text in turn)
    equal = compared(first, truth), compared(second, truth)
    tally.n += 1
    tally.calls += sum(len(turn) for turn in truth.outputs)
    tally.first += equal[0]
    tally.second += equal[1]
    tally.theirs_second += compared(theirs.theirs(task), truth)
    tally.theirs.add(truth.seconds, truth.cpu_s)
    tally.by_turn += first.seconds
    if not (all(equal) and whole):
        tally.unequal.append(task.id)
