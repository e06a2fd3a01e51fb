"""Intent revision and task management.

corrected: a value is corrected in the same breath. dropped: of three things one is taken back. switched: one thing is
taken back for another. undone: what was done in an earlier turn is to be reversed. held: requests that wait for a word
to go, and maybe only one of them gets it.
"""

from collections.abc import Iterator
from random import Random

from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.maker import Maker, Piece, joinable, turns_of
from evalkit.suites.bench.program import program
from evalkit.suites.bench.programs.grounding import TRIES, fresh_value, some
from evalkit.suites.bench.text import tidy
from evalkit.suites.core.drafts import composition
from runtime.contract import Json, WorldSpec


@program("corrected", kind="revision", capabilities=("argument_grounding", "state_tracking"), sizes=(250, 18, 11))
def corrected(maker: Maker) -> Iterator[Draft]:
    """A value is corrected in the same breath; two of three requests hold another wish."""
    for number in range(TRIES):
        rng = maker.rng("corrected", number)
        world = maker.world(rng)
        entry = maker.pick(rng, lambda one: joinable(one) and maker.mine(composition("corrected", (one.tool,))))
        wrong = maker.piece(entry, rng, world) if entry else None
        if entry is None or wrong is None or not wrong.slots:
            continue
        slot = rng.choice(sorted(wrong.slots))
        value = fresh_value(maker, slot, rng, set(wrong.slots.values()))
        right = value and _right(maker, wrong, slot, value, rng, world)
        if not right or tidy(wrong.slots[slot]) not in wrong.text:
            continue
        more = some(maker, rng, world, 1, frozenset((entry.tool,))) if number % 3 else []
        wrap = maker.say("corrections", rng)
        said = wrap.format(wrong.text, wrong.slots[slot], value)
        request, wording = maker.joined([*(one.text for one in more), said], rng)
        calls = [*(one.call for one in more), right.call]
        yield maker.draft("corrected", [right, *more], request, (*calls, maker.closing(calls, rng)), world,
                          facts=[*wrong.facts, *right.facts, *(fact for one in more for fact in one.facts)],
                          wording=(*wording, wrap), family=f"corrected_{entry.family}",
                          composition=composition("corrected", (entry.tool,)))  # fmt: skip


def _right(maker: Maker, wrong: Piece, slot: str, value: str, rng: Random, world: WorldSpec) -> Piece | None:
    entry = wrong.entry.model_copy(update={maker.split.value: (wrong.template,)})
    return maker.piece(entry, rng, world, given={**wrong.slots, slot: value})


@program("dropped", kind="revision", capabilities=("tool_routing", "state_tracking"), sizes=(200, 16, 10))
def dropped(maker: Maker) -> Iterator[Draft]:
    """Three things, of which one is taken back."""
    for number in range(TRIES):
        rng = maker.rng("dropped", number)
        world = maker.world(rng)
        pieces, place = some(maker, rng, world, 3), number % 3
        name = composition("dropped", tuple(piece.entry.tool for piece in pieces))
        if not maker.mine(name):
            continue
        listed, wrap = maker.say("three_things", rng), maker.say(f"drops_{place + 1}", rng)
        left = [piece for piece in pieces if piece is not pieces[place]]
        calls = [piece.call for piece in left]
        request = wrap.format(listed.format(*(piece.text for piece in pieces)))
        yield maker.draft("dropped", left, request, (*calls, maker.closing(calls, rng)), world,
                          facts=[fact for piece in pieces for fact in piece.facts],
                          wording=(listed, wrap, pieces[place].template), composition=name)  # fmt: skip


@program("switched", kind="revision", capabilities=("tool_routing", "state_tracking"), sizes=(150, 9, 6))
def switched(maker: Maker) -> Iterator[Draft]:
    """One thing is taken back for another, or for two others."""
    for number in range(TRIES):
        rng = maker.rng("switched", number)
        world = maker.world(rng)
        first, *left = some(maker, rng, world, 3 if number % 3 else 2)
        name = composition("switched", tuple(piece.entry.tool for piece in (first, *left)))
        if not maker.mine(name):
            continue
        wrap = maker.say("switches", rng)
        request, wording = maker.joined([piece.text for piece in left], rng)
        calls = [piece.call for piece in left]
        gold = (*calls, maker.closing(calls, rng))
        yield maker.draft("switched", left, wrap.format(first.text, request), gold, world,
                          facts=[fact for piece in (first, *left) for fact in piece.facts],
                          wording=(*wording, wrap, first.template), composition=name)  # fmt: skip


