"""Conditional and dependency planning.

dependent_call: a value is looked up and used. dependent_twice: it is used for two things. conditional: a request hangs
on a state that has to be looked up, with or without another for the other case. verified: a change is made, then looked
up.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from evalkit.gold import UnreachableError, resolved
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.lookups import Condition, Consumer, Producer, conditions, consumers, producers
from evalkit.suites.bench.maker import ALONE, Maker, Piece
from evalkit.suites.bench.program import program
from evalkit.suites.bench.programs.grounding import TRIES, some
from evalkit.suites.bench.text import spoken
from evalkit.suites.core.drafts import UNSEEN, composition, facts_of
from evalkit.suites.core.joined import clause, renumbered
from evalkit.suites.core.values import Draw
from runtime.contract import Json, TaskView, WorldSpec

Match = tuple[Producer, tuple[Consumer, ...]]


@program("dependent_call", kind="dependency", capabilities=("dependency_handling",), sizes=(600, 50, 30))
def dependent_call(maker: Maker) -> Iterator[Draft]:
    """A value is looked up and used once."""
    matches: list[Match] = [(one, (use,)) for one in producers() for use in consumers() if _fits(maker, one, use)]
    yield from _dependent(maker, "dependent_call", matches)


@program("dependent_twice", kind="dependency", capabilities=("dependency_handling",), sizes=(200, 16, 10))
def dependent_twice(maker: Maker) -> Iterator[Draft]:
    """A value is looked up and used for two things."""
    matches: list[Match] = [
        (one, (use, other))
        for one in producers()
        for use in consumers()
        for other in consumers()
        if use.tool < other.tool and _fits(maker, one, use) and _fits(maker, one, other)
    ]
    yield from _dependent(maker, "dependent_twice", matches)


def _fits(maker: Maker, one: Producer, use: Consumer) -> bool:
    known = {one.tool, use.tool} <= set(maker.specs) and not {one.tool, use.tool} & UNSEEN
    return known and one.tool != use.tool and bool(set(one.gives) & set(use.takes))


def _dependent(maker: Maker, pattern: str, matches: Sequence[Match]) -> Iterator[Draft]:
    """Every match of this split once before any again, those of one producer apart."""
    mine = [match for match in matches if maker.mine(_name(pattern, match))]
    maker.rng(pattern).shuffle(mine)
    counts: dict[str, int] = {}
    rank: dict[int, tuple[int, int]] = {}
    for place, match in enumerate(mine):
        for name in (match[0].name, *(use.name for use in match[1])):
            counts[name] = counts.get(name, 0) + 1
        rank[place] = (max(counts[name] for name in (match[0].name, match[1][0].name)), place)
    order = sorted(range(len(mine)), key=lambda place: rank[place])
    for again in range(4):
        for place in order:
            yield _looked_up(maker, pattern, mine[place], maker.rng(pattern, again, place))


def _name(pattern: str, match: Match) -> str:
    return composition(pattern, (match[0].tool, *(use.tool for use in match[1])))


def _looked_up(maker: Maker, pattern: str, match: Match, rng: Random) -> Draft:
    one, uses = match
    world, draw = maker.world(rng), Draw(maker.pools, maker.split, rng)
    template = rng.choice(one.of(maker.split))
    templates, phrase = [template], draw.fill(template)
    calls = [_call(one.call, draw, "")]
    texts: list[str] = []
    for place, use in enumerate(uses):
        template = rng.choice(use.of(maker.split))
        templates.append(template)
        texts.append(clause(draw.fill(template.replace("{it}", "\0")).replace("\0", phrase if not place else "that")))
        calls.append(_call(use.call, draw, f"$1.{one.path}"))
    request, wording = maker.joined(texts, rng, plain=True)
    wrap = maker.say("lookups", rng)
    plant = (*one.plant, *(row for use in uses for row in use.plant))
    facts = renumbered(facts_of(draw, plant, world.clock))
    return Draft(
        pattern=pattern,
        family=f"{pattern}_{one.name}_{'_'.join(use.name for use in uses)}",
        domain=maker.specs[uses[0].tool].domain,
        subcategory=uses[0].subcategory,
        split=maker.split,
        view=TaskView(request=spoken(wrap.format(request))),
        world=world.model_copy(update={"facts": tuple(facts)}),
        gold=(*calls, maker.closing(calls, rng)),
        composition=_name(pattern, match),
        templates=(*templates, *wording, wrap),
        values=tuple((maker.pools.pool_of(slot), value) for slot, value in draw.drawn.items()),
    )


def _call(call: Json, draw: Draw, it: str) -> Json:
    """A call with its slots filled and `{it}` replaced."""
    arguments: dict[str, Any] = {
        name: it if value == "{it}" else draw.fill(value) if isinstance(value, str) else value
        for name, value in call["arguments"].items()
    }
    return {"name": call["name"], "arguments": arguments}


@program("conditional", kind="dependency", capabilities=("dependency_handling",), sizes=(300, 26, 15))
def conditional(maker: Maker) -> Iterator[Draft]:
    """A request hangs on a state that must be looked up; two of three have a request for the other case as well."""
    usable = [one for one in conditions() if one.tool in maker.specs and one.tool not in UNSEEN]
    for number in range(TRIES):
        rng = maker.rng("conditional", number)
        one = usable[number % len(usable)]
        world = maker.world(rng)
        acting = [
            entry for entry in maker.entries if not maker.reads({"name": entry.tool, "arguments": entry.arguments})
        ]
        pieces = some(maker, rng, world, 2 if number % 6 < 4 else 1, frozenset((one.tool, *_others(one))), acting)
        name = composition("conditional", (one.tool, *(piece.entry.tool for piece in pieces)))
        if maker.mine(name):
            draft = _on_condition(maker, one, pieces, rng, world, number % 2 == 0)
            if draft is not None:
                yield draft


def _others(one: Condition) -> list[str]:
    return [call["name"] for call in one.others]


def _on_condition(
    maker: Maker, one: Condition, pieces: list[Piece], rng: Random, world: WorldSpec, wanted: bool
) -> Draft | None:
    """The draft of a condition, true or false as wanted; where the world decides, as it turns out."""
    draw = Draw(maker.pools, maker.split, rng)
    template = rng.choice(one.of(maker.split))
    said = draw.fill(template)
    look = _call(one.call, draw, "")
    rows = one.holds if wanted else one.fails
    facts = renumbered([*facts_of(draw, rows, world.clock), *(fact for piece in pieces for fact in piece.facts)])
    ready = world.model_copy(update={"facts": tuple(facts)})
    if one.varies:
        found = _found(maker, one, look, ready)
        if found is None:
            return None
        wanted = found
    wrap = maker.say("if_elses" if len(pieces) == 2 else "ifs", rng)
    then = pieces[0] if wanted else pieces[1] if len(pieces) == 2 else None
    calls = [look, *([then.call] if then else [])]
    alike = [[_call(other, draw, ""), *calls[1:], {"finish": "Done."}] for other in one.others]
    return maker.draft(
        "conditional", pieces, wrap.format(said, *(piece.text for piece in pieces)),
        (*calls, maker.closing(calls, rng)), ready, facts=(), wording=(template, wrap),
        family=f"conditional_{one.name}_{pieces[0].entry.family}",
        composition=composition("conditional", (one.tool, *(piece.entry.tool for piece in pieces))),
        accepted=tuple(tuple(steps) for steps in alike), loose=frozenset(one.loose),
    )  # fmt: skip


def _found(maker: Maker, one: Condition, look: Json, world: WorldSpec) -> bool | None:
    """Whether the world's answer makes a condition hold; None where it gives none."""
    seen = maker.tried(world, [look])
    if seen is None or not seen[0].ok:
        return None
    try:
        value = resolved({"value": f"$1.{one.path}"}, [seen[0].data])["value"]
    except UnreachableError:
        return None
    return bool(value == one.equals)


