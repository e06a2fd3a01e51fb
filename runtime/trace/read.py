"""Reads traces, also of episodes that still run or whose process was killed; in pages, never everything at once."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from runtime.contract import Database, Decision, Episode, Json, OpenDatabase, Segment, Step, Stop, TaskView, UserError
from runtime.trace.earlier import GOES_ON, Earlier
from runtime.trace.process import alive
from runtime.trace.schema import SCHEMA

NO_END = "no end was written: the process was killed, or it is still running"

NEWEST = """
    SELECT id FROM (SELECT number, id, json_extract(header, '$.task_id') AS task FROM episodes) AS one
    WHERE task IS NULL OR NOT EXISTS (SELECT 1 FROM episodes WHERE id = substr(one.task, 1, instr(one.task, ':') - 1))
    ORDER BY number DESC LIMIT 1
"""
"""The newest episode that no other one's call made."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One line of a listing."""

    number: int
    """Running number, oldest first."""
    id: str
    """Run id."""
    started_at: str
    """UTC, ISO 8601."""
    request: str
    """What was asked."""
    steps: int
    """Steps written."""
    stop: str
    """Named stop; `running` or `killed` where no end was written."""
    confirmed: bool | None
    """Serve-time confirmation."""
    part_of: str = ""
    """The run whose call handed this to a sub-agent."""

    def as_json(self) -> Json:
        """Plain data."""
        return asdict(self)


