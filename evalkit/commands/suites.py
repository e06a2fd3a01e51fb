"""`pocket eval suites` and `admit`: what a suite holds, and what was left out of it."""

from collections import Counter
from collections.abc import Iterable
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

from evalkit.commands.common import SplitOption, SuiteOption
from runtime.cli.common import JsonFlag, out, print_json
from runtime.contract import Json, Split, TaskSpec, UserError

if TYPE_CHECKING:
    from evalkit.suites import Suite


def suites(
    suite: SuiteOption = "bench",
    split: Annotated[str | None, typer.Option("--split", help="One split alone.")] = None,
    json: JsonFlag = False,
) -> None:
    """Count the admitted tasks of a suite by split, part, pattern and domain."""
    from evalkit.suites import load_suite

    wanted = [split] if split else ["train", "dev", "test"]
    report = {one: counted(load_suite(suite, one)) for one in wanted}
    held = [task for one in wanted if one != "train" for task in load_suite(suite, one).tasks]
    whole = {"suite": suite, **totals(held), "splits": report}
    if json:
        print_json(whole)
        return
    for one, counts in report.items():
        out().print(f"{one}: {counts['tasks']} tasks, {counts['rejected']} rejected, {counts['fingerprint']}")
        for part in ("by_capability", "patterns", "domains"):
            out().print(f"  {part}: " + ", ".join(f"{key} {count}" for key, count in counts[part].items()))


def totals(tasks: list[TaskSpec]) -> Json:
    """Counts over dev and test: by part of the Overall (`by_capability`), domain and subcategory."""
    return {
        "tasks": len(tasks),
        "by_capability": dict(sorted(Counter(task.part for task in tasks).items())),
        "by_kind": _counts(f"{task.part}.{task.kind}" for task in tasks if task.kind),
        "by_domain": _counts(task.domain.value for task in tasks),
        "by_subcategory": _counts(task.subcategory for task in tasks if task.subcategory),
        "capabilities": _counts(name for task in tasks for name in task.capabilities),
        "hand_written": sum(task.hand_written for task in tasks),
        "median_gold_calls": median_gold_calls(tasks),
    }


def median_gold_calls(tasks: list[TaskSpec]) -> Json:
    """Median number of calls in the gold, by part and by capability."""
    counts: dict[str, list[int]] = {}
    for task in tasks:
        calls = sum("name" in step for step in task.gold)
        for name in (task.part, *sorted(task.capabilities)):
            counts.setdefault(name, []).append(calls)
    return {name: median(calls) for name, calls in sorted(counts.items())}


def counted(tasks: "Suite") -> Json:
    """Counts of one split."""
    return {
        **totals(list(tasks.tasks)),
        "rejected": len(tasks.rejected),
        "fingerprint": tasks.fingerprint,
        "patterns": _counts(task.pattern for task in tasks.tasks),
        "domains": _counts(task.domain.value for task in tasks.tasks),
        "families": len({task.family for task in tasks.tasks}),
        "tools": len({step["name"] for task in tasks.tasks for step in task.gold if "name" in step}),
    }


def admit(
    suite: SuiteOption = "core",
    split: SplitOption = "test",
    release: Annotated[str | None, typer.Option("--release", help="Record bench under this name.")] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Try android's candidates on software phones, and record.")
    ] = False,
    phones: Annotated[int, typer.Option("--phones", min=1, help="Software phones for that.")] = 8,
    json: JsonFlag = False,
) -> None:
    """Try all drafts of a split and show what is left out, and why; or record a release of what is admitted."""
    from evalkit.suites import try_suite
    from evalkit.suites.bench.release import release_of

    if release is not None:
        _release(release, json)
        return
    if record:
        _try_on_phones(suite, split, phones)
    tasks = try_suite(suite, split)
    rejected = [{"task": one.task_id, "faults": list(one.faults)} for one in tasks.rejected]
    known = release_of(split, tasks.fingerprint) if suite == "bench" else None
    if json:
        print_json({"suite": suite, "split": split, "admitted": len(tasks.tasks), "rejected": rejected,
                    "fingerprint": tasks.fingerprint, "release": known})  # fmt: skip
        return
    for one in rejected:
        out().print(f"{one['task']}: {'; '.join(one['faults'])}", markup=False)
    told = f": {known or 'no release'}" if suite == "bench" else ""
    out().print(f"{len(tasks.tasks)} admitted, {len(rejected)} rejected{told}", markup=False)


def _try_on_phones(suite: str, split: str, phones: int) -> None:
    """Admit and record a split of `android`."""
    from evalkit.android.admit import admit_on_phones
    from evalkit.commands.common import watch
    from evalkit.suites.android.suite import record
    from evalkit.suites.registry import candidates_of

    if suite != "android":
        raise UserError(f"`--record` is for the suite `android`; `{suite}` is admitted whenever it is built.")
    made = candidates_of(split)
    found = {one.task_id: one for one in admit_on_phones(made.tasks, phones, watch)}
    record(Split(split), [task for task in made.tasks if found[task.id].admitted], list(found.values()))


def _release(name: str, json: bool) -> None:
    """Record in the source tree what of `bench` is admitted now."""
    from evalkit.suites import try_suite
    from evalkit.suites.bench.release import record

    made = record(name, {split: try_suite("bench", split) for split in ("train", "dev", "test")})
    if json:
        print_json(made.model_dump(mode="json"))
        return
    for split, sealed in made.splits.items():
        out().print(f"{name}, {split}: {sealed.tasks} tasks, {sealed.fingerprint}")


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
