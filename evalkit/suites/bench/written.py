"""Hand-written tasks: `written/*.toml`, each request written one by one.

    [[task]]
    name = "late_for_yoga"          unique
    split = "test"                  dev or test (train is welcome)
    request = "..."                 what somebody really says
    gold = [{ name = "...", arguments = {...} }, { finish = "..." }]
    subcategory = "..."
    # where needed: part, kind, turns, facts, clock, seed, denied, unavailable, memories, mentions, user_answers,
    # needs_memories, needs_skills, remembers, capabilities, accepted, loose, ordered, partly

A task may stand in one split alone, and nothing of it in another. What does not fit is one message with the file, the
field and what is expected.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Literal

from pydantic import Field

from evalkit.gold import is_call
from evalkit.suites.bench.book import HERE
from evalkit.suites.bench.draft import BESIDE, CAPABILITIES, Draft, Part
from evalkit.tables import data_files, read_table
from evalkit.whole import MEMORY_TOOLS
from memory.records import planted
from memory.tools import ADD, REPLACE
from runtime.contract import (
    SKILL_PREFIX,
    Domain,
    Json,
    MemoryGate,
    Record,
    SetupError,
    SkillGate,
    Split,
    TaskView,
    ToolSpec,
    Turn,
    UserError,
    WorldSpec,
)
from runtime.contract.tasks import Check

FIRST_YEAR, LAST_YEAR = 2000, 2099
"""Years in which a phone's clock may stand."""
KINDS: dict[str, tuple[str, ...]] = {
    "tool_use": ("grounding", "dependency", "tracking", "revision", "boundary"),
    "memory": ("single_turn", "multi_turn"),
    "skill": ("skill",),
    "sub_agent": ("handoff",),
}
"""Kinds within each part; the first is taken where none is given."""


class Written(Record):
    """One task."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    """Unique over all files."""
    split: Split
    """Where it stands."""
    request: str = Field(min_length=2)
    """What is said."""
    gold: tuple[Json, ...] = Field(min_length=1)
    """One solution."""
    subcategory: str = Field(min_length=3)
    """What it is about."""
    part: Part = "tool_use"
    """Part of the Overall score."""
    kind: str = ""
    """Kind within its part."""
    turns: tuple[Turn, ...] = ()
    """Earlier turns."""
    clock: str = "2026-10-15T17:25"
    """The phone's clock."""
    seed: int = 1
    """The world's seed."""
    facts: tuple[Json, ...] = ()
    """Rows on the phone."""
    denied: tuple[str, ...] = ()
    """Permissions that are denied."""
    unavailable: tuple[str, ...] = ()
    """Tools that the phone lacks."""
    memories: tuple[Json, ...] = ()
    """What the user's memory holds: id, content, category."""
    mentions: tuple[tuple[str, ...], ...] = ()
    """Groups of words that a question, refusal or answer must name."""
    user_answers: tuple[str, ...] = ()
    """What the user replies when asked."""
    needs_memories: tuple[str, ...] = ()
    """Ids of memories that the planner's searches must find."""
    needs_skills: tuple[str, ...] = ()
    """Slugs of Skills that must be loaded."""
    remembers: tuple[str, ...] = ()
    """What each memory written must hold, in the order of the gold's writes."""
    capabilities: tuple[str, ...] = ()
    """Of the seven, beside what the gold shows by itself."""
    accepted: tuple[tuple[Json, ...], ...] = ()
    """Other solutions of the same standing."""
    loose: tuple[str, ...] = ()
    """Arguments of reads that may be left out."""
    ordered: bool = False
    """Whether reads must come after the writes."""
    partly: bool = False
    """The end reports what could not be done."""


class _Sheet(Record):
    task: tuple[Written, ...] = ()


@lru_cache(maxsize=1)
def load_written() -> tuple[Written, ...]:
    """All hand-written tasks, in order of file and place, checked."""
    found: dict[str, Written] = {}
    for name, text in data_files(HERE, "written"):
        for task in read_table(name, text, _Sheet).task:
            _check(f"`{name}`, task `{task.name}`", task, found)
            found[task.name] = task
    return tuple(found.values())


