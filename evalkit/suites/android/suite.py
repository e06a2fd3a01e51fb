"""The suite `android`: what a connected phone can be asked for.

    core's phrases, screens/*.toml  ->  drafts over tools that Android has  ->  admission on the sandbox
    policy in a phone's columns  ->  admission on software phones (admitted.json)  ->  tasks of a split

A task keeps request, world and gold of its suite; its policy asks for what a phone shows. Which tasks count was found
out on software phones, by `pocket eval admit --suite android --record`, and stands in `admitted.json` with the digest
of each: so the suite is loaded without a phone, and a task that has changed since is left out by name.
"""

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from device.android.tools import offers
from device.sandbox.sandbox import Sandbox
from evalkit.admission import Admission, admit
from evalkit.android.screen_tool import SPEC
from evalkit.gold import UnreachableError, is_call
from evalkit.policies import BadGoldError
from evalkit.suites.android.policy import on_android
from evalkit.suites.android.screens import screen_drafts
from evalkit.suites.core.drafts import Draft
from evalkit.suites.core.suite import Built, Sizes, drafts, task_of
from runtime.contract import Json, Split, TaskSpec, TaskView, UserError

SIZES: dict[Split, Sizes] = {
    Split.DEV: Sizes(one_call=1, unseen=1, ask=0, joined=12, dependent=1, condition=0, per_tool=1),
    Split.TEST: Sizes(one_call=1, unseen=1, ask=0, joined=24, dependent=2, condition=0, per_tool=2),
}
"""Of core's programs; nobody trains on a phone."""
SECONDS = 300.0
"""Of an episode: a phone takes its own time, and several share a machine."""
RECORD = "admitted.json"


def admitted(split: Split, made: Built) -> Built:
    """Of the candidates of a split, those that were admitted on software phones."""
    known = recorded().get(split.value, {"admitted": {}, "rejected": {}})
    tasks, rejected = [], list(made.rejected)
    for task in made.tasks:
        digest = known["admitted"].get(task.id)
        if digest == task.digest():
            tasks.append(task)
        elif digest:
            rejected.append(Admission(task.id, ("changed since it was admitted on a software phone",)))
        else:
            rejected.append(Admission(task.id, tuple(known["rejected"].get(task.id, ["not tried on a phone yet"]))))
    return Built(tuple(tasks), tuple(rejected))


def candidates(split: Split) -> Built:
    """The tasks of a split that the sandbox admits and a phone's columns can decide."""
    if split not in SIZES:
        raise UserError(f"suite `android` has no split `{split.value}`; splits: dev, test")
    stage = Sandbox()
    tasks: list[TaskSpec] = []
    rejected: list[Admission] = []
    for found in (*_called(split, stage), *_on_screen(split, stage)):
        if isinstance(found, TaskSpec):
            tasks.append(found)
        else:
            rejected.append(found)
    return Built(tuple(tasks), tuple(rejected))


def recorded() -> dict[str, Json]:
    """By split: digests of the admitted tasks, and why others were rejected, by id."""
    data: dict[str, Json] = json.loads(_record().read_text(encoding="utf-8"))
    return data


def record(split: Split, tasks: list[TaskSpec], tried: list[Admission]) -> None:
    """Write down which tasks of a split were admitted, and why others were not."""
    one: Json = {"admitted": {task.id: task.digest() for task in tasks}}
    one["rejected"] = {each.task_id: list(each.faults) for each in tried if not each.admitted}
    data = recorded() | {split.value: one}
    _record().write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _record() -> Path:
    return Path(str(files("evalkit.suites.android"))) / RECORD


def _called(split: Split, stage: Sandbox) -> Iterator[TaskSpec | Admission]:
    """Tasks of core's programs over the tools that Android has."""
    specs = {spec.name: spec for spec in stage.tools() if spec.name in offers()}
    counts: dict[str, int] = {}
    for draft in drafts(split, specs, SIZES[split]):
        if "finish" not in draft.gold[-1] or not any(map(is_call, draft.gold)) or draft.world.denied:
            continue
        number = counts[draft.family] = counts.get(draft.family, 0) + 1
        yield _task(draft, f"android/{split.value}/{draft.pattern}/{draft.family}/{number}", stage)


def _on_screen(split: Split, stage: Sandbox) -> Iterator[TaskSpec | Admission]:
    """Tasks through the screen: admitted as the call that leaves the same state, then given the screen's gold."""
    counts: dict[str, int] = {}
    for one in screen_drafts(split):
        draft = one.draft
        number = counts[draft.family] = counts.get(draft.family, 0) + 1
        called = Draft(**{name: getattr(draft, name) for name in draft.__slots__} | {"view": _bare(draft)})
        found = _task(called, f"android/{split.value}/{draft.pattern}/{draft.family}/{number}", stage)
        if isinstance(found, TaskSpec) and draft.view.tools is not None:
            found = found.model_copy(
                update={
                    "gold": one.gold,
                    "view": found.view.model_copy(update={"tools": draft.view.tools}),
                    "part": "sub_agent",
                    "difficulty": _difficulty(one.gold),
                }
            )
        yield found


def _bare(draft: Draft) -> TaskView:
    return TaskView(request=draft.view.request)


def _difficulty(gold: tuple[Json, ...]) -> int:
    return max(1, min(5, sum(map(is_call, gold)) - 2))


def _task(draft: Draft, name: str, stage: Sandbox) -> TaskSpec | Admission:
    """The task of a draft with a phone's policy, or why it is none."""
    try:
        task = task_of(draft, name, stage)
    except (BadGoldError, UnreachableError, UserError) as error:
        return Admission(name, (str(error),))
    found = admit(task, stage)
    if not found.admitted:
        return found
    policy = on_android(task.policy)
    if policy is None:
        return Admission(name, ("a phone shows nothing of what it changes",))
    budget = task.view.budget.model_copy(update={"seconds": SECONDS})
    return task.model_copy(update={"policy": policy, "view": task.view.model_copy(update={"budget": budget})})


def is_screen_task(task: TaskSpec) -> bool:
    """Whether it is done through the screen alone."""
    return task.view.tools is not None and [spec.name for spec in task.view.tools] == [SPEC.name]
