"""Memories as JSONL, one a line under the contract's version, and back again.

1. A line is `{"contract": 1, "memory": {...}}` with every field of the record; superseded ones too, oldest first, so
   that a record comes after what it names.
2. Reading is strict: the first line that can't be a memory, or that a newer program wrote, is a `UserError` with line
   and field, and nothing of the file is taken.
3. A record that the store has already is left out, and so is a line that stands there twice. An id that the store gave
   to another record is given anew, and what names it follows, wherever it stands in the file.
4. A file can't reach what belongs to somebody else: a link that doesn't lead to a record of the same owner is dropped,
   and nothing that is taken is shared. What a record of the file replaces is closed, as a correction closes it.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from pydantic import ValidationError

from memory.records import MemoryRecord, NewRecord
from memory.store import Embedded, MemoryStore
from runtime.contract import CONTRACT_VERSION, Json, Record, UserError

BATCH = 256
"""Texts that are embedded at a time."""
HIGHEST = 1_000_000
"""How far above the store's numbers an id `mem_<number>` may lie; a higher one is given anew."""
_ID = re.compile(r"[\w.:-]{1,80}")
_NUMBERED = re.compile(r"mem_(\d+)")


class Exported(Record):
    """One line."""

    contract: Literal[1] = 1
    """Contract version."""
    memory: MemoryRecord
    """The record."""


class Imported(NamedTuple):
    """What an import did."""

    added: int
    """New records."""
    known: int
    """Left out: the store has them."""
    renamed: dict[str, str]
    """New ids by those in the file."""
    others: int = 0
    """Left out: experiences that somebody shares, which are nobody's own."""


def lines(records: Iterable[MemoryRecord]) -> Iterator[str]:
    """Records as lines."""
    return (Exported(memory=record).model_dump_json() + "\n" for record in records)


def read_lines(given: Iterable[str], name: str) -> list[MemoryRecord]:
    """The records of a file; `name` is for messages."""
    records = [_read(line, f"line {number} of `{name}`") for number, line in enumerate(given, 1) if line.strip()]
    if not records:
        raise UserError(f"`{name}` holds no memories. Give it what `pocket memory export` wrote.")
    return records


def _read(line: str, where: str) -> MemoryRecord:
    try:
        value = json.loads(line)
        json.dumps(value)  # what is nested too deep for it is too deep for every message
    except (ValueError, RecursionError) as error:
        raise UserError(f"{where} is not JSON: {error}. Give it what `pocket memory export` wrote.") from None
    version = value.get("contract") if isinstance(value, dict) else None
    if isinstance(version, int) and version > CONTRACT_VERSION:
        raise UserError(
            f"{where}: `contract` is `{version}`; this program knows {CONTRACT_VERSION}. Update pocketplanner."
        )
    try:
        record = Exported.model_validate(value).memory
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the whole line"
        shown = "missing" if first["type"] == "missing" else f"`{str(first['input'])[:80]}`"
        why = str(first["msg"]).removeprefix("Value error, ")
        raise UserError(f"{where}: `{field}` is {shown}: {why}. Correct it; nothing was imported.") from None
    for name in (record.id, *record.derived_from, *([record.supersedes] if record.supersedes else [])):
        if not _ID.fullmatch(name):
            raise UserError(
                f"{where}: the id {name[:80]!a} has other signs than letters, digits and `_.:-`, or more than 80. "
                "Correct it; nothing was imported."
            )
    return record


def take(
    store: MemoryStore, records: Sequence[MemoryRecord], embed: Callable[[Sequence[str]], Sequence[Embedded | None]]
) -> Imported:
    """Put records of one owner into the store, all in one transaction. Links in a circle are a `UserError`."""
    texts = [record.content for record in _new(store, records)]
    some = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
    vectors = {text: vector for part in some for text, vector in zip(part, embed(part), strict=True)}
    with store.writing():
        new = _new(store, records)  # another import of the same may have been quicker
        names = _names(store, new)
        by_file: dict[str, str] = {}
        for record, name in zip(new, names, strict=True):
            by_file.setdefault(record.id, name)
        placed = [_placed(store, record, name, by_file) for record, name in zip(new, names, strict=True)]
        _no_circles(store, placed)
        for heir in store.insert_many((one, vectors.get(one.content)) for one in placed):
            if heir.supersedes:
                store.close_for([heir.supersedes], heir)
    renamed = {record.id: name for record, name in zip(new, names, strict=True) if record.id != name}
    return Imported(len(new), len(records) - len(new), renamed)


def _new(store: MemoryStore, records: Sequence[MemoryRecord]) -> list[MemoryRecord]:
    """Those that the store lacks, each once."""
    seen: set[tuple[str, str, str]] = set()
    new = []
    for record in records:
        said = (record.id, record.content, record.created_at)
        if said not in seen and not _known(store, record):
            new.append(record)
        seen.add(said)
    return new


def _known(store: MemoryStore, record: MemoryRecord) -> bool:
    """Whether the store has the record; it may have been superseded since."""
    kept = store.get(record.id)
    said = (record.content, record.created_at)
    return kept is not None and (kept.content, kept.created_at) == said and _alike(kept, record)


def _alike(one: MemoryRecord, other: MemoryRecord) -> bool:
    """Whether two records have one owner."""
    return (one.user, one.workspace) == (other.user, other.workspace)


def _names(store: MemoryStore, new: Sequence[MemoryRecord]) -> list[str]:
    """An id for each: its own, or a new one above all numbers, where that is taken."""
    top = store.last()
    numbers = [int(found[1]) for record in new if (found := _NUMBERED.fullmatch(record.id))]
    highest = max([top, *(number for number in numbers if number <= top + HIGHEST)])
    given: set[str] = set()
    names = []
    for record in new:
        name = record.id
        found = _NUMBERED.fullmatch(name)
        if name in given or store.get(name) is not None or (found and int(found[1]) > highest):
            highest += 1
            name = f"mem_{highest:04d}"
        given.add(name)
        names.append(name)
    return names


def _placed(store: MemoryStore, record: MemoryRecord, name: str, by_file: dict[str, str]) -> NewRecord:
    """The record as it is kept: under its name, private, with links to its owner's records alone."""

    def link(target: str) -> str | None:
        if target in by_file:
            return by_file[target]
        kept = store.get(target)
        return target if kept is not None and _alike(kept, record) else None

    given: Json = record.model_dump()
    replaced = record.supersedes if record.standing != "pending" else None  # a candidate replaces nothing yet
    given |= {"id": name, "shared": False, "supersedes": replaced and link(replaced)}
    given["derived_from"] = tuple(one for target in record.derived_from if (one := link(target)) and one != name)
    return NewRecord.of(**given)


def _no_circles(store: MemoryStore, placed: Sequence[NewRecord]) -> None:
    """A `UserError` where a record would replace itself, by way of others or not."""
    links = {one.id: one.supersedes for one in placed if one.supersedes}
    done: set[str] = set()
    for start in links:
        name: str | None = start
        seen: set[str] = set()
        while name is not None and name not in done:
            if name in seen:
                raise UserError(
                    f"`{name}` replaces itself, by way of {len(seen)} records. Correct `supersedes`; nothing was "
                    "imported."
                )
            seen.add(name)
            kept = None if name in links else store.get(name)
            name = links.get(name) or (kept.supersedes if kept is not None else None)
        done |= seen