def _check(where: str, task: Written, found: dict[str, Written]) -> None:
    if task.name in found:
        raise SetupError(f"{where}, field `name` is taken already; expected a name of its own")
    if task.kind and task.kind not in KINDS[task.part]:
        raise SetupError(f"{where}, field `kind` is `{task.kind}`; expected one of {', '.join(KINDS[task.part])}")
    if unknown := sorted(set(task.capabilities) - set(CAPABILITIES) - set(BESIDE)):
        raise SetupError(f"{where}, field `capabilities` has `{unknown[0]}`; expected of {', '.join(CAPABILITIES)}")
    _check_world(where, task)
    _check_gold(f"{where}, field `gold", task.gold)
    for number, gold in enumerate(task.accepted):
        _check_gold(f"{where}, field `accepted.{number}", gold)


def _check_world(where: str, task: Written) -> None:
    """A clock and memories that a phone can have, and words for memories that are written."""
    try:
        year = datetime.strptime(task.clock, "%Y-%m-%dT%H:%M").year
    except ValueError:
        year = 0
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise SetupError(
            f"{where}, field `clock` is `{task.clock}`; expected a local time like 2026-10-15T17:25, of "
            f"{FIRST_YEAR} to {LAST_YEAR}"
        )
    try:
        planted(WorldSpec(clock=task.clock, memories=task.memories))
    except UserError as error:
        raise SetupError(f"{where}, field `memories`: {error}") from None
    written = sum(step.get("name") in (ADD, REPLACE) for step in task.gold)
    if len(task.remembers) > written:
        raise SetupError(
            f"{where}, field `remembers` has {len(task.remembers)} words; expected one for each of the {written} "
            "memories that `gold` writes"
        )


def _check_gold(field: str, gold: Sequence[Json]) -> None:
    """Steps that can be played, and an end that is none of them."""
    for place, step in enumerate(gold):
        if not _is_step(step):
            raise SetupError(
                f"{field}.{place}` is no step; expected `name` with `arguments`, an `ask`, a `refuse` or a `finish`"
            )
    if not gold or is_call(gold[-1]):
        raise SetupError(f"{field}` ends with a call; expected an `ask`, a `refuse` or a `finish` there")


def _is_step(step: Json) -> bool:
    if is_call(step):
        given = (type(step["name"]), type(step.get("arguments")))
        return len(step) == 2 and given == (str, dict)
    return len(step) == 1 and any(isinstance(step.get(end), str) for end in ("ask", "refuse", "finish"))


def written(split: Split, part: Literal["any"] | Part, specs: dict[str, ToolSpec]) -> Iterator[tuple[str, Draft]]:
    """(kind, draft) of the hand-written tasks of a split and part."""
    for task in load_written():
        if task.split is split and part in ("any", task.part):
            yield task.kind or KINDS[task.part][0], draft_of(task, specs)


def draft_of(task: Written, specs: dict[str, ToolSpec]) -> Draft:
    """The draft of a hand-written task; `SetupError` for a tool that no provider has."""
    names = [step["name"] for step in task.gold if is_call(step)] or list(task.unavailable)
    own = [name for name in names if not (name in MEMORY_TOOLS or name.startswith(SKILL_PREFIX))]
    if unknown := [name for name in own if name not in specs]:
        raise SetupError(f"task `{task.name}`, field `gold` calls `{unknown[0]}`; expected a tool of `pocket tools`")
    if lacking := [name for name in task.unavailable if name not in specs]:
        raise SetupError(
            f"task `{task.name}`, field `unavailable` has `{lacking[0]}`; expected a tool of `pocket tools`"
        )
    about = specs[own[0]].domain if own else Domain.ASSISTANT
    checks: list[Check] = [MemoryGate(ids=frozenset(task.needs_memories))] if task.needs_memories else []
    if task.needs_skills:
        checks.append(SkillGate(skills=frozenset(task.needs_skills)))
    return Draft(
        pattern=f"hand_written_{task.kind or KINDS[task.part][0]}",
        family=f"written_{task.subcategory.replace(' ', '_')}",
        domain=about,
        subcategory=task.subcategory,
        split=task.split,
        view=TaskView(request=task.request, turns=task.turns, unavailable=frozenset(task.unavailable)),
        world=WorldSpec(
            clock=task.clock, seed=task.seed, facts=task.facts, denied=frozenset(task.denied), memories=task.memories
        ),
        gold=task.gold,
        capabilities=frozenset(task.capabilities),
        mentions=task.mentions,
        user_answers=task.user_answers,
        accepted=task.accepted,
        loose=frozenset(task.loose),
        ordered=task.ordered,
        partly=task.partly,
        remembers=task.remembers,
        checks=tuple(checks),
        hand_written=True,
    )
