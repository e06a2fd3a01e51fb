"""AgentDojo: each user task's own calls through our provider, checked by the task's own `utility()`."""

from collections.abc import Callable, Iterable

from evalkit.outside.toolkit import Toolkit
from evalkit.outside.wire import OutsideTask
from runtime.contract import CancelToken, Deadline, Json

Watch = Callable[[list[OutsideTask]], Iterable[OutsideTask]]
CALL_S = 60.0


def passes(toolkit: Toolkit, task: OutsideTask) -> bool:
    """Play the gold on an episode of its own; the toolkit's word on it. A call that fails, fails the task."""
    turns, answer = toolkit.gold(task)
    episode = toolkit.begin(task)
    seen = [episode.execute(call, Deadline(CALL_S), call.id) for turn in turns for call in turn]
    passed = all(one.ok for one in seen) and episode.judge(answer)
    episode.close()
    return passed


def agentdojo_report(toolkit: Toolkit, tasks: list[OutsideTask], cancel: CancelToken, watch: Watch) -> Json:
    """The figures over `tasks`, by suite too. Every task is played twice in the same process."""
    first: dict[str, bool] = {}
    second: dict[str, bool] = {}
    for task in watch(tasks):
        if cancel.cancelled:
            break
        first[task.id], second[task.id] = passes(toolkit, task), passes(toolkit, task)
    suites = sorted({task.groups[0] for task in tasks})
    by_suite = {suite: sum(first.get(task.id, False) for task in tasks if suite in task.groups) for suite in suites}
    return {
        "suite": "agentdojo",
        "version": toolkit.version,
        "n": len(first),
        "not_run": len(tasks) - len(first),
        "passed": sum(first.values()),
        "passed_second": sum(second.values()),
        "by_suite": by_suite,
        "failed": [task for task in first if not (first[task] and second[task])],
    }
