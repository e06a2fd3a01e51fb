"""What programs make drafts with: entries picked evenly over domains and tools, pieces of requests, worlds.

A `Piece` is one filled request for one call. Every choice comes from a generator seeded by the program, the split and a
number, so that a suite is the same on every machine.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import Any

from evalkit.suites.bench.book import Entry, Lacking, load_book, load_pools
from evalkit.suites.bench.draft import Draft
from evalkit.suites.bench.text import spoken, stands_free
from evalkit.suites.bench.wording import load_group, load_nouns, load_wordings, worded
from evalkit.suites.core.dependent import families as core_families
from evalkit.suites.core.drafts import UNSEEN, empty_world, facts_of, seeded, split_of
from evalkit.suites.core.joined import clause, renumbered
from evalkit.suites.core.single import DONE, FOUND, call_of, reads_only
from evalkit.suites.core.values import SLOT, Draw, Values
from runtime.contract import (
    SEARCH_MEMORY,
    SKILL_PREFIX,
    Deadline,
    Json,
    Observation,
    Phone,
    Split,
    TaskView,
    ToolCall,
    ToolSpec,
    Turn,
    UserError,
    WorldSpec,
)

ALONE = frozenset(
    ("control_device_power", "reset_settings", "close_voice_assistant_session", "press_button", "set_language")
)
"""Tools whose requests nobody joins with others: they end or upset what comes after."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One filled request for one call."""

    entry: Entry
    """Its phrase entry."""
    template: str
    """Its template."""
    text: str
    """What is said, without a closing mark."""
    call: Json
    """The gold call."""
    facts: tuple[Json, ...]
    """What must be on the phone."""
    slots: Mapping[str, str]
    """Values by slot of the template."""
    values: tuple[tuple[str, str], ...]
    """(pool, value) of all that was drawn."""


@lru_cache(maxsize=1)
def _core_homes() -> dict[str, Split]:
    return {family.composition: family.split for family in core_families()}


@cache
def home_of(composition: str) -> Split:
    """The one split that may use a composition: where core's families have it, else by hash."""
    return _core_homes().get(composition) or split_of(composition)


