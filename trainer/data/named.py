"""Requests that give what they make a name at their end: "wake me at seven and call it morning run".

Requests of several calls join two wishes by the same "and", so a planner that saw only those takes the name for a
second wish and makes a call. Each draft here is a training task of one call whose thing can have a name and has none
yet; the words and the argument are added to it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from random import Random

from evalkit.gold import is_call
from evalkit.suites.core.drafts import Draft
from evalkit.suites.core.phrases import OneCall, load_phrases
from evalkit.suites.core.single import one_call
from evalkit.suites.core.values import load_values
from runtime.contract import Split, ToolSpec
from trainer.data.further import widened

NAMES = {
    ("manage_alarm", "create"): "title",
    ("manage_countdown", "start"): "label",
    ("manage_focus_session", "start"): "label",
    ("manage_note", "create"): "title",
    ("manage_sound_recorder", "start"): "title",
}
"""Which argument of which action takes the name."""
TAILS = (
    " and call it {}",
    ", call it {}",
    " and name it {}",
    ", name it {}",
    " and label it {}",
    ", label {}",
    " and give it the name {}",
    ", it's called {}",
    " under the name {}",
    " and let it be called {}",
)
"""How a name is added."""
PLAIN = 0.4
"""Share of those that say it as most do: "call it"."""
PLENTY = 4
"""Drafts tried for each that is wanted: some have a name already."""


def named(specs: Mapping[str, ToolSpec], count: int, rng: Random, first: int = 0) -> Iterator[Draft]:
    """`count` drafts with a name, spread evenly over the families that can have one, numbers `first` on."""
    families = [entry for entry in widened(load_phrases().one_call) if _nameable(entry)] if count else []
    for place, entry in enumerate(families):
        wanted = count // len(families) + (place < count % len(families))
        drafts = one_call(entry, specs[entry.tool], Split.TRAIN, PLENTY * wanted, first)
        yield from _first(with_names(drafts, rng), wanted)


def with_names(drafts: Iterable[Draft], rng: Random) -> Iterator[Draft]:
    """Those drafts that take a name, with one."""
    pool = load_values().pools["label"].of(Split.TRAIN)
    for draft in drafts:
        call = draft.gold[0]
        argument = NAMES.get((call["name"], call["arguments"].get("action"))) if is_call(call) else None
        if argument is None or argument in call["arguments"]:
            continue
        name = rng.choice(pool)
        tail = rng.choice(TAILS[:2] if rng.random() < PLAIN else TAILS)
        request = draft.view.request.rstrip(" !?") + tail.format(name)
        given = {**call, "arguments": {**call["arguments"], argument: name}}
        view = draft.view.model_copy(update={"request": request})
        yield replace(draft, view=view, gold=(given, *draft.gold[1:]))


def _nameable(entry: OneCall) -> bool:
    return (entry.tool, entry.arguments.get("action")) in NAMES


def _first(drafts: Iterable[Draft], wanted: int) -> Iterator[Draft]:
    yield from (draft for _, draft in zip(range(wanted), drafts, strict=False))
