"""Questions about facts that changed: `updates.toml` -> users, each with a dialogue of months and one question a fact.

Every user has every fact once, each changed in another of `KINDS`; over the users each fact meets each kind. One store
holds one user, as one does: facts of several would contradict each other. The turns say in plain words what changed,
and no record is replaced by its id: a store has to notice by itself.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import NamedTuple

from evalkit.bench.memory.prose import SESSION_TURNS, Prose, Said, dialogue

FACTS, MORE, TUNING = "updates.toml", "updates_more.toml", "updates_tuning.toml"
"""The facts of the figure; a second set in other words; a third one to choose numbers on, which is not reported."""
SPAN = 12 * SESSION_TURNS
"""Turns of one user's dialogue before the statements are put in: a dozen sessions."""
ROUNDS = (0, 4, 8)
"""Sessions from which on the first, the next and the last statement may be made."""
ROUND = 3
"""Sessions that the statements of a round are spread over."""


class Attribute(NamedTuple):
    """One thing about a user that may change; see `updates.toml`."""

    name: str
    values: tuple[str, ...]
    plain: str
    moved: str
    asked: str
    echoed: str
    other: str


class Statement(NamedTuple):
    """A turn of the user about a fact."""

    round: int
    """In which part of the dialogue, an index of `ROUNDS`."""
    text: str
    """What is said."""
    reply: str = ""
    """What the assistant says to it; empty: small talk."""


@dataclass(frozen=True)
class Update:
    """A question with what is right and what was."""

    kind: str
    """Of `KINDS`."""
    attribute: str
    """What changed."""
    question: str
    """In plain words."""
    new: str
    """The value that holds."""
    stale: tuple[str, ...]
    """Values that held before."""
    foreign: str = ""
    """Somebody else's value, said last."""

    def is_stale(self, text: str) -> bool:
        """Whether a text states what held before and not what holds."""
        return self.new not in text and any(value in text for value in self.stale)


@dataclass(frozen=True)
class User:
    """One user's dialogue."""

    turns: tuple[Said, ...]
    """In order."""
    updates: tuple[Update, ...]
    """A question for each fact."""


Plan = tuple[list[Statement], str]
"""Statements of one fact, and the question."""


def _restated(fact: Attribute, old: str, new: str, third: str) -> Plan:
    return [Statement(0, fact.plain.format(v=old)), Statement(2, fact.plain.format(v=new))], fact.asked


def _reworded(fact: Attribute, old: str, new: str, third: str) -> Plan:
    return [Statement(0, fact.plain.format(v=old)), Statement(2, fact.moved.format(v=new))], fact.asked


def _echoed(fact: Attribute, old: str, new: str, third: str) -> Plan:
    return [Statement(0, fact.plain.format(v=old)), Statement(2, fact.moved.format(v=new))], fact.echoed


def _reversed(fact: Attribute, old: str, new: str, third: str) -> Plan:
    return [Statement(0, fact.moved.format(v=old)), Statement(2, fact.plain.format(v=new))], fact.asked


def _corrected(fact: Attribute, old: str, new: str, third: str) -> Plan:
    return [
        Statement(0, fact.plain.format(v=old)),
        Statement(2, f"Correction: {fact.plain.format(v=new)}"),
    ], fact.echoed


def _ended(fact: Attribute, old: str, new: str, third: str) -> Plan:
    ended = f"That is no longer right. {fact.plain.format(v=new)}"
    return [Statement(0, fact.plain.format(v=old)), Statement(2, ended)], fact.asked


def _chain(fact: Attribute, old: str, new: str, third: str) -> Plan:
    steps = [fact.plain.format(v=third), fact.moved.format(v=old), fact.plain.format(v=new)]
    return [Statement(number, text) for number, text in enumerate(steps)], fact.echoed


def _aside(fact: Attribute, old: str, new: str, third: str) -> Plan:
    return [Statement(0, fact.plain.format(v=old)), Statement(2, f"By the way. {fact.moved.format(v=new)}")], fact.asked


