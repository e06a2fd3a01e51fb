"""Memory: what the planner must find in the user's memory, or change there.

Single turn: recalled (one request hangs on a memory), recalled_twice (two do), corrected_memory, stored, forgotten,
unknown (only near misses are there: search, then ask). Multi turn: recalled_later (an earlier turn said what it is
about), changed_memory (an earlier turn told a change, and a request follows), stored_later, forgotten_later.

Each world holds the gold memory, memories that are close and wrong, and others. The gate asks that the planner's own
searches found the gold ones; what is written is checked in the memory's table like any state.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from evalkit.suites.bench.book import Entry
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.maker import Maker, Piece, joinable, turns_of
from evalkit.suites.bench.memories import Fact, facts
from evalkit.suites.bench.program import program
from evalkit.suites.bench.programs.grounding import TRIES, fresh_value, some
from evalkit.suites.bench.text import stands_free, tidy
from evalkit.suites.core.drafts import composition
from runtime.contract import Domain, Json, MemoryGate, TaskView, Turn, WorldSpec

SINGLE, MULTI = "single_turn", "multi_turn"
FILLERS = 4
"""Memories of other kinds in each world."""


@dataclass(frozen=True, slots=True)
class Held:
    """A fact with its values in one world."""

    fact: Fact
    """Its kind."""
    phrase: str
    """How the request means it."""
    value: str
    """What the memory says."""
    rows: tuple[Json, ...]
    """The gold memory first, then near misses; without ids."""
    wording: tuple[str, ...]
    """What it was made of."""

    @property
    def search(self) -> Json:
        """The gold search."""
        return {"name": "search_user_memory", "arguments": {"query": self.phrase.removeprefix("my ")}}

    def said(self, value: str) -> str:
        """The fact with a value, as a memory is written."""
        return self.wording[0].format(value=value)


def _held(maker: Maker, fact: Fact, rng: Random, near: bool = True) -> Held | None:
    """A fact with values; None where its pool is too small."""
    value = fresh_value(maker, fact.pool, rng, set())
    other = value and fresh_value(maker, fact.pool, rng, {value})
    third = other and fresh_value(maker, fact.pool, rng, {str(value), str(other)})
    if not value or not other:
        return None
    content, phrase = rng.choice(fact.content.of(maker.split)), rng.choice(fact.phrase.of(maker.split))
    wrong = list(fact.near.of(maker.split)) if near else []
    rows = [content.format(value=value)]
    rows += [one.format(other=name) for one, name in zip(wrong, (other, third or other), strict=False)]
    made = tuple({"content": row, "category": fact.category} for row in rows)
    return Held(fact, phrase, value, made, (content, phrase, *wrong))


def _world(
    maker: Maker, rng: Random, world: WorldSpec, held: Sequence[Held], known: bool = True
) -> tuple[WorldSpec, list[str]]:
    """(the world with memories in some order, ids of the gold ones, one for each fact)."""
    about = {one.fact.name for one in held}
    others = [fact for fact in facts() if fact.name not in about and fact.pool not in {one.fact.pool for one in held}]
    fillers = [one for fact in rng.sample(others, FILLERS) if (one := _held(maker, fact, rng, near=False))]
    gold = [one.rows[0] for one in held] if known else []
    rows = [*gold, *(row for one in held for row in one.rows[1:]), *(one.rows[0] for one in fillers)]
    order = rng.sample(range(len(rows)), len(rows))
    first = rng.randrange(1, 60)
    ids = {place: f"memory_{first + number:03d}" for number, place in enumerate(order)}
    memories = tuple({"id": ids[place], **rows[place]} for place in order)
    return world.model_copy(update={"memories": memories}), [ids[place] for place in range(len(gold))]


def _using(
    maker: Maker, held: Held, rng: Random, world: WorldSpec, said: str, apart: frozenset[str] = frozenset()
) -> Piece | None:
    """A request that uses the value and says it by `said`."""
    fitting = [
        entry
        for entry in maker.entries
        if entry.tool not in apart and joinable(entry) and _free_slot(maker, entry, held)
    ]
    entry = maker.pick(rng, among=fitting)
    slot = _free_slot(maker, entry, held) if entry else None
    if entry is None or slot is None:
        return None
    return maker.piece(entry, rng, world, given={slot: held.value}, said={slot: said}, needs=[slot])


def _free_slot(maker: Maker, entry: Entry, held: Held) -> str | None:
    slot = maker.slot_of(entry, held.fact.pool)
    templates = entry.templates(maker.split)
    return slot if slot and any(f"{{{slot}}}" in one and stands_free(one, slot) for one in templates) else None


def _rounds(maker: Maker, name: str, near: bool = True) -> Iterator[tuple[int, Random, WorldSpec, Held]]:
    """Every fact in turn, with fresh values each time."""
    for number in range(TRIES // 8):
        rng = maker.rng(name, number)
        held = _held(maker, facts()[number % len(facts())], rng, near)
        if held:
            yield number, rng, maker.world(rng), held


def _draft(
    maker: Maker, name: str, pieces: Sequence[Piece], held: Sequence[Held], request: str, calls: Sequence[Json],
    world: WorldSpec, ids: Sequence[str], rng: Random, **more: Any,
) -> Draft:  # fmt: skip
    """A draft about facts; where no request for the phone is in it, it is about the assistant's memory."""
    wording = (*more.pop("wording", ()), *(part for one in held for part in one.wording))
    values = tuple((one.fact.pool, one.value) for one in held)
    gates = (MemoryGate(ids=frozenset(ids)),) if ids else ()
    if pieces:
        gold = (*calls, maker.closing(calls, rng))
        draft = maker.draft(name, pieces, request, gold, world, wording=wording, checks=gates, **more)
        return replace(draft, values=(*draft.values, *values))
    turns: tuple[Turn, ...] = more.pop("turns", ())
    return Draft(
        pattern=name, family=f"{name}_{held[0].fact.name}", domain=Domain.ASSISTANT, subcategory="user memory",
        split=maker.split, view=TaskView(request=tidy(request), turns=turns), world=world,
        gold=(*calls, {"finish": "Done."}), templates=wording, values=values, checks=gates, **more,
    )  # fmt: skip


