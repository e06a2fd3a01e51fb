"""A draft: a task before its policy is known. Programs make drafts; `policies.py` gives the policy of their gold."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from random import Random

from evalkit.suites.core.values import Draw
from runtime.contract import Domain, Json, Split, TaskView, WorldSpec, canonical_json

CLOCKS: dict[Split, tuple[str, ...]] = {
    Split.TRAIN: ("2026-03-02T09:00", "2026-03-17T14:20", "2026-04-09T18:35", "2026-04-25T10:05", "2026-05-13T07:40"),
    Split.DEV: ("2026-07-06T09:30", "2026-07-16T16:15", "2026-07-25T11:50"),
    Split.TEST: ("2026-10-05T08:10", "2026-10-15T17:25", "2026-10-31T12:45", "2026-11-11T19:30"),
}
"""The phones' clocks by split: another season each, so that "tomorrow" is another day in each."""
UNSEEN = frozenset(
    (
        "manage_stopwatch", "manage_dark_mode", "manage_usb_debug", "control_cooling_fan", "manage_ai_caption",
        "manage_call_interception", "manage_nfc", "manage_aod",
    )
)  # fmt: skip
"""Tools that no training sees, neither as the right one nor among the exposed ones."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A task without a policy."""

    family: str
    """Cluster of the confidence interval."""
    pattern: str
    """one_call, multi_call, dependent_call, ask, permission, unavailable, unseen_tools."""
    domain: Domain
    """Of its first tool."""
    split: Split
    """Where it may be used."""
    view: TaskView
    """For the planner."""
    world: WorldSpec
    """For the phone."""
    gold: tuple[Json, ...]
    """One solution."""
    tools: tuple[str, ...]
    """Tools that it is about, in order: the composition, with the pattern."""
    mentions: tuple[tuple[str, ...], ...] = ()
    """Groups of words that a question or refusal must name."""
    template: str = ""
    """What the request was made of."""

    @property
    def composition(self) -> str:
        """Ordered tools and conditions."""
        return composition(self.pattern, self.tools)


def composition(pattern: str, tools: tuple[str, ...]) -> str:
    """Ordered tools and the condition under which they are needed."""
    return f"{pattern}:{'>'.join(tools)}"


def split_of(name: str) -> Split:
    """The one split that may use a composition: half train, a fifth dev, three tenths test, by hash."""
    place = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % 10
    if place < 5:
        return Split.TRAIN
    return Split.DEV if place < 7 else Split.TEST


def seeded(*key: object) -> Random:
    """A generator that depends on the key alone, on every machine."""
    digest = hashlib.sha256(canonical_json([str(part) for part in key]).encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))


def world_for(split: Split, draw: Draw, plant: tuple[Json, ...], rng: Random) -> WorldSpec:
    """The world of a task: a clock of its split, what its values need, and what its family plants."""
    empty = empty_world(split, rng)
    return empty.model_copy(update={"facts": facts_of(draw, plant, empty.clock)})


def empty_world(split: Split, rng: Random) -> WorldSpec:
    """A world of a split's season without facts."""
    place = rng.randrange(len(CLOCKS[split]))
    return WorldSpec(clock=CLOCKS[split][place], seed=place + 1)


def facts_of(draw: Draw, plant: tuple[Json, ...], clock: str) -> tuple[Json, ...]:
    """What drawn values need, and a family's own rows with the values filled in."""
    now = datetime.fromisoformat(clock)
    planted = [{column: draw.stored(value, now) for column, value in row.items()} for row in plant]
    return (*draw.plants(), *planted)


_DOUBLED = re.compile(r"\b(the|a|an|my|to|at|on|in|for) \1\b", re.IGNORECASE)
_ON_WHEN = re.compile(r"\bon (?=(?:today|tomorrow|tonight|in|next|this|a week|the day after|every)\b)", re.IGNORECASE)
_MY_THE = re.compile(r"\b(?:the my|a the|a an|my the|the a)\b", re.IGNORECASE)


def spoken(text: str) -> str:
    """The request as a person would say it: doubled little words that slots bring with them fall away."""
    text = _DOUBLED.sub(lambda found: found[1], " ".join(text.split()))
    return _MY_THE.sub(lambda found: found[0].split()[1], _ON_WHEN.sub("", text))
