"""Admission on software phones: a task of `android` counts only when its gold passes there and what must fail does.

1. The oracle passes through the whole harness, recall and executor included, and the witness of the phone's state
   agrees with what was read.
2. An agent that does nothing fails; of a task on the screen, so does the gold without its last action.

What the sandbox's admission demands (evalkit/admission.py) was demanded before.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from evalkit.admission import Admission
from evalkit.agents import drop_one, null
from evalkit.android.phone import StagedPhone
from evalkit.android.play import WithScreen
from evalkit.crew import ANDROID, Member, Phones, at_once, open_crew
from evalkit.gold import is_call
from evalkit.result import result_of
from evalkit.results import Trial
from evalkit.runner import NO_STRESS, Ended, planner_for, run_trial
from evalkit.scene import needs_screen
from runtime.config import load_settings
from runtime.contract import CancelToken, TaskSpec
from runtime.trace import Untraced

Watch = Callable[[Iterable[TaskSpec]], Iterable[TaskSpec]]


def admit_on_phones(tasks: Sequence[TaskSpec], phones: int, watch: Watch = lambda tasks: tasks) -> Iterator[Admission]:
    """The admission of each task, as they come; `phones` software phones are started for it."""
    settings = load_settings({"planner": {"use": "oracle"}})
    on = Phones(ANDROID, (), phones)
    with open_crew(settings, settings, on, NO_STRESS, lambda: planner_for(settings), Untraced()) as crew:
        found = at_once(admit, tasks, crew)
        for _ in watch(tasks):
            yield next(found)[1]


def admit(member: Member, task: TaskSpec) -> Admission:
    """Try a task on one phone."""
    return Admission(task.id, tuple(_faults(member, task)))


def _faults(member: Member, task: TaskSpec) -> Iterator[str]:
    ended = run_trial(Trial(task), member.scene, member.planner, CancelToken())
    assert ended is not None  # nobody cancels
    result = result_of(task, ended.episode, ended.diff, member.scene.offered())
    if not result.verdict.success:
        failed = [check.name for check in result.verdict.checks if not check.passed]
        yield f"oracle fails: {'; '.join([*failed, *_said(ended)])}"
        return
    if ended.witness:
        yield f"the witness disagrees: {'; '.join(ended.witness)}"
    phone = member.opened.phone
    assert isinstance(phone, StagedPhone)
    alone = WithScreen(phone)
    if alone.judged(task, null(task))[0].success:
        yield "null passes"
    last = max(place for place, step in enumerate(task.gold) if is_call(step))
    if needs_screen(task) and alone.judged(task, drop_one(task, last))[0].success:
        yield "the gold passes without its last action"


def _said(ended: Ended) -> list[str]:
    """What the phone answered to calls that failed."""
    seen = [one for step in ended.episode.steps for one in step.observations]
    said = [one.failure.message for one in seen if one.failure is not None]
    return said or ([ended.episode.stop_detail] if ended.episode.stop_detail else [])
