"""Boundary detection and error recovery.

ask: an argument is missing. permission, part_denied: a permission is, for all or a part. unavailable, part_missing: a
tool is. not_found: what is named does not exist. ambiguous, told_which: a name fits two things; the planner asks, and
in the second the user answers. conflict: a 409 that another tool resolves.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from evalkit.suites.bench.book import Entry
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.lookups import Blocker, blockers
from evalkit.suites.bench.maker import Maker, Piece, joinable
from evalkit.suites.bench.program import program
from evalkit.suites.bench.programs.grounding import TRIES, some
from evalkit.suites.bench.text import spoken
from evalkit.suites.core.drafts import composition, facts_of
from evalkit.suites.core.joined import clause, renumbered
from evalkit.suites.core.single import NO_PERMISSION, NO_TOOL, REPLACEABLE
from evalkit.suites.core.values import SLOT, Draw
from runtime.contract import ErrorCode, Json, TaskView, WorldSpec

DEAD = 2
"""Requests of a tool that a blocker did not stop before the pair is given up."""
UNIQUE = frozenset(("apps", "social_accounts", "songs"))
"""Tables whose names are the world's own: nobody has two of one name."""
GONE = ("find", "found", "exist", "exists", "no such", "there is no", "isn't there", "not there", "don't have")
"""Words of an answer that says that something does not exist."""


@program("ask", kind="boundary", capabilities=("argument_grounding",), sizes=(250, 14, 12))
def ask(maker: Maker) -> Iterator[Draft]:
    """A needed argument is missing; the family stands in one split with all its templates."""
    mine = [entry for entry in maker.asking if maker.mine(composition("ask", (entry.family,)))]
    for place in range(8):
        for entry in mine:
            templates = (*entry.train, *entry.dev, *entry.test)
            if place >= len(templates):
                continue
            rng = maker.rng("ask", entry.family, place)
            world, draw = maker.world(rng), Draw(maker.pools, maker.split, rng)
            request = spoken(draw.fill(templates[place]))
            maker.count([entry])
            yield Draft(
                pattern="ask",
                family=entry.family,
                domain=maker.specs[entry.tool].domain,
                subcategory=entry.subcategory,
                split=maker.split,
                view=TaskView(request=request),
                world=world.model_copy(update={"facts": facts_of(draw, entry.plant, world.clock)}),
                gold=({"ask": entry.asks},),
                composition=composition("ask", (entry.family,)),
                templates=(templates[place],),
                values=tuple((maker.pools.pool_of(slot), value) for slot, value in draw.drawn.items()),
                mentions=(tuple(entry.mentions),),
            )


def _about(maker: Maker, pattern: str, number: int, fits: Any = None) -> tuple[Random, WorldSpec, Piece] | None:
    """A piece whose tool may be used with a condition in this split."""
    rng = maker.rng(pattern, number)
    world = maker.world(rng)
    entry = maker.pick(rng, lambda one: maker.mine(composition(pattern, (one.tool,))) and (not fits or fits(one)))
    piece = maker.piece(entry, rng, world) if entry else None
    return (rng, world, piece) if piece else None


def _permission(maker: Maker, entry: Entry) -> bool:
    return bool(maker.specs[entry.tool].permissions)


def _named(maker: Maker, piece: Piece) -> tuple[str, tuple[tuple[str, ...], ...], frozenset[str]]:
    """(the permission in words, what an answer must name, the permissions denied)."""
    needed = maker.specs[piece.entry.tool].permissions
    named = needed[0].replace("_", " ")
    return named, (("permission", "allow", "allowed", "denied", "granted", "grant", named),), frozenset(needed)


@program("permission", kind="boundary", capabilities=("recovery",), sizes=(120, 8, 6))
def permission(maker: Maker) -> Iterator[Draft]:
    """The permission is denied: try, then say so."""
    for number in range(TRIES):
        found = _about(maker, "permission", number, lambda one: _permission(maker, one))
        if found is None:
            return
        rng, world, piece = found
        named, mentions, denied = _named(maker, piece)
        yield maker.draft(
            "permission", [piece], piece.text,
            (piece.call, {"refuse": rng.choice(NO_PERMISSION).format(permission=named)}),
            world.model_copy(update={"denied": denied}), family=f"permission_{piece.entry.tool}", mentions=mentions,
            composition=composition("permission", (piece.entry.tool,)),
        )  # fmt: skip


