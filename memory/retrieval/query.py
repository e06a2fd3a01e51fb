"""What a question asks for, by rule: its kind, its telling words, dates, whose words it is about, its parts.

1. *Kind*: a look-up; a time; an order of events; a collection over many records; something that changed.
2. *People*: speakers whom the question names. "I" is the user, "you" the assistant, where both speak. Whoever else it
   names, by a word with a capital inside it, is a *name*.
3. A question about a named speaker is asked again in that speaker's own words ("When did I ..."), since that is how the
   answer was said; the vector is made of this form.
"""

import re
from collections.abc import Collection
from datetime import date
from typing import Literal, NamedTuple, TypeAlias

from memory.retrieval.words import MONTHS, ROLES, STOPWORDS, TIME_WORDS, telling, words_of
from runtime.contract import Record

Kind: TypeAlias = Literal["lookup", "time", "order", "collection", "change"]
LONGEST = 2000
"""Characters of a question that rules look at."""

_ORDER = re.compile(
    r"\b(in (what|which) order|order (in which|of)|chronological\w*|sequence of|timeline|"
    r"(came|come|happened|happens) (first|last|before|after)|from (first|earliest) to (last|latest))\b"
)
_CHANGE = re.compile(
    r"\b(current|currently|now|nowadays|at the moment|latest|most recent|most recently|still|any ?more|these days|"
    r"updated?|changed?|switched|no longer)\b"
)
_PAST = re.compile(
    r"\b(used to|previous|previously|originally|formerly|before (that|it|the change)|at first|earlier)\b"
)
_DONE = re.compile(r"\b(did|was|were|had|ago|yesterday|last (night|week|month|year|time)|ever)\b")
_COLLECTION = re.compile(
    r"\b(how many|list|all (of )?(the|my|your|his|her|their)|every|each|in total|altogether|overall|both|in common|"
    r"(types|kinds|sorts) of|different|summar\w+)\b"
)
_TIME = re.compile(r"\b(when|how long|(what|which) (year|date|month|time|day|week))\b")
_ASKED = re.compile(
    r"\b(can|could|would|will) you\b|\bdo you (remember|recall|know|think)\b|\b(tell|remind|show|give) me\b"
)
_ME = frozenset({"i", "me", "my", "mine", "myself", "we", "our", "us"})
_YOU = frozenset({"you", "your", "yours"})
_CLAUSE = re.compile(
    r"(?<=[?;])\s+|,? and (?=(?:what|when|where|who|why|how|which|did|does|do|is|are|was|were)\b)", re.I
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]+")
_MONTH = "|".join(MONTHS)
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b(?:,? (\d{{4}}))?")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})(?: (\d{{1,2}})(?:st|nd|rd|th)?)?\b(?:,? (\d{{4}}))?")
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")


class Day(NamedTuple):
    """A date, or a part of one; 0 stands for any."""

    year: int
    month: int
    day: int


class QueryShape(Record):
    """What a question asks for."""

    text: str
    """As it was asked."""
    kind: Kind
    """How its evidence is put together."""
    words: tuple[str, ...] = ()
    """Telling words, in lower case."""
    people: tuple[str, ...] = ()
    """Speakers that it names, in lower case."""
    when: bool = False
    """It asks for a time."""
    past: bool = False
    """It asks for what held before."""
    present: bool = False
    """It asks how something is, not what happened."""
    names: tuple[str, ...] = ()
    """Telling words of it that are written like names; speakers are none."""
    days: tuple[Day, ...] = ()
    """Dates that it names."""
    dated: tuple[str, ...] = ()
    """Words of these dates: where nobody said them, they tell something by the day of a record alone."""
    clauses: tuple[str, ...] = ()
    """Its parts, where it has several."""
    spoken: str = ""
    """As the speaker whom it names would ask."""


