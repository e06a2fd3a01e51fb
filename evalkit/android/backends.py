"""The same calls on the sandbox and on phones: what each backend did, tool by tool, and where they differ.

    core's phrases of dev and test -> calls over the tools that Android has -> the same world on both -> call, diff
    outcome (done, or the code of the failure) and rows in the columns that both have (columns.py) -> differences

A call whose world a phone can't be given, or after which it can't be read, is counted apart. `unsupported` on a
phone is a difference: a sandbox does it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from device.android.tools import offers
from device.sandbox.sandbox import Sandbox
from evalkit.android.columns import columns, disagreement, moves
from evalkit.android.phone import StagedPhone
from evalkit.android.rig import open_phones
from evalkit.android.stage import UnreadyError
from evalkit.crew import Phones, at_once
from evalkit.gold import is_call
from evalkit.suites.core.phrases import load_phrases
from evalkit.suites.core.single import one_call
from runtime.contract import (
    Deadline,
    InfrastructureError,
    Json,
    Observation,
    Phone,
    Policy,
    Split,
    StateDiff,
    TaskSpec,
    TaskView,
    ToolCall,
    WorldSpec,
)

SECONDS = 60.0
SPLITS = (Split.DEV, Split.TEST)


@dataclass(frozen=True, slots=True)
class Case:
    """One call in a world."""

    name: str
    """Its family and split."""
    call: Json
    """`name` and `arguments`, as said."""
    world: WorldSpec
    """Where it is made."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a backend made of a call."""

    seen: Observation
    """Its answer."""
    diff: StateDiff
    """What it changed."""

    @property
    def outcome(self) -> str:
        """`done`, or the code of the failure."""
        return self.seen.failure.code.value if self.seen.failure is not None else "done"

    def told(self, rows: Sequence[str]) -> Json:
        """For a report: the outcome, and the rows that the other backend does not have."""
        why = self.seen.failure.message if self.seen.failure is not None else ""
        return {"outcome": self.outcome, "why": why, "rows": list(rows)}


def cases() -> list[Case]:
    """A call for each family of core's phrases whose tool Android has, in dev's words and in test's."""
    found = []
    for split in SPLITS:
        for entry in load_phrases().one_call:
            if entry.tool not in offers():
                continue
            spec = offers()[entry.tool].spec
            for draft in one_call(entry, spec, split, 1):
                call = next(step for step in draft.gold if is_call(step))
                found.append(Case(f"{entry.family}/{split.value}", call, draft.world))
    return found


def compare(chosen: Sequence[Case], phones: Phones, watch: Callable[[Iterable[Case]], Iterable[Case]]) -> Json:
    """Run the calls on both backends; the differences by tool."""
    found: dict[str, Json] = {}
    with open_phones(phones.number("oracle"), phones.serials) as crew:
        pairs = [_Pair(Sandbox(), phone) for phone in crew]
        with closing(at_once(_Pair.run, chosen, pairs)) as done:
            for _ in watch(chosen):
                case, one = next(done)
                found[case.name] = one
    return report([(case, found[case.name]) for case in chosen])


@dataclass(frozen=True)
class _Pair:
    sandbox: Sandbox
    phone: StagedPhone

    def run(self, case: Case) -> Json:
        """One call on both; `same`, `unmet`, or what each has alone."""
        try:
            self.phone.prepare(_task(case))
            on_phone = _run(case, self.phone)
            self.phone.clean()
        except UnreadyError as error:
            return {"unmet": str(error)}
        except InfrastructureError as error:  # switched off by the call: nobody can say what it then holds
            return {"unread": str(error)}
        self.sandbox.reset(case.world)
        here = _run(case, self.sandbox)
        sandbox_alone, phone_alone = disagreement(here.diff, on_phone.diff)
        if here.outcome == on_phone.outcome and not sandbox_alone and not phone_alone:
            return {"same": True, "shown": bool(moves(here.diff)) or here.diff.empty}
        return {"sandbox": here.told(sandbox_alone), "phone": on_phone.told(phone_alone)}


def _run(case: Case, phone: Phone) -> Done:
    start = phone.snapshot()
    call = ToolCall(id="compare", name=case.call["name"], arguments=case.call["arguments"])
    seen = phone.execute(call, Deadline(SECONDS), f"compare:{case.name}")
    return Done(seen, phone.diff(start))


def _task(case: Case) -> TaskSpec:
    """A task without a policy, for staging."""
    domain = offers()[case.call["name"]].spec.domain
    view = TaskView(request=case.name)
    policy = Policy(outcomes=())
    return TaskSpec(id=case.name, view=view, world=case.world, policy=policy, family=case.name, domain=domain)


def report(done: Sequence[tuple[Case, Json]]) -> Json:
    """Counts, and the differences by tool."""
    by_tool: dict[str, list[tuple[Case, Json]]] = {}
    for case, found in done:
        by_tool.setdefault(case.call["name"], []).append((case, found))
    valid = [found for _, found in done if not _apart(found)]
    same = sum("same" in found for found in valid)
    return {
        "n": len(valid),
        "agreement": same / len(valid) if valid else None,
        "tools": len(by_tool),
        "tools_agreeing": sum(not list(_differing(calls)) for calls in by_tool.values()),
        "preconditions_unmet": sum("unmet" in found for _, found in done),
        "unread": [case.name for case, found in done if "unread" in found],
        "not_shown": sum(found.get("shown") is False for found in valid),
        "outcomes": dict(sorted(Counter(_outcomes(found) for found in valid if "same" not in found).items())),
        "by_tool": {name: _told(calls) for name, calls in sorted(by_tool.items())},
        "tables": sorted(columns()),
    }


def _apart(found: Json) -> bool:
    return "unmet" in found or "unread" in found


def _outcomes(found: Json) -> str:
    return f"sandbox {found['sandbox']['outcome']}, phone {found['phone']['outcome']}"


def _differing(calls: Sequence[tuple[Case, Json]]) -> Iterator[Json]:
    for case, found in calls:
        if "sandbox" in found:
            yield {"case": case.name, "arguments": case.call["arguments"], **found}


def _told(calls: Sequence[tuple[Case, Json]]) -> Json:
    return {
        "calls": sum(not _apart(found) for _, found in calls),
        "same": sum("same" in found for _, found in calls),
        "differing": list(_differing(calls)),
    }
