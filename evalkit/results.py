"""Results of runs, kept as they come: one row an attempt, in SQLite under the data folder.

1. A row is found by its run (digest of all that produces episodes), the digest of its task, routing and number, so that
   a killed run goes on where it stopped, a changed task runs again, and results of another planner or configuration are
   never mixed in.
2. The episode (packed by zlib) and the phone's diff stay beside the verdict, the tasks and the tools beside the run: a
   new grading needs neither planner nor suite.
3. Every run on a test split is logged. To look at what is stored, or to repeat a run that is done, is no use of it.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from evalkit.agents import FLOORS
from evalkit.result import MISSING, Result, Routing, missing_result, result_of
from evalkit.stress import Stress
from evalkit.verify import GRADING
from memory.sqlite import open_database
from runtime.contract import (
    CONTRACT_VERSION,
    Digests,
    Episode,
    Json,
    Record,
    Schema,
    StateDiff,
    TaskSpec,
    ToolSpec,
    UserError,
    canonical_json,
)
from runtime.planner.settings import data_folder

__all__ = ["Header", "Kept", "Result", "ResultStore", "Trial", "read_episode", "results_file"]

R = TypeVar("R", bound=Record)

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE results (
        run TEXT NOT NULL,
        task TEXT NOT NULL,
        task_digest TEXT NOT NULL,
        result TEXT NOT NULL,
        episode BLOB NOT NULL,
        diff TEXT NOT NULL,
        PRIMARY KEY (run, task, task_digest)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rows (
        run TEXT NOT NULL,
        row TEXT NOT NULL,
        result TEXT NOT NULL,
        PRIMARY KEY (run, row)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE attempts (
        run TEXT NOT NULL,
        attempt TEXT NOT NULL,
        result TEXT NOT NULL,
        episode BLOB NOT NULL,
        diff TEXT NOT NULL,
        PRIMARY KEY (run, attempt)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE runs (number INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, header TEXT NOT NULL) STRICT;
    CREATE TABLE tasks (digest TEXT PRIMARY KEY, task BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE toolsets (digest TEXT PRIMARY KEY, tools BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE uses (number INTEGER PRIMARY KEY, at TEXT NOT NULL, suite TEXT NOT NULL, split TEXT NOT NULL,
        fingerprint TEXT NOT NULL, run TEXT NOT NULL, planner TEXT NOT NULL, trials INTEGER NOT NULL) STRICT
    """,
)
"""Of suites (`attempts`; `results` is what it was before, and no longer read) and of utterances (`rows`). A released
step is never edited: a change is a new step."""
SCHEMA = Schema(noun="data file", tables=("results", "rows"), steps=MIGRATIONS)


@dataclass(frozen=True)
class Trial:
    """One attempt that a run wants."""

    task: TaskSpec
    """The task."""
    attempt: int = 0
    """Number, from 0."""
    routing: Routing = ""
    """Of a Skill task."""

    @cached_property
    def key(self) -> str:
        """Where it is kept: digest of the task, routing, number."""
        return f"{self.task.digest()}:{self.routing}:{self.attempt}"


class Header(Record):
    """What a run is."""

    run: str
    """Its id."""
    suite: str
    """Suite."""
    split: str
    """Split."""
    planner: str
    """As the settings name it."""
    fingerprint: str
    """Of the split's tasks."""
    grading: str
    """Version of the grading when it was run."""
    digests: Digests
    """What produced the episodes."""
    stress: Stress = Stress()
    """Axes."""
    attempts: int = 1
    """Of each task."""
    routing: str = "both"
    """Of Skill tasks."""
    backend: str = "sandbox"
    """What it was run on."""
    harness: str = ""
    """on or off, where it was switched as a whole."""
    limit: int | None = None
    """Sample, where not all tasks were run."""
    trials: tuple[str, ...] = Field(repr=False)
    """Keys of all attempts that it wants."""
    started_at: str
    """UTC, ISO 8601: when it was last begun or went on."""


@dataclass(frozen=True)
class Kept:
    """A stored run, judged under the current grading."""

    header: Header
    """What it is."""
    results: tuple[Result, ...]
    """In order; failures stand for what is missing."""
    tasks: dict[str, TaskSpec]
    """By id."""


