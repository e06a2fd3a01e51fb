"""Reference and state tracking over earlier turns.

refer_back: a value of an earlier turn is meant ("the same city"). choose: one of the options that the assistant named.
again: the same as before for other values. the_rest: what is still open of a list. answered: a value that the assistant
asked for. nickname: a name that the user gave to a value long ago, among other talk.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from evalkit.suites.bench.book import Entry
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.maker import Maker, Piece, joinable, turns_of
from evalkit.suites.bench.program import program
from evalkit.suites.bench.programs.grounding import TRIES, fresh_value, some
from evalkit.suites.bench.text import spoken
from evalkit.suites.core.drafts import composition
from evalkit.suites.core.values import SLOT, Draw
from runtime.contract import Json, WorldSpec


@program("refer_back", kind="tracking", capabilities=("state_tracking", "argument_grounding"), sizes=(300, 22, 13))
def refer_back(maker: Maker) -> Iterator[Draft]:
    """A value of an earlier turn is meant; half of the requests need it twice."""
    for number in range(TRIES):
        rng = maker.rng("refer_back", number)
        world = maker.world(rng)
        reference = maker.say("references", rng)
        found = _about_one(maker, rng, world, reference, 3 if number % 3 else 2)
        if found is None:
            continue
        (first, *later), _ = found
        name = composition("refer_back", tuple(piece.entry.tool for piece in (first, *later)))
        done = maker.after(world.model_copy(update={"facts": first.facts}), [first.call])
        if not maker.mine(name) or done is None:
            continue
        request, wording = maker.joined([piece.text for piece in later], rng)
        ack = maker.say("replies" if maker.reads(first.call) else "acks", rng)
        calls = [piece.call for piece in later]
        yield maker.draft("refer_back", later, request, (*calls, maker.closing(calls, rng)), done,
                          wording=(*wording, first.template, reference, ack), turns=turns_of(first.text, ack),
                          composition=name)  # fmt: skip


def _about_one(
    maker: Maker, rng: Random, world: WorldSpec, wording: str, count: int, group: str = ""
) -> tuple[list[Piece], str] | None:
    """Pieces of different tools about one value, all but the first saying it by `wording`; and the first one's slot."""
    start = maker.pick(rng, lambda one: joinable(one) and bool(maker.noun_slot(one, group)))
    slot = maker.noun_slot(start, group) if start else None
    if start is None or slot is None:
        return None
    first = maker.piece(start, rng, world, needs=[slot])
    if first is None:
        return None
    pool, value = maker.pools.pool_of(slot), first.slots[slot]
    said = wording.format((maker.noun(pool) or ("", ""))[0])
    pieces = [first]
    for entry in _others(maker, pool, [first.entry.tool], rng)[: count - 1]:
        other = maker.slot_of(entry, pool)
        piece = other and maker.piece(entry, rng, world, given={other: value}, said={other: said}, needs=[other])
        if piece:
            pieces.append(piece)
    if len(pieces) == count and len({piece.entry.tool for piece in pieces}) == count:
        return pieces, slot
    return None


def _others(maker: Maker, pool: str, tools: Sequence[str], rng: Random) -> list[Entry]:
    """Entries about a pool, of tools not in `tools`, one for each tool, shuffled."""
    fitting = [
        entry for entry in maker.entries if entry.tool not in tools and joinable(entry) and maker.slot_of(entry, pool)
    ]
    rng.shuffle(fitting)
    chosen: dict[str, Entry] = {}
    for entry in fitting:
        chosen.setdefault(entry.tool, entry)
    return list(chosen.values())


@program("choose", kind="tracking", capabilities=("state_tracking", "argument_grounding"), sizes=(250, 18, 11))
def choose(maker: Maker) -> Iterator[Draft]:
    """One of three options that the assistant named is meant; two of three requests need it twice or do more."""
    for number in range(TRIES):
        rng = maker.rng("choose", number)
        world = maker.world(rng)
        entry = maker.pick(rng, lambda one: joinable(one) and bool(maker.noun_slot(one, "choice")))
        slot = maker.noun_slot(entry, "choice") if entry else None
        if entry is None or slot is None or not maker.mine(composition("choose", (entry.tool,))):
            continue
        draft = _choice(maker, entry, slot, rng, world, number)
        if draft:
            yield draft


