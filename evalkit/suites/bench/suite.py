"""The suite `bench`: drafts of all programs, their policies, and what admission lets in.

    phrases/*.toml, values/*.toml, families/, wording.toml  ->  programs/  ->  drafts of a split
    draft  ->  primed world, policy of the gold  ->  admission  ->  tasks, as many of each program as its size says

The order and the content depend on the data files, the programs and the phone's tools; which drafts are admitted also
depends on what a search of the memory finds. So a release keeps the drafts that it refused, and a build that is given
them tries nothing: with another finder it makes the same tasks.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

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
Refused = Mapping[str, Collection[int]]
"""By program, the drafts that a release refused, counted from 0."""
LEFT_OUT = "the release left it out; `pocket eval admit` shows why"


def build(
    split: Split, whole: Whole | None = None, limit: Limit | None = None, refused: Refused | None = None
) -> Built:
    """Make the tasks of a split: admit them one by one, or leave out the drafts that a release `refused`."""
    whole = whole or Whole()
    maker = Maker(split, whole.sandbox)
    tasks: list[TaskSpec] = []
    rejected: list[Admission] = []
    places: dict[str, tuple[int, ...]] = {}
    said: set[str] = set()
    for program in load_programs().values():
        wanted = (limit or Program.size)(program, split)
        stage: Phone = whole if program.part in BESIDE_PHONE else whole.sandbox
        outside = None if refused is None else frozenset(refused.get(program.name, ()))
        for place, found in _made(program, maker, stage, wanted, said, outside):
            if isinstance(found, TaskSpec):
                tasks.append(found)
            else:
                rejected.append(found)
                places[program.name] = (*places.get(program.name, ()), place)
    return Built(tuple(tasks), tuple(rejected), places)


def _made(
    program: Program, maker: Maker, phone: Phone, wanted: int, said: set[str], refused: Collection[int] | None
) -> Iterator[tuple[int, TaskSpec | Admission]]:
    """`wanted` tasks of a program as far as it gives them, and what was left out on the way; each with its draft's
    place."""
    if not wanted:
        return
    counts: dict[str, int] = {}
    for place, draft in enumerate(program.make(maker)):
        if _heard(draft) in said:
            continue
        number = counts.get(draft.family, 0) + 1
        name = f"bench/{draft.split.value}/{draft.pattern}/{draft.family}/{number}"
        if refused is not None and place in refused:
            found: TaskSpec | Admission = Admission(name, (LEFT_OUT,))
        else:
            found = admitted(draft, program, name, phone, tried=refused is None)
        yield place, found
        if isinstance(found, TaskSpec):
            said.add(_heard(draft))
            counts[draft.family] = number
            wanted -= 1
            if not wanted:
                return


def _heard(draft: Draft) -> str:
    return "\n".join([*(turn.text for turn in draft.view.turns), draft.view.request]).casefold()


def admitted(draft: Draft, program: Program, name: str, phone: Phone, tried: bool = True) -> TaskSpec | Admission:
    """The task of a draft, or why it is none; where it needs not be `tried`, only a gold that can't be played is."""
    try:
        task = task_of(draft, program, name, phone)
    except (BadGoldError, UnreachableError, UserError) as error:
        return Admission(name, (str(error),))
    found = admit(task, phone) if tried else Admission(name)
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