class Maker:
    """Entries, values and worlds of one split."""

    def __init__(self, split: Split, phone: Phone) -> None:
        self.split, self.phone = split, phone
        self.specs: dict[str, ToolSpec] = {spec.name: spec for spec in phone.tools()}
        self.pools: Values = load_pools()
        book = load_book()
        usable = [entry for entry in book.one_call if entry.tool in self.specs and entry.templates(split)]
        self.entries: list[Entry] = [entry for entry in usable if entry.tool not in UNSEEN]
        self.unseen: list[Entry] = [entry for entry in usable if entry.tool in UNSEEN and split is not Split.TRAIN]
        self.asking: list[Lacking] = [
            entry for entry in book.ask if entry.tool in self.specs and entry.tool not in UNSEEN
        ]
        self._used: Counter[str] = Counter()
        self._slots: dict[str, tuple[tuple[str, str], ...]] = {}

    def rng(self, *key: object) -> Random:
        """The generator of one draft."""
        return seeded("bench", self.split, *key)

    def say(self, key: str, rng: Random) -> str:
        """A wording of this split."""
        return worded(key, self.split, rng)

    def words(self, key: str) -> tuple[str, ...]:
        """All wordings of a key that this split may use."""
        return load_wordings()[key].of(self.split)

    def mine(self, composition: str) -> bool:
        """Whether this split may use a composition."""
        return home_of(composition) is self.split

    def reads(self, call: Json) -> bool:
        """Whether a call only reads."""
        spec = self.specs.get(call["name"])
        if spec is None:
            name = str(call["name"])
            return name == SEARCH_MEMORY or name.startswith(SKILL_PREFIX)
        return reads_only(spec, call["arguments"])

    # Entries

    def pick(
        self, rng: Random, fits: Callable[[Entry], bool] = lambda entry: True, among: Sequence[Entry] | None = None
    ) -> Entry | None:
        """An entry that fits, of the domain and the tool that were taken least; None where none fits.

        It counts as taken whatever becomes of it, so that one that leads to nothing is not picked for ever.
        """
        candidates = [entry for entry in (self.entries if among is None else among) if fits(entry)]
        if not candidates:
            return None
        for key in (lambda entry: f"domain:{self.specs[entry.tool].domain}", lambda entry: entry.tool):
            least = min(self._used[key(entry)] for entry in candidates)
            candidates = [entry for entry in candidates if self._used[key(entry)] == least]
            chosen = rng.choice(sorted({key(entry) for entry in candidates}))
            candidates = [entry for entry in candidates if key(entry) == chosen]
        picked = rng.choice(candidates)
        self.count([picked])
        return picked

    def count(self, entries: Iterable[Entry | Lacking]) -> None:
        """Remember that entries were taken."""
        for entry in entries:
            self._used[entry.tool] += 1
            self._used[f"domain:{self.specs[entry.tool].domain}"] += 1

    def slots(self, entry: Entry) -> tuple[tuple[str, str], ...]:
        """(slot, its pool) of an entry's templates, in order."""
        found = self._slots.get(entry.family)
        if found is None:
            names = dict.fromkeys(slot for one in entry.templates(self.split) for slot in SLOT.findall(one))
            found = self._slots[entry.family] = tuple((slot, self.pools.pool_of(slot)) for slot in names)
        return found

    def slot_of(self, entry: Entry, wanted: str) -> str | None:
        """A slot of an entry with this pool; None for none."""
        return next((slot for slot, pool in self.slots(entry) if pool == wanted), None)

    def noun_slot(self, entry: Entry, group: str = "") -> str | None:
        """A slot of an entry whose values have a noun, and a pool of `group` where one is named; None for none."""
        pools = load_group(group) if group else load_nouns()
        return next((slot for slot, pool in self.slots(entry) if pool in pools and pool in load_nouns()), None)

    # Pieces and worlds

    def world(self, rng: Random) -> WorldSpec:
        """A world of this split's season, without facts."""
        return empty_world(self.split, rng)

    def piece(
        self,
        entry: Entry,
        rng: Random,
        world: WorldSpec,
        *,
        given: Mapping[str, str] | None = None,
        said: Mapping[str, str] | None = None,
        needs: Iterable[str] = (),
    ) -> Piece | None:
        """A filled request. `given` fixes values, `said` what stands in the text instead of a value, and the template
        holds all slots of `needs`; None where none does."""
        wanted, instead = set(needs), said or {}
        fitting = [
            one
            for one in entry.templates(self.split)
            if wanted <= set(SLOT.findall(one)) and all(stands_free(one, slot) for slot in instead)
        ]
        if not fitting:
            return None
        template = rng.choice(fitting)
        draw = Draw(self.pools, self.split, rng)
        draw.drawn.update(given or {})
        draw.fill(template)
        text = SLOT.sub(lambda found: instead.get(found[1], draw.value(found[1])), template)
        call = call_of(entry, template, draw)
        facts = facts_of(draw, entry.plant, world.clock)
        slots = {slot: draw.value(slot) for slot in SLOT.findall(template)}
        values = tuple((self.pools.pool_of(slot), value) for slot, value in draw.drawn.items())
        return Piece(entry, template, clause(spoken(text)), call, facts, slots, values)

    def after(self, world: WorldSpec, calls: Sequence[Json]) -> WorldSpec | None:
        """The world as calls leave it; None where one fails or deletes a row."""
        self.phone.reset(world)
        start = self.phone.snapshot()
        for place, call in enumerate(calls):
            if not self.run(call, place).ok:
                return None
        changes = self.phone.diff(start).changes
        if any(change.after is None for change in changes):
            return None
        facts = tuple({"table": change.table, **(change.after or {})} for change in changes)
        return world.model_copy(update={"facts": (*world.facts, *facts)})

    def run(self, call: Json, place: int = 0) -> Observation:
        """One call on the phone as it stands."""
        step = ToolCall(id=f"m{place}", name=call["name"], arguments=call["arguments"])
        return self.phone.execute(step, Deadline.never(), f"make:{place}:{call['name']}")

    def tried(self, world: WorldSpec, calls: Sequence[Json]) -> list[Observation] | None:
        """What calls give in a world; None for a world that can't be."""
        try:
            self.phone.reset(world)
        except UserError:
            return None
        return [self.run(call, place) for place, call in enumerate(calls)]

    # Drafts

    def draft(
        self,
        pattern: str,
        pieces: Sequence[Piece],
        request: str,
        gold: Sequence[Json],
        world: WorldSpec,
        *,
        wording: Sequence[str] = (),
        turns: Sequence[Turn] = (),
        facts: Sequence[Json] | None = None,
        unavailable: frozenset[str] = frozenset(),
        **more: Any,
    ) -> Draft:
        """A draft of pieces: the first one gives domain and subcategory; facts are the pieces' where not given."""
        first = pieces[0]
        planted = [fact for piece in pieces for fact in piece.facts] if facts is None else list(facts)
        self.count([piece.entry for piece in pieces])
        fields: Json = {
            "family": f"{pattern}_{'_'.join(piece.entry.family for piece in pieces)}",
            "domain": self.specs[first.entry.tool].domain,
            "subcategory": first.entry.subcategory,
        }
        return Draft(
            pattern=pattern,
            split=self.split,
            view=TaskView(request=spoken(request), turns=tuple(turns), unavailable=unavailable),
            world=world.model_copy(update={"facts": (*world.facts, *renumbered(once(planted)))}),
            gold=tuple(gold),
            templates=(*(piece.template for piece in pieces if not SLOT.fullmatch(piece.template)), *wording),
            values=tuple(value for piece in pieces for value in piece.values),
            **{**fields, **more},
        )

    def closing(self, calls: Sequence[Json], rng: Random) -> Json:
        """The last words of a gold."""
        return {"finish": rng.choice(FOUND if all(self.reads(call) for call in calls) else DONE)}

    def joined(self, texts: Sequence[str], rng: Random, plain: bool = False) -> tuple[str, list[str]]:
        """(requests joined as people join them, the words that join); `plain` or several: without words before them."""
        request, wording = texts[0], []
        joins = [one for one in self.words("joins") if one.startswith("{0}") or not (plain or len(texts) > 2)]
        for text in texts[1:]:
            join = rng.choice(joins)
            wording.append(join)
            request = join.format(request, text)
        return request, wording

    def noun(self, pool: str) -> tuple[str, str] | None:
        """(one, several) of a pool's values."""
        return load_nouns().get(pool)


def joinable(entry: Entry) -> bool:
    """Whether requests of an entry may stand beside others."""
    return entry.tool not in ALONE


def once(rows: Sequence[Json]) -> list[Json]:
    """Rows without those that name what an earlier row of their table names: one person, one file, one list."""
    seen: set[tuple[str, str]] = set()
    kept: list[Json] = []
    for row in rows:
        name = (row["table"], str(row.get("name", "")).casefold())
        if not name[1] or "id" not in row or name not in seen:
            kept.append(row)
        seen.add(name)
    return kept


def distinct(pieces: Sequence[Piece]) -> bool:
    """Whether every piece has a tool of its own."""
    return len({piece.entry.tool for piece in pieces}) == len(pieces)


def turns_of(*texts: str) -> tuple[Turn, ...]:
    """Turns of user and assistant in alternation, the user first."""
    return tuple(Turn(role="assistant" if place % 2 else "user", text=text) for place, text in enumerate(texts))