@program(
    "verified", kind="dependency", capabilities=("verified_completion", "dependency_handling"), sizes=(200, 18, 11)
)
def verified(maker: Maker) -> Iterator[Draft]:
    """A change is made, and its state is looked up afterwards with the same tool."""
    for number in range(TRIES):
        rng = maker.rng("verified", number)
        world = maker.world(rng)
        entry = maker.pick(rng, lambda one: _checkable(maker, one.tool) and _switches(maker, one.arguments))
        piece = maker.piece(entry, rng, world) if entry else None
        if entry is None or piece is None:
            continue
        look = {"name": entry.tool, "arguments": {**piece.call["arguments"], "action": "query"}}
        seen = maker.tried(world.model_copy(update={"facts": piece.facts}), [piece.call, look])
        if seen is None or not all(one.ok for one in seen):
            continue
        wrap = maker.say("verifies", rng)
        yield maker.draft("verified", [piece], wrap.format(piece.text), (piece.call, look, {"finish": "Done."}), world,
                          wording=(wrap,), composition=composition("verified", (entry.tool,)), ordered=True,
                          loose=frozenset(look["arguments"]) - {"action"})  # fmt: skip


def _checkable(maker: Maker, tool: str) -> bool:
    actions = maker.specs[tool].parameters.get("properties", {}).get("action", {}).get("enum", ())
    return tool not in ALONE and "query" in actions and maker.mine(composition("verified", (tool,)))


def _switches(maker: Maker, arguments: Json) -> bool:
    return arguments.get("action") not in (None, "query", "check", "delete", "cancel", "remove")
