"""The harness loop: Eq. 1-2 of the paper in the order in which it writes them; Eq. 3 is the verifier's, after the end.

1. assemble   c_t = H_eta(x, m_t, K_t, o_<=t, a_<t)          assemble.py, context.py
2. plan       a_t ~ pi_theta(. | c_t, A_t)                   planner/
3. execute    s_t+1 ~ P_trans(. | s_t, a_t), o_t+1 ~ P_obs   guard/, executor.py
4. stop       for one of the named reasons                   stops.py

What happened may be kept in memory afterwards; a memory that can't be written never undoes a run.
"""

import logging

from runtime.contract import Deadline, Episode, InfrastructureError, PocketError, Stop, TaskView, UserError
from runtime.episode_log import EpisodeLog, opened
from runtime.rooms import Labels, Rooms
from runtime.stops import broken, broken_off, ending


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


def carry(log: EpisodeLog, rooms: Rooms, until: Deadline) -> Episode:
    """The loop itself."""
    context = log.context
    try:
        while (end := ending(log.steps, context, log.task.budget, until)) is None:
            decision = log.numbered(log.deciding(rooms.planner.decide, context, until))
            if broken_off(decision, until):
                continue
            observations = rooms.executor.apply(decision, context.exposed, log.id, until)
            observations, opened = rooms.executor.opened(observations, log.task.unavailable)
            log.record(decision, context.extend(decision, observations, rooms.result_chars, opened))
    except InfrastructureError as error:
        end = broken(error, until)
    return log.close(end)


def _captured(episode: Episode, rooms: Rooms) -> None:
    if rooms.memory is not None and episode.stop not in (Stop.CANCELLED, Stop.INFRASTRUCTURE):
        try:
            rooms.memory.capture(episode)
        except PocketError as error:
            logging.getLogger(__name__).warning("nothing of the run was kept in memory: %s", error)


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