class ResultStore:
    """Results of all runs."""

    def __init__(self, path: Path) -> None:
        self._database = open_database(path, SCHEMA)

    def begin(self, header: Header, tasks: Sequence[TaskSpec], offered: Sequence[ToolSpec]) -> None:
        """Keep a run's header with its tasks and tools."""
        kept = {task.digest(): _packed(task.model_dump_json()) for task in tasks}
        tools = _packed(canonical_json([tool.model_dump(mode="json") for tool in offered]))
        with self._database.writing() as connection:
            connection.execute("DELETE FROM runs WHERE run = ?", (header.run,))
            connection.execute("INSERT INTO runs (run, header) VALUES (?, ?)", (header.run, header.model_dump_json()))
            connection.executemany("INSERT OR IGNORE INTO tasks VALUES (?, ?)", list(kept.items()))
            connection.execute("INSERT OR IGNORE INTO toolsets VALUES (?, ?)", (header.digests.tools, tools))

    def log_use(self, header: Header, trials: int) -> None:
        """Log that `trials` attempts of a test split are about to be run; other splits are nobody's secret."""
        if header.split != "test" or not trials:
            return
        row = (header.started_at, header.suite, header.split, header.fingerprint, header.run, header.planner, trials)
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO uses (at, suite, split, fingerprint, run, planner, trials) VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def uses(self, fingerprint: str) -> int:
        """How often the tasks of a test split were used so far."""
        return int(
            self._database.execute("SELECT count(*) FROM uses WHERE fingerprint = ?", (fingerprint,)).fetchone()[0]
        )

    def headers(self) -> list[Header]:
        """All runs, newest first."""
        rows = self._database.execute("SELECT header FROM runs ORDER BY number DESC")
        return [_stored(Header, text) for (text,) in rows]

    def find(self, start: str) -> Header:
        """The run whose id begins with `start`; `last` is the newest of a planner, agents without a model left out.

        None or several are a `UserError`.
        """
        known = self.headers()
        planners = [one for one in known if one.planner not in {*FLOORS, "keyword"}] or known
        found = planners[:1] if start == "last" else [one for one in known if one.run.startswith(start)]
        if len(found) == 1:
            return found[0]
        shown = "; ".join(f"`{one.run}` ({one.planner} on {one.suite} {one.split})" for one in (found or planners)[:8])
        if found:
            raise UserError(f"`{start}` names several runs: {shown}. Write more of the id.")
        raise UserError(
            f"`{start}` names no run. Stored: {shown or 'none yet: run `pocket eval run`'}. See `pocket eval runs`."
        )

    def load(self, start: str, again: bool = True) -> Kept:
        """A stored run, judged under the current grading; no planner and no suite is needed.

        `again`: judge every episode anew, also where its verdict is of the current grading.
        """
        header = self.find(start)
        offered = self._tools(header.digests.tools)
        tasks: dict[str, TaskSpec] = {}
        results: list[Result] = []
        for key in header.trials:
            digest, route, number = key.split(":")
            task = tasks.get(digest) or self._task(digest)
            tasks[digest] = task
            trial = Trial(task, int(number), _routing(route))
            found = self._judged(header, trial, offered, again)
            results.append(found or missing_result(task, trial.attempt, trial.routing))
        return Kept(header, tuple(results), {task.id: task for task in tasks.values()})

    def regrade(self, kept: Kept) -> None:
        """Keep a run's verdicts under the current grading."""
        header = kept.header.model_copy(update={"grading": GRADING})
        judged = zip(kept.header.trials, kept.results, strict=True)
        rows = [(result.model_dump_json(), header.run, key) for key, result in judged if result.stop != MISSING]
        with self._database.writing() as connection:
            connection.execute("UPDATE runs SET header = ? WHERE run = ?", (header.model_dump_json(), header.run))
            connection.executemany("UPDATE attempts SET result = ? WHERE run = ? AND attempt = ?", rows)

    def verdicts(self, header: Header) -> list[Result]:
        """Results of a run as they were judged last, without its episodes, of the attempts that it wants."""
        rows = self._database.execute("SELECT attempt, result FROM attempts WHERE run = ?", (header.run,))
        wanted = set(header.trials)
        return [_stored(Result, text) for name, text in rows if name in wanted]

    def episode(self, run: str, key: str) -> tuple[Episode, StateDiff] | None:
        """One stored episode, and what it changed."""
        query = "SELECT episode, diff FROM attempts WHERE run = ? AND attempt = ?"
        row = self._database.execute(query, (run, key)).fetchone()
        return _played(row[0], row[1]) if row else None

    def known(self, run: str, trials: Sequence[Trial], offered: Sequence[ToolSpec],
              stress: Stress | None = None) -> dict[str, Result]:  # fmt: skip
        """Valid results of a run by the keys of its attempts; those of an older grading are judged again."""
        wanted = {trial.key: trial for trial in trials}
        rows = self._database.execute("SELECT attempt, result, episode, diff FROM attempts WHERE run = ?", (run,))
        found: dict[str, Result] = {}
        for name, text, episode, diff in rows.fetchall():
            trial = wanted.get(name)
            if trial is None:
                continue
            result = _stored(Result, text)
            if result.verdict.grading != GRADING:
                result = result_of(trial.task, *_played(episode, diff), offered, stress, trial.routing, result.witness)
            if result.verdict.valid:
                found[name] = result
        return found

    def add(self, run: str, trial: Trial, result: Result, episode: Episode, diff: StateDiff) -> None:
        """Keep one result; durable when this returns."""
        row = (run, trial.key, result.model_dump_json(), _packed(episode.model_dump_json()), diff.model_dump_json())
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?)", row)

    def known_rows(self, run: str) -> dict[str, Json]:
        """Judged rows of an utterance run, by row."""
        rows = self._database.execute("SELECT row, result FROM rows WHERE run = ?", (run,)).fetchall()
        return {name: json.loads(text) for name, text in rows}

    def add_rows(self, run: str, rows: dict[str, Json]) -> None:
        """Keep judged rows; durable when this returns."""
        with self._database.writing() as connection:
            values = [(run, name, canonical_json(result)) for name, result in rows.items()]
            connection.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", values)

    def forget(self, run: str) -> None:
        """Drop what is kept of a run; the uses of test splits stay logged."""
        with self._database.writing() as connection:
            for table in ("attempts", "rows", "runs"):
                connection.execute(f"DELETE FROM {table} WHERE run = ?", (run,))

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _judged(self, header: Header, trial: Trial, offered: Sequence[ToolSpec], again: bool) -> Result | None:
        """One stored attempt under the current grading."""
        query = "SELECT result, episode, diff FROM attempts WHERE run = ? AND attempt = ?"
        row = self._database.execute(query, (header.run, trial.key)).fetchone()
        if row is None:
            return None
        result = _stored(Result, row[0])
        if not again and result.verdict.grading == GRADING:
            return result
        return result_of(trial.task, *_played(row[1], row[2]), offered, header.stress, trial.routing, result.witness)

    def _task(self, digest: str) -> TaskSpec:
        row = self._database.execute("SELECT task FROM tasks WHERE digest = ?", (digest,)).fetchone()
        return _stored(TaskSpec, _unpacked(row[0]))

    def _tools(self, digest: str) -> list[ToolSpec]:
        row = self._database.execute("SELECT tools FROM toolsets WHERE digest = ?", (digest,)).fetchone()
        return [ToolSpec.model_validate(one) for one in json.loads(_unpacked(row[0]))]


