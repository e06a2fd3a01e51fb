"""Turns of a dialogue that say nothing in particular, without end and always the same: what evidence hides in.

`words.toml` -> frames with slots, each filled at random; names of people and places are made of syllables, from pools
of fixed size, so that in a longer history each name comes up more often. Turns have 1 to 8 sentences.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Any, NamedTuple

SLOT = re.compile(r"\{(\w+)\}")
SENTENCES = (1, 1, 2, 2, 3, 4, 5, 8)
"""Lengths of a turn, equally likely."""
BESIDE = (0, 0, 1, 1, 2, 3)
"""Other sentences of a turn that states something."""
SESSION_TURNS = 24
START = datetime(2016, 1, 4, 8, 0)


class Said(NamedTuple):
    """One turn."""

    session: str
    """Id of its dialogue."""
    order: int
    """Place in the whole history, from 0."""
    speaker: str
    """`user` or `assistant`."""
    text: str
    """What was said."""
    at: str
    """When; local, ISO 8601."""


@lru_cache(maxsize=1)
def words() -> dict[str, Any]:
    """`words.toml`."""
    return tomllib.loads(files("evalkit.bench.memory").joinpath("words.toml").read_text(encoding="utf-8"))


def made_names(count: int, ends: Sequence[str], dice: Random) -> list[str]:
    """`count` distinct names of syllables."""
    made = words()["made"]
    found: dict[str, None] = {}
    while len(found) < count:
        found[dice.choice(made["heads"]) + dice.choice(made["middles"]) + dice.choice(ends)] = None
    return list(found)


class Prose:
    """Sentences and turns of one seed."""

    def __init__(self, seed: int, people: int | None = None) -> None:
        """`people`: how many come up; the first ones are the same however many there are."""
        self.dice = Random(seed)
        fixed, vocabulary = Random(0), words()
        made = vocabulary["made"]
        self.places = made_names(made["places"], made["towns"], fixed)
        self.people = made_names(people or made["people"], made["ends"], fixed)
        self._slots = {**vocabulary["slots"], "person": self.people, "place": self.places}
        self._frames = {
            "user": _cut(vocabulary["chatter"]["frames"]),
            "assistant": _cut(vocabulary["chatter"]["replies"]),
        }

    def sentence(self, speaker: str = "user") -> str:
        """One sentence."""
        pieces = self.dice.choice(self._frames[speaker])
        text = "".join(self._filled(piece) if slot else piece for slot, piece in pieces)
        return text[:1].upper() + text[1:]

    def turn(self, speaker: str = "user", around: str = "") -> str:
        """One turn; `around` stands at a random place of a short one."""
        sentences = [self.sentence(speaker) for _ in range(self.dice.choice(BESIDE if around else SENTENCES))]
        if around:
            sentences.insert(self.dice.randint(0, len(sentences)), around)
        return " ".join(sentences)

    def _filled(self, slot: str) -> str:
        if slot == "number":
            return str(self.dice.randint(2, 900))
        return str(self.dice.choice(self._slots[slot]))


def _cut(frames: Sequence[str]) -> list[list[tuple[bool, str]]]:
    """Frames as (is a slot, text) pieces."""
    return [[(at % 2 == 1, piece) for at, piece in enumerate(SLOT.split(frame)) if piece] for frame in frames]


def session_name(order: int) -> str:
    """The dialogue that turn `order` belongs to."""
    return f"s{order // SESSION_TURNS:06d}"


def moment(order: int, start: datetime = START, between: timedelta = timedelta(hours=30)) -> str:
    """When turn `order` was said: sessions `between` apart, a minute for a turn."""
    session, place = divmod(order, SESSION_TURNS)
    return (start + session * between + timedelta(minutes=place)).isoformat(timespec="seconds")


def dialogue(texts: Iterator[tuple[str, str]]) -> Iterator[Said]:
    """(speaker, text) pairs as turns."""
    for order, (speaker, text) in enumerate(texts):
        yield Said(session_name(order), order, speaker, text, moment(order))
