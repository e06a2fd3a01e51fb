"""The journal of erasures: what is to be forgotten, by id, until it is. It never holds a text.

An erasure is written down before anything is removed, and struck out with its receipt. What stands open when a program
starts was interrupted, and is finished then. One process erases at a time.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from memory.erasure.receipt import Receipt
from memory.sqlite import open_database
from runtime.contract import Erasure, InfrastructureError, Schema

_FIRST = """
CREATE TABLE erasures (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, erasure TEXT NOT NULL, stage TEXT NOT NULL, receipt TEXT
) STRICT
"""
SCHEMA = Schema(noun="erasure journal", tables=("erasures",), steps=(_FIRST,), durable=True, forgets=True)
Stage = Literal["begun", "removed", "done"]
"""`begun`: the records are still there, and tell what to look for. `removed`: they are gone."""


class Open(NamedTuple):
    """An erasure that isn't finished."""

    erasure: Erasure
    """What is to be forgotten."""
    stage: Stage
    """How far it came."""


class Journal:
    """All erasures of one home."""

    def __init__(self, path: Path | None) -> None:
        """Open or make the file; None: in memory."""
        self._path = path
        self._database = open_database(path, SCHEMA)

    @contextmanager
    def alone(self, wait: bool = True) -> Iterator[bool]:
        """Nobody else erases meanwhile; False, without waiting, where somebody does."""
        if self._path is None:
            yield True
            return
        handle = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True
        finally:
            os.close(handle)

    def begin(self, erasure: Erasure) -> None:
        """Write down what is to be forgotten; durable when this returns."""
        with self._database.writing():
            self._database.execute(
                "INSERT INTO erasures (id, erasure, stage) VALUES (?, ?, 'begun') "
                "ON CONFLICT (id) DO UPDATE SET erasure = excluded.erasure",
                (erasure.id, erasure.model_dump_json()),
            )

    def at(self, erasure_id: str, stage: Stage) -> None:
        """Say how far an erasure came."""
        with self._database.writing():
            self._database.execute("UPDATE erasures SET stage = ? WHERE id = ?", (stage, erasure_id))

    def keep(self, receipt: Receipt, done: bool) -> None:
        """Keep a receipt; `done`: strike the erasure out."""
        with self._database.writing():
            self._database.execute(
                "UPDATE erasures SET receipt = ?, stage = iif(?, 'done', stage) WHERE id = ?",
                (receipt.model_dump_json(), int(done), receipt.erasure),
            )

    def open(self) -> list[Open]:
        """Erasures that aren't finished, oldest first."""
        rows = self._database.execute("SELECT erasure, stage FROM erasures WHERE stage != 'done' ORDER BY number")
        return [Open(Erasure.model_validate_json(row[0]), row[1]) for row in rows.fetchall()]

    def stage(self, erasure_id: str) -> Stage | None:
        """How far an erasure came; None: it isn't known."""
        row = self._database.execute("SELECT stage FROM erasures WHERE id = ?", (erasure_id,)).fetchone()
        return None if row is None else row[0]

    def receipt(self, erasure_id: str) -> Receipt | None:
        """The receipt of an erasure."""
        row = self._database.execute("SELECT receipt FROM erasures WHERE id = ?", (erasure_id,)).fetchone()
        return None if row is None or row[0] is None else Receipt.model_validate_json(row[0])

    def empty_log(self) -> None:
        """Empty the write-ahead log."""
        try:
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except InfrastructureError:
            return  # in use: it holds ids alone

    def close(self) -> None:
        """Close the file."""
        self._database.close()