def results_file() -> Path:
    """Where results are kept."""
    return data_folder() / "eval.sqlite3"


def read_episode(text: bytes | str) -> Episode:
    """An episode from its JSON; one of a newer contract is a `UserError` that names both versions."""
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    version = data.get("contract") if isinstance(data, dict) else None
    if isinstance(version, int) and version > CONTRACT_VERSION:
        raise UserError(
            f"this episode was written under contract {version}; this version of `pocket` reads contract "
            f"{CONTRACT_VERSION}. Use the version that wrote it."
        )
    return _stored(Episode, text)


def _routing(name: str) -> Routing:
    return "mixed" if name == "mixed" else "skill_only" if name == "skill_only" else ""


def _played(episode: bytes, diff: str) -> tuple[Episode, StateDiff]:
    return read_episode(_unpacked(episode)), _stored(StateDiff, diff)


def _stored(model: type[R], text: str | bytes) -> R:
    """A record that was stored; one that this version does not know is a `UserError`."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        raise UserError(
            f"a stored {model.__name__.lower()} is of another version of `pocket`, or damaged (field "
            f"`{'.'.join(map(str, first['loc']))}`: {first['msg']}). Use the version that wrote it, or move "
            f"`{results_file()}` away."
        ) from None


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode())


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompress(packed)
    except zlib.error as error:
        raise UserError(f"a stored record is damaged ({error}). Move `{results_file()}` away.") from None
