"""Skills: a request whose calls follow from a Skill's instructions, which must be loaded first.

A scenario (`families/skills/*.toml`) names its Skills, the calls and what people say. The policy is the state that the
calls leave, beside the gate that every Skill named was loaded; loading more than those is no harm.
"""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from pydantic import Field

from evalkit.suites.bench.book import HERE
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.lookups import shifted
from evalkit.suites.bench.maker import Maker
from evalkit.suites.bench.program import program
from evalkit.suites.bench.text import spoken
from evalkit.suites.bench.wording import Phrasings
from evalkit.suites.core.drafts import facts_of
from evalkit.suites.core.joined import renumbered
from evalkit.suites.core.values import Draw
from evalkit.tables import data_files, each_once, read_table
from runtime.contract import SKILL_PREFIX, Json, Record, SkillGate, TaskView

ROUNDS = 24
"""How often each scenario is told at most."""


class Scenario(Phrasings):
    """One situation that a Skill is for."""

    name: str
    """Unique."""
    skills: tuple[str, ...] = Field(min_length=1)
    """Slugs of the Skills that must be loaded."""
    subcategory: str = Field(min_length=3)
    """What it is about."""
    calls: tuple[Json, ...] = Field(min_length=1)
    """What the instructions lead to: with slots, and references to earlier results of these calls."""
    plant: tuple[Json, ...] = ()
    """Rows that must be there."""


class _Shelf(Record):
    scenario: tuple[Scenario, ...] = ()


@lru_cache(maxsize=1)
def scenarios() -> tuple[Scenario, ...]:
    """All scenarios, in order of file and place; `SetupError` for a name that stands twice."""
    shelves = [read_table(name, text, _Shelf) for name, text in data_files(HERE, "families/skills")]
    found = tuple(one for shelf in shelves for one in shelf.scenario)
    return each_once(found, "scenarios")


@program(
    "skilled", part="skill", kind="skill", capabilities=("dependency_handling", "argument_grounding", "tool_routing"),
    sizes=(300, 98, 102),
)  # fmt: skip
def skilled(maker: Maker) -> Iterator[Draft]:
    """Every scenario once before any again, its templates one after another."""
    usable = [one for one in scenarios() if all(call["name"] in maker.specs for call in one.calls)]
    for number in range(ROUNDS):
        for one in usable:
            yield _told(maker, one, number, maker.rng("skilled", one.name, number))


def _told(maker: Maker, one: Scenario, number: int, rng: Random) -> Draft:
    world, draw = maker.world(rng), Draw(maker.pools, maker.split, rng)
    template = one.of(maker.split)[number % len(one.of(maker.split))]
    request = draw.fill(template)
    loads = [_load(slug, one.subcategory) for slug in one.skills]
    calls = [shifted(_filled(call, draw), len(loads)) for call in one.calls]
    return Draft(
        pattern="skilled",
        family=f"skilled_{one.name}",
        domain=maker.specs[one.calls[-1]["name"]].domain,
        subcategory=one.subcategory,
        split=maker.split,
        view=TaskView(request=spoken(request)),
        world=world.model_copy(update={"facts": tuple(renumbered(facts_of(draw, one.plant, world.clock)))}),
        gold=(*loads, *calls, maker.closing(calls, rng)),
        templates=(template,),
        values=tuple((maker.pools.pool_of(slot), value) for slot, value in draw.drawn.items()),
        checks=(SkillGate(skills=frozenset(one.skills)),),
    )


def _load(slug: str, about: str) -> Json:
    return {"name": SKILL_PREFIX + slug.replace("-", "_"), "arguments": {"reason": f"The request is about {about}."}}


def _filled(call: Json, draw: Draw) -> Json:
    filled = {name: draw.fill(value) if isinstance(value, str) else value for name, value in call["arguments"].items()}
    return {"name": call["name"], "arguments": filled}
