"""The suite `bench`: drafts of all programs, their policies, and what admission lets in.

    phrases/*.toml, values/*.toml, families/, wording.toml  ->  programs/  ->  drafts of a split
    draft  ->  primed world, policy of the gold  ->  admission  ->  tasks, as many of each program as its size says

The order and the content depend on the data files, the programs and the phone's tools alone. A build is kept in the
cache folder under the digest of all that (kept.py), so that only a change costs the time again.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from device.sandbox.sandbox import Sandbox
from evalkit.admission import Admission, admit
from evalkit.gold import UnreachableError, is_call
from evalkit.policies import BadGoldError
from evalkit.prime import primed
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.maker import Maker
from evalkit.suites.bench.policy import policy_for
from evalkit.suites.bench.program import Program, load_programs
from evalkit.suites.core.suite import Built
from evalkit.whole import Whole
from runtime.contract import Effect, Phone, Split, TaskSpec, UserError

BESIDE_PHONE = frozenset(("memory", "skill"))
"""Parts whose tasks need more than the phone's own tools."""
Limit = Callable[[Program, Split], int]
"""How many tasks of a program a split shall have."""


def build(split: Split, phone: Sandbox | None = None, limit: Limit | None = None) -> Built:
    """Make and admit the tasks of a split."""
    whole = Whole(phone or Sandbox())
    maker = Maker(split, whole.sandbox)
    tasks: list[TaskSpec] = []
    rejected: list[Admission] = []
    said: set[str] = set()
    for program in load_programs().values():
        wanted = (limit or Program.size)(program, split)
        stage: Phone = whole if program.part in BESIDE_PHONE else whole.sandbox
        for found in _admitted(program, maker, stage, wanted, said):
            (rejected if isinstance(found, Admission) else tasks).append(found)  # type: ignore[arg-type]
    return Built(tuple(tasks), tuple(rejected))


def _admitted(
    program: Program, maker: Maker, phone: Phone, wanted: int, said: set[str]
) -> Iterator[TaskSpec | Admission]:
    """`wanted` tasks of a program as far as it gives them, and what was left out on the way."""
    if not wanted:
        return
    counts: dict[str, int] = {}
    for draft in program.make(maker):
        if _heard(draft) in said:
            continue
        number = counts.get(draft.family, 0) + 1
        name = f"bench/{draft.split.value}/{draft.pattern}/{draft.family}/{number}"
        found = admitted(draft, program, name, phone)
        yield found
        if isinstance(found, TaskSpec):
            said.add(_heard(draft))
            counts[draft.family] = number
            wanted -= 1
            if not wanted:
                return


def _heard(draft: Draft) -> str:
    return "\n".join([*(turn.text for turn in draft.view.turns), draft.view.request]).casefold()


def admitted(draft: Draft, program: Program, name: str, phone: Phone) -> TaskSpec | Admission:
    """The task of a draft, or why it is none."""
    try:
        task = task_of(draft, program, name, phone)
    except (BadGoldError, UnreachableError, UserError) as error:
        return Admission(name, (str(error),))
    found = admit(task, phone)
    return task if found.admitted else found


def task_of(draft: Draft, program: Program, name: str, phone: Phone) -> TaskSpec:
    """The task of a draft; raises `BadGoldError` where its gold does not work."""
    ready = replace(draft, world=primed(draft.gold, draft.world, phone))
    calls = sum(is_call(step) for step in ready.gold)
    return TaskSpec(
        id=name,
        view=ready.view,
        world=ready.world,
        policy=policy_for(ready, phone),
        gold=ready.gold,
        family=ready.family,
        domain=ready.domain,
        capabilities=program.capabilities | ready.capabilities | _asked_by(ready, phone),
        pattern=ready.pattern,
        part=program.part,
        kind=program.kind,
        subcategory=ready.subcategory,
        hand_written=ready.hand_written,
        difficulty=max(1, min(5, calls + bool(ready.view.turns) + (program.kind != "grounding"))),
        split=ready.split,
    )


def _asked_by(draft: Draft, phone: Phone) -> frozenset[str]:
    """Capabilities that a gold asks for whatever its program: reads acquire information, several tools are routed."""
    specs = {spec.name: spec for spec in phone.tools()}
    calls = [step for step in draft.gold if is_call(step)]
    asked = set[str]()
    if any(
        step["name"] in specs and specs[step["name"]].effects_of(step["arguments"]) <= {Effect.READ} for step in calls
    ):
        asked.add("information_acquisition")
    if len({step["name"] for step in calls}) > 1:
        asked.add("tool_routing")
    return frozenset(asked)


def all_drafts(split: Split, phone: Phone, limit: Limit | None = None) -> Iterable[Draft]:
    """The first drafts of each program, as many as its size: for looking at what splits share."""
    maker = Maker(split, phone)
    for program in load_programs().values():
        wanted = (limit or Program.size)(program, split)
        for draft in program.make(maker):
            if wanted <= 0:
                break
            wanted -= 1
            yield draft