def _choice(maker: Maker, entry: Entry, slot: str, rng: Random, world: WorldSpec, number: int) -> Draft | None:
    pool = maker.pools.pool_of(slot)
    noun, nouns = maker.noun(pool) or ("", "")
    options: list[str] = []
    for _ in range(3):
        value = fresh_value(maker, slot, rng, set(options))
        if value is None:
            return None
        options.append(value)
    place = number % 3
    ordinal = maker.say(f"ordinals_{place + 1}", rng)
    piece = maker.piece(
        entry, rng, world, given={slot: options[place]}, said={slot: ordinal.format(noun)}, needs=[slot]
    )
    if piece is None:
        return None
    more = some(maker, rng, world, 1, frozenset((entry.tool,))) if number % 3 else []
    offer, listed = maker.say("offers", rng), maker.say("options", rng)
    request, wording = maker.joined([piece.text, *(one.text for one in more)], rng)
    calls = [one.call for one in (piece, *more)]
    facts = [*piece.facts, *_exist(maker, pool, [one for one in options if one != options[place]]),
             *(fact for one in more for fact in one.facts)]  # fmt: skip
    return maker.draft("choose", [piece, *more], request, (*calls, maker.closing(calls, rng)), world,
                       wording=(*wording, ordinal, offer, listed), facts=facts, family=f"choose_{entry.family}",
                       turns=turns_of(offer.format(nouns), listed.format(*options)),
                       composition=composition("choose", (entry.tool,)))  # fmt: skip


def _exist(maker: Maker, pool: str, values: Sequence[str]) -> list[Json]:
    """Rows that make values of a pool exist."""
    rows: list[Json] = []
    for place, value in enumerate(values):
        draw = Draw(maker.pools, maker.split, maker.rng("exist", value))
        draw.drawn[pool] = value
        rows += [_numbered(row, place) for row in draw.plants()]
    return rows


def _numbered(row: Json, place: int) -> Json:
    key = row.get("id")
    return {**row, "id": f"{key}{place + 5}"} if isinstance(key, str) and key[-1:].isdigit() else row


@program("again", kind="tracking", capabilities=("state_tracking", "argument_grounding"), sizes=(250, 18, 11))
def again(maker: Maker) -> Iterator[Draft]:
    """What was done for one value is wanted for another, or for two others."""
    for number in range(TRIES):
        rng = maker.rng("again", number)
        world = maker.world(rng)
        entry = maker.pick(rng, lambda one: joinable(one) and maker.mine(composition("again", (one.tool,))))
        first = maker.piece(entry, rng, world) if entry else None
        slot = next((one for one in first.slots if maker.noun(maker.pools.pool_of(one))), None) if first else None
        if entry is None or first is None or slot is None:
            continue
        draft = _repeated(maker, first, slot, rng, world, 2 if number % 3 else 1)
        if draft:
            yield draft


def _repeated(maker: Maker, first: Piece, slot: str, rng: Random, world: WorldSpec, count: int) -> Draft | None:
    done = maker.after(world.model_copy(update={"facts": first.facts}), [first.call])
    if done is None:
        return None
    pieces: list[Piece] = []
    apart = set(first.slots.values())
    for _ in range(count):
        value = fresh_value(maker, slot, rng, apart)
        if value is None:
            return None
        apart.add(value)
        piece = _same_template(maker, first, {**first.slots, slot: value}, rng, world)
        if piece is None:
            return None
        pieces.append(piece)
    wrap = maker.say("again_for_two" if count == 2 else "again_for_one", rng)
    ack = maker.say("replies" if maker.reads(first.call) else "acks", rng)
    calls = [piece.call for piece in pieces]
    return maker.draft(
        "again", pieces, wrap.format(*(piece.slots[slot] for piece in pieces)), (*calls, maker.closing(calls, rng)),
        done, wording=(wrap, ack), turns=turns_of(first.text, ack), family=f"again_{first.entry.family}",
        composition=composition("again", (first.entry.tool,)),
    )  # fmt: skip


def _same_template(maker: Maker, first: Piece, slots: dict[str, str], rng: Random, world: WorldSpec) -> Piece | None:
    entry = first.entry.model_copy(update={maker.split.value: (first.template,)})
    return maker.piece(entry, rng, world, given=slots)


@program("the_rest", kind="tracking", capabilities=("state_tracking", "tool_routing"), sizes=(250, 16, 10))
def the_rest(maker: Maker) -> Iterator[Draft]:
    """Of three things one is done; the others are wanted now."""
    for number in range(TRIES):
        rng = maker.rng("the_rest", number)
        world = maker.world(rng)
        pieces = some(maker, rng, world, 3)
        name = composition("the_rest", tuple(piece.entry.tool for piece in pieces))
        if not maker.mine(name):
            continue
        place = number % 2
        start = world.model_copy(update={"facts": tuple(fact for piece in pieces for fact in piece.facts)})
        done = maker.after(start, [pieces[place].call])
        if done is None:
            continue
        left = [piece for piece in pieces if piece is not pieces[place]]
        ask, ack, go = (
            maker.say(key, rng) for key in ("three_things", ("first_done", "second_done")[place], "the_rest")
        )
        calls = [piece.call for piece in left]
        yield maker.draft("the_rest", left, go, (*calls, maker.closing(calls, rng)), done, facts=(),
                          wording=(ask, ack, go, pieces[place].template), composition=name,
                          turns=turns_of(ask.format(*(piece.text for piece in pieces)), ack))  # fmt: skip