def _someone_else(fact: Attribute, old: str, new: str, third: str) -> Plan:
    own = [Statement(0, fact.plain.format(v=old)), Statement(1, fact.plain.format(v=new))]
    return [*own, Statement(2, fact.other.format(v=third))], fact.echoed


def _confirmed(fact: Attribute, old: str, new: str, third: str) -> Plan:
    said = [fact.plain.format(v=old), fact.plain.format(v=new)]
    replies = [f"I see: {old}. I will keep it in mind.", f"I see: {new}. I will keep it in mind."]
    return [Statement(0, said[0], replies[0]), Statement(2, said[1], replies[1])], fact.asked


def _often(fact: Attribute, old: str, new: str, third: str) -> Plan:
    before = fact.plain.format(v=old)
    often = [Statement(0, before), Statement(0, f"As I said, {before[:1].lower()}{before[1:]}"), Statement(1, before)]
    return [*often, Statement(2, fact.plain.format(v=new))], fact.asked


def _since(fact: Attribute, old: str, new: str, third: str) -> Plan:
    after = f"Since last week it is different. {fact.moved.format(v=new)}"
    return [Statement(0, fact.plain.format(v=old)), Statement(2, after)], fact.echoed


KINDS: dict[str, Callable[[Attribute, str, str, str], Plan]] = {
    "restated": _restated,
    "reworded": _reworded,
    "echoed": _echoed,
    "reversed": _reversed,
    "corrected": _corrected,
    "ended": _ended,
    "chain": _chain,
    "aside": _aside,
    "someone_else": _someone_else,
    "confirmed": _confirmed,
    "often": _often,
    "since": _since,
}
"""Ways in which a fact changes."""


@lru_cache(maxsize=3)
def attributes(file: str = FACTS) -> tuple[Attribute, ...]:
    """What may change, in the order of the file."""
    table = tomllib.loads(files("evalkit.bench.memory").joinpath(file).read_text(encoding="utf-8"))
    return tuple(Attribute(name, **{**fact, "values": tuple(fact["values"])}) for name, fact in table.items())


def users(count: int | None = None, seed: int = 0, file: str = FACTS) -> list[User]:
    """`count` users, one for each kind by default: 12 users, 20 questions each (12 each of `MORE`)."""
    return [_user(number, seed, file) for number in range(count or len(KINDS))]


def _user(number: int, seed: int, file: str) -> User:
    prose = Prose(1000 * seed + number)
    names, updates, statements = list(KINDS), [], []
    for place, fact in enumerate(attributes(file)):
        kind = names[(number + place) % len(names)]
        old, new, third = prose.dice.sample(fact.values, 3)
        said, question = KINDS[kind](fact, old, new, third)
        stale = (old, third) if kind == "chain" else (old,)
        updates.append(Update(kind, fact.name, question, new, stale, third if kind == "someone_else" else ""))
        statements += said
    return User(tuple(dialogue(_woven(statements, prose))), tuple(updates))


def _woven(statements: list[Statement], prose: Prose) -> Iterator[tuple[str, str]]:
    """The dialogue: each statement inside a turn of the user, somewhere in the sessions of its round."""
    places = _placed(statements, prose.dice)
    for turn in range(0, SPAN, 2):
        statement = places.get(turn)
        if statement is None:
            yield "user", prose.turn("user")
        else:
            hidden = prose.dice.random() < 0.5
            yield "user", prose.turn("user", statement.text) if hidden else statement.text
        yield "assistant", statement.reply if statement and statement.reply else prose.turn("assistant")


def _placed(statements: list[Statement], dice: Random) -> dict[int, Statement]:
    """Turns of the user by statement; those of one round keep their order, and no two share a turn."""
    places: dict[int, Statement] = {}
    for part, first in enumerate(ROUNDS):
        own = [statement for statement in statements if statement.round == part]
        free = range(first * SESSION_TURNS, (first + ROUND) * SESSION_TURNS, 2)
        places.update(zip(sorted(dice.sample(free, len(own))), own, strict=True))
    return places
