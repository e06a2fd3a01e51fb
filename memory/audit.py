"""An audit log that shows whether somebody touched it, and that can't hold what anybody said.

1. An entry is an event of a closed list, two aliases and whole numbers. An alias is a salted hash of a name or an id:
   who knows the name can find its entries (`alias`), who reads the log can't find the names.
2. Each entry carries an HMAC over its own fields and the HMAC before it, so a changed, moved or missing entry breaks
   the chain where it stands. The anchor beside the log says how many entries there were and how the last one ended, so
   a log that was cut off, or set back to an older copy, shows that too.
3. Key and anchor lie beside the log, 0600. Who may read the key can forge all three; keep a copy of the key and of the
   anchor elsewhere where that matters.
"""

import fcntl
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import Field

from memory.sqlite import open_database
from runtime.contract import Record, Schema, UserError, canonical_json


def _first(database: Any) -> None:
    database["entries"].create(
        {"number": int, "at": str, "event": str, "actor": str, "subject": str, "counts": str, "mac": str},
        pk="number",
        not_null=("at", "event", "actor", "subject", "counts", "mac"),
    )
    for name, act in (("entries_stay", "DELETE"), ("entries_hold", "UPDATE")):
        database.execute(
            f"CREATE TRIGGER {name} BEFORE {act} ON entries BEGIN SELECT raise(ABORT, 'the log only grows'); END"
        )


SCHEMA = Schema(noun="audit log", tables=("entries",), steps=(_first,), durable=True)
START = "0" * 64
"""Stands for the entry before the first."""


class Event(StrEnum):
    """All that is ever logged."""

    DENIED = "denied"
    TOKEN_CREATED = "token_created"
    TOKEN_REVOKED = "token_revoked"
    TOKEN_REFUSED = "token_refused"
    GRANTED = "granted"
    GRANT_REVOKED = "grant_revoked"
    SETTINGS_CHANGED = "settings_changed"
    CORRECTED = "corrected"
    EXPORTED = "exported"
    IMPORTED = "imported"
    SHARED = "shared"
    SHARE_REFUSED = "share_refused"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    ERASURE_BEGUN = "erasure_begun"
    ERASURE_RESUMED = "erasure_resumed"
    ERASED = "erased"
    ERASURE_INCOMPLETE = "erasure_incomplete"


class AuditEntry(Record):
    """One line of the log."""

    number: int
    """From 1, without gaps."""
    at: str
    """UTC, ISO 8601."""
    event: Event
    """What happened."""
    actor: str
    """Alias of who did it."""
    subject: str
    """Alias of whom or what it concerned; empty: nothing in particular."""
    counts: dict[str, int] = Field(default_factory=dict)
    """How many of what. Numbers alone, so that no text can come in."""
    mac: str
    """HMAC-SHA-256 over all of this and the entry before."""