class TraceReader:
    """A read-only view of one file."""

    def __init__(self, path: Path, open_database: OpenDatabase) -> None:
        """`UserError` when there are no traces yet."""
        if not path.is_file():
            raise UserError(f"there are no traces in `{path}` yet. Make one: `pocket run REQUEST`.")
        self._database: Database = open_database(path, SCHEMA, read_only=True)

    def page(self, limit: int = 20, before: int | None = None) -> list[Summary]:
        """Newest first, at most `limit`, of numbers below `before`."""
        rows = self._database.execute(
            "SELECT *, json_extract(header, '$.task_id') AS label FROM episodes WHERE number < ?"
            " ORDER BY number DESC LIMIT ?",
            (before if before is not None else 2**62, limit),
        )
        return [_summary(row, self._parent(row["label"] or "")) for row in rows]

    def ids(self) -> Iterator[str]:
        """All run ids, oldest first."""
        for (one,) in self._database.execute("SELECT id FROM episodes ORDER BY number"):
            yield one

    def labelled(self, start: str) -> list[tuple[str, str, str, str]]:
        """(label, run id, request, time) of the episodes whose task's id begins with `start`, oldest first."""
        query = (
            "SELECT json_extract(header, '$.task_id') AS label, id, request, started_at FROM episodes"
            " WHERE substr(label, 1, ?) = ? ORDER BY number"
        )
        rows = self._database.execute(query, (len(start), start))
        return [(row["label"], row["id"], row["request"], row["started_at"]) for row in rows]

    def find(self, start: str) -> str:
        """The run id that begins with `start`; `last` is the newest that is no sub-agent's. None or several are a
        `UserError`."""
        if start == "last":
            row = self._database.execute(NEWEST).fetchone()
            found = [row[0]] if row else []
        else:
            query = "SELECT id FROM episodes WHERE substr(id, 1, ?) = ? ORDER BY number LIMIT 3"
            found = [row[0] for row in self._database.execute(query, (len(start), start))]
        if start in found:
            return start
        if len(found) != 1 or not start:
            what = "no episode" if not found or not start else "several episodes"
            raise UserError(f"`{start}` names {what}. See `pocket trace list`; `last` is the newest.")
        return str(found[0])

    def episode(self, run_id: str) -> Episode:
        """The whole record; an episode without an end is `cancelled` with the reason."""
        row = self._database.execute("SELECT * FROM episodes WHERE id = ?", (run_id,)).fetchone()
        if row is None:
            raise UserError(f"there is no episode `{run_id}`. See `pocket trace list`.")
        try:
            closing = json.loads(row["closing"]) if row["closing"] else _open_end(json.loads(row["header"]))
            view = TaskView.model_validate_json(row["view"])
            return Episode.model_validate({**closing, "id": run_id, "view": view, "segments": self._segments(run_id)})
        except ValueError as error:
            raise _unread(run_id, error) from None

    def earlier(self, run_id: str) -> Earlier:
        """What a run that was broken off had done; a `UserError` where it runs, has ended or was erased."""
        row = self._database.execute("SELECT * FROM episodes WHERE id = ?", (run_id,)).fetchone()
        self._refuse(run_id, row)
        try:
            return self._earlier(run_id, row)
        except ValueError as error:
            raise _unread(run_id, error) from None

    def _earlier(self, run_id: str, row: Any) -> Earlier:
        header: Json = json.loads(row["header"])
        intent = self._database.execute("SELECT number, record FROM intents WHERE episode = ?", (run_id,)).fetchone()
        segments = self._segments(run_id)
        steps = sum(len(one.steps) for one in segments)
        return Earlier(
            id=run_id,
            view=TaskView.model_validate_json(row["view"]),
            segments=segments,
            intent=Decision.model_validate_json(intent["record"]) if intent and intent["number"] == steps else None,
            pid=row["pid"],
            started_at=str(header.get("started_at", "")),
            settings=header.get("settings", {}),
            part_of=self._parent(str(header.get("task_id", ""))),
            phone=str(header.get("phone", "")),
        )

    def part_of(self, run_id: str) -> str:
        """The run that handed this one to a sub-agent; empty where it is nobody's part."""
        return self._parent(str(self.header(run_id).get("task_id", "")))

    def parts(self, run_id: str) -> list[str]:
        """The episodes of sub-agents that this run's calls made, oldest first."""
        return [run for _, run, *_ in self.labelled(f"{run_id}:")]

    def _parent(self, task_id: str) -> str:
        """The run whose call `task_id` names; empty where it names none."""
        run = task_id.rpartition(":")[0]
        if not run:
            return ""
        row = self._database.execute("SELECT id FROM episodes WHERE id = ?", (run,)).fetchone()
        return str(row["id"]) if row else ""

    def _refuse(self, run_id: str, row: Any) -> None:
        """Raise unless this run can go on."""
        stop = row["stop"] or ("running" if _alive(row) else "killed")
        if row["erased"] is not None:
            raise UserError(f"the words of the run `{run_id}` were erased, so it can't go on. Run the request anew.")
        if stop == "running":
            raise UserError(f"the run `{run_id}` still runs, in process {row['pid']}. Stop that first.")
        if stop not in ("killed", *GOES_ON):
            raise UserError(
                f"the run `{run_id}` has ended as `{stop}`; only one that was killed, cancelled or ended as "
                "`infrastructure` can go on. Run the request anew."
            )

    def header(self, run_id: str) -> Json:
        """What was written when the episode began: settings, digests, and the world where it is known."""
        row = self._database.execute("SELECT header FROM episodes WHERE id = ?", (run_id,)).fetchone()
        return dict(json.loads(row[0])) if row is not None else {}

    def _segments(self, run_id: str) -> tuple[Segment, ...]:
        records = self._database.execute("SELECT record FROM segments WHERE episode = ? ORDER BY number", (run_id,))
        segments = [Segment.model_validate_json(row[0]) for row in records]
        steps: list[list[Step]] = [[] for _ in segments]
        query = "SELECT segment, record FROM steps WHERE episode = ? ORDER BY number"
        for number, record in self._database.execute(query, (run_id,)):
            steps[number].append(Step.model_validate_json(record))
        return tuple(one.model_copy(update={"steps": tuple(own)}) for one, own in zip(segments, steps, strict=True))

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _unread(run_id: str, error: ValueError) -> UserError:
    """A record that does not hold what this version writes."""
    reason = " ".join(str(error).split())[:300]
    other = isinstance(error, ValidationError) and error.errors()[0]["type"] != "json_invalid"
    what = "was written by another version" if other else "is damaged"
    return UserError(f"episode `{run_id}` {what}: {reason}. Use the version that wrote it, or leave this episode out.")


def _open_end(header: Json) -> Json:
    """What a record without an end says."""
    names = ("task_id", "group", "attempt", "digests", "host", "trainable")
    kept: Json = {name: header[name] for name in names if name in header}
    timing = {"started_at": str(header.get("started_at", ""))}
    return {**kept, "stop": Stop.CANCELLED, "stop_detail": NO_END, "timing": timing}


def _summary(row: Any, part_of: str) -> Summary:
    stop = row["stop"] or ("running" if _alive(row) else "killed")
    confirmed = None if row["confirmed"] is None else bool(row["confirmed"])
    return Summary(row["number"], row["id"], row["started_at"], row["request"], row["steps"], stop, confirmed, part_of)


def _alive(row: Any) -> bool:
    """Whether a row's process still lives; files of before, read where nothing can be written, hold no births."""
    return alive(row["pid"], row["born"] if "born" in row.keys() else "")  # noqa: SIM118