@program("undone", kind="revision", capabilities=("state_tracking", "recovery"), sizes=(150, 12, 8))
def undone(maker: Maker) -> Iterator[Draft]:
    """What the assistant did in an earlier turn is to be reversed; two of three requests hold another wish."""
    for number in range(TRIES):
        rng = maker.rng("undone", number)
        world = maker.world(rng)
        entry = maker.pick(rng, lambda one: joinable(one) and maker.mine(composition("undone", (one.tool,)))
                           and bool(set(one.arguments) & _choices(maker, one.tool)))  # fmt: skip
        piece = maker.piece(entry, rng, world) if entry else None
        start = world.model_copy(update={"facts": piece.facts if piece else ()})
        back = piece and _reverse(maker, piece.call, start)
        done = back and piece and maker.after(start, [piece.call])
        if entry is None or not piece or not back or not done:
            continue
        more = some(maker, rng, world, 1, frozenset((entry.tool,))) if number % 3 else []
        wrap, ack = maker.say("undoes", rng), maker.say("acks", rng)
        request, wording = maker.joined([wrap, *(one.text for one in more)], rng)
        calls = [back, *(one.call for one in more)]
        yield maker.draft("undone", [piece, *more], request, (*calls, maker.closing(calls, rng)), done,
                          facts=[fact for one in more for fact in one.facts], wording=(*wording, wrap, ack),
                          turns=turns_of(piece.text, ack), family=f"undone_{entry.family}",
                          composition=composition("undone", (entry.tool,)))  # fmt: skip


def _choices(maker: Maker, tool: str) -> set[str]:
    """Arguments of a tool that choose from a few words."""
    properties = maker.specs[tool].parameters.get("properties", {})
    return {name for name, schema in properties.items() if "enum" in schema}


def _reverse(maker: Maker, call: Json, world: WorldSpec) -> Json | None:
    """A call of the same tool, with another choice, that brings the phone back to where it was; None for none."""
    properties = maker.specs[call["name"]].parameters["properties"]
    for name, value in call["arguments"].items():
        for option in properties.get(name, {}).get("enum", ()):
            other = {**call, "arguments": {**call["arguments"], name: option}}
            if option != value and option not in ("query", "check") and _cancels(maker, call, other, world):
                return other
    return None


def _cancels(maker: Maker, call: Json, other: Json, world: WorldSpec) -> bool:
    maker.phone.reset(world)
    start = maker.phone.snapshot()
    if not maker.run(call).ok or maker.phone.diff(start).empty:
        return False
    return maker.run(other, 1).ok and maker.phone.diff(start).empty


@program("held", kind="revision", capabilities=("state_tracking", "tool_routing"), sizes=(200, 14, 9))
def held(maker: Maker) -> Iterator[Draft]:
    """Two requests wait for a word; then both go, or one alone."""
    for number in range(TRIES):
        rng = maker.rng("held", number)
        world = maker.world(rng)
        pieces = some(maker, rng, world, 2)
        name = composition("held", tuple(piece.entry.tool for piece in pieces))
        if not maker.mine(name):
            continue
        which = ("goes", "goes", "goes_first", "goes", "goes_second")[number % 5]
        going = {"goes": pieces, "goes_first": pieces[:1], "goes_second": pieces[1:]}[which]
        hold, wait, go = maker.say("holds", rng), maker.say("waiting", rng), maker.say(which, rng)
        calls = [piece.call for piece in going]
        yield maker.draft("held", going, go, (*calls, maker.closing(calls, rng)), world,
                          facts=[fact for piece in pieces for fact in piece.facts],
                          wording=(hold, wait, go, *(piece.template for piece in pieces)), composition=name,
                          turns=turns_of(hold.format(*(piece.text for piece in pieces)), wait))  # fmt: skip
