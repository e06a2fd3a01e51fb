"""A new statement of the same thing closes the old one. By rule, within one owner, and only as far as trust reaches.

1. The same key with another value: a strong one replaces, a weak one needs a word of change.
2. What is said to be over ("I stopped drinking coffee", "from tea to water") closes the statement of it.
3. A record is closed when all that it states is replaced; one that says more stays, and ranks behind its successor.
4. A statement that is older than what is known (a dialogue that arrives late) is kept as superseded from the start.
   What is said now is never older, though a clock went back; a run's clock has no seconds, so a minute is one time.
   One that will hold from a later day on leaves what holds until then.
5. External text states nothing about the user, and what an agent wrote never closes the user's own words.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from memory.lifecycle.junk import courtesy
from memory.lifecycle.lexicon import listed, pattern
from memory.lifecycle.subjects import Statement, clauses_of, stated, statements, subject_of, told_back
from memory.lifecycle.text import stem, words
from memory.records import Kind, MemoryRecord, NewRecord, Trust
from memory.store import Embedded, Filter, MemoryStore

AUTHORITY = {Trust.USER: 3, Trust.SYSTEM: 2, Trust.AGENT: 1, Trust.EXTERNAL: 0}
"""Whose word replaces whose: the same or less."""
LOOKED_AT = 40
"""Records that share the words of a change and are compared with it."""
MINUTE = 16
"""Characters of a time up to its minute."""
UNSPECIFIC = "dose"
"""An attribute that may be stated without saying of what."""
_KINDS = (Kind.USER_MODEL, Kind.EPISODIC, Kind.LONG_TERM)


class Written(NamedTuple):
    """A record that was added, and what it closed."""

    record: MemoryRecord
    """The new record."""
    closed: tuple[str, ...]
    """Ids of records that no longer hold."""


@lru_cache(maxsize=16384)
def outdates(new: str, old: str) -> bool:
    """Whether the text `new`, said later by the same person, replaces all that the text `old` states."""
    said = statements(new)
    if not said:
        return False
    replaced = False
    for clause in clauses_of(old):
        there = [one for one in stated(clause) if one.value]  # that something ended then is no claim about now
        if any(replaces(one, other) for one in said for other in there):
            replaced = True
        elif there or not _empty(clause):
            return False
    return replaced


@lru_cache(maxsize=16384)
def contradicts(new: str, old: str) -> bool:
    """Whether the text `new`, said later by the same person, replaces something that the text `old` states."""
    return any(replaces(one, other) for one in statements(new) for other in statements(old))


def replaces(new: Statement, old: Statement) -> bool:
    """Whether one statement replaces another."""
    if old.over and not old.value:
        return False
    if new.attribute and _same_thing(new, old) and (new.strong or new.changed):
        return differ(new.value, old.value, new.changed)
    if new.over and new.holder == old.holder:
        over = new.over - listed("general")
        about = set(old.value.split()) if old.value not in ("yes", "no") else set(old.attribute.split())
        return bool(over) and over <= old.said | about and bool(over & about)
    return False


def _same_thing(one: Statement, other: Statement) -> bool:
    """Whether two statements are about the same; a dose of no named medicine may be any dose of that holder."""
    if one.key == other.key:
        return True
    keys = sorted((one.key, other.key))
    unspecific = keys[0].endswith(UNSPECIFIC) and keys[1].startswith(f"{keys[0]} ")
    return unspecific and one.value.split()[-1:] == other.value.split()[-1:]


def differ(new: str, old: str, changed: bool) -> bool:
    """Whether two values contradict each other; one that only says more does not, unless a change is told."""
    one, other = set(new.split()), set(old.split())
    if one == other:
        return False
    return changed or not (one <= other or other <= one)


def _empty(clause: str) -> bool:
    """Whether a clause says nothing by itself ("that is right", "by the way"); of somebody by name it does."""
    named = pattern("named").match(clause)
    if named is not None and named["np"].lower() not in listed("no_name"):
        return False
    telling = [word for word in words(clause) if word not in listed("common") and word not in listed("courtesies")]
    return courtesy(clause) or len(telling) <= 2


def voice(record: NewRecord | MemoryRecord) -> tuple[str, str]:
    """(who is spoken for, the words in his own person); of external text nobody, and no words.

    What an agent says of the user counts as said of the user, with the agent's authority.
    """
    if record.trust is Trust.EXTERNAL:
        return "", ""
    speaker = record.speaker.casefold()
    if record.trust is Trust.USER or speaker == "user":
        return speaker, record.content
    return "user", told_back(record.content)


def outdated(store: MemoryStore, new: NewRecord, own: Filter) -> list[MemoryRecord]:
    """Records of `own` that a new record closes, the latest first."""
    speaker, text = voice(new)
    said = statements(text)
    if not said:
        return []
    found = []
    for record in _comparable(store, text, said, own):
        before, old = voice(record)
        if before == speaker and AUTHORITY[record.trust] <= AUTHORITY[new.trust] and outdates(text, old):
            found.append(record)
    if any(one.attribute == UNSPECIFIC for one in said) and len({record.subject for record in found}) > 1:
        return []  # which of them changed is not said
    return sorted(found, key=lambda record: (record.valid_from, record.id), reverse=True)


def _comparable(store: MemoryStore, text: str, said: tuple[Statement, ...], own: Filter) -> list[MemoryRecord]:
    """Records that could be closed: of the same subject, or with the words of what is over or has changed."""
    own = own.model_copy(update={"kinds": _KINDS})
    found: dict[str, MemoryRecord] = {}
    for key in dict.fromkeys(one.key for one in said if one.key and not one.habit):
        for _, record in store.records(own.model_copy(update={"subject": key})):
            found[record.id] = record
    for expression in dict.fromkeys(_expressions(text, said)):
        near = store.matching(expression, own, LOOKED_AT)
        found |= {record.id: record for record in store.by_seq(list(near)).values()}
    return list(found.values())


def _expressions(text: str, said: tuple[Statement, ...]) -> Iterator[str]:
    """What the full-text index is asked for: few records have all the words, so it costs little in a large store."""
    written = {stem(word): word for word in words(text)}
    unit = pattern("unit").search(text)
    for one in said:
        if one.attribute == UNSPECIFIC and unit is not None:
            yield f'"{unit[0]}"'
        wanted = one.over - listed("general")
        if one.habit and one.changed:
            wanted = frozenset(one.attribute.split())
        if terms := sorted(written[name] for name in wanted if name in written):
            yield " AND ".join(f'"{term}"' for term in terms)


def write(store: MemoryStore, new: NewRecord, embedded: Embedded | None, own: Filter) -> Written:
    """Add a record with what it is about, close what it replaces; part of the caller's transaction if there is one.

    A record that only says what is over, or a dose of no named medicine, is about what it closed.
    """
    about = new.subject or ("" if new.intention else subject_of(voice(new)[1]))
    new = new.model_copy(update={"subject": about})
    with store.writing():
        old = [] if new.intention else outdated(store, new, own)
        at = new.valid_from or store.now()
        later = [record for record in old if new.valid_from and record.valid_from[:MINUTE] > at[:MINUTE]]
        if later:
            over = {"standing": "superseded", "valid_to": later[-1].valid_from, "closed_at": store.now()}
            return Written(store.insert(new.model_copy(update=over), embedded), ())
        if not old:
            return Written(store.insert(new, embedded), ())
        since = max(at, *(record.valid_from for record in old))
        said = {} if new.valid_from else {"created_at": max(new.created_at, since)}
        update = {**said, "valid_from": since, "subject": _named(about, old[0].subject)}
        record = store.supersede(old[0].id, new.model_copy(update=update), embedded)
        store.close_for([one.id for one in old[1:]], record)
        return Written(record, tuple(one.id for one in old))


def _named(about: str, closed: str) -> str:
    return closed if closed and about in ("", UNSPECIFIC) else about