class Audit:
    """One log. Several processes may append to it."""

    def __init__(self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Open or make the log; `UserError` when the place can't be written."""
        self.path = path
        self._clock = clock
        self._database = open_database(path, SCHEMA)

    def append(self, event: Event, actor: str, subject: str = "", **counts: int) -> AuditEntry:
        """Add an entry; durable when this returns. `UserError` when the log has entries but no key."""
        with self._locked():
            key, salt = self._secrets(make=True)
            with self._database.writing():
                last = self._last()
                number, before = (last.number + 1, last.mac) if last else (1, START)
                unsigned = AuditEntry(
                    number=number,
                    at=self._clock().isoformat(timespec="milliseconds"),
                    event=event,
                    actor=_alias(salt, actor),
                    subject=_alias(salt, subject),
                    counts={name: int(value) for name, value in sorted(counts.items())},
                    mac="",
                )
                entry = unsigned.model_copy(update={"mac": _mac(key, unsigned, before)})
                values = (*(getattr(entry, name) for name in ("number", "at", "event", "actor", "subject")),
                          canonical_json(entry.counts), entry.mac)  # fmt: skip
                self._database.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            self._anchor(key, entry)
        return entry

    def alias(self, name: str) -> str:
        """What a name or an id is called in the log."""
        with self._locked():
            return _alias(self._secrets(make=True)[1], name)

    def entries(self, limit: int = 100, before: int = 2**62) -> list[AuditEntry]:
        """The newest entries with numbers below `before`, newest first."""
        query = "SELECT * FROM entries WHERE number < ? ORDER BY number DESC LIMIT ?"
        return [_entry(row) for row in self._database.execute(query, (before, limit))]

    def verify(self) -> list[str]:
        """What is wrong with the log, a sentence each; nothing when it is as it was written."""
        with self._locked():
            rows = self._database.execute("SELECT * FROM entries ORDER BY number").fetchall()
            anchor = _read_json(self._beside(".anchor"))
            if not rows and anchor is None:
                return []
            kept = _read_json(self._beside(".key"))
        if kept is None:
            return [f"the key `{self._beside('.key').name}` is missing: the log can't be checked"]
        key = bytes.fromhex(kept["key"])
        problems, macs = _broken(key, rows)
        return problems + _cut_off(key, anchor, macs)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _last(self) -> AuditEntry | None:
        row = self._database.execute("SELECT * FROM entries ORDER BY number DESC LIMIT 1").fetchone()
        return None if row is None else _entry(row)

    def _beside(self, suffix: str) -> Path:
        return self.path.with_suffix(suffix)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One process at a time: entry and anchor change together."""
        handle = os.open(self._beside(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _secrets(self, make: bool) -> tuple[bytes, bytes]:
        """Key and salt; made with the first entry, never again."""
        path = self._beside(".key")
        kept = _read_json(path)
        if kept is None and make:
            if self._last() is not None:
                raise UserError(
                    f"the audit log `{self.path}` has lost its key `{path.name}`. Put the key back, or move the log "
                    "away: a new one begins."
                )
            kept = {"key": secrets.token_hex(32), "salt": secrets.token_hex(16)}
            _write_whole(path, kept, to_disk=True)
        assert kept is not None
        return bytes.fromhex(kept["key"]), bytes.fromhex(kept["salt"])

    def _anchor(self, key: bytes, entry: AuditEntry) -> None:
        anchor = {"count": entry.number, "mac": entry.mac, "seal": _seal(key, entry.number, entry.mac)}
        _write_whole(self._beside(".anchor"), anchor, to_disk=False)


def _broken(key: bytes, rows: list[Any]) -> tuple[list[str], dict[int, str]]:
    """What is wrong along the chain, and the HMAC under each number."""
    problems: list[str] = []
    macs: dict[int, str] = {}
    before, expected = START, 1
    for row in rows:
        number = int(row["number"])
        if number != expected:
            gone = f"entry {expected} is" if number == expected + 1 else f"entries {expected} to {number - 1} are"
            problems.append(f"{gone} missing")
        try:
            right = hmac.compare_digest(_mac(key, _entry(row), before), row["mac"])
        except ValueError:
            right = False
        if not right and number == expected:  # after a gap the chain can't fit
            problems.append(f"entry {number} was changed or moved")
        before, expected, macs[number] = row["mac"], number + 1, row["mac"]
    return problems, macs


def _cut_off(key: bytes, anchor: Any, macs: dict[int, str]) -> list[str]:
    """Whether the log ends where it should. It may be longer: a process may have died before it wrote the anchor."""
    if anchor is None:
        return ["the anchor is missing: the log may have been cut off"]
    count, last = int(anchor["count"]), max(macs, default=0)
    if not hmac.compare_digest(_seal(key, count, anchor["mac"]), anchor["seal"]):
        return ["the anchor was changed: the log may have been cut off"]
    if last < count:
        return [f"the log ends with entry {last}, but {count} were written: it was cut off or set back"]
    return [] if macs.get(count) == anchor["mac"] else [f"entry {count} is not the one that was written last"]


def _mac(key: bytes, entry: AuditEntry, before: str) -> str:
    said = canonical_json([before, entry.model_dump(mode="json", exclude={"mac"})])
    return hmac.new(key, said.encode(), hashlib.sha256).hexdigest()


def _seal(key: bytes, count: int, mac: str) -> str:
    return hmac.new(key, f"{count} {mac}".encode(), hashlib.sha256).hexdigest()


def _alias(salt: bytes, name: str) -> str:
    return hmac.new(salt, name.encode(), hashlib.sha256).hexdigest()[:16] if name else ""


def _entry(row: Any) -> AuditEntry:
    return AuditEntry(**{**dict(row), "counts": json.loads(row["counts"])})


def _read_json(path: Path) -> Any:
    """What the file holds; None where there is none, or no JSON."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def _write_whole(path: Path, value: dict[str, Any], to_disk: bool) -> None:
    """Beside its place and renamed; `to_disk`: outlives a power cut."""
    part = path.with_name(path.name + ".part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump(value, file)
        file.flush()
        if to_disk:
            os.fsync(file.fileno())
    part.replace(path)
