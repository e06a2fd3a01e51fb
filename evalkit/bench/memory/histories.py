"""Long histories with planted evidence: the same questions however much was said around them.

1. A fact belongs to a person and a relation (`fact.*` of `words.toml`). A question asks for one pair; its evidence is
   the turn, or the two turns, that state it. Each statement stands inside a turn with other sentences.
2. What makes it hard grows with the length: other people have the same relations (`CONFUSERS` of the user's turns state
   one), and each person comes up in small talk more often: ten times the length has three times as many people. No
   other turn states the pair that is asked for.
3. Evidence lies evenly over the history, a changed fact's first statement in the half before the second.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import log10, pow  # noqa: A004 - it gives a float whatever the signs
from random import Random
from typing import NamedTuple

from evalkit.bench.memory.prose import Prose, Said, dialogue, words

CHARS_A_TOKEN = 4
"""How a length in tokens is counted: the common rule for English text."""
QUESTIONS = 160
CONFUSERS = 0.06
"""Share of the user's turns that state a relation of somebody else."""
KINDS = ("asked", "meant", "retold", "two", "changed")
"""`asked` in the statement's words; `meant` in others; `retold`: both differ; `two` facts; `changed` later on."""


class Fact(NamedTuple):
    """A relation; see `words.toml`."""

    values: tuple[str, ...]
    stated: str
    retold: str
    asked: str
    meant: str
    changed: str


@dataclass(frozen=True)
class Planted:
    """A question, and where its evidence stands."""

    kind: str
    """Of `KINDS`."""
    question: str
    """In plain words."""
    statements: tuple[str, ...]
    """The sentences that answer it, in order; they stand word for word in their turns."""
    places: tuple[float, ...]
    """Where in the history, each in [0, 1)."""
    needed: int = 1
    """How many of the last statements are evidence: a changed fact's first one isn't."""


@lru_cache(maxsize=1)
def facts() -> dict[str, Fact]:
    """Relations by name."""
    return {name: Fact(**{**fact, "values": tuple(fact["values"])}) for name, fact in words()["fact"].items()}


def planted(count: int = QUESTIONS, seed: int = 0) -> list[Planted]:
    """`count` questions, a kind after the other; no two share a person and a relation."""
    return [question for question, _ in _planted(count, seed)]


def _planted(count: int, seed: int) -> list[tuple[Planted, set[tuple[str, str]]]]:
    """The questions with the pairs of person and relation that they take."""
    dice, pairs = Random(f"planted {seed}"), iter(_pairs(seed))
    taken: set[tuple[str, str]] = set()
    made: list[tuple[Planted, set[tuple[str, str]]]] = []
    while len(made) < count:
        person, name = next(pairs)
        kind, at = KINDS[len(made) % len(KINDS)], len(made) / count
        second = dice.choice([other for other in facts() if other != name])
        own = {(person, name), (person, second)} if kind == "two" else {(person, name)}
        if not own & taken:
            taken |= own
            made.append((_question(kind, person, name, second, at, dice), own))
    return made


def _pairs(seed: int) -> list[tuple[str, str]]:
    """All pairs of person and relation, shuffled."""
    pairs = [(person, name) for person in Prose(seed).people for name in facts()]
    Random(f"pairs {seed}").shuffle(pairs)
    return pairs


def _question(kind: str, person: str, name: str, second: str, at: float, dice: Random) -> Planted:
    fact, other = facts()[name], facts()[second]
    old, new = dice.sample(fact.values, 2)
    stated, retold = fact.stated.format(p=person, v=old), fact.retold.format(p=person, v=old)
    asked, meant = fact.asked.format(p=person), fact.meant.format(p=person)
    halves = at / 2, at / 2 + 0.5
    if kind == "two":
        more = other.stated.format(p=person, v=dice.choice(other.values))
        return Planted(kind, f"{asked} {other.meant.format(p=person)}", (stated, more), halves, 2)
    if kind == "changed":
        return Planted(kind, asked, (stated, fact.changed.format(p=person, v=new)), halves)
    statement = retold if kind == "retold" else stated
    return Planted(kind, asked if kind == "asked" else meant, (statement,), (at,))


@dataclass(frozen=True)
class History:
    """A history of a length; its turns are made while they are read, and again whenever they are."""

    tokens: int
    """About so many."""
    seed: int = 0
    """Of all choices."""
    questions: int = QUESTIONS
    """So many."""

    def planted(self) -> list[Planted]:
        """Its questions: the same at every length."""
        return planted(self.questions, self.seed)

    @property
    def people(self) -> int:
        """How many come up: three times as many for ten times the length."""
        at_first: int = words()["made"]["people"]
        return round(at_first * pow(3, max(0.0, log10(self.tokens / 100_000))))

    def turns(self) -> Iterator[Said]:
        """In order."""
        return dialogue(self._texts())

    def _texts(self) -> Iterator[tuple[str, str]]:
        prose, dice = Prose(self.seed + 1, self.people), Random(f"history {self.seed}")
        taken = {pair for _, own in _planted(self.questions, self.seed) for pair in own}
        pairs = ((person, name) for person in prose.people for name in facts())
        others, limit = [pair for pair in pairs if pair not in taken], self.tokens * CHARS_A_TOKEN
        due = sorted((at, text) for one in self.planted() for at, text in zip(one.places, one.statements, strict=True))
        written, relations = 0, facts()
        while written < limit or due:
            around = ""
            if due and due[0][0] <= written / limit:
                around = due.pop(0)[1]
            elif dice.random() < CONFUSERS:
                around = _confuser(dice, others, relations)
            said, reply = prose.turn("user", around), prose.turn("assistant")
            written += len(said) + len(reply)
            yield "user", said
            yield "assistant", reply


def _confuser(dice: Random, pairs: list[tuple[str, str]], relations: dict[str, Fact]) -> str:
    person, name = dice.choice(pairs)
    fact = relations[name]
    return dice.choice((fact.stated, fact.retold)).format(p=person, v=dice.choice(fact.values))


def shown(statements: tuple[str, ...], texts: list[str]) -> int:
    """How many of the statements stand in the texts."""
    return sum(any(statement in text for text in texts) for statement in statements)
