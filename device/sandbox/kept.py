"""Phones that outlive their process: what every call did is written down before the call is answered.

    begin(world) -> KeptPhone: execute -> rows, ids, time, log, key and observation of the call, one transaction
    take_up(id)  -> the same world, the same calls laid over it, the same keys: a call that landed never lands again

1. A call that could not be written is taken back: it lands whole, in memory and on the disk, or not at all.
2. What was written outlives the process, not a power cut.
3. A phone is forgotten when its run has ended; of those whose process died the latest `PHONES` are kept.
4. An erasure forgets all of them: they hold calls word for word, and serve no other purpose than to go on.
"""

import json
import uuid
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic_core import to_json as to_compact

from device.sandbox.clock import Clock
from device.sandbox.log import Operation
from device.sandbox.sandbox import Mark, Sandbox
from runtime.contract import (
    Database,
    Deadline,
    Erased,
    Erasure,
    Json,
    Observation,
    OpenDatabase,
    Schema,
    ToolCall,
    UserError,
    WorldSpec,
)

PHONES = 20
"""Phones of processes that died, newest first; older ones are forgotten."""
MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE phones (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        world TEXT NOT NULL
    ) STRICT;
    CREATE TABLE calls (
        phone TEXT NOT NULL REFERENCES phones(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (phone, number)
    ) STRICT, WITHOUT ROWID
    """,
)
SCHEMA = Schema(noun="file of kept phones", tables=("phones", "calls"), steps=MIGRATIONS, forgets=True)


class PhoneStore:
    """The kept phones of one file."""

    def __init__(self, path: Path, open_database: OpenDatabase) -> None:
        """Open or make the file; `UserError` when it can't be."""
        self._database = open_database(path, SCHEMA)

    def begin(self, world: WorldSpec) -> "KeptPhone":
        """A new phone in the state of `world`."""
        phone = KeptPhone(world, self._database, uuid.uuid4().hex[:12])
        with self._database.writing() as db:
            db.execute("INSERT INTO phones (id, world) VALUES (?, ?)", (phone.id, world.model_dump_json()))
            db.execute(
                "DELETE FROM phones WHERE number <= (SELECT number FROM phones ORDER BY number DESC LIMIT 1 OFFSET ?)",
                (PHONES,),
            )
        return phone

    def take_up(self, phone_id: str) -> "KeptPhone":
        """A phone as its process left it; a `UserError` for one that is not kept any more."""
        row = self._database.execute("SELECT world FROM phones WHERE id = ?", (phone_id,)).fetchone()
        if row is None:
            raise UserError(f"the phone `{phone_id}` of this run is not kept any more, so it can't go on. Run it anew.")
        query = "SELECT record FROM calls WHERE phone = ? ORDER BY number"
        records = self._database.execute(query, (phone_id,)).fetchall()
        try:
            phone = KeptPhone(WorldSpec.model_validate_json(row["world"]), self._database, phone_id)
            for (record,) in records:
                phone.repeat(json.loads(record))
        except (ValueError, LookupError, TypeError, AttributeError) as error:  # what is written is not what was written
            raise UserError(
                f"what the phone `{phone_id}` was kept with can't be read ({type(error).__name__}): it is damaged or "
                "of another version, so the run can't go on. Run the request anew."
            ) from error
        return phone

    def erase(self, erasure: Erasure, texts: Sequence[str] = ()) -> Erased:
        """Forget every phone."""
        with self._database.writing(to_disk=True) as db:
            gone = tuple(row["id"] for row in db.execute("SELECT id FROM phones ORDER BY number").fetchall())
            db.execute("DELETE FROM phones")
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return Erased(store="phones", looked_at=len(gone), removed=gone)

    def close(self) -> None:
        """Close the file."""
        self._database.close()


class KeptPhone(Sandbox):
    """A sandbox phone whose history is written down as it happens."""

    def __init__(self, world: WorldSpec, database: Database, phone_id: str) -> None:
        self.id, self.world, self._database, self._begun = phone_id, world, database, False
        super().__init__(world)
        self._begun, self.first = True, self.snapshot()
        """Handle of the state in which the phone was begun, also where it was taken up."""

    def execute(self, call: ToolCall, deadline: Deadline, idempotency_key: str = "") -> Observation:
        """Run one call and write down what it did; an `InfrastructureError`, and nothing done, where that can't be."""
        before = self.mark()
        seen = super().execute(call, deadline, idempotency_key)
        if self.mark() != before:
            try:
                self._write(before, call, idempotency_key, seen)
            except BaseException:
                self.undo(before)
                raise
        return seen

    def recover(self, call: ToolCall, idempotency_key: str, deadline: Deadline) -> Observation | None:
        """What came of a call that landed before the process died; None where it did not, and may be run."""
        first, seen = self.applied.get(idempotency_key, (None, None))
        if first is None or seen is None or first.name != call.name:
            return None  # arguments are not compared: a trace may keep them without their secrets
        return seen.model_copy(update={"call_id": call.id})

    def restore(self, handle: str) -> None:
        """Go back to a remembered state, on the disk too."""
        super().restore(handle)
        values = (self.id, len(self.log))
        self._database.execute("DELETE FROM calls WHERE phone = ? AND number >= ?", values)

    def reset(self, world: WorldSpec) -> None:
        """Begin a new history, on the disk too."""
        super().reset(world)
        if not self._begun:
            return
        with self._database.writing() as db:
            db.execute("DELETE FROM calls WHERE phone = ?", (self.id,))
            db.execute("UPDATE phones SET world = ? WHERE id = ?", (world.model_dump_json(), self.id))
        self.first = self.snapshot()

    def forget(self) -> None:
        """Its run has ended: nothing of it stays on the disk."""
        self._database.execute("DELETE FROM phones WHERE id = ?", (self.id,))

    def repeat(self, record: Json) -> None:
        """Lay one written call over the state."""
        kinds = self.catalogue.kinds
        if unknown := [table for table, *_ in record["rows"] if table not in kinds]:
            raise UserError(
                f"the phone `{self.id}` was kept by another version (`{unknown[0]}`). Run the request anew."
            )
        for table, key, row in record["rows"]:
            kind = kinds[table]
            self.table(kind.cls).put(key, None if row is None else kind.from_json(row))
        for prefix in record["ids"]:
            self.new_id(prefix)
        self._clock = Clock(datetime.fromisoformat(record["now"]))
        for at, call_id, tool, arguments, status, touched in record["log"]:
            rows = tuple((kinds[table], key) for table, key in touched)
            self.log.append(Operation(datetime.fromisoformat(at), call_id, tool, arguments, status, rows))
        if "seen" in record:
            call = ToolCall.model_validate(record["call"])
            self.applied[record["key"]] = (call, Observation.model_validate(record["seen"]))

    def _write(self, before: Mark, call: ToolCall, key: str, seen: Observation) -> None:
        """One call as a record. Its evidence is kept with it: later calls may change what it wrote."""
        record: dict[str, Any] = {
            "rows": [
                [kind.table, place, None if after is None else kind.to_json(after)]
                for kind, place, _, after, _ in self.journal.entries[before.journal :]
            ],
            "ids": self._ids.since(before.ids),
            "now": self.now.isoformat(),
            "log": [_operation(one) for one in self.log[before.log :]],
        }
        if len(self.applied) > before.applied:
            kept = seen.model_copy(update={"evidence": self.read_back(call, seen)})
            record |= {"key": key, "call": call.model_dump(mode="json"), "seen": kept.model_dump(mode="json")}
        text = to_compact(record, inf_nan_mode="constants").decode()
        # a phone that was forgotten meanwhile stays so
        query = "INSERT INTO calls SELECT id, ?, ? FROM phones WHERE id = ?"
        with self._database.writing() as db:
            db.execute(query, (before.log, text, self.id))


def _operation(one: Operation) -> list[Any]:
    touched = [[kind.table, key] for kind, key in one.touched]
    return [one.at.isoformat(), one.call_id, one.tool, one.arguments, one.status, touched]