@program("answered", kind="tracking", capabilities=("state_tracking", "argument_grounding"), sizes=(150, 10, 6))
def answered(maker: Maker) -> Iterator[Draft]:
    """The assistant asked for what was missing, and the user answers, with another wish beside it every other time."""
    families = {entry.family: entry for entry in maker.entries}
    pairs = [
        (lacking, families[lacking.family.split("_without_")[0]])
        for lacking in maker.asking
        if lacking.family.split("_without_")[0] in families and maker.mine(composition("ask", (lacking.family,)))
    ]
    for number in range(len(pairs) * 6):
        lacking, entry = pairs[number % len(pairs)]
        rng = maker.rng("answered", number)
        world = maker.world(rng)
        templates = [one for one in (*lacking.train, *lacking.dev, *lacking.test) if not SLOT.search(one)]
        lone = list({*SLOT.findall(" ".join(map(str, entry.arguments.values())))})
        if not templates or len(lone) != 1:
            continue
        said = rng.choice(templates)
        draw = Draw(maker.pools, maker.split, rng)
        value = draw.value(lone[0])
        stub = entry.model_copy(update={maker.split.value: (f"{{{lone[0]}}}",), "variants": ()})
        piece = maker.piece(stub, rng, world, given={lone[0]: value})
        if piece is None:
            continue
        more = some(maker, rng, world, 1, frozenset((entry.tool,))) if number % 2 else []
        reply = maker.say("answers", rng)
        request, wording = maker.joined([reply.format(value), *(one.text for one in more)], rng)
        calls = [one.call for one in (piece, *more)]
        yield maker.draft("answered", [piece, *more], request, (*calls, maker.closing(calls, rng)), world,
                          wording=(*wording, reply, said), turns=turns_of(spoken(said), lacking.asks),
                          family=f"answered_{lacking.family}",
                          composition=composition("ask", (lacking.family,)))  # fmt: skip


@program(
    "nickname", kind="tracking",
    capabilities=("state_tracking", "argument_grounding", "long_context", "personalised_planning"), sizes=(200, 14, 10),
)  # fmt: skip
def nickname(maker: Maker) -> Iterator[Draft]:
    """A name that the user gave to a value long ago, among other talk and other people's preferences."""
    for number in range(TRIES):
        rng = maker.rng("nickname", number)
        world = maker.world(rng)
        naming = maker.say("nicknames", rng)
        found = _about_one(maker, rng, world, naming.partition(" || ")[2], 3 if number % 3 else 2, "usual")
        if found is None:
            continue
        (first, *pieces), slot = found
        name = composition("nickname", tuple(piece.entry.tool for piece in pieces))
        draft = _long_ago(maker, first, slot, pieces, naming, rng, world) if maker.mine(name) else None
        if draft:
            yield replace(draft, composition=name)


def _long_ago(
    maker: Maker, first: Piece, slot: str, pieces: Sequence[Piece], naming: str, rng: Random, world: WorldSpec
) -> Draft | None:
    noun, value = (maker.noun(maker.pools.pool_of(slot)) or ("", ""))[0], first.slots[slot]
    other = fresh_value(maker, slot, rng, set(first.slots.values()))
    if other is None:
        return None
    theirs, heard = maker.say("others_namings", rng), maker.say("understood", rng)
    small = [piece for piece in (_small_talk(maker, rng, world) for _ in range(4)) if piece]
    texts = [naming.partition(" || ")[0].format(noun, value), heard, *_talk(maker, small[:2], rng),
             theirs.format(noun, other), heard, *_talk(maker, small[2:], rng)]  # fmt: skip
    request, wording = maker.joined([piece.text for piece in pieces], rng)
    calls = [piece.call for piece in pieces]
    return maker.draft("nickname", pieces, request, (*calls, maker.closing(calls, rng)), world,
                       wording=(*wording, naming, theirs, heard, *(one.template for one in small)),
                       facts=[fact for piece in (*pieces, *small) for fact in piece.facts],
                       turns=turns_of(*texts))  # fmt: skip


def _small_talk(maker: Maker, rng: Random, world: WorldSpec) -> Piece | None:
    """A request that only reads, as talk that does not matter now."""
    readers = [entry for entry in maker.entries if maker.reads({"name": entry.tool, "arguments": entry.arguments})]
    return maker.piece(rng.choice(readers), rng, world)


def _talk(maker: Maker, pieces: Sequence[Piece], rng: Random) -> list[str]:
    return [text for piece in pieces for text in (piece.text, maker.say("replies", rng))]
