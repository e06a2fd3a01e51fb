"""Results of runs, kept as they come: one row a task, in SQLite under the data folder.

A row is found by its run (digest of all that produces episodes) and the digest of its task, so that a killed run goes
on where it stopped, a changed task runs again, and results of another planner or configuration are never mixed in. The
episode (packed by zlib) and the phone's diff stay beside the verdict: a new grading needs no planner.
"""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path

from evalkit.audit import malformed_calls, silent_cuts
from evalkit.verify import GRADING, CoreVerifier
from runtime.contract import Domain, Episode, Json, Record, StateDiff, TaskSpec, ToolSpec, Verdict, canonical_json
from runtime.planner.settings import data_folder
from runtime.trace.sqlite import connect, migrate, writing

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
)
"""Of suites (`results`) and of utterances (`rows`). A released step is never edited: a change is a new step."""


class Result(Record):
    """One task attempt, judged."""

    task_id: str
    """The task."""
    family: str
    """Its cluster."""
    domain: Domain
    """Its domain."""
    pattern: str
    """one_call, multi_call, ..."""
    verdict: Verdict
    """The verifier's word."""
    stop: str
    """How the episode ended."""
    steps: int
    """Decisions."""
    output_tokens: int
    """Generated tokens."""
    seconds: float
    """Wall time."""
    malformed: int = 0
    """Malformed calls."""
    silent_cuts: int = 0
    """Parts of a prompt that are missing without a word in the trace."""


def result_of(task: TaskSpec, episode: Episode, diff: StateDiff, offered: Sequence[ToolSpec]) -> Result:
    """Judge and count one episode."""
    return Result(
        task_id=task.id,
        family=task.family,
        domain=task.domain,
        pattern=task.pattern,
        verdict=CoreVerifier().judge(task.policy, episode, diff),
        stop=episode.stop.value,
        steps=len(episode.steps),
        output_tokens=sum(step.decision.usage.output_tokens for step in episode.steps),
        seconds=episode.timing.seconds,
        malformed=malformed_calls(episode, offered),
        silent_cuts=silent_cuts(episode, offered),
    )


def results_file() -> Path:
    """Where results are kept."""
    return data_folder() / "eval.sqlite3"


class ResultStore:
    """Results of all runs."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        migrate(self._connection, MIGRATIONS)

    def known(self, run: str, tasks: Sequence[TaskSpec], offered: Sequence[ToolSpec]) -> dict[str, Result]:
        """Valid results of a run by task id; those of an older grading are judged again."""
        wanted = {(task.id, task.digest()): task for task in tasks}
        rows = self._connection.execute(
            "SELECT task, task_digest, result, episode, diff FROM results WHERE run = ?", (run,)
        ).fetchall()
        found: dict[str, Result] = {}
        for task_id, digest, text, episode, diff in rows:
            task = wanted.get((task_id, digest))
            if task is None:
                continue
            result = Result.model_validate_json(text)
            if result.verdict.grading != GRADING:
                past, change = (
                    Episode.model_validate_json(zlib.decompress(episode)),
                    StateDiff.model_validate_json(diff),
                )
                result = result_of(task, past, change, offered)
            if result.verdict.valid:
                found[task_id] = result
        return found

    def add(self, run: str, task: TaskSpec, result: Result, episode: Episode, diff: StateDiff) -> None:
        """Keep one result; durable when this returns."""
        packed = zlib.compress(episode.model_dump_json().encode())
        row = (run, task.id, task.digest(), result.model_dump_json(), packed, diff.model_dump_json())
        with writing(self._connection) as connection:
            connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)", row)

    def known_rows(self, run: str) -> dict[str, Json]:
        """Judged rows of an utterance run, by row."""
        rows = self._connection.execute("SELECT row, result FROM rows WHERE run = ?", (run,)).fetchall()
        return {name: json.loads(text) for name, text in rows}

    def add_rows(self, run: str, rows: dict[str, Json]) -> None:
        """Keep judged rows; durable when this returns."""
        with writing(self._connection) as connection:
            values = [(run, name, canonical_json(result)) for name, result in rows.items()]
            connection.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", values)

    def forget(self, run: str) -> None:
        """Drop what is kept of a run."""
        with writing(self._connection) as connection:
            connection.execute("DELETE FROM results WHERE run = ?", (run,))
            connection.execute("DELETE FROM rows WHERE run = ?", (run,))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