@program("part_denied", kind="boundary", capabilities=("recovery", "tool_routing"), sizes=(150, 14, 10))
def part_denied(maker: Maker) -> Iterator[Draft]:
    """One of two or three things is denied: the rest is done, and the end says what is not."""
    for number in range(TRIES):
        found = _about(maker, "permission", number, lambda one: joinable(one) and _permission(maker, one))
        if found is None:
            return
        rng, world, piece = found
        named, mentions, denied = _named(maker, piece)
        rest = list(some(maker, rng, world, 1 + number % 2, frozenset((piece.entry.tool,))))
        if any(set(maker.specs[one.entry.tool].permissions) & denied for one in rest):
            continue
        pieces = [*rest, piece] if number % 3 else [piece, *rest]
        request, wording = maker.joined([one.text for one in pieces], rng)
        gold = (*(one.call for one in pieces), {"finish": maker.say("partly_denied", rng).format(named)})
        yield maker.draft("part_denied", pieces, request, gold, world.model_copy(update={"denied": denied}),
                          wording=wording, mentions=mentions, partly=True,
                          composition=composition("permission", (piece.entry.tool,)))  # fmt: skip


@program("unavailable", kind="boundary", capabilities=("tool_routing",), sizes=(120, 7, 5))
def unavailable(maker: Maker) -> Iterator[Draft]:
    """The phone lacks the tool, and no other can stand in for it."""
    for number in range(TRIES):
        found = _about(maker, "unavailable", number, _irreplaceable)
        if found is None:
            return
        rng, world, piece = found
        yield maker.draft(
            "unavailable", [piece], piece.text, ({"refuse": rng.choice(NO_TOOL)},), world,
            unavailable=frozenset((piece.entry.tool,)), family=f"unavailable_{piece.entry.tool}",
            composition=composition("unavailable", (piece.entry.tool,)),
        )  # fmt: skip


def _irreplaceable(entry: Entry) -> bool:
    return entry.tool not in REPLACEABLE and joinable(entry)


@program("part_missing", kind="boundary", capabilities=("tool_routing", "recovery"), sizes=(120, 10, 7))
def part_missing(maker: Maker) -> Iterator[Draft]:
    """Of three things one needs a tool that the phone lacks: two are done, and the end says what is not."""
    for number in range(TRIES):
        found = _about(maker, "unavailable", number, _irreplaceable)
        if found is None:
            return
        rng, world, piece = found
        rest = some(maker, rng, world, 2, frozenset((piece.entry.tool,)))
        pieces = [*rest[:1], piece, *rest[1:]] if number % 2 else [*rest, piece]
        request, wording = maker.joined([one.text for one in pieces], rng)
        calls = [one.call for one in rest]
        yield maker.draft("part_missing", pieces, request, (*calls, {"finish": _cannot(maker, rng)}), world,
                          wording=wording, partly=True, unavailable=frozenset((piece.entry.tool,)),
                          composition=composition("unavailable", (piece.entry.tool,)))  # fmt: skip


def _cannot(maker: Maker, rng: Random) -> str:
    return f"{maker.say('partly_missing', rng)} I can't do that."


@program("not_found", kind="boundary", capabilities=("recovery", "argument_grounding"), sizes=(120, 10, 7))
def not_found(maker: Maker) -> Iterator[Draft]:
    """What is named does not exist on the phone: try, then say so."""
    for number in range(TRIES):
        found = _about(maker, "not_found", number, lambda one: bool(one.plant) and joinable(one))
        if found is None:
            return
        rng, world, piece = found
        seen = maker.tried(world, [piece.call])
        failure = seen[0].failure if seen else None
        if failure is None or failure.code is not ErrorCode.NOT_FOUND:
            continue
        yield maker.draft("not_found", [piece], piece.text, (piece.call, {"refuse": maker.say("not_there", rng)}),
                          world, facts=(), family=f"not_found_{piece.entry.tool}", mentions=(GONE,),
                          composition=composition("not_found", (piece.entry.tool,)))  # fmt: skip