def shape_of(text: str, speakers: Collection[str] = ()) -> QueryShape:
    """The shape of a question to a memory in which these speakers (lower case) are heard."""
    head = text[:LONGEST]
    low = head.lower()
    words = words_of(low)
    named = _named(words, speakers)
    parts = frozenset(word for name in named for word in words_of(name))
    told = tuple(telling(words, parts))
    written = {word for name in names_in(head) for word in words_of(name)}
    clauses = [part for part in (part.strip() for part in _CLAUSE.split(head)) if len(telling(words_of(part))) > 1]
    return QueryShape(
        text=text,
        kind=_kind(low),
        words=told,
        people=named or _roles(low),
        when=bool(_TIME.search(low)),
        past=bool(_PAST.search(low)),
        present=not (_PAST.search(low) or _DONE.search(low) or _ORDER.search(low) or _COLLECTION.search(low)),
        names=tuple(word for word in told if word in written and len(word) > 1),
        days=(days := _days(low)),
        dated=_words_of_days(days),
        clauses=tuple(clauses) if len(clauses) > 1 else (),
        spoken=in_own_words(head, named),
    )


def in_own_words(text: str, names: Collection[str]) -> str:
    """The question as the people with these names would ask it about themselves."""
    for name in names:
        parts = r"\s+".join(re.escape(part) for part in name.split())
        text = re.sub(rf"\b{parts}(?:'s|’s)", "my", text, flags=re.I)
        text = re.sub(rf"\b{parts}\b", "I", text, flags=re.I)
    return text


def names_in(text: str) -> list[str]:
    """Words that are written like names, inside a sentence; those of the calendar are none."""
    found = dict.fromkeys(_NAME.findall(text))
    return [name for name in found if name.lower() not in STOPWORDS and name.lower() not in TIME_WORDS]


def _kind(low: str) -> Kind:
    if _ORDER.search(low):
        return "order"
    if _CHANGE.search(low) or _PAST.search(low):
        return "change"
    if _TIME.search(low):
        return "time"
    return "collection" if _COLLECTION.search(low) else "lookup"


def _named(words: list[str], speakers: Collection[str]) -> tuple[str, ...]:
    """Speakers with a name whose words stand in the question, in alphabetical order."""
    present = set(words)
    return tuple(
        sorted(
            name for name in speakers if name not in ROLES and (parts := words_of(name)) and present.issuperset(parts)
        )
    )


def _roles(low: str) -> tuple[str, ...]:
    """Whom a pronoun means."""
    words = set(words_of(_ASKED.sub(" ", low)))
    me, you = bool(words & _ME), bool(words & _YOU)
    if me == you:
        return ()
    return ("user",) if me else ("agent", "assistant")


def _days(low: str) -> tuple[Day, ...]:
    """Dates in a text: 2026-03-02, 2 March 2026, March 2, March."""
    found = [Day(int(one[1]), int(one[2]), int(one[3])) for one in _ISO.finditer(low)]
    for one in _DAY_FIRST.finditer(low):
        found.append(Day(int(one[3] or 0), MONTHS.index(one[2]) + 1, int(one[1])))
    rest = _DAY_FIRST.sub(" ", low)
    for one in _MONTH_FIRST.finditer(rest):
        if one[1] == "may" and not one[2] and not one[3] and not re.search(r"\b(in|of|last|since|until) may\b", rest):
            continue  # the verb
        found.append(Day(int(one[3] or 0), MONTHS.index(one[1]) + 1, int(one[2] or 0)))
    return tuple(dict.fromkeys(day for day in found if _exists(day)))


def _words_of_days(days: Collection[Day]) -> tuple[str, ...]:
    said = [word for day in days for word in (MONTHS[day.month - 1], str(day.day), f"{day.day:02d}", str(day.year))]
    return tuple(dict.fromkeys(said))


def _exists(day: Day) -> bool:
    try:
        date(day.year or 2024, day.month, day.day or 1)
    except ValueError:
        return False
    return True