# Single turn


@program(
    "recalled", part="memory", kind=SINGLE, capabilities=("information_acquisition", "argument_grounding",
    "personalised_planning"), sizes=(200, 60, 58),
)  # fmt: skip
def recalled(maker: Maker) -> Iterator[Draft]:
    """A request hangs on a memory."""
    for _, rng, world, held in _rounds(maker, "recalled"):
        piece = _using(maker, held, rng, world, held.phrase)
        if piece:
            ready, ids = _world(maker, rng, world, [held])
            yield _draft(maker, "recalled", [piece], [held], piece.text, [held.search, piece.call], ready, ids, rng)


@program(
    "recalled_twice", part="memory", kind=SINGLE, capabilities=("information_acquisition", "argument_grounding",
    "dependency_handling", "personalised_planning"), sizes=(60, 12, 11),
)  # fmt: skip
def recalled_twice(maker: Maker) -> Iterator[Draft]:
    """Two requests hang on two memories."""
    for number, rng, world, held in _rounds(maker, "recalled_twice"):
        kind = facts()[(number * 7 + 3) % len(facts())]
        other = _held(maker, kind, rng) if kind.pool != held.fact.pool else None
        first = _using(maker, held, rng, world, held.phrase)
        second = first and other and _using(maker, other, rng, world, other.phrase, frozenset((first.entry.tool,)))
        if not first or not other or not second:
            continue
        name = composition("recalled_twice", (first.entry.tool, second.entry.tool))
        if not maker.mine(name):
            continue
        ready, ids = _world(maker, rng, world, [held, other])
        request, wording = maker.joined([first.text, second.text], rng)
        calls = [held.search, other.search, first.call, second.call]
        yield _draft(maker, "recalled_twice", [first, second], [held, other], request, calls, ready, ids, rng,
                     wording=wording, composition=name)  # fmt: skip