# Names that fit two things


@program("ambiguous", kind="boundary", capabilities=("recovery", "argument_grounding"), sizes=(150, 10, 7))
def ambiguous(maker: Maker) -> Iterator[Draft]:
    """A name fits two things, and nobody answers: the planner asks which one, naming at least one of them."""
    for draft, marks, _, _ in _doubles(maker, "ambiguous"):
        yield _with(draft, gold=(*draft.gold[:1], {"ask": f"Which one do you mean, {marks[0]} or {marks[1]}?"}),
                    mentions=(tuple(marks),))  # fmt: skip


@program("told_which", kind="boundary", capabilities=("recovery", "argument_grounding"), sizes=(150, 12, 8))
def told_which(maker: Maker) -> Iterator[Draft]:
    """A name fits two things; the planner asks, the user says which, and it is done."""
    for draft, marks, right, rng in _doubles(maker, "told_which"):
        pick = maker.say("picks", rng)
        yield _with(
            draft, gold=(*draft.gold[:1], {"ask": f"Which one do you mean, {marks[0]} or {marks[1]}?"}, right,
                         maker.closing([right], rng)),
            user_answers=(pick.format(marks[0]),), templates=(*draft.templates, pick),
        )  # fmt: skip


def _with(draft: Draft, **changes: Any) -> Draft:
    from dataclasses import replace

    return replace(draft, **changes)


def _doubles(maker: Maker, pattern: str) -> Iterator[tuple[Draft, list[str], Json, Random]]:
    """(draft whose first gold call meets a 409, marks of the two things, the right call, generator)."""
    for number in range(TRIES):
        found = _about(maker, pattern, number, joinable)
        if found is None:
            return
        rng, world, piece = found
        for slot in sorted(piece.slots):
            double = _doubled(maker, piece, slot, rng, world)
            if double is None:
                continue
            facts, marks, value = double
            seen = maker.tried(world.model_copy(update={"facts": facts}), [piece.call])
            right = _renamed(piece.call, piece.slots[slot], value)
            failure = seen[0].failure if seen else None
            if failure is None or failure.code is not ErrorCode.CONFLICT or marks[1] not in str(failure.details):
                continue
            draft = maker.draft(pattern, [piece], piece.text, (piece.call,), world, facts=facts,
                                family=f"{pattern}_{piece.entry.tool}",
                                composition=composition(pattern, (piece.entry.tool,)))  # fmt: skip
            yield draft, marks, right, rng
            break


def _doubled(
    maker: Maker, piece: Piece, slot: str, rng: Random, world: WorldSpec
) -> tuple[tuple[Json, ...], list[str], str] | None:
    """(facts with two rows where the value named one, the words that tell them apart, the first one's full name)."""
    value = piece.slots[slot]
    person = maker.pools.pool_of(slot) == "person_first"
    marks = rng.sample(list(maker.words("surnames" if person else "marks")), 2)
    plain = value.split()[0].title() if person else value
    stem, dot, tail = plain.rpartition(".") if slot == "file_name" else (plain, "", "")
    names = [f"{stem} {mark}{dot}{tail}" for mark in marks]
    rows = [row for row in piece.facts if any(_holds(text, value) for text in row.values())]
    if not rows or any(row["table"] in UNIQUE for row in rows) or maker.pools.pool_of(slot) == "person_contact":
        return None
    others = [row for row in piece.facts if row not in rows]
    doubles = [_row(row, value, name, place) for place, name in enumerate(names) for row in rows]
    return (*others, *doubles), marks, names[0]


def _holds(text: Any, value: str) -> bool:
    return isinstance(text, str) and value.casefold() in text.casefold()


def _row(row: Json, value: str, name: str, place: int) -> Json:
    """A row about `name` instead of `value`, with a key of its own."""
    made: Json = {}
    for column, text in row.items():
        if column == "table" or not isinstance(text, str):
            made[column] = text
        elif column == "id":
            made[column] = f"{text}{place + 3}" if text[-1:].isdigit() else f"{text}.{place}"
        elif _holds(text, value) and column in ("name", "title", "event", "text", "item", "list_name", "label", "site"):
            made[column] = name
        else:
            made[column] = text
    return made


