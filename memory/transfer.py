"""Memories as JSONL, one a line under the contract's version, and back again.

1. A line is `{"contract": 1, "memory": {...}}` with every field of the record; superseded ones too, oldest first, so
   that a record comes after what it names.
2. Reading is strict: the first line that can't be a memory, or that a newer program wrote, is a `UserError` with line
   and field, and nothing of the file is taken.
3. A record that the store has already is left out. An id that the store gave to another record is given anew, and what
   names it follows.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from pydantic import ValidationError

from memory.records import MemoryRecord, NewRecord
from memory.store import Embedded, MemoryStore
from runtime.contract import CONTRACT_VERSION, Json, Record, UserError

BATCH = 256
"""Texts that are embedded at a time."""


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
    except ValueError as error:
        raise UserError(f"{where} is not JSON: {error}. Give it what `pocket memory export` wrote.") from None
    version = value.get("contract") if isinstance(value, dict) else None
    if isinstance(version, int) and version > CONTRACT_VERSION:
        raise UserError(
            f"{where}: `contract` is `{version}`; this program knows {CONTRACT_VERSION}. Update pocketplanner."
        )
    try:
        return Exported.model_validate(value).memory
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the whole line"
        shown = "missing" if first["type"] == "missing" else f"`{str(first['input'])[:80]}`"
        why = str(first["msg"]).removeprefix("Value error, ")
        raise UserError(f"{where}: `{field}` is {shown}: {why}. Correct it; nothing was imported.") from None


def take(
    store: MemoryStore, records: Sequence[MemoryRecord], embed: Callable[[Sequence[str]], Sequence[Embedded | None]]
) -> Imported:
    """Put records into the store, all in one transaction."""
    new = [record for record in records if not _known(store, record)]
    vectors = [
        vector for at in range(0, len(new), BATCH) for vector in embed([one.content for one in new[at : at + BATCH]])
    ]
    renamed: dict[str, str] = {}
    with store.writing():
        for record, vector in zip(new, vectors, strict=True):
            taken = store.get(record.id) is not None
            made = store.insert(_placed(record, renamed, taken), vector)
            if made.id != record.id:
                renamed[record.id] = made.id
    return Imported(len(new), len(records) - len(new), renamed)


def _known(store: MemoryStore, record: MemoryRecord) -> bool:
    """Whether the store has the record; it may have been superseded since."""
    kept = store.get(record.id)
    return kept is not None and (kept.content, kept.created_at, kept.user) == (
        record.content,
        record.created_at,
        record.user,
    )


def _placed(record: MemoryRecord, renamed: dict[str, str], taken: bool) -> NewRecord:
    given: Json = record.model_dump()
    given["supersedes"] = record.supersedes and renamed.get(record.supersedes, record.supersedes)
    given["derived_from"] = tuple(renamed.get(one, one) for one in record.derived_from)
    return NewRecord.of(**{**given, "id": "" if taken else record.id})
