"""A recording as a candidate of a task: what was done becomes the gold, what the phone says has changed the policy.

    screens, inputs -> from home on, detours cut -> each input as a step on the element it hit, by its words -> gold
    changes.json -> rows in a phone's columns -> required state                                -> TaskSpec, for a person

Nothing is invented: a step that no words name, a gap, a change that no column shows is a note for whoever reviews it.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from device.android.record import is_launcher
from device.android.screen import DumpProblem, Folded, FoldedElement, fold, read_dump
from evalkit.android.columns import BOOKKEEPING, shown
from evalkit.android.screen_tool import NAME, SPEC, named
from evalkit.recording.saved import steps_of
from evalkit.suites.android.policy import ALLOWED
from runtime.contract import (
    BehaviourCheck,
    Domain,
    Element,
    Json,
    Outcome,
    Policy,
    RowPattern,
    Split,
    StateCheck,
    TaskSpec,
    TaskView,
    ToolFailure,
    UserError,
    WorldSpec,
)

BACK = frozenset(("navigate up", "back", "cancel", "close"))
"""Labels of what leaves a page as it was."""
NAMELESS = frozenset(("", "switch widget", "checkbox"))
"""Labels of switches that belong to the row around them."""
_CHANGE = {"table", "key", "before", "after"}
_KINDS = {"tap": "tap", "hold": "long_press", "text": "type", "swipe": "scroll"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A task to be reviewed."""

    task: TaskSpec
    """The task."""
    notes: tuple[str, ...]
    """What a person must look at."""


def to_task(folder: Path, request: str, split: Split = Split.DEV) -> Candidate:
    """The candidate of a recording; raises `UserError` for what is none, or has no input."""
    if not request.strip():
        raise UserError("the request is empty. Say with `--request` what was to be done.")
    steps, notes, name = steps_of(folder), [], folder.resolve().name
    kept = without_detours([_lines(folder, step) for step in steps], [_goes_back(folder, step) for step in steps])
    if len(kept) < len(steps):
        notes.append(f"{len(steps) - len(kept)} screens of detours were cut; see that none of them mattered")
    gold: list[Json] = []
    first, note = _beginning(folder, steps[kept[0]])
    notes += [note] if note else []
    for at in kept[:-1]:
        made, note = _step(folder, steps[at])
        gold += [made] if made else []
        notes += [f"screen {at + 1}: {note}"] if note else []
    if not gold:
        raise UserError(f"`{folder}` holds no input. Record at least one, or add it to `steps.jsonl` by hand.")
    gold = [*first, *gold]
    policy, said = policy_of(_changes(folder))
    task = TaskSpec(
        id=f"recorded/{name}",
        view=TaskView(request=request, tools=(SPEC,)),
        world=WorldSpec(),
        policy=policy,
        gold=(*gold, {"finish": "Done."}),
        family=f"recorded_{name}",
        domain=Domain.INPUT,
        pattern="screen",
        part="sub_agent",
        hand_written=True,
        difficulty=max(1, min(5, len(gold) - 2)),
        split=split,
        source="recording",
    )
    return Candidate(checked(task.model_dump_json()), (*notes, *said))


def checked(text: str) -> TaskSpec:
    """The task of a candidate's JSON, as evalkit reads it; raises `UserError` for a damaged one."""
    try:
        task = TaskSpec.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        raise UserError(f"the candidate is no task: {first['msg']} at `{'.'.join(map(str, first['loc']))}`.") from None
    actions: list[str] = SPEC.parameters["properties"]["action"]["enum"]
    for step in task.gold:
        if "finish" not in step and (step.get("name") != NAME or step["arguments"].get("action") not in actions):
            raise UserError(f"the step {step} is none of `{NAME}`. Correct it.")
    return task


def without_detours(screens: list[tuple[str, ...]], back: list[bool]) -> list[int]:
    """Which screens to keep: a page that was entered and left by the way back goes, as does what changed nothing.

    A page that changed before it was left stays, for that may be what was asked for. `back`: by screen, whether its
    input is a way back.
    """
    kept: list[int] = []
    for at, lines in enumerate(screens):
        if kept and screens[kept[-1]] == lines:
            kept[-1] = at
        elif len(kept) > 1 and screens[kept[-2]] == lines and back[kept[-1]]:
            kept[-2:] = [at]
        else:
            kept.append(at)
    return kept


def policy_of(changes: list[Json] | None) -> tuple[Policy, list[str]]:
    """What must be so in the end: the rows that changed, in the columns that a phone shows."""
    ended = BehaviourCheck(ends=frozenset(("finished",)), unchanged=False)
    if not changes:
        why = "no change was read" if changes == [] else "the phone's state was not read before and after"
        return Policy(outcomes=(Outcome(checks=(ended,), note=f"to be written: {why}"),)), [f"{why}: write the policy"]
    required, notes = [], []
    for change in changes:
        if change["table"] in BOOKKEEPING:
            continue
        pattern = _pattern(change)
        if pattern is None:
            notes.append(f"`{change['table']}` `{change['key']}` changed in columns that no other backend shows")
        else:
            required.append(pattern)
    state = StateCheck(required=tuple(required), allowed=ALLOWED)
    note = "" if required else "to be written: nothing that changed is shown elsewhere"
    return Policy(outcomes=(Outcome(checks=(state, ended), note=note),)), notes