@program(
    "corrected_memory", part="memory", kind=SINGLE, capabilities=("information_acquisition", "state_tracking"),
    sizes=(50, 9, 8),
)  # fmt: skip
def corrected_memory(maker: Maker) -> Iterator[Draft]:
    """A memory is out of date and must be replaced, no other one."""
    for _, rng, world, held in _rounds(maker, "corrected_memory"):
        new = fresh_value(maker, held.fact.pool, rng, {held.value})
        if new is None or new in str(held.rows):
            continue
        ready, ids = _world(maker, rng, world, [held])
        wrap = maker.say("memory_corrects", rng)
        calls = [held.search, _replaced(held, ids[0], new)]
        yield _draft(maker, "corrected_memory", [], [held], wrap.format(held.phrase, new), calls, ready, ids, rng,
                     wording=(wrap,), remembers=(new,))  # fmt: skip


def _replaced(held: Held, memory_id: str, value: str) -> Json:
    return {"name": "replace_user_memory", "arguments": {"memoryId": memory_id, "content": held.said(value)}}


@program("stored", part="memory", kind=SINGLE, capabilities=("tool_routing", "argument_grounding"), sizes=(50, 8, 7))
def stored(maker: Maker) -> Iterator[Draft]:
    """Something new about the user is to be remembered, beside another request."""
    for _, rng, world, held in _rounds(maker, "stored"):
        more = some(maker, rng, world, 1)
        ready, _ = _world(maker, rng, world, [held], known=False)
        wrap = maker.say("memory_stores", rng)
        request, wording = maker.joined([wrap.format(held.phrase, held.value), more[0].text], rng)
        calls = [_added(held), more[0].call]
        yield _draft(maker, "stored", more, [held], request, calls, ready, (), rng, wording=(*wording, wrap),
                     remembers=(held.value,))  # fmt: skip


def _added(held: Held) -> Json:
    arguments = {"content": held.said(held.value), "category": held.fact.category}
    return {"name": "add_user_memory", "arguments": arguments}


@program(
    "forgotten", part="memory", kind=SINGLE, capabilities=("information_acquisition", "state_tracking"),
    sizes=(50, 7, 7),
)  # fmt: skip
def forgotten(maker: Maker) -> Iterator[Draft]:
    """A memory must go, no other one."""
    for _, rng, world, held in _rounds(maker, "forgotten"):
        ready, ids = _world(maker, rng, world, [held])
        wrap = maker.say("memory_forgets", rng)
        calls = [held.search, {"name": "remove_user_memory", "arguments": {"memoryId": ids[0]}}]
        yield _draft(maker, "forgotten", [], [held], wrap.format(held.phrase), calls, ready, ids, rng, wording=(wrap,))


@program("unknown", part="memory", kind=SINGLE, capabilities=("information_acquisition", "recovery"), sizes=(50, 5, 5))
def unknown(maker: Maker) -> Iterator[Draft]:
    """Only near misses are there: search, then ask instead of taking one of them."""
    for _, rng, world, held in _rounds(maker, "unknown"):
        piece = _using(maker, held, rng, world, held.phrase)
        if piece is None:
            continue
        ready, _ = _world(maker, rng, world, [held], known=False)
        draft = _draft(maker, "unknown", [piece], [held], piece.text, [held.search], ready, (), rng,
                       mentions=((held.fact.noun, f"{held.fact.noun}s", "which", "who", "what"),))  # fmt: skip
        yield replace(
            draft, gold=(held.search, {"ask": f"Which {held.fact.noun} do you mean? I don't have it stored."})
        )


# Multi turn


