"""What an erasure takes with it, and what must be looked for.

1. With a record go all that it replaced, all that was made of it, step by step, and records of the same user that have
   its whole text in them. Records of other users stay, whatever they say.
2. What a record that stays says too isn't looked for: it has a right to be there. The receipt says so.
"""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memory.erasure.finder import Finder
from memory.erasure.needles import (
    VECTOR_BYTES,
    Needle,
    TokenIds,
    id_needles,
    needles_of,
    pieces,
    sequences,
)
from memory.records import MemoryRecord
from memory.sqlite import module
from memory.store import Filter, MemoryStore

EVERY = Filter(standing=(), expired=True)
"""All records of a store."""
FEW = 64
"""Up to so many pieces are looked for among the records that stay one by one."""
LEAST_WORDS, LEAST_CHARS = 3, 12
"""A shorter text in another record doesn't take that with it."""


class Sought(NamedTuple):
    """What must be found nowhere any more. In memory alone."""

    texts: tuple[str, ...]
    """Pieces of texts."""
    whole: tuple[str, ...]
    """Whole texts, for sinks that know where texts begin and end."""
    ids: tuple[tuple[int, ...], ...]
    """Token ids."""
    needles: tuple[Needle, ...]
    """All of it as bytes."""
    notes: tuple[str, ...]
    """What isn't looked for, and why."""


def closure(store: MemoryStore, ids: Sequence[str]) -> list[MemoryRecord]:
    """The records that go with these, in the order of their places; ids that are not there are passed over."""
    found: dict[str, MemoryRecord] = {}
    new = [record for record in map(store.get, ids) if record is not None]
    alone = len(new) <= FEW
    while new:
        found.update((record.id, record) for record in new)
        near = _made_of(store, [record.id for record in new])
        for record in new:
            before = store.get(record.supersedes) if record.supersedes else None
            near += [before] if before is not None else []
            near += _same_words(store, record) if alone else []
        new = list({record.id: record for record in near if record.id not in found}.values())
    return sorted(found.values(), key=lambda record: (record.created_at, record.id))


def sought(store: MemoryStore, records: Sequence[MemoryRecord], tokens: TokenIds | None) -> Sought:
    """What to look for when these records go."""
    gone = {record.id for record in records}
    said = {piece: record.id for record in records for text in _texts(record) for piece in pieces(text)}
    held = _held(store, list(said), gone)
    searched = {piece: name for piece, name in said.items() if piece not in held}
    needles = [needle for piece, name in searched.items() for needle in needles_of(name, piece)]
    ids: dict[tuple[int, ...], str] = {}
    if tokens is not None:
        for piece, name in searched.items():
            for one in sequences(piece, tokens):
                ids.setdefault(one, name)
    needles += [needle for one, name in ids.items() for needle in id_needles(name, one)]
    # a vector tells its text: of a text that stays it stays too
    silent = [record for record in records if not set(pieces(record.content)) & held]
    needles += _vectors(store, silent)
    every = [text for record in records for text in _texts(record)]
    whole = tuple(dict.fromkeys(text for text in every if pieces(text) and not set(pieces(text)) & held))
    return Sought(tuple(searched), whole, tuple(ids), tuple(needles), tuple(_notes(records, held)))


def _made_of(store: MemoryStore, ids: Sequence[str]) -> list[MemoryRecord]:
    """Records that were made of any of these; for many all records are read once."""
    if len(ids) <= FEW:
        return store.derived(ids)
    wanted = set(ids)
    return [record for _, record in store.records(EVERY) if wanted.intersection(record.derived_from)]


def _texts(record: MemoryRecord) -> list[str]:
    """All that a record says in words."""
    said = [record.content, record.original]
    if record.intention is not None:
        said.append(record.intention.condition)
    return [text for text in dict.fromkeys(said) if text.strip()]


def _same_words(store: MemoryStore, record: MemoryRecord) -> list[MemoryRecord]:
    """Records of the same user that have the whole text in them."""
    text = record.content
    if len(text.split()) < LEAST_WORDS or len(text) < LEAST_CHARS:
        return []
    return [one for one in store.holding(text) if (one.user, one.workspace) == (record.user, record.workspace)]


def _held(store: MemoryStore, said: Sequence[str], gone: set[str]) -> set[str]:
    """Pieces that records which stay say too."""
    if len(said) <= FEW:
        return {piece for piece in said if any(one.id not in gone for one in store.holding(piece))}
    rest = "\n".join(
        text for _, record in store.records(EVERY) if record.id not in gone for text in _texts(record)
    ).encode()
    by_bytes = {piece.encode(): piece for piece in said}
    finder = Finder([Needle("", "utf-8", data) for data in by_bytes])
    return {by_bytes[needle.data] for needle in finder.found(rest)}


def _vectors(store: MemoryStore, records: Sequence[MemoryRecord]) -> Iterator[Needle]:
    """The vectors of records, less those that a record which stays has too."""
    if store.path is None or not records:
        return
    gone = {record.id for record in records}
    connection = module().connect(f"{store.path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        query = (
            "SELECT id, vector FROM vectors JOIN records ON records.seq = vectors.seq WHERE id IN (SELECT value FROM "
        )
        found = connection.execute(f"{query} json_each(?))", (json.dumps(sorted(gone)),)).fetchall()
        wanted = {bytes(vector): name for name, vector in found if any(vector)}
        for (vector,) in connection.execute("SELECT vector FROM vectors WHERE seq NOT IN (SELECT seq FROM records "
                                            "WHERE id IN (SELECT value FROM json_each(?)))",
                                            (json.dumps(sorted(gone)),)):  # fmt: skip
            wanted.pop(bytes(vector), None)
    finally:
        connection.close()
    for vector, name in wanted.items():
        yield Needle(name, "vector", vector[:VECTOR_BYTES])


def _notes(records: Sequence[MemoryRecord], held: set[str]) -> Iterator[str]:
    for record in records:
        if {piece for text in _texts(record) for piece in pieces(text)} & held:
            yield f"`{record.id}`: a record that stays says the same, so files aren't searched for it"
        if not any(pieces(text) for text in _texts(record)):
            yield f"`{record.id}`: too short to be searched for among bytes; it went by its id alone"
