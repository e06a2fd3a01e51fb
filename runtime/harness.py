"""The harness loop: Eq. 1-2 of the paper in the order in which it writes them; Eq. 3 is the verifier's, after the end.

1. assemble   c_t = H_eta(x, m_t, K_t, o_<=t, a_<t)          assemble.py, context.py
2. plan       a_t ~ pi_theta(. | c_t, A_t)                   planner/
3. execute    s_t+1 ~ P_trans(. | s_t, a_t), o_t+1 ~ P_obs   guard/, executor.py
4. stop       for one of the named reasons                   stops.py

What happened may be kept in memory afterwards; a memory that can't be written never undoes a run. A run that was broken
off goes on from what its trace holds (resume.py).
"""

import logging

from runtime.contract import Deadline, Decision, Episode, InfrastructureError, PocketError, Stop, TaskView, UserError
from runtime.episode_log import EpisodeLog, opened
from runtime.rooms import Labels, Rooms
from runtime.stops import broken, broken_off, ending
from runtime.trace.earlier import Earlier


def run_episode(
    task: TaskView, rooms: Rooms, deadline: Deadline | None = None, labels: Labels | None = None
) -> Episode:
    """Carry `task` to a named stop and return the whole trace; the phone must be in its first state already.

    What a planner or a phone does wrong is an observation or the stop `infrastructure`. A request that no planner can
    take is a `UserError`, a broken installation a `SetupError`.
    """
    refuse_bad_request(task)
    until = (deadline or Deadline.never()).within(task.budget.seconds)
    with opened(task, rooms, labels or Labels(), until) as log:
        episode = carry(log, rooms, until)
    _captured(episode, rooms)
    return episode


def resume_episode(earlier: Earlier, rooms: Rooms, deadline: Deadline | None = None) -> Episode:
    """Carry a run that was broken off to a named stop; `rooms.trace` goes on with its episode, the phone is as it was.

    What its trace acknowledged is not done again; what was under way is found out first. Its budget is what is left.
    """
    task = earlier.view
    until = (deadline or Deadline.never()).within(max(0.0, task.budget.seconds - earlier.seconds))
    if (skip := getattr(rooms.planner, "skip", None)) is not None:
        skip(earlier.decided)
    with opened(task, rooms, Labels(), until, earlier) as log:
        episode = carry(log, rooms, until, earlier.intent)
    _captured(episode, rooms)
    return episode


def carry(log: EpisodeLog, rooms: Rooms, until: Deadline, intent: Decision | None = None) -> Episode:
    """The loop itself; `intent` is a decision that was under way when its process died."""
    try:
        if intent is not None:
            _step(log, rooms, intent, until, again=True)
        while (end := ending(log.steps, log.context, log.task.budget, until)) is None:
            decision = log.numbered(log.deciding(rooms.planner.decide, log.context, until))
            if not broken_off(decision, until):
                _step(log, rooms, log.intend(decision), until)
    except InfrastructureError as error:
        end = broken(error, until)
    return log.close(end)


def _step(log: EpisodeLog, rooms: Rooms, decision: Decision, until: Deadline, again: bool = False) -> None:
    """Execute a decision, extend the context, write the step."""
    observations = rooms.executor.apply(decision, log.context.exposed, log.id, until, again)
    observations, opened = rooms.executor.opened(observations, log.task.unavailable)
    log.record(decision, log.context.extend(decision, observations, rooms.result_chars, opened))


def _captured(episode: Episode, rooms: Rooms) -> None:
    if rooms.memory is not None and episode.stop not in (Stop.CANCELLED, Stop.INFRASTRUCTURE):
        try:
            rooms.memory.capture(episode)
        except PocketError as error:
            logging.getLogger(__name__).warning("the run is not in memory as a whole: %s", error)


def refuse_bad_request(task: TaskView) -> None:
    """An empty or too long request is wrong use."""
    count, limit = len(task.request), task.budget.request_chars
    if not task.request.strip():
        raise UserError('the request is empty. Say what the phone should do: `pocket run "turn on the flashlight"`.')
    if count > limit:
        raise UserError(
            f"the request has {count:,} characters; the limit is {limit:,} (`budget.request_chars`). "
            "Shorten it, or raise the limit in `pocket.toml`."
        )