def _pattern(change: Json) -> RowPattern | None:
    before, after = shown(change["table"], change["before"]), shown(change["table"], change["after"])
    if before == after:
        return None
    if before is None:
        return RowPattern(table=change["table"], change="insert", values=after or {})
    if after is None:
        return RowPattern(table=change["table"], change="delete", where=before)
    values = {name: value for name, value in after.items() if before.get(name) != value}
    return RowPattern(table=change["table"], change="update", where=before, values=values)


def _beginning(folder: Path, step: Json) -> tuple[list[Json], str]:
    """How a task, which begins on the home screen, gets to the first screen that was recorded."""
    package = fold_of(folder, step).package
    if is_launcher(package):
        return [], ""
    if app := _opened(folder):
        return [_call(action="open", text=app)], ""
    return [], f"the recording begins in `{package}`, a task on the home screen; add the way there"


def _opened(folder: Path) -> str:
    """The app that was opened by its name before anything else was done."""
    file = folder / "events.jsonl"
    if not file.is_file():
        return ""
    try:
        events = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except ValueError as error:
        raise UserError(f"`{file}` is no JSON: {error}. Remove it, or record again.") from None
    first = next((event for event in events if isinstance(event, dict) and event.get("kind") == "input"), {})
    return str(first.get("text", "")) if first.get("what") == "open" else ""


def _changes(folder: Path) -> list[Json] | None:
    file = folder / "changes.json"
    if not file.is_file():
        return None
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"`{file}` can't be read: {error}. Remove it: then the policy is to be written.") from None
    if not (isinstance(found, list) and all(isinstance(one, dict) and one.keys() >= _CHANGE for one in found)):
        raise UserError(f"`{file}` is no list of changes. Remove it: then the policy is to be written.")
    return found


def fold_of(folder: Path, step: Json) -> Folded:
    """A recorded screen, folded; raises `UserError` for a dump that is none."""
    path = folder / step["tree"]
    try:
        return fold(read_dump(path.read_bytes()))
    except DumpProblem as problem:
        raise UserError(f"`{path}` can't be read: {problem}. Leave this screen out.") from None


def _lines(folder: Path, step: Json) -> tuple[str, ...]:
    kept = [one for one in fold_of(folder, step).elements if one.package != "com.android.systemui"]
    return tuple(one.line().partition(" ")[2] for one in kept)


def _goes_back(folder: Path, step: Json) -> bool:
    done: Json = step.get("input") or {"kind": ""}
    if done["kind"] == "key":
        return done["key"] in ("back", "home")
    hit = _hit(fold_of(folder, step).elements, "tap", done) if done["kind"] == "tap" else None
    return hit is not None and hit.label.casefold() in BACK


def _step(folder: Path, step: Json) -> tuple[Json | None, str]:
    """The input on a screen as a step of the tool, and what is to be looked at."""
    done: Json | None = step.get("input")
    if done is None:
        return None, "what was done here was not seen; add the step"
    if done["kind"] == "key":
        known = done["key"] in SPEC.parameters["properties"]["action"]["enum"]
        return (_call(action=done["key"]), "") if known else (None, f"the key `{done['key']}` is no action of the tool")
    action, elements = _KINDS[done["kind"]], fold_of(folder, step).elements
    hit = _hit(elements, action, done)
    if hit is None:
        return None, f"nothing at {done.get('x', 0)}, {done.get('y', 0)} takes `{action}`; add the step"
    words = hit.label.partition(", ")[0].partition(": ")[0] or hit.role
    text = {"type": done.get("text", ""), "scroll": _way(done)}.get(action)
    note = _doubt(words, action, elements)
    return _call(action=action, element=words, **({"text": text} if text is not None else {})), note


def _call(**arguments: Any) -> Json:
    return {"name": NAME, "arguments": arguments}


def _hit(elements: tuple[FoldedElement, ...], action: str, done: Json) -> FoldedElement | None:
    """The smallest element there that takes the action; for a text without a place, the focused field."""
    able = [one for one in elements if action in one.actions]
    if action == "type" and not done.get("x") and not done.get("y"):
        return next((one for one in able if "focused" in one.states), able[0] if len(able) == 1 else None)
    x, y = done.get("x", 0), done.get("y", 0)
    there = [one for one in able if one.box.left <= x < one.box.right and one.box.top <= y < one.box.bottom]
    named_ones = [one for one in there if one.label.casefold() not in NAMELESS]
    return min(named_ones or there, key=lambda one: one.box.area, default=None)


def _way(done: Json) -> str:
    across, along = done.get("x2", 0) - done.get("x", 0), done.get("y2", 0) - done.get("y", 0)
    if abs(across) > abs(along):
        return "left" if across > 0 else "right"
    return "up" if along > 0 else "down"


def _doubt(words: str, action: str, elements: tuple[FoldedElement, ...]) -> str:
    """Why the words may not name one element alone; empty where they do."""
    there = [Element(id=f"a{one.id}", role=one.role, label=one.line().partition(" ")[2].removeprefix(one.role).strip(),
                     actions=one.actions) for one in elements]  # fmt: skip
    try:
        named(words, action, there)
    except ToolFailure as failure:
        return f"`{words}`: {failure.message}"
    return ""
