"""Sub-agents: work that is handed to an agent with all it needs, and carried to its deliverable.

A handoff (`families/handoffs/*.toml`) is a chain of calls: a session is opened with complete arguments, worked with,
and read or closed. The policy is the state that the chain leaves, so any wording of a handoff that does it passes.
"""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from pydantic import Field

from evalkit.suites.bench.book import HERE
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.maker import Maker
from evalkit.suites.bench.program import program
from evalkit.suites.bench.text import spoken
from evalkit.suites.bench.wording import Phrasings
from evalkit.suites.core.drafts import facts_of
from evalkit.suites.core.joined import renumbered
from evalkit.suites.core.values import Draw
from evalkit.tables import data_files, each_once, read_table
from runtime.contract import Json, Record, TaskView

ROUNDS = 24
"""How often each handoff is told at most."""


class Handoff(Phrasings):
    """One chain of calls, and what people say for it."""

    name: str
    """Unique."""
    subcategory: str = Field(min_length=3)
    """What it is about."""
    calls: tuple[Json, ...] = Field(min_length=2)
    """With slots, and references to earlier results."""
    plant: tuple[Json, ...] = ()
    """Rows that must be there."""


class _Shelf(Record):
    handoff: tuple[Handoff, ...] = ()


@lru_cache(maxsize=1)
def handoffs() -> tuple[Handoff, ...]:
    """All handoffs, in order of file and place; `SetupError` for a name that stands twice."""
    shelves = [read_table(name, text, _Shelf) for name, text in data_files(HERE, "families/handoffs")]
    found = tuple(one for shelf in shelves for one in shelf.handoff)
    return each_once(found, "handoffs")


@program(
    "handoff",
    part="sub_agent",
    kind="handoff",
    capabilities=("tool_routing", "argument_grounding", "dependency_handling"),
    sizes=(160, 30, 62),
)
def handoff(maker: Maker) -> Iterator[Draft]:
    """Every handoff once before any again, its templates one after another."""
    usable = [one for one in handoffs() if all(call["name"] in maker.specs for call in one.calls)]
    for number in range(ROUNDS):
        for one in usable:
            yield _handed(maker, one, number, maker.rng("handoff", one.name, number))


def _handed(maker: Maker, one: Handoff, number: int, rng: Random) -> Draft:
    world, draw = maker.world(rng), Draw(maker.pools, maker.split, rng)
    template = one.of(maker.split)[number % len(one.of(maker.split))]
    request = draw.fill(template)
    calls = [_call(call, draw) for call in one.calls]
    facts = renumbered(facts_of(draw, one.plant, world.clock))
    return Draft(
        pattern="handoff",
        family=f"handoff_{one.name}",
        domain=maker.specs[calls[0]["name"]].domain,
        subcategory=one.subcategory,
        split=maker.split,
        view=TaskView(request=spoken(request)),
        world=world.model_copy(update={"facts": tuple(facts)}),
        gold=(*calls, maker.closing(calls, rng)),
        templates=(template,),
        values=tuple((maker.pools.pool_of(slot), value) for slot, value in draw.drawn.items()),
    )


def _call(call: Json, draw: Draw) -> Json:
    filled = {name: draw.fill(value) if isinstance(value, str) else value for name, value in call["arguments"].items()}
    return {"name": call["name"], "arguments": filled}
