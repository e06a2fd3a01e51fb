"""Several requests in one: two or three one-call requests, joined as people join them.

The ordered tools of a composition belong to one split by hash, and so do the words that join.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from evalkit.suites.core.drafts import UNSEEN, Draft, composition, empty_world, facts_of, seeded, split_of, spoken
from evalkit.suites.core.phrases import OneCall
from evalkit.suites.core.single import DONE, call_of
from evalkit.suites.core.values import Draw, load_values
from runtime.contract import Json, Split, TaskView, ToolSpec

JOINS: dict[Split, tuple[str, ...]] = {
    Split.TRAIN: ("{0} and {1}", "{0}, then {1}", "{0} and also {1}", "{0}. then {1}", "{0}, after that {1}",
                  "first {0}, then {1}", "{0}. and {1}", "two things: {0}, and {1}", "{0} & {1}"),
    Split.DEV: ("{0} and afterwards {1}", "{0}. once that's done {1}", "i need two things, {0} and {1}"),
    Split.TEST: ("{0} and then {1}", "{0}, oh and {1}", "{0}. also {1}", "{0}, plus {1}",
                 "{0} and while you're at it {1}", "{0}. next, {1}"),
}  # fmt: skip
"""How two requests are joined, by split; a third is joined to both."""
TRIES = 40
"""Draws for one composition before it is given up."""


def joined(
    entries: Sequence[OneCall],
    specs: Mapping[str, ToolSpec],
    split: Split,
    count: int,
    only: Split | None = None,
    joins: Sequence[str] = (),
    first: int = 0,
) -> Iterator[Draft]:
    """`count` tasks of several calls; each composition at most once. `only` overrides the hash's split (tests), `joins`
    the split's words that join; `first` is the number of the first draw."""
    usable = [entry for entry in entries if entry.templates(split) and entry.tool not in UNSEEN]
    by_domain: dict[str, list[OneCall]] = {}
    for entry in usable:
        by_domain.setdefault(specs[entry.tool].domain, []).append(entry)
    domains, used = sorted(by_domain), set[str]()
    for number in range(first, first + (count if len({entry.tool for entry in usable}) > 3 else 0)):
        rng = seeded("joined", split, number)
        for _ in range(TRIES):
            opening = rng.choice(by_domain[domains[number % len(domains)]])
            chosen = [opening, *(rng.choice(usable) for _ in range(2 if number % 5 == 4 else 1))]
            tools = tuple(entry.tool for entry in chosen)
            name = composition("multi_call", tools)
            if len(set(tools)) == len(tools) and name not in used and split_of(name) is (only or split):
                used.add(name)
                yield _draft(chosen, specs, split, rng, joins or JOINS[split])
                break


def _draft(chosen: Sequence[OneCall], specs: Mapping[str, ToolSpec], split: Split, rng: Random,
           joins: Sequence[str]) -> Draft:  # fmt: skip
    world = empty_world(split, rng)
    calls: list[Json] = []
    parts: list[str] = []
    plants: list[Json] = []
    templates: list[str] = []
    for entry in chosen:
        own = Draw(load_values(), split, rng)
        template = rng.choice(entry.templates(split))
        parts.append(clause(spoken(own.fill(template))))
        calls.append(call_of(entry, template, own))
        plants.extend(facts_of(own, entry.plant, world.clock))
        templates.append(template)
    request = parts[0]
    for part in parts[1:]:
        join = rng.choice(joins)
        templates.append(join)
        request = join.format(request, part)
    tools = tuple(entry.tool for entry in chosen)
    return Draft(
        family=f"joined_{'_'.join(entry.family for entry in chosen)}",
        pattern="multi_call",
        domain=specs[chosen[0].tool].domain,
        split=split,
        view=TaskView(request=request),
        world=world.model_copy(update={"facts": tuple(renumbered(plants))}),
        gold=(*calls, {"finish": rng.choice(DONE)}),
        tools=tools,
        template=" | ".join(templates),
    )


def clause(request: str) -> str:
    """A request as part of a longer one: without its closing mark."""
    return request.rstrip(" .?!")


def renumbered(rows: Sequence[Json]) -> list[Json]:
    """Planted rows of several requests with ids of their own."""
    fresh: list[Json] = []
    for place, row in enumerate(rows):
        key = row.get("id")
        if isinstance(key, str) and any(other.get("id") == key and other["table"] == row["table"] for other in fresh):
            fresh.append({**row, "id": f"{key.rsplit('_', 1)[0]}_{401 + place}"})
        else:
            fresh.append(row)
    return fresh