@program(
    "recalled_later", part="memory", kind=MULTI, capabilities=("information_acquisition", "argument_grounding",
    "state_tracking", "personalised_planning"), sizes=(150, 50, 48),
)  # fmt: skip
def recalled_later(maker: Maker) -> Iterator[Draft]:
    """An earlier turn said what it is about; the request points back to it."""
    for _, rng, world, held in _rounds(maker, "recalled_later"):
        reference = maker.say("references", rng)
        piece = _using(maker, held, rng, world, reference.format(held.fact.noun))
        if piece is None:
            continue
        ready, ids = _world(maker, rng, world, [held])
        said, ack = maker.say("memory_mentions", rng), maker.say("memory_ready", rng)
        yield _draft(maker, "recalled_later", [piece], [held], piece.text, [held.search, piece.call], ready, ids, rng,
                     wording=(reference, said, ack), turns=turns_of(said.format(held.phrase), ack))  # fmt: skip


@program(
    "changed_memory", part="memory", kind=MULTI, capabilities=("information_acquisition", "argument_grounding",
    "state_tracking", "personalised_planning"), sizes=(100, 30, 30),
)  # fmt: skip
def changed_memory(maker: Maker) -> Iterator[Draft]:
    """An earlier turn told a change; it is to be kept, and a request needs the new value."""
    for _, rng, world, held in _rounds(maker, "changed_memory"):
        new = fresh_value(maker, held.fact.pool, rng, {held.value})
        if new is None or new in str(held.rows):
            continue
        piece = _using(maker, replace(held, value=new), rng, world, held.phrase)
        if piece is None:
            continue
        ready, ids = _world(maker, rng, world, [held])
        told, offer, yes = (maker.say(key, rng) for key in ("memory_says", "memory_offers", "memory_yes"))
        request, wording = maker.joined([yes, piece.text], rng)
        calls = [held.search, _replaced(held, ids[0], new), piece.call]
        yield _draft(maker, "changed_memory", [piece], [held], request, calls, ready, ids, rng,
                     wording=(*wording, told, offer, yes), turns=turns_of(told.format(held.phrase, new), offer),
                     remembers=(new,))  # fmt: skip


@program("stored_later", part="memory", kind=MULTI, capabilities=("tool_routing", "state_tracking"), sizes=(50, 10, 9))
def stored_later(maker: Maker) -> Iterator[Draft]:
    """An earlier turn told something new; it is to be kept, and another request follows."""
    for _, rng, world, held in _rounds(maker, "stored_later"):
        more = some(maker, rng, world, 1)
        ready, _ = _world(maker, rng, world, [held], known=False)
        told, offer, yes = (maker.say(key, rng) for key in ("memory_says", "memory_offers", "memory_yes"))
        request, wording = maker.joined([yes, more[0].text], rng)
        yield _draft(maker, "stored_later", more, [held], request, [_added(held), more[0].call], ready, (), rng,
                     wording=(*wording, told, offer, yes), turns=turns_of(told.format(held.phrase, held.value), offer),
                     remembers=(held.value,))  # fmt: skip


@program(
    "forgotten_later", part="memory", kind=MULTI, capabilities=("information_acquisition", "state_tracking"),
    sizes=(50, 10, 9),
)  # fmt: skip
def forgotten_later(maker: Maker) -> Iterator[Draft]:
    """An earlier turn regretted what is stored; it is to be removed, with or without another request."""
    for number, rng, world, held in _rounds(maker, "forgotten_later"):
        more = some(maker, rng, world, 1) if number % 2 else []
        ready, ids = _world(maker, rng, world, [held])
        told, offer, yes = (
            maker.say(key, rng) for key in ("memory_regrets", "memory_forget_offers", "memory_forget_yes")
        )
        request, wording = maker.joined([yes, *(one.text for one in more)], rng)
        gone = {"name": "remove_user_memory", "arguments": {"memoryId": ids[0]}}
        yield _draft(maker, "forgotten_later", more, [held], request, [held.search, gone, *(one.call for one in more)],
                     ready, ids, rng, wording=(*wording, told, offer, yes),
                     turns=turns_of(told.format(held.phrase), offer))  # fmt: skip
