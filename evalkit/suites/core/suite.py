"""The suite `core`: drafts of all programs, their policies, and what admission lets in.

    phrases/*.toml, families/  ->  drafts (by split)  ->  policy of the gold  ->  admission  ->  tasks

The order and the content depend on the data files and the phone's tools alone; `fingerprint` names them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from device.sandbox.sandbox import Sandbox
from evalkit.admission import Admission, admit
from evalkit.gold import UnreachableError
from evalkit.policies import BadGoldError, policy_of
from evalkit.prime import primed
from evalkit.suites.core.dependent import dependent
from evalkit.suites.core.drafts import UNSEEN, Draft
from evalkit.suites.core.joined import joined
from evalkit.suites.core.phrases import OneCall, load_phrases
from evalkit.suites.core.single import denied, missing, one_call, unavailable
from runtime.contract import Phone, Split, TaskSpec, ToolSpec, UserError, digest_of


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many tasks each program makes, per family or in all."""

    one_call: int
    """Per family."""
    unseen: int
    """Per family of an unseen tool."""
    ask: int
    """Per family."""
    joined: int
    """In all."""
    dependent: int
    """Per family."""
    condition: int
    """Per tool, of permission blocks and of missing tools."""
    per_tool: int = 99
    """One-call families of a tool that are taken, by hash."""
    first: int = 0
    """Number of the first draw of programs that draw values anew for each: another number, other values."""


SIZES: dict[Split, Sizes] = {
    Split.TRAIN: Sizes(one_call=8, unseen=0, ask=8, joined=400, dependent=8, condition=2),
    Split.DEV: Sizes(one_call=1, unseen=2, ask=2, joined=60, dependent=4, condition=1, per_tool=1),
    Split.TEST: Sizes(one_call=1, unseen=3, ask=2, joined=80, dependent=5, condition=2, per_tool=2),
}
"""By split."""


@dataclass(frozen=True)
class Built:
    """The tasks of a split, and what was left out."""

    tasks: tuple[TaskSpec, ...] = ()
    """Admitted, in order."""
    rejected: tuple[Admission, ...] = field(default=())
    """Left out, each with its reasons."""
    refused: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By program, which of its drafts those were, counted from 0; what a release keeps."""


def drafts(split: Split, specs: Mapping[str, ToolSpec], sizes: Sizes | None = None) -> Iterator[Draft]:
    """All drafts of a split, in order."""
    size, book = sizes or SIZES[split], load_phrases()
    known = [entry for entry in book.one_call if entry.tool in specs]
    for entry in _taken(known, split, size.per_tool):
        count = size.unseen if entry.tool in UNSEEN else size.one_call
        yield from one_call(entry, specs[entry.tool], split, count, size.first)
    for lacking in book.ask:
        if lacking.tool in specs:
            yield from missing(lacking, specs[lacking.tool], split, size.ask)
    yield from joined(known, specs, split, size.joined, first=size.first)
    yield from dependent(split, specs, size.dependent, size.first)
    for entry in _taken(known, split, 1):
        yield from denied(entry, specs[entry.tool], split, size.condition)
        yield from unavailable(entry, specs[entry.tool], split, size.condition)


def _taken(entries: Sequence[OneCall], split: Split, per_tool: int) -> list[OneCall]:
    """At most `per_tool` entries of each tool that have templates for the split, in the files' order."""
    by_tool: dict[str, list[OneCall]] = {}
    for entry in entries:
        if entry.templates(split):
            by_tool.setdefault(entry.tool, []).append(entry)
    kept = {
        entry.family
        for group in by_tool.values()
        for entry in sorted(group, key=lambda entry: digest_of([split.value, entry.family]))[:per_tool]
    }
    return [entry for entry in entries if entry.family in kept]


def build(split: Split, sizes: Sizes | None = None, phone: Phone | None = None) -> Built:
    """Make and admit the tasks of a split."""
    stage = phone or Sandbox()
    specs = {spec.name: spec for spec in stage.tools()}
    tasks: list[TaskSpec] = []
    rejected: list[Admission] = []
    counts: dict[str, int] = {}
    for draft in drafts(split, specs, sizes):
        number = counts[draft.family] = counts.get(draft.family, 0) + 1
        name = f"core/{split.value}/{draft.pattern}/{draft.family}/{number}"
        try:
            task = task_of(draft, name, stage)
        except (BadGoldError, UnreachableError, UserError) as error:
            rejected.append(Admission(name, (str(error),)))
            continue
        found = admit(task, stage)
        if found.admitted:
            tasks.append(task)
        else:
            rejected.append(found)
    return Built(tuple(tasks), tuple(rejected))


def task_of(draft: Draft, name: str, phone: Phone) -> TaskSpec:
    """The task of a draft; raises `BadGoldError` where its gold does not work."""
    ready = replace(draft, world=primed(draft.gold, draft.world, phone))
    return TaskSpec(
        id=name,
        view=ready.view,
        world=ready.world,
        policy=policy_of(ready.gold, ready.world, phone, ready.mentions),
        gold=ready.gold,
        family=ready.family,
        domain=ready.domain,
        pattern=ready.pattern,
        difficulty=min(
            5, sum("name" in step for step in ready.gold) + (ready.pattern not in ("one_call", "multi_call"))
        ),
        split=ready.split,
    )


def fingerprint(tasks: tuple[TaskSpec, ...]) -> str:
    """Digest of a split's tasks."""
    return digest_of([task.digest() for task in tasks])