def _renamed(call: Json, value: str, name: str) -> Json:
    arguments = {key: name if text == value else text for key, text in call["arguments"].items()}
    return {**call, "arguments": arguments}


# Conflicts


@program(
    "conflict", kind="boundary", capabilities=("recovery", "dependency_handling", "state_tracking"), sizes=(200, 20, 13)
)
def conflict(maker: Maker) -> Iterator[Draft]:
    """A call meets a 409 that another tool resolves, and the request allows it."""
    mine = [(blocker, entry) for entry in maker.entries if joinable(entry) for blocker in _blocking(maker, entry)]
    dead: Counter[tuple[str, str]] = Counter()
    for again in range(3):
        for blocker, entry in _rare_first(mine):
            pair = (blocker.name, entry.tool)
            if dead[pair] >= DEAD:
                continue
            draft = _blocked(maker, blocker, entry, maker.rng("conflict", again, blocker.name, entry.family))
            if draft:
                yield draft
            else:
                dead[pair] += 1


def _rare_first(mine: Sequence[tuple[Blocker, Entry]]) -> list[tuple[Blocker, Entry]]:
    """Every pair of blocker and tool before any of them again, the blockers in turn."""
    pairs, names = Counter[tuple[str, str]](), Counter[str]()
    ranked: list[tuple[int, int, int]] = []
    for place, (blocker, entry) in enumerate(mine):
        ranked.append((pairs[blocker.name, entry.tool], names[blocker.name], place))
        pairs[blocker.name, entry.tool] += 1
        names[blocker.name] += 1
    return [mine[place] for _, _, place in sorted(ranked)]


def _blocking(maker: Maker, entry: Entry) -> list[Blocker]:
    """Blockers that this split may put before an entry; those with slots need the entry's."""
    slots = {slot for template in entry.templates(maker.split) for slot in SLOT.findall(template)}
    return [
        one
        for one in blockers()
        if all(step["name"] in maker.specs and step["name"] != entry.tool for step in one.fix)
        and set(SLOT.findall(str(one.facts))) <= slots
        and maker.mine(composition(f"conflict_{one.name}", (entry.tool,)))
    ]


def _blocked(maker: Maker, blocker: Blocker, entry: Entry, rng: Random) -> Draft | None:
    """The draft, where the call fails with a conflict under the blocker, and works after the fix and without it."""
    world = maker.world(rng)
    piece = maker.piece(entry, rng, world, needs=SLOT.findall(str(blocker.facts)))
    if piece is None:
        return None
    rows = [_said(row, piece) for row in blocker.facts]
    fix = [{**step, "arguments": _said(step["arguments"], piece)} for step in blocker.fix]
    ready = world.model_copy(update={"facts": tuple(renumbered([*piece.facts, *rows]))})
    blocked, cleared = maker.tried(ready, [piece.call]), maker.tried(ready, [*fix, piece.call])
    if not blocked or not cleared or not all(one.ok for one in cleared):
        return None
    failure = blocked[0].failure
    if failure is None or failure.code is not ErrorCode.CONFLICT:
        return None
    wrap = rng.choice(blocker.wording.of(maker.split)) if blocker.wording else maker.say("clears", rng)
    return maker.draft(
        "conflict", [piece], wrap.format(clause(piece.text)),
        (piece.call, *fix, piece.call, maker.closing([*fix, piece.call], rng)), ready, facts=(), wording=(wrap,),
        family=f"conflict_{blocker.name}_{entry.tool}",
        composition=composition(f"conflict_{blocker.name}", (entry.tool,)),
    )  # fmt: skip


def _said(row: Json, piece: Piece) -> Json:
    """Slots of a blocker's row filled with the piece's values."""
    return {
        key: SLOT.sub(lambda found: piece.slots.get(found[1], found[0]), text) if isinstance(text, str) else text
        for key, text in row.items()
    }
