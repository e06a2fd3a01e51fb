"""Tool and parameter grounding: which tools, with which values.

one_call: one request, one call. multi_call: two to four requests in one. twice: the same kind of request with two sets
of values, which must not be mixed up. unseen_tools: one request for a tool that no training sees.
"""

from collections.abc import Iterator, Sequence
from random import Random

from evalkit.suites.bench.book import Entry
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.maker import Maker, Piece, distinct, joinable
from evalkit.suites.bench.program import program
from evalkit.suites.core.drafts import composition
from evalkit.suites.core.values import SLOT, Draw
from runtime.contract import WorldSpec

TRIES = 4_000
"""Drafts that a program tries at most."""


@program("one_call", kind="grounding", capabilities=("tool_routing", "argument_grounding"), sizes=(400, 60, 40))
def one_call(maker: Maker) -> Iterator[Draft]:
    """One request for one call; every tool before any tool again."""
    yield from _single(maker, maker.entries, "one_call")


@program("unseen_tools", kind="grounding", capabilities=("tool_routing", "argument_grounding"), sizes=(0, 8, 10))
def unseen_tools(maker: Maker) -> Iterator[Draft]:
    """One request for a tool that stands in dev and test alone."""
    yield from _single(maker, maker.unseen, "unseen_tools")


def _single(maker: Maker, among: list[Entry], pattern: str) -> Iterator[Draft]:
    for number in range(TRIES if among else 0):
        rng = maker.rng(pattern, number)
        world = maker.world(rng)
        entry = maker.pick(rng, among=among)
        piece = maker.piece(entry, rng, world) if entry else None
        if piece:
            gold = (piece.call, maker.closing([piece.call], rng))
            yield maker.draft(pattern, [piece], piece.text, gold, world, family=piece.entry.family)


@program("multi_call", kind="grounding", capabilities=("tool_routing", "argument_grounding"), sizes=(500, 44, 27))
def multi_call(maker: Maker) -> Iterator[Draft]:
    """Two to four requests in one; each ordered set of tools at most once."""
    used: set[str] = set()
    for number in range(TRIES):
        rng = maker.rng("multi_call", number)
        world = maker.world(rng)
        pieces = some(maker, rng, world, (2, 2, 2, 3, 3, 4)[number % 6])
        name = composition("multi_call", tuple(piece.entry.tool for piece in pieces))
        if name in used or not maker.mine(name):
            continue
        used.add(name)
        request, wording = maker.joined([piece.text for piece in pieces], rng)
        calls = [piece.call for piece in pieces]
        yield maker.draft("multi_call", pieces, request, (*calls, maker.closing(calls, rng)), world, wording=wording,
                          composition=name)  # fmt: skip


def some(
    maker: Maker,
    rng: Random,
    world: WorldSpec,
    count: int,
    apart: frozenset[str] = frozenset(),
    among: Sequence[Entry] | None = None,
) -> list[Piece]:
    """`count` pieces of different tools, none of them in `apart`; the domains in turn, then whatever fits."""
    pieces: list[Piece] = []
    while len(pieces) < count:
        taken = {piece.entry.tool for piece in pieces} | apart
        fitting = [entry for entry in among or maker.entries if joinable(entry) and entry.tool not in taken]
        entry = maker.pick(rng, among=fitting) if not pieces else rng.choice(fitting)
        piece = maker.piece(entry, rng, world) if entry else None
        if piece:
            pieces.append(piece)
    assert distinct(pieces)
    return pieces


@program("twice", kind="grounding", capabilities=("argument_grounding",), sizes=(200, 20, 12))
def twice(maker: Maker) -> Iterator[Draft]:
    """The same kind of request with two sets of values."""
    for number in range(TRIES):
        rng = maker.rng("twice", number)
        world = maker.world(rng)
        entry = maker.pick(rng, lambda one: joinable(one) and maker.mine(composition("twice", (one.tool,))))
        first = maker.piece(entry, rng, world) if entry else None
        if entry is None or first is None or not first.slots:
            continue
        second = other_values(maker, first, rng, world)
        if second is None:
            continue
        request, wording = maker.joined([first.text, second.text], rng)
        calls = [first.call, second.call]
        yield maker.draft("twice", [first, second], request, (*calls, maker.closing(calls, rng)), world,
                          wording=wording, family=f"twice_{entry.family}",
                          composition=composition("twice", (entry.tool,)))  # fmt: skip


def other_values(maker: Maker, first: Piece, rng: Random, world: WorldSpec) -> Piece | None:
    """A piece of the same entry with other values in every slot; None where the pools are too small."""
    for _ in range(12):
        second = maker.piece(first.entry, rng, world)
        if second and second.slots and not set(second.slots.values()) & set(first.slots.values()):
            return second
    return None


def fresh_value(maker: Maker, slot: str, rng: Random, apart: set[str]) -> str | None:
    """Another value of a slot's pool than those in `apart`."""
    for _ in range(12):
        value = Draw(maker.pools, maker.split, rng).value(slot)
        if value not in apart:
            return value
    return None


def slots(template: str) -> list[str]:
    """Slots of a template in order."""
    return [str(found) for found in SLOT.findall(template)]
